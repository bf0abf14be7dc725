//! One connection, from its first byte to its last.

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Request, Response};
use http_body::{Frame, SizeHint};
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
    Door, HEADER_BYTES_MAX, HEADER_TIMEOUT, KEEPALIVE_INTERVAL, KEEPALIVE_TIMEOUT, SEND_BUFFER_BYTES_MAX,
    STREAMS_MAX,
    connections::{Call, Here},
    greeting::{Greeted, Rewound, announced, greet},
};
use crate::auth::ByCertificate;

/// How long a connection that is told to leave has for it while no call is under way.
const GOODBYE: Duration = Duration::from_secs(1);
/// The same when somebody else needs its place: long enough to say it, not to wait for an answer.
const SHORT_GOODBYE: Duration = Duration::from_millis(20);

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
        () = common.stop.cancelled() => {}
        () = here.has_to_leave() => {}
        _ended = &mut connection => return,
    }
    connection.as_mut().graceful_shutdown();
    let goodbye = if here.is_in_the_way() { SHORT_GOODBYE } else { GOODBYE };
    loop {
        tokio::select! {
            biased;
            () = common.cut.cancelled() => return,
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
        let call = self.here.call();
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
        Box::pin(async move { Ok(answer.await?.map(|body| Counted { body, _call: call })) })
    }
}

/// The body of an answer, with which its call ends.
pub(super) struct Counted {
    body: Body,
    _call: Call,
}

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
