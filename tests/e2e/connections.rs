//! Connections of all kinds, as a real client makes them against a real process: silent ones, half ones, too many.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use api::{
    clock::v1::{GetTimeRequest, clock_service_client::ClockServiceClient},
    game::v1::WatchRequest,
};
use futures::StreamExt as _;
use tests::{Platform, Shape, Store, game_settings, guest, pair_up};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    process::Command,
    time::{Instant, timeout},
};

/// The preface of HTTP/2, and empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// What a busy machine may take to answer.
const SOON: Duration = Duration::from_secs(10);

/// A connection from one of the many addresses of the loopback.
async fn connect(platform: &Platform, from: Ipv4Addr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(IpAddr::V4(from), 0))?;
    socket.connect(platform.address().parse().expect("an address")).await
}

/// Reads until the other side closes, and answers how long that took; what it says before does not matter.
async fn closed_after(mut stream: TcpStream, patience: Duration) -> Option<Duration> {
    let began = Instant::now();
    let mut rest = Vec::new();
    timeout(patience, stream.read_to_end(&mut rest)).await.ok().map(|_| began.elapsed())
}

async fn time_is_told(platform: &Platform) -> bool {
    let mut clocks = ClockServiceClient::new(platform.transport());
    matches!(timeout(SOON, clocks.get_time(GetTimeRequest {})).await, Ok(Ok(_)))
}

#[tokio::test(flavor = "multi_thread")]
async fn who_says_nothing_or_half_of_it_is_closed_and_who_watches_is_not() {
    let settings = ["--greeting-within", "1s", "--idle-within", "2s"];
    let platform = Platform::start_with(Shape::One, Store::Embedded, &settings).await.expect("it starts");
    let transport = platform.transport();
    let players = vec![guest(&transport).await.expect("in"), guest(&transport).await.expect("in")];
    let pairing =
        pair_up(players, &game_settings("go", &[("size", "9")], "1h", false)).await.expect("a game");
    let request = WatchRequest { game_id: pairing[0].game_id.clone(), ..WatchRequest::default() };
    let watch = pairing[0].players[0].games().watch(request).await.expect("it can be watched");
    let mut watch = watch.into_inner();
    for said in [b"".as_slice(), b"P", b"PRI * HTTP/2.0\r\n", &PREFACE[..23], PREFACE] {
        let mut stream = connect(&platform, Ipv4Addr::LOCALHOST).await.expect("it listens");
        stream.write_all(said).await.expect("it is sent");
        let closed = closed_after(stream, SOON).await;
        assert!(closed.is_some(), "{said:?} was left open\n{}", platform.logs());
    }
    // All of that took longer than a connection may be idle; but this one is not.
    while let Ok(step) = timeout(Duration::from_millis(100), watch.next()).await {
        assert!(step.is_some_and(|step| step.is_ok()), "the watcher was cut\n{}", platform.logs());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn eleven_hundred_silent_connections_do_not_shut_the_door() {
    let settings = ["--connections", "300", "--connections-per-address", "100"];
    let platform = Platform::start_with(Shape::One, Store::Embedded, &settings).await.expect("it starts");
    let id = platform.process_ids()[0];
    let mut silent = Vec::new();
    for number in 0..1100_u16 {
        let from = Ipv4Addr::new(127, 0, 1 + u8::try_from(number % 10).expect("a digit"), 1);
        let mut stream = connect(&platform, from).await.expect("it listens");
        // One half of them have said what a client of HTTP/2 says, the other half nothing at all.
        if number % 2 == 0 {
            let _may_be_closed_already = stream.write_all(PREFACE).await;
        }
        silent.push(stream);
    }
    assert!(time_is_told(&platform).await, "the door is shut\n{}", platform.logs());
    // The oldest were closed; no more are left than may be, beside what the process itself has open.
    let open = || std::fs::read_dir(format!("/proc/{id}/fd")).expect("it runs").count();
    let gone = async {
        while open() > 400 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(timeout(SOON, gone).await.is_ok(), "{} descriptors", open());
    assert!(closed_after(silent.remove(0), SOON).await.is_some(), "the oldest is still open");
    let logs = platform.logs();
    assert!(logs.contains("idle connections are closed to make room"), "{logs}");
    assert!(logs.matches("closed to make room").count() < 10, "{logs}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_takes_no_more_than_its_own() {
    let settings = ["--connections", "300", "--connections-per-address", "20"];
    let platform = Platform::start_with(Shape::One, Store::Embedded, &settings).await.expect("it starts");
    let neighbour = connect(&platform, Ipv4Addr::new(127, 0, 0, 9)).await.expect("it listens");
    let mut greedy = Vec::new();
    for _ in 0..60 {
        greedy.push(connect(&platform, Ipv4Addr::new(127, 0, 0, 8)).await.expect("it listens"));
    }
    assert!(closed_after(greedy.remove(0), SOON).await.is_some(), "the oldest of the greedy is open");
    assert!(
        closed_after(neighbour, Duration::from_secs(2)).await.is_none(),
        "the neighbour was closed for it"
    );
    assert!(time_is_told(&platform).await, "{}", platform.logs());
    assert!(platform.logs().contains("127.0.0.8"), "who was limited is said\n{}", platform.logs());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_descriptors_idle_connections_make_room_and_the_loop_does_not_spin() {
    let platform = Platform::start(Shape::One, Store::Embedded).await.expect("it starts");
    let id = platform.process_ids()[0];
    assert!(time_is_told(&platform).await);
    let used = std::fs::read_dir(format!("/proc/{id}/fd")).expect("it runs").count();
    let limit = format!("--nofile={}", used + 40);
    let set = Command::new("prlimit").args(["--pid", &id.to_string(), &limit]).status().await;
    assert!(set.expect("prlimit runs").success());
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(connect(&platform, Ipv4Addr::LOCALHOST).await.expect("it listens"));
    }
    let (began, before) = (Instant::now(), cpu_ticks(id));
    tokio::time::sleep(Duration::from_secs(3)).await;
    let (took, ticks) = (began.elapsed(), cpu_ticks(id) - before);
    // A tick is 10 ms; a loop that spins takes a whole core.
    let share = f64::from(ticks) / 100.0 / took.as_secs_f64();
    assert!(share < 0.5, "{share:.2} of a core\n{}", platform.logs());
    assert!(time_is_told(&platform).await, "the door is shut\n{}", platform.logs());
    let logs = platform.logs();
    let said = logs.matches("connections cannot be taken").count();
    assert!((1..5).contains(&said), "said {said} times\n{logs}");
}

/// The processor time that a process has used.
fn cpu_ticks(id: u32) -> u32 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
    let (_, numbers) = stat.rsplit_once(')').expect("its name is in brackets");
    let number = |index| numbers.split_whitespace().nth(index).and_then(|text| text.parse::<u32>().ok());
    number(11).expect("user time") + number(12).expect("system time")
}
