//! What is measured of events.

use chassis::{
    Metrics,
    metrics::{Counter, Kind, Metric},
};

use crate::core::event::Fact;

const ROUNDS: Metric = Metric {
    name: "shoutan_rounds_published",
    kind: Kind::Counter,
    unit: None,
    labels: &[],
    help: "Rounds of events whose pairings a replica has made public, or taken over from a file",
};
const BOARDS: Metric = Metric {
    name: "shoutan_boards_published",
    kind: Kind::Counter,
    unit: None,
    labels: &[],
    help: "Boards of these rounds",
};
const ENTRIES: Metric = Metric {
    name: "shoutan_event_entries",
    kind: Kind::Counter,
    unit: None,
    labels: &[],
    help: "Entries that were written to the logs of events",
};

/// What is measured of events.
pub(crate) const METRICS: &[Metric] = &[ROUNDS, BOARDS, ENTRIES];

/// What is counted as it happens.
#[derive(Debug)]
pub(crate) struct Measures {
    rounds: Counter,
    boards: Counter,
    entries: Counter,
}

impl Measures {
    pub(super) fn new(metrics: &Metrics) -> Self {
        let counter = |metric| metrics.counter(metric, &[]);
        Measures { rounds: counter(&ROUNDS), boards: counter(&BOARDS), entries: counter(&ENTRIES) }
    }

    /// These were written to the log of an event.
    pub(super) fn written<'a>(&self, facts: impl Iterator<Item = &'a Fact>) {
        for fact in facts {
            self.entries.inc();
            if let Fact::RoundPublished(round) = fact {
                self.rounds.inc();
                self.boards.inc_by(round.boards.len() as u64);
            }
        }
    }
}
