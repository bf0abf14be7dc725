//! How a process stops: in time whatever is open, with a word to whoever holds a stream, and at once when told twice.

use std::time::Duration;

use api::{
    error::reason,
    game::v1::{ChatRoom, WatchMessagesRequest, WatchRequest, chat_service_client::ChatServiceClient},
};
use chassis::database::MIGRATION_LOCK;
use futures::StreamExt as _;
use sea_orm::ConnectionTrait as _;
use tests::{Platform, Shape, Store, binary, game_settings, guest, pair_up, shapes};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    process::Command,
    time::{Instant, timeout},
};
use tonic::Code;
use tonic_types::StatusExt as _;

/// The preface of HTTP/2, and empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// Longer than any stop in these tests.
const RETRY: Duration = Duration::from_mins(1);

/// A connection that has said this much and waits.
async fn said(platform: &Platform, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(platform.address()).await.expect("it listens");
    stream.write_all(bytes).await.expect("it is sent");
    stream
}

/// A call of which only the beginning is ever sent.
async fn half_a_call(platform: &Platform) -> TcpStream {
    // A message of a hundred bytes begins, and five bytes of it come.
    let head = "POST /shoutan.clock.v1.ClockService/GetTime HTTP/1.1\r\nHost: localhost\r\n\
                Content-Type: application/grpc-web+proto\r\nContent-Length: 105\r\n\
                Expect: 100-continue\r\n\r\n";
    let mut stream = said(platform, head.as_bytes()).await;
    // Whoever is asked for the message is being answered.
    let mut asked = [0; b"HTTP/1.1 100".len()];
    stream.read_exact(&mut asked).await.expect("an answer");
    assert_eq!(&asked, b"HTTP/1.1 100");
    stream.write_all(b"\0\0\0\0\x6412345").await.expect("it is sent");
    stream
}

