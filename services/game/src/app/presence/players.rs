//! Players who come, leave and come back: from what is seen of them to what the log says.

use std::{sync::Arc, time::Duration};

use chassis::id::GameId;
use live::{Deadline, LiveError};
use rules::Side;

use crate::{
    app::{
        ATTEMPTS, Rooms,
        availability::Reached,
        presence::{Sign, live_moment, missed, players_place, queue},
    },
    core::{
        Draft, Game, decide_left, decide_returned,
        presence::{LEFT_AFTER, SEEN_FOR, is_attended},
    },
    error::CallError,
};

/// How long to wait for news before looking again.
const LOOK: Duration = Duration::from_secs(1);
/// Players that are looked after at one look.
const MISSED_MAX: u32 = 500;
/// How long others leave alone what this replica looks after.
const LEASE: time::Duration = time::Duration::seconds(10);
/// How often it is looked after players of a game that rests: only so that they are not forgotten.
const REST: time::Duration = time::Duration::minutes(5);
/// What is waited after a sign of life.
const PATIENCE: Duration = SEEN_FOR.saturating_add(LEFT_AFTER);

/// What follows from a player who has given no sign of life.
enum Missed {
    /// It is waited on: he may be there.
    NotYet,
    /// Nothing.
    Nothing,
    /// He is gone.
    Left(Box<Draft>),
}

