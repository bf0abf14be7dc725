//! What a running platform does, and says of itself, while something that it depends on fails.

use std::{net::SocketAddr, time::Duration};

use anyhow::Context as _;
use api::{board::v1::Side, client::RetryPolicy, error::reason, transport::Transport};
use chassis::health::{Page, PartPage};
use tests::{Ground, Pairing, Platform, Proxy, Redis, Shape, Store, ask, bots, game_settings, pair_up};
use tokio::time::Instant;
use tonic::Code;
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus,
    health_client::HealthClient,
};

const GAME: &str = "shoutan.game.v1.GameService";
const IDENTITY: &str = "shoutan.identity.v1.IdentityService";
const RATING: &str = "shoutan.rating.v1.RatingService";
/// How long it may take until a fault or its end is known: an answer that does not come, and the next question.
const KNOWN_WITHIN: Duration = Duration::from_secs(15);
/// How long a dependency stays away: longer than what counts as an outage by far.
const DOWN: Duration = Duration::from_secs(4);
const MAIN: Duration = Duration::from_mins(5);
const RETRY: RetryPolicy = RetryPolicy(Duration::from_secs(30));

/// A platform on a Redis of the test's own.
async fn on(redis: &str, shape: Shape) -> Platform {
    let ground = Ground { live: Some(redis.to_owned()), ..Ground::default() };
    Platform::start_on(shape, Store::Embedded, ground).await.expect("the platform starts")
}

async fn health(transport: &Transport, service: &str) -> ServingStatus {
    let request = HealthCheckRequest { service: service.to_owned() };
    let answer = HealthClient::new(transport.clone()).check(request).await;
    answer.expect("health is answered").into_inner().status()
}

/// What `GET /readyz` says, and with which status.
async fn page(platform: &Platform) -> (u16, Page) {
    let answer = super::standard::http(platform, "GET /readyz HTTP/1.1\r\n", &[]).await;
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    (code, serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}")))
}

fn part<'a>(page: &'a Page, service: &str, name: &str) -> &'a PartPage {
    let found = page.parts.iter().find(|part| part.service == service && part.part == name);
    found.unwrap_or_else(|| panic!("no {name} of {service} in {page:?}"))
}

/// The next status that a watcher is told.
async fn told(watched: &mut tonic::Streaming<HealthCheckResponse>, platform: &Platform) -> ServingStatus {
    let next = tokio::time::timeout(KNOWN_WITHIN, watched.message()).await;
    let next = next.unwrap_or_else(|_| panic!("no change is told\n{}", platform.logs()));
    next.expect("the watch goes on").expect("the watch goes on").status()
}

