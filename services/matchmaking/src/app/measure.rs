//! What is measured of matchmaking.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
    time::Duration,
};

use api::clock::v1::SpeedClass;
use chassis::{
    Metrics,
    metrics::{Counter, Histogram, Kind, Label, Metric, Unit},
};
use parking_lot::Mutex;

use super::Tickets;
use crate::{core::Settings, store};

const VARIANT: Label = Label { name: "variant", of: "the variants" };
const SPEED: Label = Label { name: "speed", of: "`blitz`, `rapid`, `classical` and `correspondence`" };

/// Bounds for how long somebody waits for an opponent: nobody minds a second, and few stay for half an hour.
const WAITS: &[f64] = &[0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0];

const TICKETS: Metric = Metric {
    name: "shoutan_tickets",
    kind: Kind::Gauge,
    unit: None,
    labels: &[VARIANT, SPEED],
    help: "Tickets that wait in pools in which this replica pairs; one that waits in several counts in each",
};
const WAIT: Metric = Metric {
    name: "shoutan_ticket_wait",
    kind: Kind::Histogram(WAITS),
    unit: Some(Unit::Seconds),
    labels: &[VARIANT, SPEED],
    help: "How long those had waited who were paired",
};
const PAIRS: Metric = Metric {
    name: "shoutan_pairs_proposed",
    kind: Kind::Counter,
    unit: None,
    labels: &[Label {
        name: "outcome",
        of: "`taken`; `lost` where a ticket had left or another replica was faster",
    }],
    help: "Pairs that a replica has proposed",
};
const MATCHES: Metric = Metric {
    name: "shoutan_matches",
    kind: Kind::Counter,
    unit: None,
    labels: &[Label { name: "outcome", of: "`game`; `refused` where the game service would not make one" }],
    help: "Matches that were decided",
};
const UNSETTLED: Metric = Metric {
    name: "shoutan_matches_unsettled",
    kind: Kind::Gauge,
    unit: None,
    labels: &[],
    help: "Matches of more than ten seconds ago that have no game yet, in the database; 1000 stands for more",
};

/// What is measured of matchmaking.
pub(crate) const METRICS: &[Metric] = &[TICKETS, WAIT, PAIRS, MATCHES, UNSETTLED];

/// After how long a match should have its game.
const SETTLED_WITHIN: Duration = Duration::from_secs(10);
/// The most of them that are counted.
const UNSETTLED_MAX: u64 = 1000;

/// For which games a pool is, as far as it is measured.
type Kinds = (&'static str, SpeedClass);

/// What is counted as it happens.
#[derive(Debug)]
pub(crate) struct Measures {
    metrics: Metrics,
    waits: Mutex<HashMap<Kinds, Histogram>>,
    taken: Counter,
    lost: Counter,
    made: Counter,
    refused: Counter,
}

impl Measures {
    pub(crate) fn new(metrics: &Metrics) -> Self {
        Measures {
            metrics: metrics.clone(),
            waits: Mutex::default(),
            taken: metrics.counter(&PAIRS, &["taken"]),
            lost: metrics.counter(&PAIRS, &["lost"]),
            made: metrics.counter(&MATCHES, &["game"]),
            refused: metrics.counter(&MATCHES, &["refused"]),
        }
    }

    /// Pairs were proposed, of which so many were somebody else's.
    pub(super) fn proposed(&self, made: u64, lost: u64) {
        self.taken.inc_by(made - lost);
        self.lost.inc_by(lost);
    }

    /// Somebody was paired in a pool who had waited so long, in microseconds.
    pub(super) fn paired(&self, pool: &str, waited: u64) {
        let Some(kinds) = kinds(pool) else { return };
        let mut waits = self.waits.lock();
        let wait =
            waits.entry(kinds).or_insert_with(|| self.metrics.histogram(&WAIT, &[kinds.0, name(kinds.1)]));
        wait.observe(Duration::from_micros(waited).as_secs_f64());
    }

    /// It was decided what becomes of matches: games, or nothing.
    pub(super) fn decided(&self, made: usize, refused: usize) {
        self.made.inc_by(made as u64);
        self.refused.inc_by(refused as u64);
    }
}

/// Has metrics tell of a queue for as long as it is there.
pub(crate) fn measure(metrics: &Metrics, tickets: &Arc<Tickets>) {
    // What the process keeps to measure must not keep what it measures.
    let of = Arc::downgrade(tickets);
    metrics.read(&TICKETS, move |reader| {
        for ((variant, speed), waiting) in of.upgrade().map(|tickets| waiting(&tickets)).unwrap_or_default() {
            reader.count(&[variant, name(speed)], waiting);
        }
    });
    let of = Arc::downgrade(tickets);
    metrics.ask(&UNSETTLED, move || {
        let of = Weak::clone(&of);
        async move {
            let tickets = of.upgrade()?;
            let before = tickets.env.now() - SETTLED_WITHIN;
            let on = tickets.database.read();
            let unsettled = store::matches::count_pending(on, before, UNSETTLED_MAX).await.ok()?;
            Some(vec![(Vec::new(), unsettled)])
        }
    });
}

/// How many wait, where this replica pairs.
fn waiting(tickets: &Tickets) -> HashMap<Kinds, u64> {
    let (peers, mut waiting) = (tickets.arrivals.peers(), HashMap::new());
    for (pool, size) in tickets.mirror.lock().sizes() {
        if let Some(kinds) = kinds(pool).filter(|_| peers.is_mine(pool)) {
            *waiting.entry(kinds).or_default() += u64::from(size);
        }
    }
    waiting
}

/// For which games a pool is; nothing of one that this version does not know.
fn kinds(pool: &str) -> Option<Kinds> {
    let (variant, control) = Settings::kinds_of(pool)?;
    Some((variant, control.speed_class()))
}

const fn name(speed: SpeedClass) -> &'static str {
    match speed {
        SpeedClass::Blitz => "blitz",
        SpeedClass::Rapid => "rapid",
        SpeedClass::Classical => "classical",
        SpeedClass::Correspondence | SpeedClass::Unspecified => "correspondence",
    }
}
