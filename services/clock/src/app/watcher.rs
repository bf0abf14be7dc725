//! The watch over the flags. Every replica keeps it, none leads: the live state hands each fallen flag to one
//! of them for the time of a lease, and to another if that one has not dealt with it by then.
//!
//! It decides nothing: whether a flag ends a game is decided by the append to the game's log. A flag that is
//! reported twice, or too early after a lost append, does no harm.

use std::time::Duration;

use api::{game::v1::game_internal_service_client::GameInternalServiceClient, transport::Transport};
use live::LiveError;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::{Clocks, flag_reporter::FlagReporter};
use crate::core::{ArmedClock, Moment};

/// For how long a fallen flag is this replica's: longer than a report may take, so that a second one follows
/// only when the first is lost.
const LEASE: Duration = Duration::from_secs(5);
/// Reports under way at once, and so the most flags taken in one go: a burst is spread, and what is taken is
/// reported at once, well within its lease.
const REPORTS_MAX: usize = 256;
/// The longest sleep when other replicas set flags, too: how late a flag may be reported whose replica died.
const SLEEP_MAX_SHARED: Duration = Duration::from_millis(200);
/// The longest sleep otherwise: the system's time may be set forward while we sleep.
const SLEEP_MAX: Duration = Duration::from_secs(1);
/// The shortest sleep, which is a timer's tick.
const SLEEP_MIN: Duration = Duration::from_millis(1);
/// How long to wait for a live state that fails.
const RETRY: Duration = Duration::from_millis(200);

/// Watches the flags and reports those that fall.
#[derive(Debug)]
pub(crate) struct Watcher {
    clocks: Clocks,
    reporter: FlagReporter,
    reports: JoinSet<()>,
    /// Whether the live state failed when last asked.
    failing: bool,
}

impl Watcher {
    /// A watcher that reports flags to that game service.
    pub(crate) fn new(clocks: Clocks, games: GameInternalServiceClient<Transport>) -> Self {
        let reporter = FlagReporter::new(clocks.flags.clone(), games);
        Watcher { clocks, reporter, reports: JoinSet::new(), failing: false }
    }

    /// Runs until told to stop, and then until the reports under way have ended.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let sleep = self.report_fallen().await.unwrap_or_else(|error| {
                self.report(Some(&error));
                RETRY
            });
            let now = self.clocks.now();
            let full = self.reports.len() >= REPORTS_MAX;
            tokio::select! {
                biased;
                () = stop.cancelled() => {}
                () = self.clocks.flags.sleep(now, sleep) => {}
                Some(ended) = self.reports.join_next(), if full => surface(ended),
            }
        }
        while let Some(ended) = self.reports.join_next().await {
            surface(ended);
        }
    }

    /// Begins to report the flags that have fallen by now; how long to sleep after that.
    async fn report_fallen(&mut self) -> Result<Duration, LiveError> {
        while let Some(ended) = self.reports.try_join_next() {
            surface(ended);
        }
        let free = REPORTS_MAX - self.reports.len();
        if free == 0 {
            return Ok(self.sleep_max());
        }
        let now = self.clocks.now();
        let max = u32::try_from(free).unwrap_or(u32::MAX);
        let fallen = self.clocks.flags.take_fallen(now, now.later(LEASE.into()), max).await?;
        let more = fallen.len() == free;
        for watched in fallen {
            self.report_flag(&watched);
        }
        let next = self.clocks.flags.next_fall().await?;
        self.report(None);
        let until = |next: Moment| Duration::from(next.since(self.clocks.now()));
        let sleep = next.map_or(SLEEP_MAX, until).clamp(SLEEP_MIN, self.sleep_max());
        Ok(if more { SLEEP_MIN } else { sleep })
    }

    fn report_flag(&mut self, watched: &ArmedClock) {
        let watched = *watched;
        let reporter = self.reporter.clone();
        let span = tracing::info_span!("flag", game.id = %watched.game, revision = watched.reading.revision);
        self.reports.spawn(async move { reporter.report(&watched).await }.instrument(span));
    }

    fn sleep_max(&self) -> Duration {
        if self.clocks.flags.shared() { SLEEP_MAX_SHARED } else { SLEEP_MAX }
    }

    /// Logs that the live state began to fail, or that it is back.
    fn report(&mut self, error: Option<&LiveError>) {
        match error {
            Some(error) if !self.failing => {
                let error = error as &dyn std::error::Error;
                tracing::error!(error, "no flag can be watched: the live state fails");
            }
            None if self.failing => tracing::info!("flags are watched again"),
            _ => {}
        }
        self.failing = error.is_some();
    }
}

/// A panic in a report must not stay in the dark, nor end the watch over all other flags.
fn surface(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a call of a flag broke off; it is called again when its lease ends");
    }
}
