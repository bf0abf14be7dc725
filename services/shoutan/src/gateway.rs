//! The gateway of a platform of several processes: one address for clients, which passes each call on to
//! the service it is for.
//!
//! It reads nothing but the path. Internal services are not reachable through it. To each service it has connections
//! of their own for acts, for looks and for streams, with an end to what is under way on each: what is refused waits
//! for nobody, and nobody who watches, or does not take his answers, stands in the way of a move.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use api::{
    game::v1::{ReportGatewayRequest, game_internal_service_client::GameInternalServiceClient},
    reason,
    transport::Transport,
};
use axum::Router;
use bytes::Bytes;
use chassis::{
    auth::{self, JWKS_PATH},
    limit::{Amount, Limit},
    server::{CALENDAR_PATH, PolledFrame, Road, Roads, STREAMS_MAX},
    throttle::Throttle,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response};
use http_body::Frame;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status, body::Body};
use tower::ServiceExt as _;

use crate::platform::Service;

/// How often a gateway says that it is up.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);
/// Connections to each service: for acts, for looks and for streams.
const CONNECTIONS: [usize; 3] = [1, 2, 4];
/// Calls under way on one of them: well under what a service takes, above which everything on it would wait.
const CALLS_PER_CONNECTION: usize = 3072;
const _: () =
    assert!(CALLS_PER_CONNECTION < STREAMS_MAX as usize, "what is under way on a connection never waits");
/// When a call that found no room is to come again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The limits of a gateway.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "acts under way from a gateway to one service",
        amount: Amount::Count((CONNECTIONS[0] * CALLS_PER_CONNECTION) as u64),
        setting: None,
        reason: "over a connection of their own, on which nothing else can stand in their way",
    },
    Limit {
        name: "looks under way from a gateway to one service",
        amount: Amount::Count((CONNECTIONS[1] * CALLS_PER_CONNECTION) as u64),
        setting: None,
        reason: "also those whose clients do not take the answer yet",
    },
    Limit {
        name: "streams from a gateway to one service",
        amount: Amount::Count((CONNECTIONS[2] * CALLS_PER_CONNECTION) as u64),
        setting: None,
        reason: "more than there may be connections: everybody may watch a game, and who plays many watches each",
    },
];

/// Routes of every public service to the process that runs it. `connect` makes a connection to a service;
/// `token` proves to it that the gateway is one, so that it believes where a request came from.
///
/// # Errors
/// Those of `connect`.
pub fn routes<T, E>(connect: impl Fn(Service) -> Result<Transport, E>, token: T) -> Result<Router, E>
where
    T: Fn() -> String + Clone + Send + Sync + 'static,
{
    let mut router = Router::new();
    for service in Service::ALL {
        let connections = Arc::new(Connections::new(|| connect(service))?);
        for (name, _) in service.public() {
            let path = format!("/{name}/{{method}}");
            router = router.route(&path, pass_on(Arc::clone(&connections), token.clone()));
        }
        match service {
            Service::Identity => router = router.route(JWKS_PATH, pass_on(connections, token.clone())),
            Service::Federation => {
                let calendars = format!("{CALENDAR_PATH}{{file}}");
                router = router.route(&calendars, pass_on(connections, token.clone()));
            }
            _ => {}
        }
    }
    Ok(router)
}

/// The connections to a service, by what they are for.
struct Connections {
    roads: Roads,
    acts: Vec<Connection>,
    looks: Vec<Connection>,
    streams: Vec<Connection>,
}

/// A connection, and the room that is left on it.
struct Connection {
    transport: Transport,
    room: Arc<Semaphore>,
}

impl Connections {
    fn new<E>(connect: impl Fn() -> Result<Transport, E>) -> Result<Self, E> {
        let connection =
            || Ok(Connection { transport: connect()?, room: Arc::new(Semaphore::new(CALLS_PER_CONNECTION)) });
        let [acts, looks, streams] =
            CONNECTIONS.map(|count| (0..count).map(|_| connection()).collect::<Result<Vec<_>, E>>());
        Ok(Connections { roads: Roads::new(), acts: acts?, looks: looks?, streams: streams? })
    }

    /// The connection for a call with the most room, and a place on it; `None` if there is none.
    fn take(&self, path: &str) -> Option<(Transport, OwnedSemaphorePermit)> {
        let connections = match self.roads.of(path) {
            Road::Act => &self.acts,
            Road::Look => &self.looks,
            Road::Stream => &self.streams,
        };
        let connection = connections.iter().max_by_key(|connection| connection.room.available_permits())?;
        let place = Arc::clone(&connection.room).try_acquire_owned().ok()?;
        Some((connection.transport.clone(), place))
    }
}

