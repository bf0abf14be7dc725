//! What any client may rely on: health, reflection, gRPC-web, CORS and the published keys.

use std::collections::BTreeSet;

use anyhow::Context as _;
use futures::StreamExt as _;
use tests::{Platform, shapes};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};
use tonic_reflection::pb::v1::{
    ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
    server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
};

const SERVICES: [&str; 5] = [
    "shoutan.identity.v1.IdentityService",
    "shoutan.game.v1.GameService",
    "shoutan.clock.v1.ClockService",
    "shoutan.matchmaking.v1.MatchmakingService",
    "shoutan.rating.v1.RatingService",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_standard_services_are_there() {
    for (shape, store) in shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let mut health = HealthClient::new(platform.transport());
        for service in SERVICES {
            let request = HealthCheckRequest { service: service.to_owned() };
            let answer = health.check(request).await.expect("health is answered").into_inner();
            assert_eq!(answer.status(), ServingStatus::Serving, "{service}");
        }
        let listed = reflected(&platform).await.expect("reflection is answered");
        for service in SERVICES {
            assert!(listed.contains(service), "{service} is not among {listed:?}");
        }
        assert!(!listed.iter().any(|service| service.contains("Internal")), "{listed:?}");
    }
}

async fn reflected(platform: &Platform) -> anyhow::Result<BTreeSet<String>> {
    let request = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut reflection = ServerReflectionClient::new(platform.transport());
    let mut answers = reflection.server_reflection_info(futures::stream::iter([request])).await?.into_inner();
    let answer = answers.next().await.context("an answer")??;
    let Some(MessageResponse::ListServicesResponse(list)) = answer.message_response else {
        anyhow::bail!("not a list: {answer:?}");
    };
    Ok(list.service.into_iter().map(|service| service.name).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_can_call() {
    for (shape, store) in shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let preflight = http(
            &platform,
            "OPTIONS /shoutan.clock.v1.ClockService/GetTime HTTP/1.1\r\n\
             Origin: https://example.org\r\n\
             Access-Control-Request-Method: POST\r\n\
             Access-Control-Request-Headers: authorization,content-type,x-grpc-web\r\n",
            &[],
        )
        .await
        .to_lowercase();
        assert!(preflight.starts_with("http/1.1 200"), "{preflight}");
        assert!(preflight.contains("access-control-allow-origin: *"), "{preflight}");
        assert!(preflight.contains("authorization"), "{preflight}");
        let called = http(
            &platform,
            "POST /shoutan.clock.v1.ClockService/GetTime HTTP/1.1\r\n\
             Origin: https://example.org\r\n\
             Content-Type: application/grpc-web+proto\r\n\
             X-Grpc-Web: 1\r\n",
            &[0; 5],
        )
        .await;
        assert!(called.starts_with("HTTP/1.1 200"), "{called}");
        assert!(called.contains("grpc-status:0") || called.contains("grpc-status: 0"), "{called}");
        let keys = http(&platform, "GET /.well-known/jwks.json HTTP/1.1\r\n", &[]).await;
        assert!(keys.starts_with("HTTP/1.1 200"), "{keys}");
        assert!(keys.contains("\"kty\":\"OKP\"") && keys.contains("\"crv\":\"Ed25519\""), "{keys}");
    }
}

/// An HTTP/1.1 request as a browser sends it, and all of the answer.
async fn http(platform: &Platform, head: &str, body: &[u8]) -> String {
    let address = platform.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.expect("the platform listens");
    let head =
        format!("{head}Host: {address}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await.expect("the head is sent");
    stream.write_all(body).await.expect("the body is sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("the answer ends");
    String::from_utf8_lossy(&answer).into_owned()
}
