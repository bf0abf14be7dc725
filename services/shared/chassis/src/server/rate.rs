//! How often one caller may call.

use std::{
    net::IpAddr,
    num::NonZeroU32,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use api::{fault::Fault, reason};
use futures::{FutureExt as _, future::BoxFuture};
use governor::{DefaultKeyedRateLimiter, Quota, clock::Clock as _, clock::DefaultClock};
use http::{Request, Response};
use tonic::{Code, body::Body};
use tower::{Layer, Service};

use super::refuse;
use crate::{
    auth::{self, Credential},
    id::AccountId,
};

/// Idle callers are forgotten when there are this many.
const CALLERS_KEPT: usize = 100_000;
/// A caller may save up this many seconds of calls.
const BURST_S: u32 = 4;

/// Calls a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// For each account.
    pub account_per_s: NonZeroU32,
    /// For each network address, all callers without a token together.
    pub address_per_s: NonZeroU32,
}

/// Refuses callers that call too often.
#[derive(Clone, Debug)]
pub struct RateLayer(Arc<Limiters>);

/// See [`RateLayer`].
#[derive(Clone, Debug)]
pub struct RateService<S> {
    inner: S,
    limiters: Arc<Limiters>,
}

#[derive(Debug)]
struct Limiters {
    accounts: DefaultKeyedRateLimiter<AccountId>,
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Default for RateLimits {
    fn default() -> Self {
        // A player makes a move a second at most; a bot with fifty games as many moves, and looks around.
        let per_s = |calls| NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN);
        RateLimits { account_per_s: per_s(100), address_per_s: per_s(200) }
    }
}

impl RateLayer {
    /// A layer with these limits.
    pub fn new(limits: RateLimits) -> Self {
        let quota = |per_s: NonZeroU32| {
            Quota::per_second(per_s)
                .allow_burst(per_s.saturating_mul(NonZeroU32::MIN.saturating_add(BURST_S - 1)))
        };
        RateLayer(Arc::new(Limiters {
            accounts: DefaultKeyedRateLimiter::keyed(quota(limits.account_per_s)),
            addresses: DefaultKeyedRateLimiter::keyed(quota(limits.address_per_s)),
            clock: DefaultClock::default(),
        }))
    }
}

impl<S> Layer<S> for RateLayer {
    type Service = RateService<S>;

    fn layer(&self, inner: S) -> RateService<S> {
        RateService { inner, limiters: Arc::clone(&self.0) }
    }
}

impl<S, B> Service<Request<B>> for RateService<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Response<Body>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        match self.limiters.check(&request) {
            Ok(()) => self.inner.call(request).boxed(),
            Err(wait) => {
                let message = "too many calls; slow down";
                let fault =
                    Fault::new(Code::ResourceExhausted, reason::TOO_MANY_CALLS, message).retry_after(wait);
                futures::future::ok(refuse(fault)).boxed()
            }
        }
    }
}

impl Limiters {
    fn check<B>(&self, request: &Request<B>) -> Result<(), Duration> {
        let verdict = match request.extensions().get::<Credential>() {
            Some(Credential::Service(_)) => return Ok(()),
            Some(Credential::Account(caller)) => self.accounts.check_key(&caller.id),
            Some(Credential::Refused(_)) | None => match auth::peer_address(request.extensions()) {
                Some(address) => self.addresses.check_key(&address),
                None => return Ok(()),
            },
        };
        if self.accounts.len() > CALLERS_KEPT || self.addresses.len() > CALLERS_KEPT {
            self.accounts.retain_recent();
            self.addresses.retain_recent();
        }
        verdict.map_err(|not_until| not_until.wait_time_from(self.clock.now()))
    }
}
