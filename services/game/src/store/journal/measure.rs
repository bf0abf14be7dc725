//! What is measured of the journal.

use chassis::{
    Metrics,
    metrics::{Counter, Histogram, Kind, Metric, SECONDS, Unit},
};
use tokio::time::Instant;

const EVENTS: Metric = Metric {
    name: "shoutan_journal_events",
    kind: Kind::Counter,
    unit: None,
    labels: &[],
    help: "Events that were written to the logs of games",
};
const BATCH: Metric = Metric {
    name: "shoutan_journal_batch",
    kind: Kind::Histogram(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0]),
    unit: None,
    labels: &[],
    help: "How many commands were written in one transaction",
};
const COMMIT: Metric = Metric {
    name: "shoutan_journal_commit",
    kind: Kind::Histogram(SECONDS),
    unit: Some(Unit::Seconds),
    labels: &[],
    help: "How long such a transaction took from its beginning to its commit",
};

/// What is measured of the journal.
pub(crate) const METRICS: &[Metric] = &[EVENTS, BATCH, COMMIT];

/// What is counted as it happens.
pub(super) struct Measures {
    events: Counter,
    batch: Histogram,
    commit: Histogram,
}

impl Measures {
    pub(super) fn new(metrics: &Metrics) -> Self {
        Measures {
            events: metrics.counter(&EVENTS, &[]),
            batch: metrics.histogram(&BATCH, &[]),
            commit: metrics.histogram(&COMMIT, &[]),
        }
    }

    /// A transaction of so many commands, with so many events, was committed that was begun then.
    pub(super) fn committed(&self, since: Instant, commands: usize, events: usize) {
        self.events.inc_by(events as u64);
        self.batch.observe(f64::from(u32::try_from(commands).unwrap_or(u32::MAX)));
        self.commit.observe(since.elapsed().as_secs_f64());
    }
}
