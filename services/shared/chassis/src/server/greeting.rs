//! The first bytes of a connection: what a proxy says of it, TLS, and whether HTTP is spoken at all.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::{Buf as _, BytesMut};
use ppp::HeaderResult;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tokio_rustls::TlsAcceptor;

/// With what a client of HTTP/2 begins.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The longest header of the PROXY protocol that is read; its addresses need a quarter, the rest are remarks.
pub(super) const PROXY_HEADER_BYTES_MAX: usize = 1024;
/// The longest header of version 1, with its end of line.
const PROXY_LINE_BYTES_MAX: usize = 107;
/// How much of a header of version 2 says how long it is.
const PROXY_PREFIX_BYTES: usize = 16;

/// Bytes in both directions.
pub(super) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A connection whose first bytes were read already, and are read again.
pub(super) struct Rewound<T> {
    first: BytesMut,
    inner: T,
}

/// A connection that has shown that it means to speak HTTP.
pub(super) struct Greeted {
    /// What it says.
    pub io: Box<dyn Duplex>,
    /// Whether it showed a certificate by which services of the platform know each other.
    pub is_service: bool,
}

/// Reads what a proxy says of the connection before anything else: where it comes from.
///
/// # Errors
/// When it says nothing, or what is not the PROXY protocol.
pub(super) async fn announced(
    mut stream: Rewound<TcpStream>,
    peer: SocketAddr,
) -> io::Result<(SocketAddr, Rewound<TcpStream>)> {
    let length = loop {
        match header_length(&stream.first)? {
            Some(length) if stream.first.len() >= length => break length,
            _ => stream.read_more().await?,
        }
    };
    let address = origin(&stream.first[..length])?.unwrap_or(peer);
    stream.first.advance(length);
    Ok((address, stream))
}

/// Speaks TLS if the server does, and waits until it is plain that HTTP follows.
///
/// # Errors
/// When the connection ends, or the two cannot agree.
pub(super) async fn greet(
    stream: Rewound<TcpStream>,
    tls: Option<Arc<rustls::ServerConfig>>,
) -> io::Result<Greeted> {
    let Some(tls) = tls else {
        return Ok(Greeted { io: Box::new(spoken(stream).await?), is_service: false });
    };
    let stream = TlsAcceptor::from(tls).accept(stream).await?;
    // A certificate that is shown was verified: nobody but services has one of the authority that is asked for.
    let is_service = stream.get_ref().1.peer_certificates().is_some();
    Ok(Greeted { io: Box::new(spoken(Rewound::new(stream)).await?), is_service })
}

/// Reads until the first bytes are the whole preface of HTTP/2, or cannot become one.
async fn spoken<T: AsyncRead + Unpin>(mut stream: Rewound<T>) -> io::Result<Rewound<T>> {
    while stream.first.len() < PREFACE.len() && PREFACE.starts_with(&stream.first) {
        stream.read_more().await?;
    }
    Ok(stream)
}

/// How long the header is, once that can be told.
fn header_length(bytes: &[u8]) -> io::Result<Option<usize>> {
    let length = match bytes.first() {
        None => return Ok(None),
        Some(b'P') => match bytes.iter().position(|byte| *byte == b'\n') {
            Some(end) => end + 1,
            None if bytes.len() < PROXY_LINE_BYTES_MAX => return Ok(None),
            None => return Err(malformed()),
        },
        Some(b'\r') if bytes.len() < PROXY_PREFIX_BYTES => return Ok(None),
        Some(b'\r') => PROXY_PREFIX_BYTES + usize::from(u16::from_be_bytes([bytes[14], bytes[15]])),
        Some(_) => return Err(malformed()),
    };
    if length > PROXY_HEADER_BYTES_MAX { Err(malformed()) } else { Ok(Some(length)) }
}

