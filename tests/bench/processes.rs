//! What a pair costs when one, two and four matchmaking processes share one Redis.

use std::time::Duration;

use anyhow::Context as _;
use api::{
    matchmaking::v1::{
        EnqueueRequest, GameSettings, enqueue_response::State,
        matchmaking_service_client::MatchmakingServiceClient,
    },
    transport::{Transport, with_bearer},
};
use chassis::Env;
use futures::{StreamExt as _, TryStreamExt as _, future::try_join_all};
use tests::{Ground, Platform, Shape, Store, game_settings, guest_token};
use tokio::time::Instant;

/// How many processes there are, one after the other.
pub(crate) const PROCESSES: [usize; 3] = [1, 2, 4];
/// Tickets that arrive a second.
const RATE: u32 = 200;
/// Guests that are made at once.
const GUESTS_AT_ONCE: usize = 16;
/// Connections over which they come, which the system spreads over the processes that share a port.
const CONNECTIONS: usize = 64;
/// The most that a pair may cost at four processes, as a multiple of what it costs at one.
const DEARER_MAX: f64 = 1.25;
/// The most proposals of which somebody else was faster, of all.
const LOST_MAX: f64 = 0.02;
/// How long a ticket may wait before the measurement fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// What it came to.
pub(crate) struct Measured {
    /// How many processes.
    pub processes: usize,
    /// Processor time a pair, in milliseconds: that of all matchmaking processes and of Redis.
    pub cpu_ms: f64,
    /// Of that what Redis took.
    pub redis_ms: f64,
    /// Proposals that were lost, of all.
    pub lost: f64,
    /// How many processes had some of the streams.
    pub busy: usize,
}

/// Matches so many tickets, which come evenly, in so many processes.
pub(crate) async fn matched(processes: usize, tickets: usize) -> anyhow::Result<Measured> {
    let environment = vec![("NO_COLOR".to_owned(), "1".to_owned())];
    let ground = Ground { environment, ..Ground::default() };
    let mut platform = Platform::start_on(Shape::Six, Store::Servers, ground).await?;
    for _ in 1..processes {
        platform.add("matchmaking").await?;
    }
    let tokens = tokens(&platform, tickets).await?;
    let address = format!("http://{}", platform.address_of("matchmaking")?);
    let ways: Vec<Transport> =
        (0..CONNECTIONS).map(|_| api::client::connect(&address)).collect::<Result<_, _>>()?;
    let games = settings();
    let redis = redis_process().await?;
    let pids = platform.process_ids_of("matchmaking");
    let (before, redis_before) = (cpu_of(&pids)?, cpu(redis)?);
    let began = Instant::now();
    let waiting = tokens.into_iter().enumerate().map(|(at, token)| {
        let (way, game) = (ways[at % ways.len()].clone(), games[at / 2 % games.len()].clone());
        tokio::spawn(async move {
            let comes = Duration::from_secs(1) * u32::try_from(at)? / RATE;
            tokio::time::sleep_until(began + comes).await;
            tokio::time::timeout(PATIENCE, wait(with_bearer(way, move || Some(token.clone())), game))
                .await
                .context("a ticket waits on")?
        })
    });
    try_join_all(waiting).await?.into_iter().collect::<anyhow::Result<Vec<()>>>()?;
    let after = cpu_of(&pids)?;
    let (redis_ms, pairs) = (cpu(redis)? - redis_before, tickets as f64 / 2.0);
    let taken: Vec<f64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
    let busiest = taken.iter().copied().fold(0.0, f64::max);
    anyhow::ensure!(platform.stop().await?.is_empty(), "the platform did not stop well");
    let (made, lost) = proposals(&platform.logs());
    anyhow::ensure!(made > 0, "nothing is said of proposals");
    Ok(Measured {
        processes,
        cpu_ms: (taken.iter().sum::<f64>() + redis_ms) / pairs,
        redis_ms: redis_ms / pairs,
        lost: lost as f64 / made as f64,
        busy: taken.iter().filter(|taken| **taken > busiest / 10.0).count(),
    })
}

