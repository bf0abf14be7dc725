//! TLS: the platform speaks it by itself, takes new certificates while it runs, and its services may know each other
//! by certificates instead of a shared secret.

use std::{path::Path, sync::Arc, time::Duration};

use api::{
    client::RetryPolicy,
    clock::v1::{GetTimeRequest, clock_service_client::ClockServiceClient},
    error::reason,
    game::v1::{ListRunningClocksRequest, game_internal_service_client::GameInternalServiceClient},
    transport::Transport,
};
use chassis::auth::{as_certified_service, connect_with};
use rustls::{
    ClientConfig,
    pki_types::{PrivateKeyDer, ServerName, pem::PemObject as _},
};
use tests::{Platform, Shape, Store, game_settings, guest, pair_up, shapes};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    net::TcpStream,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::certificates::{Made, Maker};

async fn connect(platform: &Platform, config: ClientConfig) -> std::io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect(platform.address()).await?;
    let name = ServerName::try_from("localhost").expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// A transport over TLS to an address of this platform.
fn over_tls(address: &str, config: ClientConfig) -> Transport {
    connect_with(&format!("https://{address}"), Arc::new(config)).expect("the address is well formed")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_platform_speaks_tls_and_takes_a_new_certificate_while_it_runs() {
    let (maker, folder) = (Maker::new(), tempfile::tempdir().expect("a folder"));
    let old = maker.make();
    let [certificate, key] = old.write(folder.path());
    let settings = ["--tls-cert", &certificate, "--tls-key", &key];
    let platform = Platform::start_with(Shape::One, Store::Embedded, &settings).await.expect("it starts");
    let (v12, v13) = (&rustls::version::TLS12, &rustls::version::TLS13);
    for (offered, versions, agreed) in [
        (&["h2", "http/1.1"][..], vec![v13], Some(&b"h2"[..])),
        (&["http/1.1"], vec![v13], Some(b"http/1.1")),
        (&["h2"], vec![v12], Some(b"h2")),
        (&[], vec![v12, v13], None),
    ] {
        let stream = connect(&platform, maker.client(offered, &versions)).await.expect("they agree");
        assert_eq!(stream.get_ref().1.alpn_protocol(), agreed);
    }
    let stranger = Maker::new().client(&["h2"], &[v13]);
    assert!(connect(&platform, stranger).await.is_err(), "another authority has not signed it");
    let plain = ClockServiceClient::new(platform.transport()).get_time(GetTimeRequest {}).await;
    assert!(plain.is_err(), "nothing is said without TLS");

    let transport = over_tls(platform.address(), maker.client(&["h2"], &[v13]));
    let mut clocks = ClockServiceClient::new(transport);
    clocks.get_time(GetTimeRequest {}).await.expect("it is answered over TLS");
    let new = maker.make();
    // The certificate without its key is no reason to stop.
    std::fs::write(folder.path().join("cert.pem"), &new.certificate).expect("it is written");
    let shown = async || {
        let stream = connect(&platform, maker.client(&["h2"], &[v13])).await.expect("they agree");
        stream.get_ref().1.peer_certificates().expect("it shows one")[0].clone()
    };
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(shown().await, old.der(), "{}", platform.logs());
    new.write(folder.path());
    let taken = async {
        while shown().await != new.der() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), taken).await.expect("the new certificate is taken");
    clocks.get_time(GetTimeRequest {}).await.expect("who is connected stays so");
}

