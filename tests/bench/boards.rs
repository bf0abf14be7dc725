//! All boards of a large round in one stream, while everybody moves.

use std::time::Duration;

use anyhow::Context as _;
use api::{
    federation::v1::{
        self as pb,
        event_format::{Format, Swiss},
        event_service_client::EventServiceClient,
    },
    transport::Transport,
};
use chassis::Env;
use futures::StreamExt as _;
use prost::Message as _;
use tests::{
    Pairing, Platform, bots,
    held::{Federation, Held, settings},
};
use tokio::{task::JoinHandle, time::Instant};
use tonic::Streaming;

use crate::{
    moves,
    stats::{Summary, memory_kib},
};

/// Boards of the round; a move a second at each.
pub(crate) const BOARDS: usize = 500;
/// How long everybody moves while one reads.
const SECONDS: u64 = 15;
/// Readers who stop reading, and for how long.
const STOPPED: usize = 40;
const STOPPED_SECONDS: u64 = 10;
/// What frames a message in gRPC.
const FRAME_BYTES: usize = 5;
/// Boards whose players come to their game at the same time.
const COME_PARALLEL: usize = 64;

/// Who looks at a hall's boards sees a move while the next is thought about.
const SEEN_AFTER_MAX_MS: f64 = 500.0;
/// A thousand boards with a move a second each are then 200 kB a second, which a telephone can read.
const BYTES_A_CHANGE_MAX: f64 = 200.0;
/// A thousand readers who have gone away without a word are then a gigabyte at most.
const STOPPED_KIB_MAX: f64 = 1024.0;

/// What was measured.
pub(crate) struct Overview {
    /// From a move to who watches.
    pub delays: Summary,
    /// How many changes were told, and in how many bytes each.
    pub changes: usize,
    pub bytes_a_change: f64,
    /// What a reader costs who has stopped reading, in KiB, beside what the platform grew by in the same time without.
    pub stopped_kib: f64,
    pub grown_kib: f64,
}

impl Overview {
    /// Whether it is within its limits.
    pub(crate) fn judge(&self) -> anyhow::Result<()> {
        for (what, measured, most) in [
            ("ms until 99 of 100 changes were seen", self.delays.p99_ms(), SEEN_AFTER_MAX_MS),
            ("bytes a change", self.bytes_a_change, BYTES_A_CHANGE_MAX),
            ("KiB for a reader who has stopped reading", self.stopped_kib, STOPPED_KIB_MAX),
        ] {
            // What was not measured is no number, and not within any limit.
            anyhow::ensure!(measured <= most, "{measured:.0} {what}, at most {most:.0}");
        }
        Ok(())
    }
}

/// Measures the overview of a round of so many boards.
pub(crate) async fn overview(platform: &Platform, boards: usize) -> anyhow::Result<Overview> {
    let (event, pairings) = round(platform, boards).await?;
    let watching = watch(platform.transport(), &event).await?;
    let reader: JoinHandle<anyhow::Result<(Vec<Duration>, usize, usize)>> = tokio::spawn(read(watching));
    let played = moves::paced_in(&pairings, SECONDS, 0).await?;
    anyhow::ensure!(!played.is_empty(), "nobody has moved");
    let before_kib = memory_kib(platform)?;
    moves::paced_in(&pairings, STOPPED_SECONDS, SECONDS).await?;
    let control_kib = memory_kib(platform)?;
    let mut stopped = Vec::new();
    for _ in 0..STOPPED {
        // Each on a connection of its own, as people are.
        let mut stream = watch(platform.transport(), &event).await?;
        stream.message().await?;
        stopped.push(stream);
    }
    moves::paced_in(&pairings, STOPPED_SECONDS, SECONDS + STOPPED_SECONDS).await?;
    let after_kib = memory_kib(platform)?;
    drop(stopped);
    reader.abort();
    let (delays, changes, bytes) = match reader.await {
        Err(_cut) => anyhow::bail!("the reader has read nothing"),
        Ok(read) => read?,
    };
    let grown_kib = control_kib.saturating_sub(before_kib) as f64;
    Ok(Overview {
        delays: Summary::new(delays, Duration::from_secs(SECONDS)),
        changes,
        bytes_a_change: bytes as f64 / changes.max(1) as f64,
        stopped_kib: (after_kib.saturating_sub(control_kib) as f64 - grown_kib) / STOPPED as f64,
        grown_kib,
    })
}

async fn watch(transport: Transport, event: &str) -> anyhow::Result<Streaming<pb::WatchBoardsResponse>> {
    let request = pb::WatchBoardsRequest { event_id: event.to_owned(), ..Default::default() };
    Ok(EventServiceClient::new(transport).watch_boards(request).await?.into_inner())
}

/// Reads while everybody moves: how late each change came, how many there were, and in how many bytes.
async fn read(
    mut stream: Streaming<pb::WatchBoardsResponse>,
) -> anyhow::Result<(Vec<Duration>, usize, usize)> {
    let (env, until) = (Env::system(), Instant::now() + Duration::from_secs(SECONDS + 2));
    let (mut delays, mut changes, mut bytes) = (Vec::new(), 0, 0);
    while let Ok(answer) = tokio::time::timeout_at(until, stream.message()).await {
        let answer = answer?.context("the round goes on")?;
        if answer.anew {
            continue;
        }
        let now = env.now();
        (changes, bytes) = (changes + answer.boards.len(), bytes + answer.encoded_len() + FRAME_BYTES);
        // Where nobody has moved yet it is told how a game stands that began long before.
        let moved = |board: &pb::BoardGlimpse| board.game.clone().filter(|game| game.ply > 0);
        let happened = |board: &pb::BoardGlimpse| api::time::moment(moved(board)?.time.as_ref()?);
        let times = answer.boards.iter().filter_map(happened);
        delays.extend(times.map(|then| Duration::try_from(now - then).unwrap_or_default()));
    }
    Ok((delays, changes, bytes))
}

/// A round of Go between players with accounts, both of whom have come to each of its games.
async fn round(platform: &Platform, boards: usize) -> anyhow::Result<(String, Vec<Pairing>)> {
    let transport = platform.transport();
    let players = bots(&transport, 2 * boards).await?;
    let federation = Federation::new(&transport, "A federation of many", "").await;
    let format = Format::Swiss(Swiss { rounds: 3 });
    let mut held = Held::new(&federation, settings(format, u32::try_from(players.len())?)).await;
    held.enter_new(&federation, players).await;
    held.run().await;
    held.pair(1).await;
    let round = held.start(1).await;
    anyhow::ensure!(round.pairings.len() == boards, "every board has two players");
    let come = |board| held.come(board);
    futures::stream::iter(&round.pairings).for_each_concurrent(COME_PARALLEL, come).await;
    let pairing = |it: pb::Pairing| Pairing {
        players: [it.first, it.second].map(|number| held.players[&number].clone()),
        game_id: it.game_id,
    };
    let pairings = round.pairings.into_iter().map(pairing).collect();
    Ok((held.id, pairings))
}