#[tokio::test(flavor = "multi_thread")]
async fn health_tells_that_live_state_does_not_answer_and_that_it_does_again() {
    for shape in [Shape::One, Shape::Six] {
        let redis = Redis::start().await.expect("a Redis");
        let platform = on(&redis.url, shape).await;
        let transport = platform.transport();
        let request = HealthCheckRequest { service: GAME.to_owned() };
        let mut watched =
            HealthClient::new(transport.clone()).watch(request).await.expect("it is watched").into_inner();
        while told(&mut watched, &platform).await != ServingStatus::Serving {}

        redis.freeze(true).await.expect("it stops");
        assert_eq!(told(&mut watched, &platform).await, ServingStatus::NotServing, "{shape:?}");
        assert_eq!(health(&transport, "").await, ServingStatus::Serving, "the process lives");
        assert_eq!(health(&transport, RATING).await, ServingStatus::Serving, "rating needs no live state");
        let (code, page_now) = page(&platform).await;
        assert!(code == 503 && !page_now.ready, "{code} {page_now:?}");
        let name = if shape == Shape::One { "live state" } else { "behind the gateway" };
        // What needs it may have failed a moment before it was found out itself.
        let said = async {
            loop {
                let (_, page_now) = page(&platform).await;
                let game = part(&page_now, "game", name);
                if !game.working {
                    return game.clone();
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let game = tokio::time::timeout(Duration::from_secs(10), said).await.expect("it is found out");
        assert!(game.reason.is_some() && game.since.ends_with('Z'), "{game:?}");

        redis.freeze(false).await.expect("it goes on");
        assert_eq!(told(&mut watched, &platform).await, ServingStatus::Serving, "{shape:?}");
        if shape == Shape::One {
            while health(&transport, IDENTITY).await != ServingStatus::Serving {}
            let (code, page_now) = page(&platform).await;
            assert!(code == 200 && page_now.ready, "{code} {page_now:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gateway_tells_which_service_behind_it_is_gone() {
    let redis = Redis::start().await.expect("a Redis");
    let mut platform = on(&redis.url, Shape::Six).await;
    let transport = platform.transport();
    let request = HealthCheckRequest { service: RATING.to_owned() };
    let mut watched =
        HealthClient::new(transport.clone()).watch(request).await.expect("it is watched").into_inner();
    while told(&mut watched, &platform).await != ServingStatus::Serving {}
    platform.kill("rating").await.expect("it can be killed");
    assert_eq!(told(&mut watched, &platform).await, ServingStatus::NotServing);
    let (code, page_now) = page(&platform).await;
    assert_eq!(code, 503);
    assert!(!part(&page_now, "rating", "behind the gateway").working, "{page_now:?}");
    platform.restart("rating").await.expect("it comes up again");
    assert_eq!(told(&mut watched, &platform).await, ServingStatus::Serving);
}

/// A game of two players with both their clocks, and whose turn it is.
async fn game(platform: &Platform) -> Pairing {
    let players = bots(&platform.transport(), 2).await.expect("both sign in");
    let settings = game_settings("go", &[("size", "9")], "5m", false);
    pair_up(players, &settings).await.expect("both are matched").remove(0)
}

/// What is left to a side.
async fn left(platform: &Platform, pairing: &Pairing, side: Side) -> Duration {
    let game = ask(&platform.transport(), &pairing.game_id).await.expect("the game can be read");
    let clock = game.state.and_then(|state| state.clock).expect("a running game has clocks");
    let time = if side == Side::First { clock.first } else { clock.second };
    let main = time.and_then(|time| time.main_duration).expect("a side has time");
    api::time::span(&main).expect("a span")
}

/// A way in which a Redis answers and refuses: what brings it about, what ends it.
const REFUSALS: [(&str, &[&str], &[&str]); 6] = [
    ("OOM", &["CONFIG SET maxmemory 1"], &["CONFIG SET maxmemory 0"]),
    ("READONLY", &["REPLICAOF 127.0.0.1 1"], &["REPLICAOF NO ONE"]),
    ("NOREPLICAS", &["CONFIG SET min-replicas-to-write 1"], &["CONFIG SET min-replicas-to-write 0"]),
    (
        "NOAUTH",
        &["CONFIG SET requirepass secret", "AUTH secret\r\nCLIENT KILL TYPE normal SKIPME yes"],
        &["AUTH secret\r\nCONFIG SET requirepass \"\""],
    ),
    // Its snapshots fail, and it takes no writes while one has.
    ("MISCONF", &["CONFIG SET save \"3600 1\"", "BGSAVE"], &["CONFIG SET save \"\""]),
    ("NOPERM", &["ACL SETUSER default -@write"], &["ACL SETUSER default +@write"]),
];

/// Waits until a write is refused for this reason, which a snapshot that fails takes a moment to say.
async fn refusing(redis: &Redis, name: &str) {
    let said = async {
        loop {
            let answer = redis.say("SET probe 1").await.expect("it answers");
            if answer.starts_with(&format!("-{name}")) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(DOWN, said).await.unwrap_or_else(|_| panic!("{name} is not said"));
}

#[tokio::test(flavor = "multi_thread")]
async fn time_in_which_redis_refuses_to_write_is_charged_to_nobody() {
    let redis = Redis::start().await.expect("a Redis");
    redis.lose_folder().expect("it is empty");
    let platform = on(&redis.url, Shape::One).await;
    let pairing = game(&platform).await;
    let moves = ["C3", "G7", "C7", "G3", "E5", "E3", "E7", "G5"];
    pairing.players[0].play(&pairing.game_id, moves[0], 0, RETRY).await.expect("accepted");
    for (index, (name, begin, end)) in REFUSALS.into_iter().enumerate() {
        let (ply, side) = (index + 1, if index % 2 == 0 { Side::Second } else { Side::First });
        let player = &pairing.players[usize::from(side == Side::Second)];
        let ply_number = u32::try_from(ply).expect("few plies");
        let before = left(&platform, &pairing, side).await;
        for line in begin {
            redis.say(line).await.expect("it answers");
        }
        refusing(&redis, name).await;
        let began = Instant::now();
        let none = RetryPolicy(Duration::ZERO);
        let refused = player.play(&pairing.game_id, moves[ply], ply_number, none).await;
        let refused = refused.expect_err("nothing can be written");
        assert_eq!(refused.code(), Code::Unavailable, "{name}: {refused:?}");
        tokio::time::sleep(DOWN.saturating_sub(began.elapsed())).await;
        for line in end {
            redis.say(line).await.expect("it answers");
        }
        player
            .play(&pairing.game_id, moves[ply], ply_number, RETRY)
            .await
            .unwrap_or_else(|status| panic!("{name}: {} {status:?}\n{}", reason(&status), platform.logs()));
        let charged = before.saturating_sub(left(&platform, &pairing, side).await);
        let took = began.elapsed();
        assert!(
            charged + DOWN.mul_f64(0.6) < took,
            "{name}: {charged:?} of {took:?} were charged\n{}",
            platform.logs()
        );
        assert!(MAIN > charged);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_died_without_a_word_are_given_up_within_seconds() {
    let redis = Redis::start().await.expect("a Redis");
    let proxy = Proxy::to(address(&redis.url)).await.expect("a way to it");
    let platform = on(&format!("redis://{}", proxy.address), Shape::One).await;
    let pairing = game(&platform).await;
    let id = &pairing.game_id;
    pairing.players[0].play(id, "C3", 0, RETRY).await.expect("accepted");
    proxy.forget_connections();
    let began = Instant::now();
    let played = pairing.players[1].play(id, "G7", 1, RETRY).await;
    played.unwrap_or_else(|status| panic!("{} {status:?}\n{}", reason(&status), platform.logs()));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let charged = MAIN.saturating_sub(left(&platform, &pairing, Side::Second).await);
    assert!(charged < Duration::from_secs(2), "{charged:?} of {:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_gives_up_a_silent_peer_within_seconds() {
    let redis = Redis::start().await.expect("a Redis");
    let platform = on(&redis.url, Shape::One).await;
    let proxy = Proxy::to(address(&platform.url)).await.expect("a way to it");
    let transport = api::client::connect_peer(&format!("http://{}", proxy.address)).expect("an address");
    assert_eq!(health(&transport, "").await, ServingStatus::Serving);
    proxy.forget_connections();
    let began = Instant::now();
    let request = HealthCheckRequest::default();
    while HealthClient::new(transport.clone()).check(request.clone()).await.is_err() {}
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_platform_s_own_redis_is_started_again() {
    let mut platform = on("redis", Shape::One).await;
    let pairing = game(&platform).await;
    let id = &pairing.game_id;
    pairing.players[0].play(id, "C3", 0, RETRY).await.expect("accepted");
    let first = child(&platform).expect("it has a Redis");
    signal(first, "KILL").await;
    let played = pairing.players[1].play(id, "G7", 1, RETRY).await;
    played.unwrap_or_else(|status| panic!("{} {status:?}\n{}", reason(&status), platform.logs()));
    let second = child(&platform).expect("it has a Redis again");
    assert_ne!(first, second);
    let said = platform.logs();
    assert!(said.contains("own Redis was started again"), "{said}");
    // A platform that is killed leaves its Redis behind.
    platform.stop().await.expect("it can be asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_platform_s_own_redis_is_started_again_when_it_hangs() {
    let mut platform = on("redis", Shape::One).await;
    let pairing = game(&platform).await;
    let id = &pairing.game_id;
    pairing.players[0].play(id, "C3", 0, RETRY).await.expect("accepted");
    let first = child(&platform).expect("it has a Redis");
    signal(first, "STOP").await;
    let played = pairing.players[1].play(id, "G7", 1, RETRY).await;
    played.unwrap_or_else(|status| panic!("{} {status:?}\n{}", reason(&status), platform.logs()));
    let second = child(&platform).expect("it has a Redis again");
    assert_ne!(first, second);
    let said = platform.logs();
    assert!(said.contains("own Redis was started again: it has not answered for 10 s"), "{said}");
    // A platform that is killed leaves its Redis behind.
    platform.stop().await.expect("it can be asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_started_is_stopped_in_order_when_serving_fails_at_start() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let listen = format!("--listen={}", taken.local_addr().expect("an address"));
    let folder = tempfile::tempdir().expect("a folder");
    let data = format!("--data={}", folder.path().display());
    let ended = tests::command(["up", "--live=redis", &listen, &data]).await.expect("it runs");
    assert!(!ended.status.success(), "the port is taken");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("listening on"), "{said}");
    assert!(folder.path().join("redis").exists(), "it had a Redis");
    let socket = folder.path().join("redis").join("redis.sock");
    assert!(!socket.exists(), "a Redis that ends in order takes its socket away\n{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn running_games_go_on_without_identity_even_after_a_restart() {
    let redis = Redis::start().await.expect("a Redis");
    let mut platform = on(&redis.url, Shape::Six).await;
    let pairing = game(&platform).await;
    let id = &pairing.game_id;
    pairing.players[0].play(id, "C3", 0, RETRY).await.expect("accepted");
    platform.kill("identity").await.expect("it can be killed");
    platform.kill("game").await.expect("it can be killed");
    platform.restart("game").await.expect("it comes up without identity");
    for (ply, text) in [(1, "G7"), (2, "C7")] {
        let played = pairing.players[ply as usize % 2].play(id, text, ply, RETRY).await;
        played.unwrap_or_else(|status| panic!("{} {status:?}\n{}", reason(&status), platform.logs()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_any_keys_a_token_is_not_called_invalid() {
    let redis = Redis::start().await.expect("a Redis");
    let mut platform = on(&redis.url, Shape::Six).await;
    let pairing = game(&platform).await;
    let id = &pairing.game_id;
    platform.kill("identity").await.expect("it can be killed");
    platform.kill("game").await.expect("it can be killed");
    for file in std::fs::read_dir(platform.folder()).expect("a folder").flatten() {
        if file.file_name().to_string_lossy().starts_with("keys-of-tokens") {
            std::fs::remove_file(file.path()).expect("it can be removed");
        }
    }
    platform.restart("game").await.expect("it comes up without identity");
    let refused = pairing.players[0].play(id, "C3", 0, RetryPolicy(Duration::ZERO)).await;
    let refused = refused.expect_err("nobody can tell whose token it is");
    assert_eq!(refused.code(), Code::Unavailable, "{} {refused:?}", reason(&refused));
    platform.restart("identity").await.expect("it comes up again");
    pairing.players[0].play(id, "C3", 0, RETRY).await.expect("now it is known");
}

fn address(url: &str) -> SocketAddr {
    let (_, address) = url.split_once("://").expect("a URL");
    address.parse().expect("an address")
}

/// The Redis that a process of the platform has started.
fn child(platform: &Platform) -> anyhow::Result<u32> {
    let parent = platform.process_ids().first().copied().context("a process")?;
    for process in std::fs::read_dir("/proc")?.flatten() {
        // `PID (NAME) STATE PARENT …`; the name may have anything in it.
        let Ok(stat) = std::fs::read_to_string(process.path().join("stat")) else { continue };
        let Some((before, after)) = stat.rsplit_once(')') else { continue };
        let (Some((id, name)), Some(of)) = (before.split_once(" ("), after.split_whitespace().nth(1)) else {
            continue;
        };
        if of == parent.to_string() && (name.contains("redis") || name.contains("valkey")) {
            return Ok(id.parse()?);
        }
    }
    anyhow::bail!("process {parent} has no Redis")
}

async fn signal(process: u32, name: &str) {
    let sent = [format!("-{name}"), process.to_string()];
    let done = tokio::process::Command::new("kill").args(sent).status().await;
    assert!(done.expect("it can be sent").success());
}