impl Rooms {
    /// Says who is here and looks after who is missed, until `stop`.
    pub(crate) async fn keep_presence(self: Arc<Self>) {
        let stop = self.lifecycle.soft();
        let mut looks = tokio::time::interval(LOOK);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = self.attendance.changed() => self.attendance.look().await,
                _tick = looks.tick() => {
                    self.attendance.look().await;
                    self.look_after_missed().await;
                }
            }
        }
    }

    /// A player has begun to watch. He is back if he was gone; and from now on the other is expected, too, if he
    /// has ever been there: after a restart nobody else would know.
    pub(crate) fn greet(self: &Arc<Self>, game: GameId, side: Side) {
        let rooms = Arc::clone(self);
        drop(self.lifecycle.run(async move {
            if let Err(error) = rooms.welcome(game, side).await {
                tracing::warn!(game.id = %game, %error, "a player is back, and the game does not know");
            }
        }));
    }

    /// A player has been seen to act by an opponent who watches.
    pub(crate) fn seen_acting(self: &Arc<Self>, game: GameId, side: Side, at: time::OffsetDateTime) {
        let rooms = Arc::clone(self);
        drop(self.lifecycle.run(async move {
            if let Err(error) = rooms.attendance.sign(game, side, Sign::Alive(at)).await {
                tracing::debug!(game.id = %game, %error, "a sign of life was not kept");
            }
        }));
    }

    /// A player has called something about his game, which is a sign of life. Until when he counts as present by it;
    /// none where nobody has to be there.
    pub(crate) fn heard(self: &Arc<Self>, game: &Game, side: Side) -> Option<time::OffsetDateTime> {
        if game.is_over() || !is_attended(&game.info) {
            return None;
        }
        let id = game.info.id;
        if let Some(at) = self.attendance.heard(id, side) {
            return Some(at + PATIENCE);
        }
        let at = self.ambient.now();
        let absent = game.course().presence.absence(side).is_some();
        let rooms = Arc::clone(self);
        drop(self.lifecycle.run(async move {
            let kept = match rooms.live.deadline(queue(side), id.uuid()).await {
                // Who was never expected is not missed either.
                Ok(None) => Ok(()),
                Ok(Some(_)) => rooms.attendance.sign(id, side, Sign::Alive(at)).await,
                Err(error) => Err(error),
            };
            if let Err(error) = kept {
                tracing::debug!(game.id = %id, %error, "a sign of life was not kept");
            }
            if absent && let Err(error) = rooms.welcome(id, side).await {
                tracing::warn!(game.id = %id, %error, "a player is back, and the game does not know");
            }
        }));
        Some(at + PATIENCE)
    }

    async fn welcome(&self, id: GameId, side: Side) -> Result<(), CallError> {
        let room = self.room(id);
        let mut slot = room.game.lock().await;
        for _ in 0..ATTEMPTS {
            let game = self.entered(&mut slot, id, Reached::Assumed).await?;
            self.refresh_if_shared(game).await?;
            let other = side.other();
            if game.acted[other.index()].is_some() && game.course().presence.absence(other).is_none() {
                self.attendance.sign(id, other, Sign::Expected(self.ambient.now())).await?;
            }
            let Some(draft) = decide_returned(game, side) else { return Ok(()) };
            if self.enact(&mut slot, draft, self.ambient.now().into(), None).await?.is_some() {
                return Ok(());
            }
        }
        Err(CallError::Contended)
    }

    async fn look_after_missed(&self) {
        for side in Side::BOTH {
            let now = self.ambient.now();
            let due = self.live.take_due(queue(side), live_moment(now), live_moment(now + LEASE), MISSED_MAX);
            match due.await {
                Ok(due) => {
                    for deadline in due {
                        let game = GameId::from(deadline.key);
                        if let Err(error) = self.miss(game, side, &deadline).await {
                            tracing::warn!(game.id = %game, %error, "a player is missed; it will be tried again");
                        }
                    }
                }
                Err(error) => tracing::warn!(%error, "who is missed could not be read"),
            }
        }
    }

    /// A player has given no sign of life.
    async fn miss(&self, id: GameId, side: Side, deadline: &Deadline) -> Result<(), CallError> {
        let room = self.room(id);
        let mut slot = room.game.lock().await;
        for _ in 0..ATTEMPTS {
            let game = match self.entered(&mut slot, id, Reached::Assumed).await {
                Err(CallError::UnknownGame) => break,
                game => game?,
            };
            self.refresh_if_shared(game).await?;
            let draft = match self.missed(game, side, deadline).await? {
                Missed::NotYet => return Ok(()),
                Missed::Nothing => break,
                Missed::Left(draft) => *draft,
            };
            if self.enact(&mut slot, draft, self.ambient.now().into(), None).await?.is_some() {
                break;
            }
        }
        self.live.clear_deadline(queue(side), id.uuid(), deadline.revision).await?;
        Ok(())
    }

    /// What follows from a deadline that is due.
    async fn missed(&self, game: &Game, side: Side, deadline: &Deadline) -> Result<Missed, CallError> {
        let now = self.ambient.now();
        let since = missed(deadline);
        let acted = game.acted[side.index()];
        // Nobody could be seen while the platform was down.
        let up = self.beat.outages_after(since).last().map(|outage| outage.until);
        let seen = [Some(since), acted, up].into_iter().flatten().max().unwrap_or(since);
        let patience = [acted, up].into_iter().flatten().max().map(|seen| seen + PATIENCE);
        let account = game.info.seats[side.index()].account;
        let id = game.info.id;
        let rests = !game.is_over() && !game.course().expects_players() && is_attended(&game.info);
        let wait = match patience.filter(|until| *until > now) {
            _ if rests => Some(now + REST),
            Some(until) => Some(until),
            None => match account {
                Some(account)
                    if self.live.is_present(&players_place(id), account.uuid(), live_moment(now)).await? =>
                {
                    Some(now + PATIENCE)
                }
                _ => None,
            },
        };
        if let Some(until) = wait {
            self.attendance.await_until(id, side, seen, until, deadline.revision + 1).await?;
            return Ok(Missed::NotYet);
        }
        let left = decide_left(game, side, seen, now).filter(|_| is_attended(&game.info));
        Ok(left.map_or(Missed::Nothing, |draft| Missed::Left(Box::new(draft))))
    }

    /// The players are expected again, after a rest: those of whom anything has been seen.
    pub(crate) async fn expect_players(&self, game: &Game) {
        for side in Side::BOTH {
            if let Err(error) = self.expect_again(game, side).await {
                tracing::debug!(game.id = %game.info.id, %error, "a player is not expected yet");
            }
        }
    }

    async fn expect_again(&self, game: &Game, side: Side) -> Result<(), LiveError> {
        let id = game.info.id;
        let Some(known) = self.live.deadline(queue(side), id.uuid()).await? else { return Ok(()) };
        let seen = game.updated;
        self.attendance.await_until(id, side, seen, seen + PATIENCE, known.revision + 1).await
    }
}
