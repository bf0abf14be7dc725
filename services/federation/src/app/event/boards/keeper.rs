//! Who keeps the picture of a round up to date while somebody watches it.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use api::game::v1::WatchGlimpsesRequest;
use chassis::{
    Throttle,
    follow::{Follower, Heard as Told},
    id::EventId,
};
use tokio::time::Instant;

use super::{
    LINGER, TELL_EVERY, WatchedRound,
    listening::{Heard, Listening},
    picture::Picture,
};
use crate::{
    app::event::Events,
    error::{Error, Result},
    store::names,
};

/// How long silence about the event is trusted.
const SILENCE: Duration = Duration::from_secs(10);

/// The longest sleep until something is old enough: the platform's time need not be that of the timer.
const DELAY_LOOK: Duration = Duration::from_secs(1);

/// Keeps one picture.
pub(super) struct Keeper {
    events: Arc<Events>,
    event: EventId,
    round: u16,
    watched: Arc<WatchedRound>,
    /// Since when nobody watches.
    alone_since: Option<Instant>,
}

impl Drop for Keeper {
    /// However it ends, nobody waits for more, nor is shown what is not kept up to date.
    fn drop(&mut self) {
        self.watched.is_kept.store(false, Ordering::SeqCst);
        *self.watched.picture.lock() = None;
        self.watched.changed.notify_waiters();
    }
}

/// What has to be done when changes are told next.
#[derive(Default)]
struct Due {
    at: Option<Instant>,
    reads_event: bool,
}

impl Due {
    fn soon(&mut self) {
        self.at.get_or_insert_with(|| Instant::now() + TELL_EVERY);
    }
}

impl Keeper {
    pub(super) fn new(
        events: Arc<Events>,
        (event, round): (EventId, u16),
        watched: Arc<WatchedRound>,
    ) -> Keeper {
        Keeper { events, event, round, watched, alone_since: None }
    }

    /// Keeps the picture until nobody has watched for a while, or the process stops.
    pub(super) async fn keep(mut self) {
        if let Err(error) = self.keep_on().await
            && !matches!(error, Error::Stopping)
        {
            static COMPLAINTS: Throttle = Throttle::new();
            if let Some(held_back) = COMPLAINTS.admit() {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(event.id = %self.event, error, held_back, "the boards of a round cannot be watched now");
            }
        }
    }

    async fn keep_on(&mut self) -> Result<()> {
        let (live, stop) = (Arc::clone(&self.events.live), self.events.lifecycle.stopping());
        let mut topic = Follower::new(live, names::event(self.event), stop).await?;
        let mut listening = self.begin().await?;
        let mut due = Due::default();
        loop {
            let at = due.at.unwrap_or_else(|| Instant::now() + LINGER / 2);
            tokio::select! {
                biased;
                told = topic.next(SILENCE) => {
                    if told? == Told::Stopping {
                        return Err(Error::Stopping);
                    }
                    due.reads_event = true;
                    due.soon();
                }
                heard = listening.next() => {
                    self.hear(heard);
                    due.soon();
                }
                () = tokio::time::sleep_until(self.ripens(at)) => {
                    if due.reads_event && self.read_event().await? {
                        listening = self.listen();
                    }
                    due = Due::default();
                    self.show();
                    if self.is_alone() {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The picture as it is at first.
    async fn begin(&mut self) -> Result<Listening> {
        let event = self.events.current(self.event).await?.event;
        let now = self.events.env.now();
        let mut picture = Picture::new(&event, self.round, now);
        let since = event.last_unseen(now).unwrap_or(event.updated);
        picture.take_event(event, since);
        *self.watched.picture.lock() = Some(picture);
        self.show();
        Ok(self.listen())
    }

    /// Listens to the games of all boards as they are now.
    fn listen(&self) -> Listening {
        let picture = self.watched.picture.lock();
        let game_ids = picture.as_ref().map(Picture::games).unwrap_or_default();
        let request = WatchGlimpsesRequest { event_id: self.event.to_string(), game_ids };
        Listening::new(self.events.games.clone(), request)
    }

    fn hear(&self, heard: Heard) {
        let mut picture = self.watched.picture.lock();
        let Some(picture) = picture.as_mut() else { return };
        match heard {
            Heard::Games(games, is_all) => {
                for game in games {
                    picture.take_game(game);
                }
                picture.unheard_since = None;
                picture.is_caught_up |= is_all;
            }
            Heard::Lost(status) => {
                if picture.unheard_since.is_none() {
                    tracing::warn!(event.id = %self.event, %status, "nothing is heard of the games of an event");
                }
                picture.unheard_since.get_or_insert_with(|| self.events.env.now());
            }
        }
    }

    /// Reads on in the event's log; whether its boards have other games now.
    async fn read_event(&self) -> Result<bool> {
        let event = self.events.current(self.event).await?.event;
        let mut picture = self.watched.picture.lock();
        let Some(picture) = picture.as_mut().filter(|it| it.event.sequence < event.sequence) else {
            return Ok(false);
        };
        if picture.event.settings.broadcast_delay != event.settings.broadcast_delay {
            // What it would show to whom was settled when it was begun: everybody begins anew.
            return Err(Error::Stopping);
        }
        let since = event.updated;
        Ok(picture.take_event(event, since))
    }

    /// Shows what is old enough, and tells everybody who watches.
    fn show(&self) {
        if let Some(picture) = self.watched.picture.lock().as_mut() {
            picture.boards.ripen(self.events.env.now());
        }
        self.watched.changed.notify_waiters();
    }

    /// When something is to be done next: then, or as soon as something is old enough to be seen.
    fn ripens(&self, then: Instant) -> Instant {
        let ripens = self.watched.picture.lock().as_ref().and_then(|picture| picture.boards.ripens());
        let wait = ripens.map(|at| Duration::try_from(at - self.events.env.now()).unwrap_or_default());
        wait.map_or(then, |wait| then.min(Instant::now() + wait.clamp(TELL_EVERY, DELAY_LOOK)))
    }

    /// Whether nobody has watched for long enough. Nobody begins to while it is found out.
    fn is_alone(&mut self) -> bool {
        let mut rounds = self.events.watched.0.lock();
        if !self.watched.is_kept.load(Ordering::SeqCst) {
            return true;
        }
        if self.watched.watchers.load(Ordering::SeqCst) > 0 {
            self.alone_since = None;
            return false;
        }
        let since = *self.alone_since.get_or_insert_with(Instant::now);
        let is_alone = since.elapsed() >= LINGER;
        if is_alone {
            rounds.remove(&(self.event, self.round));
        }
        is_alone
    }
}
