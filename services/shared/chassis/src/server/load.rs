//! Who goes first when there is too much to do: acts before what players and members look at, and that before what
//! strangers do.
//!
//! Each class has places for so much work at once; who finds none waits a moment for one. What is under way in all is
//! measured too: the more it is, the fewer classes are let in, and the least is the first that is not.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use api::reason;
use futures::{FutureExt as _, future::BoxFuture};
use http::{Request, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::{Code, body::Body};
use tower::{Layer, Service, ServiceExt as _};

use super::{
    come_again, refuse,
    secret::shown,
    work::{Purpose, Table},
};
use crate::{
    auth::{self, Credential},
    throttle::Throttle,
    trace,
};

/// Work of strangers at once, for each core.
pub(super) const STRANGERS_PER_CORE: u32 = 8;
/// Work of members beside their acts at once, for each core.
pub(super) const MEMBERS_PER_CORE: u32 = 64;
/// Acts at once, for each core.
pub(super) const ACTS_PER_CORE: u32 = 1024;
/// With so much work under way in all, for each core, strangers are not let in at all.
pub(super) const STRANGERS_OUT_PER_CORE: u32 = 128;
/// With so much, only acts are.
pub(super) const MEMBERS_OUT_PER_CORE: u32 = 512;
/// How long a call waits for a place.
pub(super) const WAIT: Duration = Duration::from_secs(1);
/// Calls of a class that wait for a place at once, for each unit of work that it has places for.
const WAITING_PER_PLACE: u32 = 8;
/// When a call that found no place is to come again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Who goes before whom; the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Strangers,
    Members,
    Acts,
}

/// Lets calls in by what they are for, what they cost, and whose they are.
#[derive(Clone, Debug)]
pub(super) struct LoadLayer(Arc<Load>);

/// See [`LoadLayer`].
#[derive(Clone, Debug)]
pub(super) struct LoadService<S> {
    inner: S,
    load: Arc<Load>,
}

#[derive(Debug)]
struct Load {
    table: Table,
    /// Work that is under way.
    work: AtomicU32,
    /// By class, the least first.
    classes: [Places; 3],
}

#[derive(Debug)]
struct Places {
    count: u32,
    free: Arc<Semaphore>,
    waiting: AtomicU32,
    /// With so much work in all nobody of this class is let in.
    out_at: u32,
    refused: Throttle,
}

/// Work that is under way, until it is dropped.
struct Work {
    load: Arc<Load>,
    cost: u32,
    _place: OwnedSemaphorePermit,
}

/// A call that waits, until it is dropped.
struct Waiting<'a>(&'a AtomicU32);

impl LoadLayer {
    /// A layer for a machine of so many cores.
    pub(super) fn new(cores: u32) -> Self {
        let places = |per_core: u32, out_per_core: u32| {
            let count = per_core * cores;
            Places {
                count,
                free: Arc::new(Semaphore::new(usize::try_from(count).unwrap_or(usize::MAX))),
                waiting: AtomicU32::new(0),
                out_at: out_per_core.saturating_mul(cores),
                refused: Throttle::new(),
            }
        };
        let classes = [
            places(STRANGERS_PER_CORE, STRANGERS_OUT_PER_CORE),
            places(MEMBERS_PER_CORE, MEMBERS_OUT_PER_CORE),
            places(ACTS_PER_CORE, u32::MAX),
        ];
        LoadLayer(Arc::new(Load { table: Table::new(), work: AtomicU32::new(0), classes }))
    }
}

impl<S> Layer<S> for LoadLayer {
    type Service = LoadService<S>;

    fn layer(&self, inner: S) -> LoadService<S> {
        LoadService { inner, load: Arc::clone(&self.0) }
    }
}

