//! One connection, from its first byte to its last.

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    pin::{Pin, pin},
    sync::Arc,
    task::Context,
    time::Duration,
};

use api::reason;
use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Request, Response};
use http_body::SizeHint;
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, body::Body, transport::server::TcpConnectInfo};
use tower::{ServiceExt as _, util::BoxCloneSyncService};

use super::{
    Door, HEADER_BYTES_MAX, HEADER_TIMEOUT, KEEPALIVE_INTERVAL, KEEPALIVE_TIMEOUT, PolledFrame,
    SEND_BUFFER_BYTES_MAX, STREAMS_MAX,
    connections::{Call, Here, Untaken},
    greeting::{Greeted, Rewound, announced, greet},
    methods::is_standard,
    open::Taking,
    refuse,
};
use crate::auth::ByCertificate;

/// How long a connection that is told to leave has for it while no call is under way.
const GOODBYE: Duration = Duration::from_secs(1);
/// The same when somebody else needs its place: long enough to say it, not to wait for an answer.
const SHORT_GOODBYE: Duration = Duration::from_millis(20);
/// How long a connection that has to leave has for it whatever is under way: it was idle when it was told.
pub(super) const LEAVE_WITHIN: Duration = Duration::from_secs(10);

/// What answers calls, with all layers.
pub(super) type Answering = BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>;

/// What all connections of a server share.
pub(super) struct Common {
    /// Who is let in, and how.
    pub door: Door,
    /// What answers.
    pub service: Answering,
    /// How HTTP is spoken.
    pub http: Builder<TokioExecutor>,
    /// Whoever has nothing under way is to leave, and nobody is to begin anything.
    pub stop: CancellationToken,
    /// Everybody is cut off.
    pub cut: CancellationToken,
}

/// How HTTP is spoken: HTTP/2, and HTTP/1 for browsers and plain GETs.
pub(super) fn http() -> Builder<TokioExecutor> {
    let mut http = Builder::new(TokioExecutor::new());
    http.http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEADER_BYTES_MAX)
        .max_send_buf_size(SEND_BUFFER_BYTES_MAX)
        .keep_alive_interval(KEEPALIVE_INTERVAL)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT);
    http.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    http
}

/// Serves a connection until it ends, or has to.
pub(super) async fn serve(stream: TcpStream, peer: SocketAddr, here: Here, common: Arc<Common>) {
    let here = Arc::new(here);
    let local = stream.local_addr().ok();
    let greeted = tokio::select! {
        biased;
        () = common.cut.cancelled() => return,
        () = common.stop.cancelled() => return,
        () = here.has_to_leave() => return,
        greeted = tokio::time::timeout(common.door.greeting_within, let_in(stream, peer, &here, &common.door)) => greeted,
    };
    let (address, Greeted { io, is_service }) = match greeted {
        Ok(Ok(Some(greeted))) => greeted,
        Ok(Ok(None)) => return,
        Ok(Err(error)) => return tracing::debug!(%peer, %error, "a connection did not get as far as HTTP"),
        Err(_) => return tracing::debug!(%peer, "a connection said nothing"),
    };
    let info = TcpConnectInfo { local_addr: local, remote_addr: Some(address) };
    let call = Calls { common: Arc::clone(&common), here: Arc::clone(&here), info, is_service };
    let mut connection = pin!(common.http.serve_connection(TokioIo::new(io), call));
    tokio::select! {
        biased;
        () = common.cut.cancelled() => return,
        () = here.is_cut() => return,
        () = common.stop.cancelled() => {}
        () = here.has_to_leave() => {}
        _ended = &mut connection => return,
    }
    connection.as_mut().graceful_shutdown();
    let goodbye = if here.is_in_the_way() { SHORT_GOODBYE } else { GOODBYE };
    let left = async {
        here.has_to_leave().await;
        tokio::time::sleep(LEAVE_WITHIN).await;
    };
    let mut left = pin!(left);
    loop {
        tokio::select! {
            biased;
            () = common.cut.cancelled() => return,
            () = here.is_cut() => return,
            () = &mut left => return,
            _ended = &mut connection => return,
            () = tokio::time::sleep(goodbye) => {
                // Whoever does not answer a goodbye and has nothing under way is not waited for.
                if here.is_idle() {
                    return;
                }
            }
        }
    }
}

/// What comes before HTTP; `None` when the address has connections enough.
async fn let_in(
    stream: TcpStream,
    peer: SocketAddr,
    here: &Here,
    door: &Door,
) -> io::Result<Option<(SocketAddr, Greeted)>> {
    stream.set_nodelay(true)?;
    let mut stream = Rewound::new(stream);
    let by_proxy = door.proxies.trusts(peer.ip());
    let mut address = peer;
    if by_proxy && door.proxy_protocol {
        (address, stream) = announced(stream, peer).await?;
    }
    // A proxy stands for everybody behind it.
    let one_of_many = by_proxy && address == peer;
    if !one_of_many && !here.is_from(address.ip()) {
        return Ok(None);
    }
    Ok(Some((address, greet(stream, door.tls.clone()).await?)))
}

/// The calls of a connection.
struct Calls {
    common: Arc<Common>,
    here: Arc<Here>,
    info: TcpConnectInfo,
    is_service: bool,
}

