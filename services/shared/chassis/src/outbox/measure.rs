//! What is measured of an outbox.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use sea_orm::{
    ColumnTrait as _, DbErr, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    Kinds,
    entry::{Column, Entity},
};
use crate::{
    Database, Env,
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
    help: "How long the oldest entry has waited that a service owes to another; 0 when it owes nothing",
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

/// How often it is looked for the oldest entry.
const LOOK: Duration = Duration::from_secs(15);

/// Nothing waits.
const NONE: i64 = i64::MIN;

/// What is measured of the outbox of a service.
#[derive(Debug)]
pub(super) struct Measures {
    /// Since when the oldest entry has waited, in microseconds since the epoch.
    oldest_us: Arc<AtomicI64>,
    looked: Mutex<Option<Instant>>,
    pub delivered: Counter,
    pub buried: Counter,
}

impl Measures {
    pub(super) fn new(metrics: &Metrics, (service, task): PartName, env: Env) -> Self {
        let oldest_us = Arc::new(AtomicI64::new(NONE));
        let read = Arc::clone(&oldest_us);
        metrics.read(&OLDEST, move |reader| {
            let oldest_us = read.load(Ordering::Relaxed);
            let waited_us =
                if oldest_us == NONE { 0 } else { to_micros(env.now()).saturating_sub(oldest_us) };
            reader.tell(
                &[service, task],
                Duration::from_micros(waited_us.max(0).cast_unsigned()).as_secs_f64(),
            );
        });
        Measures {
            oldest_us,
            looked: Mutex::default(),
            delivered: metrics.counter(&DELIVERED, &[service, task]),
            buried: metrics.counter(&BURIED, &[service, task]),
        }
    }

    /// Looks for the oldest entry, if it is time to.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(super) async fn look(&self, database: &Database, kinds: Kinds) -> Result<(), DbErr> {
        let now = Instant::now();
        if self.looked.lock().is_some_and(|looked| now - looked < LOOK) {
            return Ok(());
        }
        // Their ids are in the order in which they were made.
        let oldest: Option<Uuid> = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::Kind.is_in(kinds.all.iter().copied()))
            .order_by_asc(Column::Id)
            .into_tuple()
            .one(database.read())
            .await?;
        let made_us = oldest.and_then(|id| id.get_timestamp()).and_then(|made| {
            let (seconds, nanos) = made.to_unix();
            i64::try_from(seconds * 1_000_000 + u64::from(nanos / 1000)).ok()
        });
        self.oldest_us.store(made_us.unwrap_or(NONE), Ordering::Relaxed);
        *self.looked.lock() = Some(now);
        Ok(())
    }
}