impl<S, B> Service<Request<B>> for LoadService<S>
where
    S: Service<Request<B>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
    B: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Response<Body>, S::Error>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        // Who waits for a place must not keep one of the services behind ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (inner, load) = (self.inner.clone(), Arc::clone(&self.load));
        let (purpose, cost) = load.table.of(request.uri().path());
        let Some(class) = class(request.extensions().get(), purpose) else {
            return inner.oneshot(request).boxed();
        };
        async move {
            if let Some(_until_the_first_answer) = load.begin(class, cost).await {
                inner.oneshot(request).await
            } else {
                load.classes[class as usize].say_refused(class, &request);
                let message = "the server has too much to do; try again";
                let answer = api::Error::new(Code::ResourceExhausted, reason::OVERLOADED, message);
                Ok(come_again(refuse(answer.retry_after(RETRY_AFTER)), RETRY_AFTER))
            }
        }
        .boxed()
    }
}

impl Load {
    /// Finds a place for work of a class, or waits a moment for one.
    async fn begin(self: &Arc<Self>, class: Class, cost: u32) -> Option<Work> {
        let places = &self.classes[class as usize];
        if self.work.load(Ordering::Relaxed) >= places.out_at {
            return None;
        }
        let cost = cost.min(places.count);
        let free = Arc::clone(&places.free);
        let place = if let Ok(place) = Arc::clone(&free).try_acquire_many_owned(cost) {
            place
        } else {
            let _waiting = Waiting::among(&places.waiting, places.count * WAITING_PER_PLACE)?;
            let place = tokio::time::timeout(WAIT, free.acquire_many_owned(cost));
            trace::during("waiting for a place", place).await.ok()?.ok()?
        };
        self.work.fetch_add(cost, Ordering::Relaxed);
        Some(Work { load: Arc::clone(self), cost, _place: place })
    }
}

impl Places {
    fn say_refused<B>(&self, class: Class, request: &Request<B>) {
        if let Some(held_back) = self.refused.admit() {
            let address = auth::peer_address(request.extensions()).map(tracing::field::display);
            let path = shown(request.uri().path());
            tracing::warn!(
                held_back,
                address,
                path,
                "calls of {class:?} find no place: there is too much to do"
            );
        }
    }
}

impl<'a> Waiting<'a> {
    /// One more that waits, if no more than so many do.
    fn among(waiting: &'a AtomicU32, most: u32) -> Option<Self> {
        let this = Waiting(waiting);
        (waiting.fetch_add(1, Ordering::Relaxed) < most).then_some(this)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.load.work.fetch_sub(self.cost, Ordering::Relaxed);
    }
}