#[tokio::test(flavor = "multi_thread")]
async fn services_know_each_other_by_certificates_and_nobody_else_is_one() {
    if !shapes().contains(&(Shape::Six, Store::Embedded)) {
        return;
    }
    let (maker, folder) = (Maker::new(), tempfile::tempdir().expect("a folder"));
    let made = maker.make();
    let [certificate, key] = made.write(folder.path());
    let authority = folder.path().join("ca.pem");
    std::fs::write(&authority, maker.pem()).expect("it is written");
    let authority = authority.display().to_string();
    let settings = ["--services-ca", &authority, "--services-cert", &certificate, "--services-key", &key];
    let platform = Platform::start_with(Shape::Six, Store::Embedded, &settings).await.expect("it starts");
    let v13 = &[&rustls::version::TLS13];
    let public = over_tls(platform.address(), maker.client(&["h2"], v13));
    // A game takes every service that calls another.
    let players = vec![guest(&public).await.expect("in"), guest(&public).await.expect("in")];
    let game = game_settings("go", &[("size", "9")], "1h", false);
    let pairing =
        pair_up(players, &game).await.unwrap_or_else(|error| panic!("{error:#}\n{}", platform.logs()));
    pairing[0].players[0]
        .play(&pairing[0].game_id, "E5", 0, RetryPolicy::default())
        .await
        .expect("an act is accepted");

    let running = async |transport: Transport| {
        let mut games = GameInternalServiceClient::new(transport);
        games.list_running_clocks(ListRunningClocksRequest::default()).await.map(drop)
    };
    let refused = |answer: Result<(), tonic::Status>| answer.err().map(|status| reason(&status));
    let address = platform.address_of("game").expect("there is one");
    let direct = over_tls(address, maker.client(&["h2"], v13));
    assert_eq!(refused(running(direct.clone()).await).as_deref(), Some("SERVICES_ONLY"));
    // The name of a service is nothing without a certificate.
    assert_eq!(
        refused(running(as_certified_service(direct, "clock")).await).as_deref(),
        Some("SERVICES_ONLY")
    );
    let through = as_certified_service(public, "clock");
    assert!(running(through).await.is_err(), "a gateway's certificate is not its callers'");

    let chain = vec![made.der()];
    let key = PrivateKeyDer::from_pem_slice(made.key.as_bytes()).expect("PEM");
    let builder = ClientConfig::builder_with_protocol_versions(v13).with_root_certificates(maker.roots());
    let mut config = builder.with_client_auth_cert(chain, key).expect("they belong together");
    config.alpn_protocols = vec![b"h2".to_vec()];
    let service = over_tls(address, config);
    assert_eq!(
        running(as_certified_service(service, "clock")).await.map_err(|status| reason(&status)),
        Ok(())
    );
}

/// A Redis that speaks nothing but TLS, with its certificate in a folder.
async fn redis_over_tls(folder: &Path, made: &Made, authority: &str) -> (tokio::process::Child, u16) {
    let [certificate, key] = made.write(folder);
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its number").port();
    let mut redis = tokio::process::Command::new("redis-server")
        .args(["--port", "0", "--tls-port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""])
        .args(["--tls-cert-file", &certificate, "--tls-key-file", &key, "--tls-ca-cert-file", authority])
        .args(["--tls-auth-clients", "no", "--dir", &folder.display().to_string()])
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("a Redis is installed");
    let mut lines = BufReader::new(redis.stdout.take().expect("it is piped")).lines();
    while let Some(line) = lines.next_line().await.expect("its log") {
        if line.to_lowercase().contains("ready to accept connections") {
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return (redis, port);
        }
    }
    panic!("the Redis did not start");
}

#[tokio::test(flavor = "multi_thread")]
async fn live_state_is_reached_over_tls_and_only_with_the_right_authority() {
    let (maker, folder) = (Maker::new(), tempfile::tempdir().expect("a folder"));
    let path = |name: &str, pem: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, pem).expect("it is written");
        path.display().to_string()
    };
    let (right, wrong) = (path("ca.pem", maker.pem()), path("other.pem", Maker::new().pem()));
    let (_redis, port) = redis_over_tls(folder.path(), &maker.make(), &right).await;
    let live = format!("--live=rediss://127.0.0.1:{port}");
    let refused = Platform::start_with(Shape::One, Store::Embedded, &[&live, "--live-ca", &wrong]).await;
    assert!(refused.is_err(), "another authority has not signed it");
    let settings = [live.as_str(), "--live-ca", &right];
    let platform = Platform::start_with(Shape::One, Store::Embedded, &settings).await.expect("it starts");
    let transport = platform.transport();
    let players = vec![guest(&transport).await.expect("in"), guest(&transport).await.expect("in")];
    let game = game_settings("go", &[("size", "9")], "1h", false);
    assert_eq!(pair_up(players, &game).await.expect("a game").len(), 1, "{}", platform.logs());
}
