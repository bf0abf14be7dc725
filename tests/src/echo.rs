//! The floor: a bare tonic server that answers any call with an empty message, in a process of its own.

use std::net::Ipv4Addr;

use axum::Router;
use http::{HeaderValue, Response, header};
use tokio::process::Child;
use tonic::{body::Body, service::Routes};

/// An empty message in its frame: not compressed, no bytes.
const EMPTY: [u8; 5] = [0; 5];

/// Serves on a port until the process is killed: what a program does that is called with `--echo PORT`.
pub async fn serve(port: u16) -> anyhow::Result<()> {
    let answer = || async {
        let mut response = Response::new(Body::new(http_body_util::Full::from(EMPTY.as_slice())));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
        headers.insert("grpc-status", HeaderValue::from_static("0"));
        response.map(axum::body::Body::new)
    };
    tonic::transport::Server::builder()
        .tcp_nodelay(true)
        .add_routes(Routes::from(Router::new().fallback(answer)))
        .serve((Ipv4Addr::LOCALHOST, port).into())
        .await?;
    Ok(())
}

/// The echo as a child process.
pub struct Echo {
    _child: Child,
    /// Where it is.
    pub url: String,
}

impl Echo {
    /// Starts this very program with `--echo PORT`, and waits until it takes connections.
    pub async fn start() -> anyhow::Result<Self> {
        let port = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let child = tokio::process::Command::new(std::env::current_exe()?)
            .args(["--echo", &port.to_string()])
            .kill_on_drop(true)
            .spawn()?;
        let up = async {
            while tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(10), up).await?;
        Ok(Echo { _child: child, url: format!("http://127.0.0.1:{port}") })
    }
}
