//! Weeks in which nothing happens: virtual time leaps over them, to shortly before the next thing that is due.
//!
//! Every second of them the services would look whether something is due, find nothing, and say that they are alive. What
//! they would look at is asked here once, and the heartbeat that the game service would write is written for it. From
//! shortly before each thing that is due until it is done, time goes on as it does everywhere, and so do troubles.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use chassis::time::{from_micros, to_micros};
use rusqlite::types::Value as Cell;
use time::OffsetDateTime;
use tokio::{task::JoinHandle, time::Instant};

use super::trouble::{self, Kind};
use crate::{rng::Rng, topology::Service, world::World};

/// How long before something is due time goes on as everywhere: longer than what looks least often takes to look, which is
/// the recovery of clocks, every 15 s.
const BEFORE: Duration = Duration::from_secs(20);
/// How often it is looked whether what is awaited has happened.
const LOOK: Duration = Duration::from_secs(1);
/// How long time goes on after something was due that is not done.
const OVERDUE: Duration = Duration::from_mins(5);

/// What each service does by itself, as its database has it.
const DUE: &[(Service, &str)] = &[
    (Service::Federation, "SELECT min(due_us) FROM event_heads"),
    (Service::Federation, "SELECT min(due_us) FROM outbox"),
    (Service::Game, "SELECT min(due_us) FROM games"),
    (Service::Game, "SELECT min(due_us) FROM outbox"),
];

/// The calendar of a year.
#[derive(Debug)]
pub(super) struct Calendar {
    world: Arc<World>,
    rng: Rng,
    /// How often there is trouble when something is due, between 0 and 1, and of which kind.
    troubles: &'static [(Kind, u32)],
    share: f64,
    under_way: Mutex<Option<JoinHandle<()>>>,
    past: Mutex<Past>,
}

/// What has been.
#[derive(Debug, Default)]
struct Past {
    /// The last thing due for which it was thrown whether there is trouble.
    thrown: Option<OffsetDateTime>,
    troubles: Vec<[OffsetDateTime; 2]>,
    leapt: Duration,
}

impl Calendar {
    /// A calendar with so much trouble.
    pub(super) fn new(world: &Arc<World>, troubles: &'static [(Kind, u32)], share: f64) -> Self {
        let (under_way, past) = (Mutex::default(), Mutex::default());
        Calendar { rng: world.rng("calendar"), world: Arc::clone(world), troubles, share, under_way, past }
    }

    /// Now.
    pub(super) fn now(&self) -> OffsetDateTime {
        self.world.env.now()
    }

    /// Waits until then.
    pub(super) async fn until(&self, at: OffsetDateTime) {
        while self.now() < at {
            self.step(at).await;
        }
    }

    /// Goes on by a second, or leaps to then, or to shortly before what is due by itself.
    pub(super) async fn step(&self, at: OffsetDateTime) {
        let (now, due) = (self.now(), self.due().await);
        // What is long overdue is a fault, which is found in the logs; the year goes on.
        let due = due.filter(|due| *due + OVERDUE > now);
        let next = due.map_or(at, |due| at.min(due - BEFORE));
        if next - now > BEFORE && self.settled() {
            self.leap(next - now).await;
            return;
        }
        if let Some(due) = due.filter(|due| *due > now && *due - now <= BEFORE * 2) {
            self.trouble(due);
        }
        let rest = Duration::try_from(at - now).unwrap_or_default();
        tokio::time::sleep(rest.min(LOOK)).await;
    }

    /// Waits until the trouble that is under way is over.
    pub(super) async fn calm(&self) {
        while !self.settled() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// When there was trouble.
    pub(super) fn troubles(&self) -> Vec<[OffsetDateTime; 2]> {
        self.past().troubles.clone()
    }

    /// Over how much time it was leapt.
    pub(super) fn leapt(&self) -> Duration {
        self.past().leapt
    }

    /// When something happens next by itself.
    async fn due(&self) -> Option<OffsetDateTime> {
        let of = |(service, sql): &(Service, &str)| {
            let rows = self.world.disk(*service)?.inspect(sql);
            match rows.ok()?.first()?.first()? {
                Cell::Integer(us) => from_micros(*us),
                _ => None,
            }
        };
        let flag = self.world.live.next_flag().await;
        DUE.iter().filter_map(of).chain(flag).min()
    }

    /// Lets time pass in which nothing happens.
    async fn leap(&self, by: time::Duration) {
        let by = Duration::try_from(by).unwrap_or_default();
        let alive = to_micros(self.now() + by);
        if let Some(games) = self.world.disk(Service::Game) {
            let beat = games
                .inspect(&format!("UPDATE availability SET up_until_us = {alive} WHERE id = 1 RETURNING id"));
            if let Err(error) = beat {
                self.world.trace.fault(format!("no heartbeat is written: {error}"));
            }
        }
        self.world.trace.note(format!("{} s pass", by.as_secs()));
        self.past().leapt += by;
        tokio::time::advance(by).await;
    }

    /// Whether nothing is wrong.
    fn settled(&self) -> bool {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if under_way.as_ref().is_some_and(|it| !it.is_finished()) {
            return false;
        }
        if under_way.take().is_some()
            && let Some(last) = self.past().troubles.last_mut()
        {
            last[1] = self.now();
        }
        true
    }

    /// There may be trouble when something is due.
    fn trouble(&self, due: OffsetDateTime) {
        if self.past().thrown.replace(due) == Some(due) || !self.settled() || !self.rng.chance(self.share) {
            return;
        }
        let Some(kind) = self.rng.weighed(self.troubles.iter().map(|(kind, weight)| (kind, *weight))) else {
            return;
        };
        let ahead = Duration::try_from(due - self.now()).unwrap_or_default();
        self.world.trace.note(format!("trouble is to come: {kind:?}"));
        self.past()
            .troubles
            .push([self.now(), OffsetDateTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 1000)]);
        let making = trouble::make(Arc::clone(&self.world), self.rng.clone(), *kind, Instant::now() + ahead);
        *self.under_way.lock().unwrap_or_else(PoisonError::into_inner) = Some(tokio::spawn(making));
    }

    fn past(&self) -> std::sync::MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
