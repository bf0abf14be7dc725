//! What any client may rely on: health, reflection, gRPC-web, CORS and the published keys.

use std::{collections::BTreeSet, time::Duration};

use anyhow::Context as _;
use api::{
    clock::v1::{GetTimeRequest, clock_service_client::ClockServiceClient},
    game::v1::game_service_client::GameServiceClient,
    identity::v1::{
        GetMyAccountRequest, RegisterGuestRequest, identity_service_client::IdentityServiceClient,
    },
    transport::Transport,
};
use futures::StreamExt as _;
use http::HeaderValue;
use tests::{Platform, Shape, Store, shapes};
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
use tonic_types::StatusExt as _;
use tower::util::MapRequest;

const SERVICES: [&str; 10] = [
    "shoutan.identity.v1.IdentityService",
    "shoutan.game.v1.GameService",
    "shoutan.clock.v1.ClockService",
    "shoutan.matchmaking.v1.MatchmakingService",
    "shoutan.rating.v1.RatingService",
    "shoutan.federation.v1.FederationService",
    "shoutan.federation.v1.MembershipService",
    "shoutan.federation.v1.DocumentService",
    "shoutan.federation.v1.CalendarService",
    "shoutan.federation.v1.PairingService",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_standard_services_are_there() {
    for (shape, store) in shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let mut health = HealthClient::new(platform.transport());
        for service in SERVICES {
            // Of several processes those that started first notice the others a moment later.
            let ready = async {
                loop {
                    let request = HealthCheckRequest { service: service.to_owned() };
                    let answer = health.check(request).await.expect("health is answered").into_inner();
                    if answer.status() == ServingStatus::Serving {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            };
            let ready = tokio::time::timeout(Duration::from_secs(20), ready).await;
            assert!(ready.is_ok(), "{service} is not ready");
        }
        let listed = reflected(&platform).await.expect("reflection is answered");
        for service in SERVICES {
            assert!(listed.contains(service), "{service} is not among {listed:?}");
        }
        assert!(!listed.iter().any(|service| service.contains("Internal")), "{listed:?}");
        assert_eq!(reflected_alpha(&platform).await.expect("its alpha is answered"), listed);
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

/// The same by the alpha of the protocol, which is all that clients of some years ago speak.
async fn reflected_alpha(platform: &Platform) -> anyhow::Result<BTreeSet<String>> {
    use tonic_reflection::pb::v1alpha as alpha;
    let list = alpha::server_reflection_request::MessageRequest::ListServices(String::new());
    let request = alpha::ServerReflectionRequest { host: String::new(), message_request: Some(list) };
    let mut reflection = alpha::server_reflection_client::ServerReflectionClient::new(platform.transport());
    let mut answers = reflection.server_reflection_info(futures::stream::iter([request])).await?.into_inner();
    let answer = answers.next().await.context("an answer")??;
    let Some(alpha::server_reflection_response::MessageResponse::ListServicesResponse(list)) =
        answer.message_response
    else {
        anyhow::bail!("not a list: {answer:?}");
    };
    Ok(list.service.into_iter().map(|service| service.name).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_have_the_domain_of_the_platform_and_say_which_limit_was_met() {
    let settings = ["--calls-per-address", "1"];
    let platform = Platform::start_with(Shape::One, Store::Embedded, &settings).await.expect("it starts");
    let bearer = |scheme: &'static str| {
        let transport = platform.transport();
        Transport::new(MapRequest::new(transport, move |mut request: http::Request<tonic::body::Body>| {
            let value = HeaderValue::try_from(format!("{scheme} not.a.token")).expect("a header");
            request.headers_mut().insert(http::header::AUTHORIZATION, value);
            request
        }))
    };
    let huge = api::game::v1::PlayRequest { act: "x".repeat(2_000_000), ..Default::default() };
    let refused = GameServiceClient::new(bearer("bearer")).play(huge).await.expect_err("it is too large");
    let info = refused.get_details_error_info().expect("it has details");
    assert_eq!((info.reason.as_str(), info.domain.as_str()), ("MESSAGE_TOO_LARGE", "shoutan.org"));
    let limit = refused.metadata().get("shoutan-limit").and_then(|limit| limit.to_str().ok());
    assert!(limit.is_some_and(|limit| limit.starts_with("message-bytes=")), "{refused:?}");
    let mut clocks = ClockServiceClient::new(platform.transport());
    let refused = loop {
        if let Err(status) = clocks.get_time(GetTimeRequest {}).await {
            break status;
        }
    };
    let info = refused.get_details_error_info().expect("it has details");
    assert_eq!((info.reason.as_str(), info.domain.as_str()), ("TOO_MANY_CALLS", "shoutan.org"));
    let header = |name: &str| refused.metadata().get(name).and_then(|value| value.to_str().ok());
    assert_eq!(header("shoutan-limit"), Some("calls-per-second=1"));
    assert!(header("retry-after").is_some_and(|wait| wait.parse::<u64>().is_ok()), "{refused:?}");
    assert!(platform.logs().contains("a caller is limited"), "{}", platform.logs());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scheme_of_a_token_is_known_in_any_case() {
    let platform = Platform::start(Shape::One, Store::Embedded).await.expect("it starts");
    let guest = IdentityServiceClient::new(platform.transport())
        .register_guest(RegisterGuestRequest { request_id: tests::ids()().to_string() })
        .await
        .expect("a guest")
        .into_inner();
    let token = guest.session.expect("a session").access_token;
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let value = HeaderValue::try_from(format!("{scheme} {token}")).expect("a header");
        let transport = platform.transport();
        let transport = Transport::new(MapRequest::new(
            transport,
            move |mut request: http::Request<tonic::body::Body>| {
                request.headers_mut().insert(http::header::AUTHORIZATION, value.clone());
                request
            },
        ));
        let mine = IdentityServiceClient::new(transport).get_my_account(GetMyAccountRequest {}).await;
        assert!(mine.is_ok(), "{scheme}: {mine:?}");
    }
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
pub(crate) async fn http(platform: &Platform, head: &str, body: &[u8]) -> String {
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