/// Where the connection comes from; `None` when the proxy speaks for itself, as in a check of its own.
fn origin(header: &[u8]) -> io::Result<Option<SocketAddr>> {
    use ppp::{v1, v2};
    Ok(match HeaderResult::parse(header) {
        HeaderResult::V1(header) => match header.map_err(|_| malformed())?.addresses {
            v1::Addresses::Tcp4(ip) => Some((ip.source_address, ip.source_port).into()),
            v1::Addresses::Tcp6(ip) => Some((ip.source_address, ip.source_port).into()),
            v1::Addresses::Unknown => None,
        },
        HeaderResult::V2(header) => {
            let header = header.map_err(|_| malformed())?;
            match (header.command, header.addresses) {
                (v2::Command::Proxy, v2::Addresses::IPv4(ip)) => {
                    Some((ip.source_address, ip.source_port).into())
                }
                (v2::Command::Proxy, v2::Addresses::IPv6(ip)) => {
                    Some((ip.source_address, ip.source_port).into())
                }
                (v2::Command::Local, _) | (_, v2::Addresses::Unix(_) | v2::Addresses::Unspecified) => None,
            }
        }
    })
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a header of the PROXY protocol")
}

impl<T> Rewound<T> {
    /// A connection of which nothing was read yet.
    pub(super) fn new(inner: T) -> Self {
        Rewound { first: BytesMut::new(), inner }
    }
}

impl<T: AsyncRead + Unpin> Rewound<T> {
    async fn read_more(&mut self) -> io::Result<()> {
        let read = self.inner.read_buf(&mut self.first).await?;
        if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Rewound<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.first.is_empty() {
            return Pin::new(&mut self.inner).poll_read(context, buffer);
        }
        let length = self.first.len().min(buffer.remaining());
        buffer.put_slice(&self.first.split_to(length));
        if self.first.is_empty() {
            // Its memory is no longer needed.
            self.first = BytesMut::new();
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Rewound<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use ppp::v2::{Builder, Command, Protocol, Version};

    use super::*;

    fn version_2(command: Command, from: &str) -> Vec<u8> {
        let from: SocketAddr = from.parse().expect("an address");
        let to: SocketAddr = SocketAddr::new(from.ip(), 7400);
        Builder::with_addresses(Version::Two | command, Protocol::Stream, (from, to))
            .build()
            .expect("it fits")
    }

    #[test]
    fn both_versions_say_where_a_connection_comes_from() {
        let check = |header: &[u8], from: Option<&str>| {
            let whole = [header, b"PRI * HTTP/2.0"].concat();
            let length = header_length(&whole).expect("a header").expect("all of it");
            assert_eq!(length, header.len());
            let expect = from.map(|from| from.parse().expect("an address"));
            assert_eq!(origin(&whole[..length]).expect("a header"), expect);
            // However it is cut in pieces, it is waited for.
            for part in 0..header.len() {
                assert!(header_length(&header[..part]).expect("a part").is_none_or(|length| length > part));
            }
        };
        check(b"PROXY TCP4 192.0.2.7 192.0.2.1 40000 7400\r\n", Some("192.0.2.7:40000"));
        check(b"PROXY TCP6 2001:db8::7 2001:db8::1 40000 7400\r\n", Some("[2001:db8::7]:40000"));
        check(b"PROXY UNKNOWN\r\n", None);
        check(&version_2(Command::Proxy, "192.0.2.7:40000"), Some("192.0.2.7:40000"));
        check(&version_2(Command::Proxy, "[2001:db8::7]:40000"), Some("[2001:db8::7]:40000"));
        check(&version_2(Command::Local, "192.0.2.7:40000"), None);
    }

    #[test]
    fn anything_else_is_refused() {
        let long = [b"\r\n\r\n\0\r\nQUIT\n\x21\x11\xff\xff".as_slice(), &[0; 2000]].concat();
        for bad in
            [b"GET / HTTP/1.1\r\n".as_slice(), &[b'P'; 200], b"PRI * HTTP/2.0\r\n", b"\x16\x03\x01", &long]
        {
            let refused = match header_length(bad) {
                Err(_) => true,
                Ok(length) => origin(&bad[..length.expect("all of it")]).is_err(),
            };
            assert!(refused, "{bad:?}");
        }
    }
}