/// Tells the game service that players can come through here, until `stop`. When nobody says so, their clocks
/// stand still.
pub async fn report(game: Transport, stop: CancellationToken) {
    let mut failing = false;
    while !stop.is_cancelled() {
        let answer =
            GameInternalServiceClient::new(game.clone()).report_gateway(ReportGatewayRequest {}).await;
        if let Err(status) = &answer
            && !failing
        {
            tracing::warn!(%status, "the game service does not hear that this gateway is up");
        }
        failing = answer.is_err();
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = tokio::time::sleep(REPORT_INTERVAL) => {}
        }
    }
}

fn pass_on<T>(connections: Arc<Connections>, token: T) -> axum::routing::MethodRouter
where
    T: Fn() -> String + Clone + Send + Sync + 'static,
{
    axum::routing::any(move |mut request: Request<axum::body::Body>| {
        let connection = connections.take(request.uri().path());
        let proof = HeaderValue::try_from(token()).ok();
        let grpc = request.method() == Method::POST;
        async move {
            let Some((transport, place)) = connection else {
                return no_room().into_http();
            };
            let address = auth::peer_address(request.extensions());
            let peer = address.and_then(|address| HeaderValue::try_from(address.to_string()).ok());
            for (name, value) in
                [(auth::SERVICE_HEADER, None), (auth::GATEWAY_HEADER, proof), (auth::PEER_HEADER, peer)]
            {
                // What a client put there itself must not get through.
                request.headers_mut().remove(name);
                if let Some(value) = value {
                    request.headers_mut().insert(name, value);
                }
            }
            let response: Response<Body> = match transport.oneshot(request.map(Body::new)).await {
                Ok(response) => match said_without_reason(response.headers()).filter(|_| grpc) {
                    Some(error) => unreachable_for(&error),
                    None => response,
                },
                Err(error) => unreachable_for(&error),
            };
            response.map(|body| axum::body::Body::new(Whole { body, grpc, over: false, _place: place }))
        }
    })
}

/// What a client is told when too much is under way to the service for his call.
fn no_room() -> Status {
    static COMPLAINTS: Throttle = Throttle::new();
    if let Some(held_back) = COMPLAINTS.admit() {
        tracing::warn!(held_back, "calls are refused: as many as may be are under way to a service");
    }
    let message = "too many calls and streams are under way; try again";
    api::Error::new(Code::ResourceExhausted, reason::OVERLOADED, message).retry_after(RETRY_AFTER).into()
}

/// What somebody between the gateway and a service says when he cannot reach it: services give reasons.
fn said_without_reason(headers: &HeaderMap) -> Option<String> {
    let status = Status::from_header_map(headers)?;
    let is_strange = status.code() == Code::Unavailable && status.details().is_empty();
    is_strange.then(|| status.message().to_owned())
}

/// The answer to a call whose service is not there.
fn unreachable_for(error: &dyn std::fmt::Display) -> Response<Body> {
    static COMPLAINTS: Throttle = Throttle::new();
    if let Some(held_back) = COMPLAINTS.admit() {
        tracing::warn!(%error, held_back, "a service cannot be reached");
    }
    unreachable_now().into_http()
}

/// What a client is told when the service for its call is not there.
fn unreachable_now() -> Status {
    let message = "the service cannot be reached; try again";
    api::Error::unavailable(reason::SERVICE_UNREACHABLE, message).into()
}

/// An answer that ends with a status also when the service breaks off in the middle of it: a reset would reach the
/// client as an error of the protocol, of which nobody knows whether to try again.
struct Whole {
    body: Body,
    /// Whether there are trailers to say it in.
    grpc: bool,
    over: bool,
    _place: OwnedSemaphorePermit,
}

