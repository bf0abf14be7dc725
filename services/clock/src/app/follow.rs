//! The stream of what is called in one game.
//!
//! A listener takes the clock from the live state, follows it by what is told on the game's topic, and works out
//! for itself when something is to be called: nobody has to call for all, so no call depends on who stepped the
//! clock, and any replica serves any game. What is told may be lost; who hears nothing for a while looks again.

use std::{collections::VecDeque, pin::Pin, time::Duration};

use api::{
    clock::v1::{WatchCallsResponse, watch_calls_response::Step},
    fault::Fault,
    reason,
};
use chassis::{Ambient, auth::Caller, id::GameId};
use futures::{Stream, stream};
use live::{Received, Subscription};
use prost::Message as _;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::{
    core::{Moment, announcements_after, announcements_between},
    error::ClockError,
    store::{ArmedClock, Flags},
    wire::{self, platform_moment},
};

/// The longest sleep: the system's time may be set while we sleep.
const SLEEP_MAX: Duration = Duration::from_secs(1);
/// The shortest sleep, which is a timer's tick.
const SLEEP_MIN: Duration = Duration::from_millis(1);
/// How long silence is trusted: as long as a listener may follow a clock that another has changed unheard.
const SILENCE: Duration = Duration::from_secs(10);

/// The stream of a `WatchCalls` call.
pub type CallStream = Pin<Box<dyn Stream<Item = Result<WatchCallsResponse, Status>> + Send>>;

/// Listens to the clocks of one game.
#[derive(Debug)]
pub struct Listener {
    ambient: Ambient,
    flags: Flags,
    subscription: Subscription,
    stop: CancellationToken,
    clock: ArmedClock,
    /// Up to when everything has been called.
    called_until: Moment,
    /// When to look at the live state again.
    look_at: Moment,
    /// What is to be sent.
    waiting: VecDeque<Step>,
    over: bool,
}

impl Listener {
    /// A caller's listener to a game's clocks from now on.
    ///
    /// # Errors
    /// When no clock of the game runs or is held, or the live state fails.
    pub async fn new(
        ambient: Ambient,
        flags: Flags,
        game: GameId,
        caller: Option<Caller>,
        stop: CancellationToken,
    ) -> Result<Self, ClockError> {
        // First the topic, then the clock: what changes in between is heard.
        let subscription = flags.listen(game).await?;
        let clock = flags.current(game).await?.filter(|clock| clock.is_open_to(caller.as_ref()));
        let clock = clock.ok_or(ClockError::UnknownClock)?;
        let now = platform_moment(ambient.now());
        Ok(Listener {
            ambient,
            flags,
            subscription,
            stop,
            clock,
            called_until: now,
            look_at: now.later(SILENCE.into()),
            waiting: VecDeque::from([Step::Clock(wire::state(&clock))]),
            over: false,
        })
    }

    /// The stream of what it hears and calls.
    pub fn into_stream(self) -> CallStream {
        Box::pin(stream::unfold(self, |mut listener| async move {
            let step = listener.next().await?;
            Some((step.map(|step| WatchCallsResponse { step: Some(step) }), listener))
        }))
    }

    async fn next(&mut self) -> Option<Result<Step, Status>> {
        loop {
            if let Some(step) = self.waiting.pop_front() {
                return Some(Ok(step));
            }
            if self.over {
                return None;
            }
            self.call_until(self.now());
            if self.waiting.is_empty()
                && let Err(status) = self.wait().await
            {
                self.over = true;
                return Some(Err(status));
            }
        }
    }

    /// Calls what is due by then.
    fn call_until(&mut self, until: Moment) {
        let ArmedClock { control, reading, .. } = self.clock;
        let due = announcements_between(control, &reading, self.called_until, until);
        let call = |due| Step::Call(wire::call_proto(&due, reading.revision, false));
        self.waiting.extend(due.map(call));
        self.called_until = self.called_until.max(until);
    }

    /// Waits until something is due, is told, or is to be looked at.
    async fn wait(&mut self) -> Result<(), Status> {
        let ArmedClock { control, reading, .. } = self.clock;
        let now = self.now();
        let next = announcements_after(control, &reading, self.called_until).next();
        let sleep = next.map_or(SLEEP_MAX, |due| due.at.since(now).into()).clamp(SLEEP_MIN, SLEEP_MAX);
        let received = tokio::select! {
            biased;
            () = self.stop.cancelled() => {
                return Err(Fault::unavailable(reason::STOPPING, "the server is shutting down; open it anew").into());
            }
            received = self.subscription.recv() => Some(received),
            () = tokio::time::sleep(sleep) => None,
        };
        match received {
            Some(Received::Message(message)) => self.hear(&message),
            Some(Received::Lagged(_)) => self.look().await,
            Some(Received::Closed) => {
                return Err(
                    Fault::unavailable(reason::LIVE_STATE_UNAVAILABLE, "the clocks cannot be heard").into()
                );
            }
            None if now >= self.look_at => self.look().await,
            Some(Received::Unfollowed) | None => {}
        }
        Ok(())
    }

    fn hear(&mut self, message: &[u8]) {
        match WatchCallsResponse::decode(message).ok().and_then(|told| told.step) {
            Some(Step::Call(call)) => self.waiting.push_back(Step::Call(call)),
            Some(Step::Clock(state)) => match wire::told(self.clock.game, &state) {
                Ok(clock) => self.follow(&clock),
                Err(error) => tracing::error!(%error, "a clock of game {} is told wrong", self.clock.game),
            },
            None => tracing::error!("what is told of the clocks of game {} cannot be read", self.clock.game),
        }
    }

    /// Looks at the live state. One that fails, or has lost a clock whose flag has not fallen, is no reason to
    /// stop: the clock is found again.
    async fn look(&mut self) {
        let now = self.now();
        self.look_at = now.later(SILENCE.into());
        match self.flags.current(self.clock.game).await {
            Ok(Some(clock)) => self.follow(&clock),
            Ok(None) => {
                let ArmedClock { control, reading, .. } = self.clock;
                self.call_until(now);
                self.over = reading.fallen(control, now).is_some();
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::debug!(error, "the clocks of game {} cannot be looked at", self.clock.game);
            }
        }
    }

    /// Follows the clocks as they are now. What was due before they changed is called first.
    fn follow(&mut self, clock: &ArmedClock) {
        if clock.reading == self.clock.reading {
            return;
        }
        let now = self.now();
        self.call_until(clock.reading.turn.map_or(now, |turn| turn.since.min(now)));
        self.waiting.push_back(Step::Clock(wire::state(clock)));
        self.over = clock.reading.turn.is_none();
        self.clock = *clock;
    }

    fn now(&self) -> Moment {
        platform_moment(self.ambient.now())
    }
}
