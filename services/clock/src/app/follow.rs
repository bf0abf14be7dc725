//! The stream of what is announced in one game.
//!
//! A follower takes the clock from the live state, follows it by what is published on the game's topic, and works out
//! for itself when something is to be announced: nobody has to announce for all, so no announcement depends on who
//! stepped the clock, and any replica serves any game. What is told may be lost; who hears nothing for a while looks
//! again.

use std::{collections::VecDeque, time::Duration};

use api::clock::v1::{WatchAnnouncementsResponse, watch_announcements_response::Step};
use chassis::{
    auth::Caller,
    follow::{self, Heard},
    id::GameId,
};
use futures::{Stream, stream};
use prost::Message as _;
use tokio_util::sync::CancellationToken;

use super::Clocks;
use crate::{
    core::{ArmedClock, Moment, announcements_after, announcements_between},
    error::{Error, Result},
    wire,
};

/// The longest sleep: the system's time may be set while we sleep.
const SLEEP_MAX: Duration = Duration::from_secs(1);
/// The shortest sleep, which is a timer's tick.
const SLEEP_MIN: Duration = Duration::from_millis(1);
/// How long silence is trusted: as long as a follower may follow a clock that another has changed unheard.
const SILENCE: Duration = Duration::from_secs(10);

/// Follows the clocks of one game.
#[derive(Debug)]
pub(crate) struct Follower {
    clocks: Clocks,
    topic: follow::Follower,
    clock: ArmedClock,
    /// Up to when everything has been announced.
    announced_until: Moment,
    /// When to look at the live state again.
    look_at: Moment,
    /// What is to be sent.
    waiting: VecDeque<Step>,
    over: bool,
}

impl Follower {
    /// A caller's follower of a game's clocks from now on.
    ///
    /// # Errors
    /// When no clock of the game runs or is held, or the live state fails.
    pub(crate) async fn new(
        clocks: Clocks,
        game: GameId,
        caller: Option<Caller>,
        stop: CancellationToken,
    ) -> Result<Self> {
        // First the topic, then the clock: what changes in between is heard.
        let topic = clocks.flags.announcements(game, stop).await?;
        let clock = clocks.open_to(game, caller.as_ref()).await?;
        let now = clocks.now();
        Ok(Follower {
            clocks,
            topic,
            clock,
            announced_until: now,
            look_at: now.later(SILENCE.into()),
            waiting: VecDeque::from([Step::Clock((&clock).into())]),
            over: false,
        })
    }

    /// The stream of what it hears and announces.
    pub(crate) fn into_stream(self) -> impl Stream<Item = Result<WatchAnnouncementsResponse>> {
        stream::unfold(self, |mut follower| async move {
            let step = follower.next().await?;
            let answer =
                step.map(|step| WatchAnnouncementsResponse { step: Some(step), ..Default::default() });
            Some((answer, follower))
        })
    }

    async fn next(&mut self) -> Option<Result<Step>> {
        loop {
            if let Some(step) = self.waiting.pop_front() {
                return Some(Ok(step));
            }
            if self.over {
                return None;
            }
            self.announce_until(self.clocks.now());
            if self.waiting.is_empty()
                && let Err(error) = self.wait().await
            {
                self.over = true;
                return Some(Err(error));
            }
        }
    }

    /// Announces what is due by then.
    fn announce_until(&mut self, until: Moment) {
        let ArmedClock { control, reading, .. } = self.clock;
        let due = announcements_between(control, &reading, self.announced_until, until);
        let announcement = |due| Step::Announcement(wire::announcement(&due, reading.revision, false));
        self.waiting.extend(due.map(announcement));
        self.announced_until = self.announced_until.max(until);
    }

    /// Waits until something is due, is told, or is to be looked at.
    async fn wait(&mut self) -> Result<()> {
        let ArmedClock { control, reading, .. } = self.clock;
        let now = self.clocks.now();
        let next = announcements_after(control, &reading, self.announced_until).next();
        let sleep = next.map_or(SLEEP_MAX, |due| due.at.since(now).into()).clamp(SLEEP_MIN, SLEEP_MAX);
        match self.topic.next(sleep).await? {
            Heard::Message(message) => self.on_message(&message),
            Heard::Gap => self.look().await,
            Heard::Silence if now >= self.look_at => self.look().await,
            Heard::Silence | Heard::Unfollowed => {}
            Heard::Stopping => return Err(Error::Stopping),
        }
        Ok(())
    }

    fn on_message(&mut self, message: &[u8]) {
        match WatchAnnouncementsResponse::decode(message).ok().and_then(|told| told.step) {
            Some(Step::Announcement(said)) => self.waiting.push_back(Step::Announcement(said)),
            Some(Step::Clock(state)) => match wire::decode_armed(self.clock.game, &state) {
                Ok(clock) => self.follow(&clock),
                Err(error) => tracing::error!(%error, "a clock of game {} is told wrong", self.clock.game),
            },
            None => tracing::error!("what is told of the clocks of game {} cannot be read", self.clock.game),
        }
    }

    /// Looks at the live state. One that fails, or has lost a clock whose flag has not fallen, is no reason to
    /// stop: the clock is found again.
    async fn look(&mut self) {
        let now = self.clocks.now();
        self.look_at = now.later(SILENCE.into());
        match self.clocks.flags.current(self.clock.game).await {
            Ok(Some(clock)) => self.follow(&clock),
            Ok(None) => {
                let ArmedClock { control, reading, .. } = self.clock;
                self.announce_until(now);
                self.over = reading.fallen(control, now).is_some();
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::debug!(error, "the clocks of game {} cannot be looked at", self.clock.game);
            }
        }
    }

    /// Follows the clocks as they are now. What was due before they changed is announced first.
    fn follow(&mut self, clock: &ArmedClock) {
        if clock.reading == self.clock.reading {
            return;
        }
        let now = self.clocks.now();
        self.announce_until(clock.reading.turn.map_or(now, |turn| turn.since.min(now)));
        self.waiting.push_back(Step::Clock(clock.into()));
        self.over = clock.reading.turn.is_none();
        self.clock = *clock;
    }
}
