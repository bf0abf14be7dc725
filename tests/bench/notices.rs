//! How soon ten thousand people are told of one thing.

use std::time::Duration;

use anyhow::Context as _;
use api::federation::v1::{
    self as pb, CheckItem, EventStage, NoticeKind,
    event_format::{Format, Swiss},
    notice_service_client::NoticeServiceClient,
};
use tests::{
    Bot, Platform, bots, change,
    held::{Federation, Held, settings},
};
use tokio::{task::JoinSet, time::Instant};

use crate::stats::{Summary, memory_kib};

/// Who is told.
pub(crate) const PEOPLE: usize = 10_000;
/// The same in a hurry.
pub(crate) const PEOPLE_QUICK: usize = 1_000;
/// Connections among which their streams are dealt out: a connection has some thousand at most.
const CONNECTIONS: usize = 8;
/// How long it may take until the last is told, before the measurement fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// Who waits for his pairing looks at his telephone when others look at theirs.
const TOLD_AFTER_MAX_MS: f64 = 500.0;

/// What was measured.
pub(crate) struct Told {
    /// From the call that changes the event until the first is told: nobody is before its commit.
    pub first: Duration,
    /// From then on until each is told.
    pub delays: Summary,
    /// Until the call was answered.
    pub answered: Duration,
    /// What a stream costs that waits, in KiB.
    pub stream_kib: f64,
}

impl Told {
    /// Whether it is within its limits.
    pub(crate) fn judge(&self) -> anyhow::Result<()> {
        let p99_ms = self.delays.p99_ms();
        // What was not measured is no number, and not within any limit.
        anyhow::ensure!(
            p99_ms <= TOLD_AFTER_MAX_MS,
            "{p99_ms:.0} ms until 99 of 100 were told, at most {TOLD_AFTER_MAX_MS:.0}"
        );
        Ok(())
    }
}

/// Has an event with so many players go on, all of whom follow their notices.
pub(crate) async fn told(platform: &Platform, people: usize) -> anyhow::Result<Told> {
    let mut players = Vec::new();
    for part in 0..CONNECTIONS {
        let many = (people + part) / CONNECTIONS;
        players.extend(bots(&platform.transport(), many).await?);
    }
    let transport = platform.transport();
    let federation = Federation::new(&transport, "A federation of many", "").await;
    let format = Format::Swiss(Swiss { rounds: 3 });
    let mut held = Held::new(&federation, settings(format, u32::try_from(people)?)).await;
    held.enter_new(&federation, players.clone()).await;
    held.check(&[CheckItem::ArbitersBriefed, CheckItem::EntriesChecked, CheckItem::VenueChecked]).await;
    change!(held, held.chief.player, commit_seed(CommitSeedRequest {}))?;

    let before_kib = memory_kib(platform)?;
    let mut told = JoinSet::new();
    for player in players {
        let stream = watch(&player).await?;
        told.spawn(stream);
    }
    let after_kib = memory_kib(platform)?;
    let began = Instant::now();
    held.advance(EventStage::Running).await;
    let answered = began.elapsed();
    let arrivals = tokio::time::timeout(PATIENCE, told.join_all()).await.context("somebody is not told")?;
    let arrivals: Vec<Instant> = arrivals.into_iter().collect::<anyhow::Result<_>>()?;
    anyhow::ensure!(arrivals.len() == people, "{} of {people} were told", arrivals.len());
    let first = arrivals.iter().min().copied().context("nobody was told")?;
    let delays: Vec<Duration> = arrivals.iter().map(|at| *at - first).collect();
    let within = delays.iter().max().copied().unwrap_or_default();
    Ok(Told {
        first: first - began,
        delays: Summary::new(delays, within),
        answered,
        stream_kib: after_kib.saturating_sub(before_kib) as f64 / people as f64,
    })
}

/// Follows somebody's notices, and then waits until he is told that the event goes on.
async fn watch(player: &Bot) -> anyhow::Result<impl Future<Output = anyhow::Result<Instant>> + Send + use<>> {
    let mut client = NoticeServiceClient::new(player.transport());
    let mut stream = client.watch_notices(pb::WatchNoticesRequest { after_number: 0 }).await?.into_inner();
    Ok(async move {
        while let Some(told) = stream.message().await? {
            let notice = told.notice.context("it tells one")?;
            if notice.kind() == NoticeKind::EventAdvanced {
                return Ok(Instant::now());
            }
        }
        anyhow::bail!("the stream has ended")
    })
}