/// How long the process takes to end after these signals, and whether it ended well.
async fn stopped(platform: &mut Platform, name: &str, signals: &[&str]) -> (Duration, bool) {
    let began = Instant::now();
    for signal in signals {
        platform.signal(name, signal).await.expect("it runs");
        // Signals of one kind that come together are one: the next is sent when this one was heard.
        while !platform.logs().contains("stopping: no new work is taken") && began.elapsed() < RETRY {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    let well = timeout(RETRY, platform.ended(name)).await.expect("it ends").expect("it can be waited for");
    (began.elapsed(), well)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_waits_neither_for_streams_nor_for_who_says_nothing() {
    let kinds = [(Shape::One, Store::Embedded), (Shape::Six, Store::Embedded)];
    for (shape, store) in shapes().into_iter().filter(|kind| kinds.contains(kind)) {
        let mut platform = Platform::start(shape, store).await.expect("it starts");
        let transport = platform.transport();
        let players = vec![guest(&transport).await.expect("in"), guest(&transport).await.expect("in")];
        let settings = game_settings("go", &[("size", "9")], "1h", false);
        let pairing = pair_up(players, &settings).await.expect("a game").remove(0);
        let game_id = pairing.game_id.clone();
        let request = WatchRequest { game_id: game_id.clone(), ..WatchRequest::default() };
        let watch = pairing.players[0].games().watch(request).await.expect("a stream").into_inner();
        let mut chat = ChatServiceClient::new(pairing.players[1].transport());
        let request = WatchMessagesRequest {
            game_id,
            room: ChatRoom::Players.into(),
            ..WatchMessagesRequest::default()
        };
        let chat = chat.watch_messages(request).await.expect("a stream").into_inner();
        let watched = tokio::spawn(watch.filter_map(async |step| step.err()).collect::<Vec<_>>());
        let talked = tokio::spawn(chat.filter_map(async |step| step.err()).collect::<Vec<_>>());
        let mut silent = vec![said(&platform, b"").await, said(&platform, PREFACE).await];
        let mut answered =
            said(&platform, b"GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
        assert_ne!(answered.read(&mut [0; 64]).await.expect("an answer"), 0);
        silent.push(answered);

        let door = *platform.names().last().expect("a process");
        let (took, well) = stopped(&mut platform, door, &["TERM"]).await;
        assert!(well && took < Duration::from_secs(10), "{door}: {took:?}\n{}", platform.logs());
        for stream in [watched, talked] {
            let ends = stream.await.expect("it is read to its end");
            let [end] = ends.as_slice() else { panic!("{shape:?}: {ends:?}") };
            let retry = end.get_details_retry_info().and_then(|info| info.retry_delay);
            assert_eq!((end.code(), reason(end).as_str()), (Code::Unavailable, "STOPPING"), "{end:?}");
            assert!(retry.is_some(), "{end:?}");
        }
        // The services behind a gateway have its idle connections still.
        assert_eq!(
            platform.stop().await.expect("they can be asked"),
            Vec::<&str>::new(),
            "{}",
            platform.logs()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_never_ends_is_cut_when_the_time_is_over() {
    let settings = ["--stop-within", "4s"];
    let mut platform = Platform::start_with(Shape::One, Store::Embedded, &settings).await.expect("it starts");
    let _half = half_a_call(&platform).await;
    let (took, well) = stopped(&mut platform, "platform", &["TERM"]).await;
    assert!(well, "{}", platform.logs());
    assert!(
        (Duration::from_secs(2)..Duration::from_secs(6)).contains(&took),
        "{took:?}\n{}",
        platform.logs()
    );
    assert!(platform.logs().contains("connections are cut"), "{}", platform.logs());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_of_either_kind_cuts_at_once() {
    for signals in [["TERM", "TERM"], ["INT", "INT"], ["TERM", "INT"]] {
        let mut platform = Platform::start(Shape::One, Store::Embedded).await.expect("it starts");
        let _half = half_a_call(&platform).await;
        let (took, well) = stopped(&mut platform, "platform", &signals).await;
        assert!(!well, "whoever started it learns that it was cut\n{}", platform.logs());
        assert!(took < Duration::from_secs(5), "{signals:?}: {took:?}\n{}", platform.logs());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_waits_for_its_tables_stops_when_it_is_told() {
    let databases = chassis::testing::databases().await;
    for database in databases.iter().filter(|database| database.kind == "postgres") {
        let others = database.database.begin().await.expect("a transaction");
        let lock = format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})");
        others.execute_unprepared(&lock).await.expect("another process brings the tables up to date");
        let redis = std::env::var("SHOUTAN_TEST_REDIS").expect("where there is a PostgreSQL is a Redis");
        let cases = [("up", "--live=memory".to_owned(), "TERM"), ("serve", format!("--live={redis}"), "INT")];
        for (command, live, signal) in cases {
            let folder = tempfile::tempdir().expect("a folder");
            let mut process = Command::new(binary().expect("it is built"))
                .arg(command)
                .args((command == "serve").then_some("rating"))
                .arg(live)
                .arg("--listen=127.0.0.1:0")
                .arg(format!("--data={}", folder.path().display()))
                .arg(format!("--database={}", database.url))
                .env("SHOUTAN_CLUSTER_SECRET", "a secret of at least thirty-two characters")
                .kill_on_drop(true)
                .spawn()
                .expect("it runs");
            tokio::time::sleep(Duration::from_secs(2)).await;
            assert!(process.try_wait().expect("it can be asked").is_none(), "{command} waits");
            let id = process.id().expect("it runs").to_string();
            Command::new("kill").args([&format!("-{signal}"), &id]).status().await.expect("it is told");
            let ended = timeout(Duration::from_secs(10), process.wait()).await;
            let ended = ended.unwrap_or_else(|_| panic!("{command} does not hear {signal}"));
            assert!(ended.expect("it has ended").success(), "{command}");
        }
    }
}
