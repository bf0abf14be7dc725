//! What a process knows of its own parts: which of them work, since when they do not, and why.
//!
//! Whoever depends on something (a database, live state, the keys of tokens, a task that must run) reports how it
//! does; the health service and `GET /readyz` tell everybody.

mod measure;
mod page;
mod rpc;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use parking_lot::{Mutex, MutexGuard};
use tokio::{
    sync::{Notify, futures::Notified},
    time::Instant,
};

pub use measure::METRICS;
pub(crate) use page::route;
pub use page::{Page, PartPage, READY_PATH};
pub(crate) use rpc::HealthApi;

/// The parts of a process and how they do. Every clone is the same.
#[derive(Clone, Debug, Default)]
pub struct Health(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    parts: Mutex<BTreeMap<PartName, Known>>,
    panics: Mutex<BTreeMap<PartName, u64>>,
    changed: Notify,
}

/// Whose parts every service of a process needs: of the process itself, of a platform in one, and of a gateway.
const SHARED: [&str; 3] = ["process", "platform", "gateway"];

/// A part of a service: `("game", "database")`.
pub type PartName = (&'static str, &'static str);

/// How a part does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartState {
    /// It does what it is for.
    Working,
    /// It does not, and why, in one sentence without secrets.
    Failing(String),
    /// Nobody knows yet: it is about to be asked for the first time.
    Awaited,
}

#[derive(Clone, Debug)]
struct Known {
    state: PartState,
    since: Instant,
}

/// How a part does, and for how long it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The service and the part.
    pub name: PartName,
    /// How it does.
    pub state: PartState,
    /// For how long.
    pub lasting: Duration,
}

impl Health {
    /// Reports how a part does. Only a change is logged, in one line, and told to who waits for changes.
    pub fn report(&self, part: PartName, state: PartState) {
        let mut parts = self.parts();
        let before = parts.get(&part).map(|known| &known.state);
        let (service, name) = part;
        match (before, &state) {
            (Some(PartState::Working), PartState::Working)
            | (Some(PartState::Failing(_)), PartState::Failing(_)) => {
                // The newest reason is kept; it began when the first was given.
                if let Some(known) = parts.get_mut(&part) {
                    known.state = state;
                }
                return;
            }
            (_, PartState::Failing(why)) => tracing::error!(service, "{name} of {service} fails: {why}"),
            (Some(PartState::Failing(_)), PartState::Working) => {
                tracing::info!(service, "{name} of {service} works again");
            }
            (None | Some(PartState::Awaited), PartState::Working) | (_, PartState::Awaited) => {}
        }
        parts.insert(part, Known { state, since: Instant::now() });
        drop(parts);
        self.0.changed.notify_waiters();
    }

    /// The part is about to be asked how it does; until it has answered nothing that needs it is ready.
    pub fn awaited(&self, part: PartName) {
        self.parts()
            .entry(part)
            .or_insert_with(|| Known { state: PartState::Awaited, since: Instant::now() });
    }

    /// The part works.
    pub fn working(&self, part: PartName) {
        self.report(part, PartState::Working);
    }

    /// The part fails.
    pub fn failing(&self, part: PartName, why: impl Into<String>) {
        self.report(part, PartState::Failing(why.into()));
    }

    /// Whether every part of a service that is known works, and every part that all services of the process share.
    pub fn is_ready(&self, service: &str) -> bool {
        let needed = |of: &str| of == service || SHARED.contains(&of);
        self.parts().iter().all(|((of, _), known)| !needed(of) || known.state == PartState::Working)
    }

    /// Every part that has reported, by name.
    pub fn list(&self) -> Vec<Part> {
        let part = |(name, known): (&PartName, &Known)| Part {
            name: *name,
            state: known.state.clone(),
            lasting: known.since.elapsed(),
        };
        self.parts().iter().map(part).collect()
    }

    /// Counts a panic of a task, and says how many of its panics there were.
    pub fn panicked(&self, task: PartName) -> u64 {
        let mut panics = self.0.panics.lock();
        let count = panics.entry(task).or_default();
        *count += 1;
        *count
    }

    /// The tasks that have panicked since the start, and how often.
    pub fn panics(&self) -> BTreeMap<PartName, u64> {
        self.0.panics.lock().clone()
    }

    /// Ends when a part has begun or ceased to work. What happens after this call is not missed once it is polled
    /// or [enabled](Notified::enable).
    pub fn changed(&self) -> Notified<'_> {
        self.0.changed.notified()
    }

    fn parts(&self) -> MutexGuard<'_, BTreeMap<PartName, Known>> {
        self.0.parts.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Health, PartState};

    #[tokio::test(start_paused = true)]
    async fn a_part_fails_since_it_first_did_and_says_why_it_does_now() {
        let health = Health::default();
        health.working(("game", "database"));
        health.working(("rating", "database"));
        assert!(health.is_ready("game"));
        health.failing(("game", "database"), "the disk is full");
        tokio::time::advance(Duration::from_secs(5)).await;
        health.failing(("game", "database"), "it is read-only");
        assert!(!health.is_ready("game") && health.is_ready("rating"));
        let part = health.list().remove(0);
        assert_eq!(part.state, PartState::Failing("it is read-only".to_owned()));
        assert_eq!(part.lasting, Duration::from_secs(5));
        health.working(("game", "database"));
        assert!(health.is_ready("game"));
    }

    #[test]
    fn what_has_not_been_asked_yet_is_not_ready_and_neither_is_who_needs_what_all_share() {
        let health = Health::default();
        health.awaited(("game", "live state"));
        assert!(!health.is_ready("game") && health.is_ready("rating"));
        health.working(("game", "live state"));
        health.awaited(("game", "live state"));
        assert!(health.is_ready("game"), "it has been asked already");
        for shared in ["process", "platform", "gateway"] {
            health.failing((shared, "a part"), "it fails");
            assert!(!health.is_ready("game") && !health.is_ready("rating"), "{shared}");
            health.working((shared, "a part"));
        }
        assert!(health.is_ready("game"));
    }
}
