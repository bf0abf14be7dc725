//! Behind proxies: whose calls are counted together depends on whom the platform believes.

use std::time::Duration;

use api::{
    clock::v1::{GetTimeRequest, clock_service_client::ClockServiceClient},
    transport::Transport,
};
use http::HeaderValue;
use tests::{Platform, Shape, Store};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tonic::body::Body;
use tower::util::MapRequest;

/// Calls of one address that come after each other, until it is told to slow down: it may save up this many.
const BURST: usize = 4;
const RATE: [&str; 2] = ["--calls-per-address", "1"];

async fn start(settings: &[&str]) -> Platform {
    let settings = [&RATE, settings].concat();
    Platform::start_with(Shape::One, Store::Embedded, &settings).await.expect("it starts")
}

/// How many of eight calls are answered, on a transport that sets this header.
async fn answered(platform: &Platform, header: &'static str, value: &str) -> usize {
    let value = HeaderValue::try_from(value).expect("a header");
    let transport =
        Transport::new(MapRequest::new(platform.transport(), move |mut request: http::Request<Body>| {
            request.headers_mut().insert(header, value.clone());
            request
        }));
    let mut answered = 0;
    for _ in 0..8 {
        let call = ClockServiceClient::new(transport.clone()).get_time(GetTimeRequest {}).await;
        answered += usize::from(call.is_ok());
    }
    answered
}

fn is_one_burst(answered: usize) -> bool {
    // While the calls are made, another may have been earned.
    (BURST..8).contains(&answered)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trusted_proxy_says_whose_call_it_is() {
    let platform = start(&["--trusted-proxy", "127.0.0.0/8"]).await;
    assert!(is_one_burst(answered(&platform, "x-forwarded-for", "192.0.2.7").await));
    assert!(is_one_burst(answered(&platform, "x-forwarded-for", "203.0.113.1, 192.0.2.8").await));
    assert!(is_one_burst(answered(&platform, "forwarded", "for=192.0.2.9;proto=https").await));
    // The same again has nothing left, whatever the client has put before what the proxy saw.
    assert!(answered(&platform, "x-forwarded-for", "198.51.100.1, 192.0.2.8").await < BURST);
    assert!(answered(&platform, "forwarded", "for=198.51.100.1, for=192.0.2.9").await < BURST);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_is_believed() {
    let platform = start(&["--trusted-proxy", "10.0.0.0/8"]).await;
    assert!(is_one_burst(answered(&platform, "x-forwarded-for", "192.0.2.7").await));
    assert!(answered(&platform, "x-forwarded-for", "192.0.2.8").await < BURST, "{}", platform.logs());
    assert!(answered(&platform, "forwarded", "for=192.0.2.9").await < BURST, "{}", platform.logs());
}

/// A call on a connection that begins with these bytes; the first of the answer, nothing if there is none.
async fn call_after(platform: &Platform, first: &[u8]) -> String {
    let mut stream = TcpStream::connect(platform.address()).await.expect("it listens");
    let call =
        b"POST /shoutan.clock.v1.ClockService/GetTime HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                 Content-Type: application/grpc-web+proto\r\nContent-Length: 5\r\n\r\n\0\0\0\0\0";
    stream.write_all(&[first, call].concat()).await.expect("it is sent");
    let mut answer = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer));
    let _reset_counts_as_no_answer = read.await.expect("it is answered or closed");
    String::from_utf8_lossy(&answer).into_owned()
}

fn version_2(source: [u8; 4]) -> Vec<u8> {
    let mut header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
    header.extend(source);
    header.extend([192, 0, 2, 1, 0x9c, 0x40, 0x1c, 0xe8]);
    header
}

#[tokio::test(flavor = "multi_thread")]
async fn both_versions_of_the_proxy_protocol_say_whose_connection_it_is() {
    let platform = start(&["--trusted-proxy", "127.0.0.1", "--proxy-protocol"]).await;
    let calls = async |first: &[u8]| {
        let mut answered = 0;
        for _ in 0..8 {
            let answer = call_after(&platform, first).await;
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            answered += usize::from(!answer.contains("TOO_MANY_CALLS") && !answer.contains("grpc-status: 8"));
        }
        answered
    };
    assert!(is_one_burst(calls(b"PROXY TCP4 192.0.2.7 192.0.2.1 40000 7400\r\n").await));
    assert!(is_one_burst(calls(b"PROXY TCP6 2001:db8::7 2001:db8::1 40000 7400\r\n").await));
    assert!(is_one_burst(calls(&version_2([192, 0, 2, 8])).await));
    assert!(calls(&version_2([192, 0, 2, 7])).await < BURST, "both versions name the same address");
    for bad in [b"".as_slice(), b"PROXY TCP4 nonsense\r\n", b"\r\n\r\n\0\r\nQUIT\n\x21\x11\xff\xff"] {
        assert_eq!(call_after(&platform, bad).await, "", "{bad:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_protocol_needs_a_proxy_that_is_trusted() {
    let started = Platform::start_with(Shape::One, Store::Embedded, &["--proxy-protocol"]).await;
    let error = format!("{:#}", started.expect_err("it does not start"));
    assert!(error.contains("--trusted-proxy"), "{error}");
}
