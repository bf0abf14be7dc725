//! Says in the log who is limited, and by what, whichever limit it is.

use std::{
    net::IpAddr,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures::FutureExt as _;
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota};
use http::{Extensions, Request, Response};
use tonic::{Code, Status, body::Body};
use tower::Service;

use super::{
    connections::network,
    middleware::{Answer, Middleware},
    secret::shown,
};
use crate::{
    auth::{self, Credential},
    id::AccountId,
};

/// How often the same caller is named.
const PERIOD: Duration = Duration::from_secs(10);
/// Lines a second, however many are limited.
const LINES_PER_S: NonZeroU32 = NonZeroU32::new(10).expect("not zero");
/// Callers that are remembered; more are forgotten when they have been quiet.
const CALLERS_KEPT: usize = 10_000;

/// Names callers that are refused because something is exhausted.
#[derive(Clone, Debug)]
pub(super) struct Naming(Arc<Names>);

/// Who called: an account, or somebody without one from a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Caller {
    Account(AccountId),
    Network(IpAddr),
}

impl Caller {
    /// Who makes a call; `None` where nothing is known of him.
    pub(super) fn of(extensions: &Extensions) -> Option<Self> {
        if let Some(Credential::Account(caller)) = extensions.get() {
            return Some(Caller::Account(caller.id));
        }
        auth::peer_address(extensions).map(|address| Caller::Network(network(address)))
    }
}

#[derive(Debug)]
struct Names {
    callers: DefaultKeyedRateLimiter<Caller>,
    lines: DefaultDirectRateLimiter,
    held_back: AtomicU64,
}

impl Naming {
    /// One that has named nobody yet.
    pub(super) fn new() -> Self {
        let once = Quota::with_period(PERIOD).unwrap_or(Quota::per_minute(NonZeroU32::MIN));
        Naming(Arc::new(Names {
            callers: DefaultKeyedRateLimiter::keyed(once.allow_burst(NonZeroU32::MIN)),
            lines: DefaultDirectRateLimiter::direct(Quota::per_second(LINES_PER_S)),
            held_back: AtomicU64::new(0),
        }))
    }
}

impl Middleware for Naming {
    fn call<S, B>(&self, inner: &mut S, request: Request<B>) -> Answer<S::Error>
    where
        S: Service<Request<B>, Response = Response<Body>>,
        S::Future: Send + 'static,
        S::Error: Send + 'static,
    {
        let names = Arc::clone(&self.0);
        let caller = Caller::of(request.extensions());
        let (address, path) = (auth::peer_address(request.extensions()), request.uri().clone());
        let answer = inner.call(request);
        async move {
            let answer = answer.await;
            if let Ok(response) = &answer
                && let Some(status) = Status::from_header_map(response.headers())
                && status.code() == Code::ResourceExhausted
            {
                names.name(caller, address, shown(path.path()), &api::error::reason(&status));
            }
            answer
        }
        .boxed()
    }
}

impl Names {
    fn name(&self, caller: Option<Caller>, address: Option<IpAddr>, method: &str, reason: &str) {
        if self.callers.len() > CALLERS_KEPT {
            self.callers.retain_recent();
        }
        let is_new = caller.is_none_or(|caller| self.callers.check_key(&caller).is_ok());
        if !is_new || self.lines.check().is_err() {
            self.held_back.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let held_back = self.held_back.swap(0, Ordering::Relaxed);
        let account = match caller {
            Some(Caller::Account(account)) => Some(tracing::field::display(account)),
            _ => None,
        };
        let address = address.map(tracing::field::display);
        tracing::warn!(account, address, method, reason, held_back, "a caller is limited");
    }
}