/// Whose call it is; nobody's among these if a service of the platform makes it, or it asks how the server does.
const fn class(credential: Option<&Credential>, purpose: Purpose) -> Option<Class> {
    match (credential, purpose) {
        (_, Purpose::Stand) | (Some(Credential::Service(_)), _) => None,
        (Some(Credential::Account(_)), Purpose::Play) => Some(Class::Acts),
        (Some(Credential::Account(_)), _) | (_, Purpose::Enter) => Some(Class::Members),
        (_, Purpose::Play | Purpose::Look) => Some(Class::Strangers),
    }
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, future::pending};

    use tonic::Status;
    use tower::service_fn;

    use super::*;
    use crate::auth::{Caller, GrantType};

    const GET: &str = "/shoutan.game.v1.GameService/GetGame";
    const PLAY: &str = "/shoutan.game.v1.GameService/Play";
    const SIGN_IN: &str = "/shoutan.identity.v1.IdentityService/SignIn";

    fn member() -> Credential {
        Credential::Account(Caller {
            id: uuid::Uuid::from_u128(1).into(),
            name: "anna".to_owned(),
            guest: false,
            bot: false,
            scopes: Vec::new(),
            roles: Vec::new(),
            kind: GrantType::SignIn,
        })
    }

    fn request(path: &str, credential: Option<Credential>) -> Request<()> {
        let mut request = Request::new(());
        *request.uri_mut() = path.parse().expect("a path");
        if let Some(credential) = credential {
            request.extensions_mut().insert(credential);
        }
        request
    }

    type Endless = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    /// Fills a layer's places with calls that never end.
    fn fill(layer: &LoadLayer, request: impl Fn() -> Request<()>, count: u32) -> Vec<Endless> {
        let endless = service_fn(async |_: Request<()>| {
            pending::<()>().await;
            Ok::<_, Infallible>(Response::new(Body::empty()))
        });
        let call = |_| {
            let mut call: Endless = layer.layer(endless).oneshot(request()).boxed();
            assert!((&mut call).now_or_never().is_none());
            call
        };
        (0..count).map(call).collect()
    }

    /// What a call comes to that is answered at once when it is let in.
    async fn outcome(layer: &LoadLayer, request: Request<()>) -> Option<String> {
        let quick = service_fn(async |_: Request<()>| Ok::<_, Infallible>(Response::new(Body::empty())));
        let Ok(answer) = layer.layer(quick).oneshot(request).await;
        let status = Status::from_header_map(answer.headers())?;
        assert_eq!(status.code(), Code::ResourceExhausted);
        Some(api::error::reason(&status))
    }

    #[tokio::test(start_paused = true)]
    async fn strangers_who_look_keep_nobody_out_but_each_other() {
        let layer = LoadLayer::new(1);
        let looks = fill(&layer, || request(GET, None), STRANGERS_PER_CORE / 4);
        assert_eq!(outcome(&layer, request(GET, None)).await.as_deref(), Some("OVERLOADED"));
        assert_eq!(outcome(&layer, request(PLAY, None)).await.as_deref(), Some("OVERLOADED"), "nobody's act");
        for (path, credential) in [(GET, Some(member())), (PLAY, Some(member())), (SIGN_IN, None)] {
            assert_eq!(outcome(&layer, request(path, credential)).await, None, "{path}");
        }
        let service = Credential::Service("clock".to_owned());
        assert_eq!(outcome(&layer, request(GET, Some(service))).await, None);
        for path in ["/readyz", "/.well-known/jwks.json", "/grpc.health.v1.Health/Check"] {
            assert_eq!(outcome(&layer, request(path, None)).await, None, "{path}");
        }
        drop(looks);
        assert_eq!(outcome(&layer, request(GET, None)).await, None, "there is room again");
    }

    #[tokio::test(start_paused = true)]
    async fn the_more_there_is_to_do_the_fewer_classes_are_let_in() {
        let layer = LoadLayer::new(1);
        let out = async |path: &str, credential| outcome(&layer, request(path, credential)).await.is_some();
        let mut acts = fill(&layer, || request(PLAY, Some(member())), STRANGERS_OUT_PER_CORE);
        assert!(out(GET, None).await && !out(GET, Some(member())).await && !out(PLAY, Some(member())).await);
        acts.extend(fill(
            &layer,
            || request(PLAY, Some(member())),
            MEMBERS_OUT_PER_CORE - STRANGERS_OUT_PER_CORE,
        ));
        assert!(out(GET, None).await && out(GET, Some(member())).await && !out(PLAY, Some(member())).await);
        acts.extend(fill(&layer, || request(PLAY, Some(member())), ACTS_PER_CORE - MEMBERS_OUT_PER_CORE));
        assert!(out(PLAY, Some(member())).await, "even acts have an end");
        drop(acts);
        assert!(!out(GET, None).await);
    }

    #[tokio::test(start_paused = true)]
    async fn who_finds_no_place_waits_a_moment_for_one() {
        let layer = LoadLayer::new(1);
        let looks = fill(&layer, || request(GET, None), STRANGERS_PER_CORE / 4);
        let waits = tokio::spawn({
            let layer = layer.clone();
            async move { outcome(&layer, request(GET, None)).await }
        });
        tokio::time::sleep(WAIT / 2).await;
        drop(looks);
        assert_eq!(waits.await.expect("it ends"), None);
    }
}