/// Says whether they came to what they may, the first being that of one process.
pub(crate) fn judge(all: &[Measured]) -> anyhow::Result<()> {
    let (Some(one), Some(most)) = (all.first(), all.last()) else { return Ok(()) };
    let dearer = most.cpu_ms / one.cpu_ms;
    anyhow::ensure!(
        dearer <= DEARER_MAX,
        "a pair costs {dearer:.2} times as much at {} processes as at one; {DEARER_MAX} at most",
        most.processes
    );
    let lost = all.iter().map(|it| it.lost).fold(0.0, f64::max);
    anyhow::ensure!(
        lost <= LOST_MAX,
        "{:.1} % of proposals are lost; {:.0} % at most",
        lost * 100.0,
        LOST_MAX * 100.0
    );
    Ok(())
}

/// The tokens of so many guests.
async fn tokens(platform: &Platform, count: usize) -> anyhow::Result<Vec<String>> {
    let transport = platform.transport();
    let registered = futures::stream::iter(0..count).map(|_| guest_token(&transport));
    registered.buffer_unordered(GUESTS_AT_ONCE).try_collect().await
}

/// Pools of several variants: each is paired by one of the processes.
fn settings() -> Vec<GameSettings> {
    let go = |size, control| game_settings("go", &[("size", size)], control, false);
    let plain = |variant, control| game_settings(variant, &[], control, false);
    vec![
        go("9", "5m"),
        plain("jiu", "10m"),
        plain("tianyi", "10m"),
        go("13", "10m"),
        plain("jpd", "10m"),
        go("19", "20m"),
    ]
}

/// Waits with a ticket until it is matched.
async fn wait(way: Transport, settings: GameSettings) -> anyhow::Result<()> {
    let mut queue = MatchmakingServiceClient::new(way);
    let request = EnqueueRequest {
        ticket_id: Env::system().uuid().to_string(),
        settings: Some(settings),
        max_rating_difference: 3_000,
        ..EnqueueRequest::default()
    };
    let mut stream = queue.enqueue(request).await?.into_inner();
    while let Some(answer) = stream.message().await? {
        if let Some(State::Matched(_)) = answer.state {
            return Ok(());
        }
    }
    anyhow::bail!("a ticket ended without a game")
}

/// Proposals that the logs tell of, and those of them that were lost.
fn proposals(logs: &str) -> (u64, u64) {
    let number = |line: &str, name: &str| -> u64 {
        let text = line.split(name).nth(1).unwrap_or_default();
        let digits =
            text.trim_start_matches(['"', ':', '=', ' ']).split(|c: char| !c.is_ascii_digit()).next();
        digits.and_then(|digits| digits.parse().ok()).unwrap_or_default()
    };
    let told = logs.lines().filter(|line| line.contains("pairs were proposed"));
    told.fold((0, 0), |(made, lost), line| (made + number(line, "made"), lost + number(line, "lost")))
}

/// The process of the Redis that the tests use.
async fn redis_process() -> anyhow::Result<u32> {
    let url = std::env::var("SHOUTAN_TEST_REDIS").context("SHOUTAN_TEST_REDIS is not set")?;
    let output =
        tokio::process::Command::new("redis-cli").args(["-u", &url, "INFO", "server"]).output().await?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("process_id:")).context("no process_id")?;
    Ok(line.trim().parse()?)
}

fn cpu_of(pids: &[u32]) -> anyhow::Result<Vec<f64>> {
    pids.iter().map(|pid| cpu(*pid)).collect()
}

/// The processor time that a process has taken, in milliseconds: its scheduler counts it by the nanosecond.
fn cpu(pid: u32) -> anyhow::Result<f64> {
    let mut nanos = 0;
    for thread in std::fs::read_dir(format!("/proc/{pid}/task"))? {
        let text = std::fs::read_to_string(thread?.path().join("schedstat"))?;
        nanos += text.split_whitespace().next().context("no time")?.parse::<u64>()?;
    }
    Ok(nanos as f64 / 1e6)
}
