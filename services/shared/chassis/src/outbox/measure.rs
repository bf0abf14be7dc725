//! What is measured of an outbox, by what its deliverer comes to see anyway.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use tokio::time::Instant;
use uuid::Uuid;

use super::Entry;
use crate::{
    Env,
    health::PartName,
    metrics::{Kind, Label, Metric, Metrics, Unit},
    time::to_micros,
};

const OF: &[Label] = &[
    Label { name: "service", of: "services of the platform that owe something" },
    Label { name: "task", of: "the tasks of a service that deliver it" },
];

const OLDEST: Metric = Metric {
    name: "shoutan_outbox_oldest",
    kind: Kind::Gauge,
    unit: Some(Unit::Seconds),
    labels: OF,
    help: "How long the oldest entry has waited that a service owes to another and this replica has tried to deliver; 0 if there is none",
};
const DELIVERED: Metric = Metric {
    name: "shoutan_outbox_delivered",
    kind: Kind::Counter,
    unit: None,
    labels: OF,
    help: "Entries that their receivers have acknowledged",
};
const BURIED: Metric = Metric {
    name: "shoutan_outbox_buried",
    kind: Kind::Counter,
    unit: None,
    labels: OF,
    help: "Entries that can never be delivered and were put aside",
};

/// What is measured of outboxes.
pub const METRICS: &[Metric] = &[OLDEST, DELIVERED, BURIED];

/// How long an entry is believed to wait that was not seen again: longer than any is put off, and than a delivery takes. Another
/// replica has delivered it.
const BELIEVED: Duration = Duration::from_mins(2);

/// The entries that wait as far as this replica knows, and when it last saw them. Their ids are in the order in which they were made.
type Waiting = Arc<Mutex<BTreeMap<Uuid, Instant>>>;

/// What is measured of the outbox of a service.
#[derive(Debug)]
pub(super) struct Measures {
    waiting: Waiting,
    delivered: Counter,
    buried: Counter,
}

impl Measures {
    pub(super) fn new(metrics: &Metrics, (service, task): PartName, env: Env) -> Self {
        let waiting = Waiting::default();
        let read = Arc::clone(&waiting);
        metrics.read(&OLDEST, move |reader| {
            let oldest = {
                let mut waiting = read.lock();
                waiting.retain(|_, seen| seen.elapsed() < BELIEVED);
                waiting.first_key_value().and_then(|(id, _)| made_us(*id))
            };
            let waited_us = oldest.map_or(0, |made_us| to_micros(env.now()).saturating_sub(made_us).max(0));
            reader.tell(&[service, task], Duration::from_micros(waited_us.cast_unsigned()).as_secs_f64());
        });
        Measures {
            waiting,
            delivered: metrics.counter(&DELIVERED, &[service, task]),
            buried: metrics.counter(&BURIED, &[service, task]),
        }
    }

    /// These are about to be delivered.
    pub(super) fn seen(&self, entries: &[Entry]) {
        let now = Instant::now();
        let mut waiting = self.waiting.lock();
        waiting.retain(|_, seen| now - *seen < BELIEVED);
        waiting.extend(entries.iter().map(|entry| (entry.id, now)));
    }

    /// These were.
    pub(super) fn delivered(&self, entries: &[Uuid]) {
        self.delivered.inc_by(entries.len() as u64);
        self.forget(entries);
    }

    /// This one never will be.
    pub(super) fn buried(&self, entry: Uuid) {
        self.buried.inc();
        self.forget(&[entry]);
    }

    fn forget(&self, entries: &[Uuid]) {
        let mut waiting = self.waiting.lock();
        for entry in entries {
            waiting.remove(entry);
        }
    }
}

/// When an entry was made, in microseconds since the epoch, by its id.
fn made_us(id: Uuid) -> Option<i64> {
    let (seconds, nanos) = id.get_timestamp()?.to_unix();
    i64::try_from(seconds * 1_000_000 + u64::from(nanos / 1000)).ok()
}
