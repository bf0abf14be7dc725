//! The watched flags in the live state: one deadline a game, in one queue, under the game's id and the
//! revision of its reading. The payload is the running clock, as the game service tells it.
//!
//! A clock that is held by a pause or has no limit lies there, too, with a deadline that is never due: so every
//! replica can tell the clock of every game, whoever stepped it.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use api::{
    clock::v1::{WatchAnnouncementsResponse, watch_announcements_response},
    game::v1::RunningClock,
};
use chassis::{follow::Follower, id::GameId};
use live::{Deadline, Live, LiveError};
use prost::Message as _;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::names;
use crate::core::{ArmedClock, Moment, Step, StepRequest};

/// When the flag of a clock falls that is held or has no limit: later than any other can.
const NEVER: Moment = Moment((1 << 53) - 1);

/// The watched flags. Cloning gives another handle to the same ones.
#[derive(Clone)]
pub(crate) struct Flags {
    live: Arc<dyn Live>,
    waker: Arc<Waker>,
}

/// Wakes this replica's watcher when a flag is set that falls before it meant to wake.
#[derive(Debug)]
struct Waker {
    /// When the watcher wakes, in microseconds since the epoch; the greatest number while it is awake.
    wake_at: AtomicI64,
    notify: Notify,
}

impl Flags {
    /// The flags in that live state.
    pub(crate) fn new(live: Arc<dyn Live>) -> Self {
        let waker = Waker { wake_at: AtomicI64::new(i64::MAX), notify: Notify::new() };
        Flags { live, waker: Arc::new(waker) }
    }

    /// Watches what a step leaves to be watched.
    ///
    /// Of several steps to one revision the last counts: the appends of those before it have been lost, or it
    /// would have begun where they ended.
    ///
    /// A flag that the step found fallen is still watched by the reading before: until the game's log holds
    /// the fall, a game service that stops half-way must be told again.
    ///
    /// # Errors
    /// When the live state fails.
    pub(crate) async fn follow(&self, request: &StepRequest, step: &Step) -> Result<(), LiveError> {
        let StepRequest { game, control, audience, .. } = *request;
        let reading = match (step.flagged, request.before) {
            (Some(_), Some(before)) => before,
            _ => step.after,
        };
        let watched = ArmedClock { game, control, reading, audience };
        let taken = reading.turn.is_some() && self.set(&watched).await?;
        let replaced =
            !taken && self.live.clear_deadline(names::FLAGS, game.uuid(), reading.revision).await?;
        if replaced {
            self.set(&watched).await?;
        }
        if (taken || replaced) && step.flagged.is_none() {
            self.publish(game, &watch_announcements_response::Step::Clock((&watched).into())).await;
        }
        Ok(())
    }

    /// The clock of a game as it was last stepped; none before the start and after the end, and when the live
    /// state has lost it.
    ///
    /// # Errors
    /// When the live state fails.
    pub(crate) async fn current(&self, game: GameId) -> Result<Option<ArmedClock>, LiveError> {
        let deadline = self.live.deadline(names::FLAGS, game.uuid()).await?;
        Ok(deadline.and_then(|deadline| read(&deadline)))
    }

    /// Tells whoever follows a game of its clocks or of an announcement. Nothing depends on it: who hears nothing for
    /// a while looks at [`Flags::current`].
    pub(crate) async fn publish(&self, game: GameId, step: &watch_announcements_response::Step) {
        let message = WatchAnnouncementsResponse { step: Some(step.clone()), ..Default::default() };
        if let Err(error) =
            self.live.publish(&names::announcements(game), message.encode_to_vec().into()).await
        {
            let error = &error as &dyn std::error::Error;
            tracing::debug!(error, "whoever listens to game {game} is not told of its clocks");
        }
    }

    /// Subscribes to the clocks and the ordered announcements of a game: what was given to [`Flags::publish`],
    /// wherever.
    ///
    /// # Errors
    /// When the live state fails.
    pub(crate) async fn announcements(
        &self,
        game: GameId,
        stop: CancellationToken,
    ) -> Result<Follower, LiveError> {
        Follower::new(Arc::clone(&self.live), names::announcements(game), stop).await
    }

