//! What is measured of games.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use chassis::{
    Metrics,
    metrics::{Counter, Histogram, Kind, Label, Metric, Reader, SECONDS, Unit},
};
use time::OffsetDateTime;

use super::App;
use crate::store::lists;

const VARIANT: Label = Label { name: "variant", of: "the variants" };

const ROOMS: Metric = Metric {
    name: "shoutan_game_rooms",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Games that a replica has in memory: those that are played through it, or were within ten minutes",
};
const STREAMS: Metric = Metric {
    name: "shoutan_game_streams",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Streams that a replica serves of games, chats and own games, but for those that ended within 15 s",
};
const WATCHERS: Metric = Metric {
    name: "shoutan_game_watchers",
    kind: Kind::Gauge,
    unit: None,
    labels: &[Label { name: "who", of: "`player`, `member` with an account, `guest` without one" }],
    help: "Who follows games through a replica: each once a game, however many streams he has, but for guests",
};
const RUNNING: Metric = Metric {
    name: "shoutan_games_running",
    kind: Kind::Gauge,
    unit: None,
    labels: &[VARIANT],
    help: "Games that are not over, in the database; all replicas tell the same",
};
const ACTS: Metric = Metric {
    name: "shoutan_game_acts",
    kind: Kind::Counter,
    unit: None,
    labels: &[VARIANT],
    help: "What players did in games and was written: acts, proposals, answers, arrivals",
};
const OUTAGES: Metric = Metric {
    name: "shoutan_game_outages",
    kind: Kind::Counter,
    unit: None,
    labels: &[],
    help: "Outages that a replica has found or heard of since its start; running games are credited with each",
};
const OUTAGE_TIME: Metric = Metric {
    name: "shoutan_game_outage_time",
    kind: Kind::Counter,
    unit: Some(Unit::Seconds),
    labels: &[],
    help: "How long these outages were together",
};
const MAINTENANCE: Metric = Metric {
    name: "shoutan_game_maintenance",
    kind: Kind::Gauge,
    unit: None,
    labels: &[Label { name: "when", of: "`now` while it is under way, `planned` before" }],
    help: "Whether a maintenance is planned or under way, as a replica knows it: 1, or else 0",
};
const FLAG_LATENESS: Metric = Metric {
    name: "shoutan_game_flag_lateness",
    kind: Kind::Histogram(SECONDS),
    unit: Some(Unit::Seconds),
    labels: &[],
    help: "How long after a flag has fallen its game was ended by it",
};

pub(super) const PACKED_LOGS: Metric = Metric {
    name: "shoutan_game_packed_logs",
    kind: Kind::Counter,
    unit: None,
    labels: &[],
    help: "Logs of games that are over and that a replica has packed since its start, a day after their ends",
};
pub(super) const PACKED_BYTES: Metric = Metric {
    name: "shoutan_game_packed_logs_size",
    kind: Kind::Counter,
    unit: Some(Unit::Bytes),
    labels: &[Label { name: "when", of: "`before` and `after` that" }],
    help: "How large the events in these logs were together",
};

/// What is measured of games.
pub(crate) const METRICS: &[Metric] = &[
    RUNNING,
    ROOMS,
    STREAMS,
    WATCHERS,
    ACTS,
    OUTAGES,
    OUTAGE_TIME,
    MAINTENANCE,
    FLAG_LATENESS,
    PACKED_LOGS,
    PACKED_BYTES,
];

/// What is counted as it happens.
pub(crate) struct Measures {
    acts: BTreeMap<&'static str, Counter>,
    flag_lateness: Histogram,
}

impl Measures {
    pub(crate) fn new(metrics: &Metrics) -> Self {
        let counter = |variant: &&'static rules::Variant| (variant.id, metrics.counter(&ACTS, &[variant.id]));
        Measures {
            acts: rules::VARIANTS.iter().map(counter).collect(),
            flag_lateness: metrics.histogram(&FLAG_LATENESS, &[]),
        }
    }

    /// A player has done something in a game of a variant.
    pub(super) fn act(&self, variant: &str) {
        if let Some(acts) = self.acts.get(variant) {
            acts.inc();
        }
    }

    /// A game was ended now by a flag that fell then.
    pub(super) fn flag(&self, fell: OffsetDateTime, now: OffsetDateTime) {
        self.flag_lateness.observe((now - fell).as_seconds_f64().max(0.0));
    }
}

/// Has metrics tell of the games of a service for as long as it is there.
pub(crate) fn measure(metrics: &Metrics, app: &Arc<App>) {
    read(metrics, &ROOMS, app, |app, reader| reader.count(&[], app.registry.rooms() as u64));
    read(metrics, &STREAMS, app, |app, reader| reader.count(&[], app.readers.count() as u64));
    read(metrics, &WATCHERS, app, |app, reader| {
        for (who, number) in app.registry.presence.watchers() {
            reader.count(&[who], number);
        }
    });
    read(metrics, &OUTAGES, app, |app, reader| reader.count(&[], app.registry.heartbeat.found().0));
    read(metrics, &OUTAGE_TIME, app, |app, reader| {
        reader.tell(&[], app.registry.heartbeat.found().1.as_secs_f64());
    });
    read(metrics, &MAINTENANCE, app, |app, reader| {
        let said = &app.registry.maintenance.said;
        let is_under_way = said.under_way().is_some();
        reader.count(&["now"], is_under_way.into());
        reader.count(&["planned"], (!is_under_way && said.next().is_some()).into());
    });
    let of = Arc::downgrade(app);
    metrics.ask(&RUNNING, move || {
        let of = Weak::clone(&of);
        async move {
            let app = of.upgrade()?;
            let running = lists::count_running(app.registry.database.read()).await.ok()?;
            let known = rules::VARIANTS.iter().map(|variant| {
                let count = running.get(variant.id).copied().unwrap_or_default();
                (vec![variant.id.to_owned()], count)
            });
            Some(known.collect())
        }
    });
}

/// Has metrics read something of the games, which are not kept by what measures them.
fn read(
    metrics: &Metrics,
    metric: &Metric,
    app: &Arc<App>,
    read: impl Fn(&App, &mut Reader<'_>) + Send + Sync + 'static,
) {
    let of = Arc::downgrade(app);
    metrics.read(metric, move |reader| {
        if let Some(app) = of.upgrade() {
            read(&app, reader);
        }
    });
}