impl hyper::service::Service<Request<Incoming>> for Calls {
    type Response = Response<Counted>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Counted>, Infallible>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        if self.here.is_in_the_way() {
            // Its place is somebody else's; it can only begin something because it has not heard so yet.
            let message = "this connection was idle and is closed to make room; call again over another";
            let refusal = refuse(api::Error::unavailable(reason::STOPPING, message));
            return Box::pin(async { Ok(refusal.map(|body| Counted { body, taking: None, _call: None })) });
        }
        let here = Arc::clone(&self.here);
        let call = here.call(is_standard(request.uri().path()));
        let mut request = request.map(Body::new);
        let mut info = self.info.clone();
        if let Some(address) = &mut info.remote_addr {
            let origin: IpAddr = self.common.door.proxies.origin(address.ip(), request.headers());
            address.set_ip(origin);
        }
        request.extensions_mut().insert(info);
        if self.is_service {
            request.extensions_mut().insert(ByCertificate);
        }
        let answer = self.common.service.clone().oneshot(request);
        let whole = self.common.door.taken_within;
        Box::pin(async move {
            let mut answer = answer.await?;
            let taking = answer.extensions_mut().remove::<Taking>();
            let taking = taking.map(|taking| (here.answer(taking.within(whole)), taking));
            Ok(answer.map(|body| Counted { body, taking, _call: Some(call) }))
        })
    }
}

/// The body of an answer, with which its call ends.
pub(super) struct Counted {
    body: Body,
    taking: Option<(Untaken, Taking)>,
    _call: Option<Call>,
}

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> PolledFrame {
        // Nobody asks for more before what there was is on its way to the client.
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Some((untaken, Taking::Stream)) = &self.taking {
            if frame.is_pending() {
                untaken.is_taken();
            } else {
                untaken.goes_on();
            }
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures::{StreamExt as _, stream};
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
        time::{Instant, timeout},
    };
    use tower::service_fn;

    use super::{super::accept, *};
    use crate::Lifecycle;

    /// The preface of HTTP/2.
    const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    /// Settings of which nothing is said.
    const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];
    /// Settings in which nothing of an answer may be sent.
    const NO_WINDOW: &[u8] = &[0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0];
    /// `GET /`, the whole of it.
    const GET: &[u8] = &[0, 0, 3, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84];
    /// What a busy machine may take.
    const SOON: Duration = Duration::from_secs(8);

    /// A server with this door; its answers are taken in this way, and end or not.
    async fn server(door: Door, taking: Taking, ends: bool) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let service = service_fn(move |_: Request<Body>| async move {
            let body = if ends {
                Body::new("the answer".to_owned())
            } else {
                let first = stream::iter([Ok::<_, Infallible>(Bytes::from_static(&[0; 1024]))]);
                Body::new(axum::body::Body::from_stream(first.chain(stream::pending())))
            };
            let mut answer = Response::new(body);
            answer.extensions_mut().insert(taking);
            Ok::<_, Infallible>(answer)
        });
        let service = Answering::new(service);
        tokio::spawn(async move { accept::serve(listener, service, door, &Lifecycle::new()).await });
        address
    }

    /// A client that says this.
    async fn client(address: SocketAddr, said: &[&[u8]]) -> TcpStream {
        let mut client = TcpStream::connect(address).await.expect("it listens");
        client.write_all(&said.concat()).await.expect("it is sent");
        client
    }

    /// How long it takes until the server closes; `None` if it does not soon.
    async fn closed_after(client: &mut TcpStream) -> Option<Duration> {
        let began = Instant::now();
        let mut rest = Vec::new();
        let _reset = timeout(SOON, client.read_to_end(&mut rest)).await.ok()?;
        Some(began.elapsed())
    }

    #[tokio::test]
    async fn who_does_not_take_what_he_asked_for_is_cut_off_and_who_waits_is_not() {
        let stays = async |taking, ends, said: &[&[u8]]| {
            let door = Door { taken_within: Duration::from_secs(1), ..Door::default() };
            let mut client = client(server(door, taking, ends).await, said).await;
            closed_after(&mut client).await.is_none()
        };
        let stayed = tokio::join!(
            stays(Taking::Whole, true, &[PREFACE, NO_WINDOW, GET]),
            stays(Taking::Stream, false, &[PREFACE, NO_WINDOW, GET]),
            stays(Taking::Whole, true, &[PREFACE, NO_WINDOW]),
            stays(Taking::Stream, false, &[PREFACE, SETTINGS, GET]),
        );
        assert_eq!(stayed, (false, false, true, true));
    }

    #[tokio::test]
    async fn who_has_lost_his_place_begins_nothing_more() {
        let address = server(Door { connections: 1, ..Door::default() }, Taking::Stream, false).await;
        let mut idle = client(address, &[PREFACE, SETTINGS]).await;
        assert_ne!(idle.read(&mut [0; 64]).await.expect("settings"), 0);
        let _next = client(address, &[PREFACE, SETTINGS]).await;
        // It is told to leave, which it does not acknowledge, and calls on.
        let mut said = Vec::new();
        while !said.windows(4).any(|frame| frame[3] == 7) {
            let mut part = [0; 64];
            let read =
                timeout(SOON, idle.read(&mut part)).await.expect("it is told soon").expect("it is told");
            assert_ne!(read, 0, "it is told before it is closed");
            said.extend_from_slice(&part[..read]);
        }
        let _may_be_closed = idle.write_all(GET).await;
        assert!(closed_after(&mut idle).await.is_some(), "it lives on beside those that are counted");
    }
}
