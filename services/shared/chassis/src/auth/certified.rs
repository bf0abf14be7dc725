//! How services of one platform recognise each other by certificates: over a connection on which one of their
//! authority was shown, a header says which service is calling.
//!
//! The header alone says nothing, and neither does the connection: a gateway's carries the calls of everybody, and it
//! takes the header from each.

use std::{io, sync::Arc};

use api::{
    client::InvalidAddress,
    transport::{Transport, over},
};
use http::{HeaderValue, Request, Uri};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, pki_types::ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tonic::body::Body;
use tower::{service_fn, util::MapRequest};

/// The header in which a service says its name.
pub const SERVICE_HEADER: &str = "x-shoutan-service";

/// A transport on which every request says that `service` is calling, for connections that show a certificate.
pub fn as_certified_service(transport: Transport, service: &'static str) -> Transport {
    Transport::new(MapRequest::new(transport, move |mut request: Request<Body>| {
        request.headers_mut().insert(SERVICE_HEADER, HeaderValue::from_static(service));
        request
    }))
}

/// A transport to a server over TLS of our own making. The connection is made when it is first used, and anew when it
/// breaks, with the certificate as it is then.
///
/// # Errors
/// When the address is malformed or not https.
pub fn connect_with(url: &str, config: Arc<ClientConfig>) -> Result<Transport, InvalidAddress> {
    let Some(rest) = url.strip_prefix("https://") else { return Err(InvalidAddress::new(url)) };
    // The endpoint would otherwise look for a TLS of its own.
    let endpoint = api::client::peer_endpoint(&format!("http://{rest}"))?;
    let connector = TlsConnector::from(config);
    let channel = endpoint.connect_with_connector_lazy(service_fn(move |uri: Uri| {
        let connector = connector.clone();
        async move { secured(&connector, &uri).await.map(TokioIo::new) }
    }));
    Ok(over(channel))
}

async fn secured(
    connector: &TlsConnector,
    uri: &Uri,
) -> io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let stream = TcpStream::connect((host, uri.port_u16().unwrap_or(443))).await?;
    stream.set_nodelay(true)?;
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    connector.connect(name, stream).await
}