impl http_body::Body for Whole {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> PolledFrame {
        if self.over {
            return Poll::Ready(None);
        }
        Poll::Ready(match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            Some(Err(error)) if self.grpc => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::warn!(%error, held_back, "a service broke off in the middle of an answer");
                }
                self.over = true;
                let mut trailers = HeaderMap::new();
                Some(unreachable_now().add_header(&mut trailers).map(|()| Frame::trailers(trailers)))
            }
            frame => frame,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, num::NonZeroU32};

    use api::transport::{Loopback, over};
    use chassis::{
        Env, Lifecycle,
        auth::{ClusterKey, Verifier},
        server::{self, Answers, Door, RateLimits},
        trace::Tracing,
    };
    use futures::{StreamExt as _, future::join_all, stream};
    use tokio::time::timeout;
    use tonic::service::Routes;

    use super::*;

    /// What a busy machine may take to answer.
    const SOON: Duration = Duration::from_secs(20);
    /// An answer that no window takes at once.
    const LONG_BYTES: usize = 256 * 1024;
    const PLAY: &str = "/shoutan.game.v1.GameService/Play";
    const LOOK: &str = "/shoutan.game.v1.GameService/GetGame";
    const WATCH: &str = "/shoutan.game.v1.GameService/Watch";

    /// A service in which an act is answered at once, a look at length, and a stream never ends.
    async fn service(request: Request<axum::body::Body>) -> Response<axum::body::Body> {
        let first = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"first"))]);
        Response::new(match request.uri().path() {
            WATCH => axum::body::Body::from_stream(first.chain(stream::pending())),
            LOOK => axum::body::Body::from(vec![0; LONG_BYTES]),
            _ => axum::body::Body::empty(),
        })
    }

    /// A gateway before services behind a real network, each of which is this one.
    fn gateway(lifecycle: &Lifecycle) -> Router {
        chassis::install_crypto();
        let env = Env::system();
        let key = ClusterKey::random(&env);
        let tracing = Tracing { env: env.clone(), sampled: 0.0, slow: Duration::from_secs(1) };
        let verifier = Arc::new(Verifier::new(Loopback::new().transport(), key, env));
        let most = NonZeroU32::MAX;
        let rates =
            RateLimits { account_per_s: most, address_per_s: most, account_open: most, address_open: most };
        let (listener, address) = server::listen(([127, 0, 0, 1], 0).into(), false).expect("a port");
        let routes = Routes::from(Router::new().fallback(service));
        let lifecycle = lifecycle.clone();
        tokio::spawn(async move {
            let answers = Answers { verifier, rates, tracing };
            server::serve(listener, routes, answers, Door::default(), &lifecycle).await;
        });
        let url = format!("http://{address}");
        super::routes(|_| api::client::connect_peer(&url), || "token".to_owned()).expect("an address")
    }

    async fn call(gateway: &Router, path: &str) -> Response<axum::body::Body> {
        let request = Request::post(path).header("content-type", "application/grpc");
        let request = request.body(axum::body::Body::empty()).expect("a request");
        let Ok(answer) = gateway.clone().oneshot(request).await;
        answer
    }

    async fn is_answered(gateway: &Router, path: &str) -> bool {
        let whole = async {
            let answer = call(gateway, path).await;
            let is_ok = Status::from_header_map(answer.headers()).is_none();
            is_ok && axum::body::to_bytes(answer.into_body(), usize::MAX).await.is_ok()
        };
        timeout(SOON, whole).await.unwrap_or(false)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn more_streams_than_a_connection_takes_keep_nobody_from_a_move() {
        let lifecycle = Lifecycle::new();
        let gateway = gateway(&lifecycle);
        let count = usize::try_from(STREAMS_MAX).expect("fits") + 100;
        let mut watched = Vec::new();
        for _ in 0..count / 100 {
            let some = timeout(SOON, join_all((0..100).map(|_| call(&gateway, WATCH)))).await;
            watched.extend(some.expect("streams are opened, or refused"));
        }
        let is_open = |answer: &Response<_>| Status::from_header_map(answer.headers()).is_none();
        assert!(watched.iter().filter(|answer| is_open(answer)).count() > count / 2);
        assert!(is_answered(&gateway, PLAY).await, "a move waits for the streams");
        assert!(is_answered(&gateway, LOOK).await, "a look waits for the streams");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn answers_that_are_not_taken_keep_nobody_else_s_from_coming() {
        let lifecycle = Lifecycle::new();
        let gateway = gateway(&lifecycle);
        let mut untaken = Vec::new();
        for _ in 0..100 {
            untaken.push(timeout(SOON, call(&gateway, LOOK)).await.expect("it begins"));
        }
        assert!(is_answered(&gateway, LOOK).await, "a look waits for what others do not take");
        assert!(is_answered(&gateway, PLAY).await, "a move waits for what others do not take");
        drop(untaken);
    }

    #[test]
    fn what_a_proxy_says_that_reaches_nobody_is_told_from_what_services_say() {
        let said = |status: Status| said_without_reason(status.into_http::<Body>().headers());
        assert_eq!(said(Status::unavailable("no healthy upstream")).as_deref(), Some("no healthy upstream"));
        for ours in [unreachable_now(), no_room(), Status::internal("a fault"), Status::ok("")] {
            assert_eq!(said(ours), None);
        }
    }

    #[tokio::test]
    async fn what_finds_no_room_is_refused_and_has_it_again_when_something_ends() {
        let nowhere = || Ok::<_, Infallible>(over(Routes::default().prepare()));
        let Ok(connections) = Connections::new(nowhere);
        let mut taken: Vec<_> = std::iter::from_fn(|| connections.take(WATCH)).collect();
        assert_eq!(taken.len(), CONNECTIONS[2] * CALLS_PER_CONNECTION);
        assert!(connections.take(PLAY).is_some() && connections.take(LOOK).is_some());
        taken.pop();
        assert!(connections.take(WATCH).is_some());
        assert_eq!(api::error::reason(&no_room()), "OVERLOADED");
    }
}