    /// Has a flag watched; one that is watched already by this revision or a higher one is left as it is.
    ///
    /// # Errors
    /// When the live state fails.
    pub(crate) async fn watch(&self, watched: &ArmedClock) -> Result<(), LiveError> {
        self.set(watched).await?;
        Ok(())
    }

    /// Sets the deadline of a clock that runs or is held; whether it was taken.
    async fn set(&self, watched: &ArmedClock) -> Result<bool, LiveError> {
        if watched.reading.turn.is_none() {
            return Ok(false);
        }
        let flag_time = watched.reading.flag_time(watched.control).unwrap_or(NEVER);
        let deadline = Deadline {
            queue: names::FLAGS.to_owned(),
            key: watched.game.uuid(),
            revision: watched.reading.revision,
            due: to_live(flag_time),
            payload: RunningClock::from(watched).encode_to_vec().into(),
        };
        let taken = self.live.set_deadline(deadline).await?;
        self.waker.set(flag_time);
        Ok(taken)
    }

    /// Watches a game's flag no more, if it is watched by this revision or a lower one.
    ///
    /// # Errors
    /// When the live state fails.
    pub(crate) async fn forget(&self, game: GameId, revision: u64) -> Result<(), LiveError> {
        self.live.clear_deadline(names::FLAGS, game.uuid(), revision).await?;
        Ok(())
    }

    /// Takes up to `max` flags that have fallen by `now`; nobody else gets them before `lease_until`.
    ///
    /// # Errors
    /// When the live state fails.
    pub(crate) async fn take_fallen(
        &self,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<ArmedClock>, LiveError> {
        let due = self.live.take_due(names::FLAGS, to_live(now), to_live(lease_until), max).await?;
        let mut fallen = Vec::with_capacity(due.len());
        for deadline in due {
            if let Some(watched) = read(&deadline) {
                fallen.push(watched);
            } else {
                // Recovery will have it watched again by what the game's log says.
                tracing::error!(game.id = %deadline.key, "a watched clock cannot be read; forgotten");
                self.forget(deadline.key.into(), deadline.revision).await?;
            }
        }
        Ok(fallen)
    }

    /// When the next flag falls, or a lease on a fallen one ends. From now on until [`Flags::sleep`] every
    /// flag that is set rings.
    ///
    /// # Errors
    /// When the live state fails.
    pub(crate) async fn next_fall(&self) -> Result<Option<Moment>, LiveError> {
        self.waker.wake_at.store(i64::MAX, Ordering::SeqCst);
        let next = self.live.next_due(names::FLAGS).await?;
        Ok(next.map(|due| Moment(due.as_micros())))
    }

    /// Sleeps from `now` for `at_most`, or until a flag is set that falls before.
    pub(crate) async fn sleep(&self, now: Moment, at_most: Duration) {
        let until = now.later(at_most.into());
        self.waker.wake_at.store(until.0, Ordering::SeqCst);
        tokio::select! {
            biased;
            () = tokio::time::sleep(at_most) => {}
            () = self.waker.notify.notified() => {}
        }
    }

    /// Whether other processes set flags there, too.
    pub(crate) fn shared(&self) -> bool {
        self.live.shared()
    }

    /// Makes sure that the live state takes a flag.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) async fn prove(&self) -> Result<(), LiveError> {
        self.live.prove().await
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flags").finish_non_exhaustive()
    }
}

impl Waker {
    fn set(&self, flag_time: Moment) {
        if flag_time.0 < self.wake_at.load(Ordering::SeqCst) {
            self.notify.notify_one();
        }
    }
}

fn read(deadline: &Deadline) -> Option<ArmedClock> {
    let clock = RunningClock::decode(&deadline.payload[..]).ok()?;
    ArmedClock::try_from(&clock).ok()
}

fn to_live(moment: Moment) -> live::Moment {
    live::Moment::from_micros(moment.0)
}
