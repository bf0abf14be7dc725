//! An Envoy, with the settings that come with the platform, before two replicas of the game service.
//!
//! Each game is played through one of them; when that one is killed the other goes on with it, no acknowledged act is lost, who
//! watches misses nothing, and whoever is refused meanwhile is told why.

use std::{
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use api::game::v1::{GetGameRequest, game_service_client::GameServiceClient};
use futures::{StreamExt as _, TryStreamExt as _};
use tempfile::TempDir;
use tests::{
    Bot, Ground, Pairing, Platform, RETRY, Shape, Store, ask, free_ports, game_settings, guest, pair_up,
    shapes, tool,
};
use tokio::{
    process::{Child, Command},
    time::Instant,
};
use tonic::Code;

use crate::{
    metrics::page,
    rolling::{Driven, drive, seen_up_to, watch},
};

/// The settings that come with the platform.
const SETTINGS: &str = include_str!("../../deploy/envoy/games.yaml");
/// What in them stands for the replicas, for where it listens, for where its numbers are and for its administration.
const REPLICA: &str = "- endpoint: { address: { socket_address: { address: game, port_value: 7402 } } }";
const LISTENS: &str = "{ address: 0.0.0.0, port_value: 7402 }";
const NUMBERS: &str = "{ address: 0.0.0.0, port_value: 9902 }";
const ADMINISTRATION: &str = "{ address: 127.0.0.1, port_value: 9901 }";
/// Games of which it is seen who answers them.
const SEEN: usize = 16;
/// Games that go on while a replica is killed.
const GAMES: usize = 40;
/// How long they go on before that, while one is dead, and with both again.
const MEANWHILE: Duration = Duration::from_secs(4);
/// How long it may take until somebody who was waited for is there.
const THERE_WITHIN: Duration = Duration::from_secs(30);

/// A running Envoy.
struct Envoy {
    _process: Child,
    numbers: String,
    _folder: TempDir,
}

impl Envoy {
    /// One that listens there, before these replicas.
    async fn start(program: &Path, port: u16, replicas: &[&str]) -> anyhow::Result<Envoy> {
        let folder = tempfile::tempdir()?;
        let ports = free_ports(2)?;
        let place = |port: u16| format!("{{ address: 127.0.0.1, port_value: {port} }}");
        let replica = |address: &&str| {
            let (host, port) = address.split_once(':').unwrap_or_default();
            REPLICA.replace("address: game", &format!("address: {host}")).replace("7402", port)
        };
        let replicas: Vec<String> = replicas.iter().map(replica).collect();
        let mut settings = SETTINGS.to_owned();
        for (of, put) in [
            (REPLICA, replicas.join("\n              ")),
            (LISTENS, place(port)),
            (NUMBERS, place(ports[0])),
            (ADMINISTRATION, place(ports[1])),
        ] {
            anyhow::ensure!(settings.contains(of), "{of} is not in the settings");
            settings = settings.replace(of, &put);
        }
        let (file, log) = (folder.path().join("games.yaml"), folder.path().join("envoy.log"));
        std::fs::write(&file, settings)?;
        let process = Command::new(program)
            .arg("--config-path")
            .arg(file)
            .args(["--concurrency", "2", "--disable-hot-restart", "--log-path"])
            .arg(&log)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("starting Envoy")?;
        let numbers = format!("127.0.0.1:{}", ports[0]);
        let until = Instant::now() + THERE_WITHIN;
        while !page(&format!("{numbers}/ready")).await.is_ok_and(|page| page.contains("LIVE")) {
            let log = std::fs::read_to_string(&log).unwrap_or_default();
            anyhow::ensure!(Instant::now() < until, "Envoy does not come up:\n{log}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(Envoy { _process: process, numbers, _folder: folder })
    }

    /// How many replicas it finds well.
    async fn well(&self) -> anyhow::Result<f64> {
        let page = page(&format!("{}/metrics", self.numbers)).await?;
        Ok(sum(&page, "envoy_cluster_membership_healthy{envoy_cluster_name=\"games\"}"))
    }

    /// Waits until it finds so many replicas well.
    async fn wait(&self, well: f64) {
        let until = Instant::now() + THERE_WITHIN;
        while (self.well().await.expect("it tells") - well).abs() > 0.5 {
            assert!(Instant::now() < until, "there are not {well} replicas");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// What all numbers of a page are together whose line begins so.
fn sum(page: &str, begins: &str) -> f64 {
    let of = page.lines().filter(|line| line.starts_with(begins));
    of.filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok()).sum()
}

/// How many acts each replica has taken.
async fn acts(platform: &Platform) -> Vec<f64> {
    let mut acts = Vec::new();
    for (_, place) in platform.metrics().into_iter().filter(|(name, _)| *name == "game") {
        let page = page(place).await.expect("it tells");
        acts.push(sum(&page, "shoutan_game_acts_total"));
    }
    acts
}

async fn games(platform: &Platform, count: usize) -> Vec<Pairing> {
    let transport = platform.transport();
    let players = futures::stream::iter(0..2 * count).map(|_| guest(&transport)).buffer_unordered(16);
    let players: Vec<Bot> = players.try_collect().await.expect("everybody signs in");
    let settings = game_settings("go", &[("size", "13")], "10m", false);
    pair_up(players, &settings).await.expect("everybody is matched")
}

/// A platform whose games are behind an Envoy, in two replicas.
async fn before_two(program: &Path) -> (Platform, Envoy) {
    let port = free_ports(1).expect("one is free")[0];
    let settings = vec![format!("--game-url=http://127.0.0.1:{port}"), "--metrics=127.0.0.1:0".to_owned()];
    let ground = Ground { settings, ..Ground::default() };
    let mut platform = Platform::start_on(Shape::Six, Store::Servers, ground).await.expect("it starts");
    let second = platform.add_apart("game").await.expect("another one starts");
    let first = platform.address_of("game").expect("there is one").to_owned();
    let envoy = Envoy::start(program, port, &[&first, &second]).await.expect("it comes up");
    envoy.wait(2.0).await;
    (platform, envoy)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_through_one_replica_and_goes_on_through_the_other_when_that_is_killed() {
    let Some(program) = tool("envoy", "SHOUTAN_TEST_ENVOY", "nothing is tested behind an Envoy") else {
        return;
    };
    if !shapes().contains(&(Shape::Six, Store::Servers)) {
        return;
    }
    let (mut platform, envoy) = before_two(&program).await;
    each_game_meets_one(&platform).await;
    a_death_costs_nothing(&mut platform, &envoy).await;
    nobody_left_is_said_with_a_reason(&mut platform, &envoy).await;
    assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
}

async fn each_game_meets_one(platform: &Platform) {
    let mut taken = [0_usize; 2];
    for Pairing { game_id, players } in games(platform, SEEN).await {
        let before = acts(platform).await;
        for (ply, at) in ["C3", "D4", "E5", "F6"].into_iter().enumerate() {
            let ply = u32::try_from(ply).expect("fits");
            players[ply as usize % 2].play(&game_id, at, ply, RETRY).await.expect("it is his turn");
        }
        let after = acts(platform).await;
        let by: Vec<f64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
        let of = usize::from(by[0] < by[1]);
        assert!(by[of] >= 4.0 && by[1 - of].abs() < 0.5, "{by:?} acts of one game through the two replicas");
        taken[of] += 1;
    }
    assert!(taken.iter().all(|taken| *taken > 0), "{taken:?} games are played through the two replicas");
}

/// How far each of these games has come.
async fn plies(platform: &Platform, games: &[String]) -> Vec<usize> {
    let transport = platform.transport();
    let asked = games.iter().map(|game| ask(&transport, game));
    let games = futures::future::try_join_all(asked).await.expect("each can be read");
    games.into_iter().map(|game| game.acts.len()).collect()
}

#[expect(clippy::print_stderr, reason = "what a death costs those who play must be seen")]
async fn a_death_costs_nothing(platform: &mut Platform, envoy: &Envoy) {
    let pairings = games(platform, GAMES).await;
    let ids: Vec<String> = pairings.iter().map(|pairing| pairing.game_id.clone()).collect();
    let watched: Vec<_> = ids.iter().step_by(4).map(|game_id| watch(platform, game_id)).collect();
    let finish = Arc::new(AtomicBool::new(false));
    let driver = |(seed, pairing)| tokio::spawn(drive(pairing, seed, Arc::clone(&finish)));
    let drivers: Vec<_> = (0..).zip(pairings).map(driver).collect();
    tokio::time::sleep(MEANWHILE).await;
    platform.kill_nth("game", 0).await.expect("it can be killed");
    envoy.wait(1.0).await;
    let then = plies(platform, &ids).await;
    tokio::time::sleep(MEANWHILE).await;
    let now = plies(platform, &ids).await;
    let stuck = now.iter().zip(&then).filter(|(now, then)| now <= then).count();
    assert_eq!(stuck, 0, "games stand still while one replica is dead\n{}", platform.logs());
    platform.restart_killed().await.expect("it comes up again");
    envoy.wait(2.0).await;
    tokio::time::sleep(MEANWHILE).await;
    finish.store(true, Ordering::SeqCst);
    let mut longest = Duration::ZERO;
    for played in drivers {
        let Driven { pairing, acts, took } = played.await.expect("every call is answered in the end");
        let game = ask(&platform.transport(), &pairing.game_id).await.expect("the game can be read");
        let kept: Vec<&str> = game.acts.iter().map(|act| act.text.as_str()).collect();
        assert_eq!(kept, acts, "{}", platform.logs());
        longest = took.into_iter().fold(longest, Duration::max);
    }
    for (game_id, numbers) in watched {
        let game = ask(&platform.transport(), &game_id).await.expect("the game can be read");
        let last = game.state.expect("a game has a state").sequence;
        let seen = seen_up_to(&numbers, last).await;
        assert_eq!(seen, (1..=last).collect::<Vec<_>>(), "game {game_id}\n{}", platform.logs());
    }
    eprintln!("the longest that an act took around the death of a replica: {longest:.1?}");
}

async fn nobody_left_is_said_with_a_reason(platform: &mut Platform, envoy: &Envoy) {
    let game_id = games(platform, 1).await.remove(0).game_id;
    platform.kill_every("game").await.expect("they can be killed");
    envoy.wait(0.0).await;
    let request = GetGameRequest { game_id: game_id.clone() };
    let refused = GameServiceClient::new(platform.transport()).get_game(request).await;
    let refused = refused.expect_err("there is nobody to answer");
    let reason = api::error::reason(&refused);
    assert_eq!((refused.code(), &*reason), (Code::Unavailable, "SERVICE_UNREACHABLE"), "{refused}");
    platform.restart_killed().await.expect("they come up again");
    envoy.wait(2.0).await;
    ask(&platform.transport(), &game_id).await.expect("the game is there");
}
