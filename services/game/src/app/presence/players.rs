//! Players who come, leave and come back: from what is seen of them to what the log says.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use chassis::id::GameId;
use live::{Deadline, LiveError};
use rules::Side;
use time::OffsetDateTime;

use super::{LivenessSignal, PresenceTracker, absent_since, live_moment};
use crate::{
    app::{availability::Ingress, registry::Registry, room::Room, rooms::Intent, views::GameView},
    core::{
        Game, decide_left, decide_returned,
        presence::{LEFT_AFTER, SEEN_FOR, requires_presence},
    },
    error::{Error, Result},
    store::names,
};

/// How often it is looked who is missed, and who has come and gone unless somebody has.
pub(crate) const LOOK: Duration = Duration::from_secs(1);
/// Players that are looked after at one look.
const MISSED_MAX: u32 = 500;
/// How long others leave alone what this replica looks after.
const LEASE: time::Duration = time::Duration::seconds(10);
/// How often it is looked after players of a game that rests: only so that they are not forgotten.
const REST: time::Duration = time::Duration::minutes(5);
/// What is waited after a sign of life.
const PATIENCE: Duration = SEEN_FOR.saturating_add(LEFT_AFTER);

/// The players of games, as they come and go.
pub(crate) struct Players(pub Arc<Registry>);

impl Players {
    /// A player has begun to watch. He is back if he was gone; and from now on the other is expected, too, if he
    /// has ever been there: after a restart nobody else would know.
    pub(crate) fn on_joined(&self, game: GameId, side: Side) {
        let registry = Arc::clone(&self.0);
        drop(self.0.lifecycle.run_detached(async move {
            if let Err(error) = handle_join(&registry, game, side).await {
                tracing::warn!(game.id = %game, %error, "a player is back, and the game does not know");
            }
        }));
    }

    /// A player has been seen to act by an opponent who watches.
    pub(crate) fn on_activity(&self, game: GameId, side: Side, at: OffsetDateTime) {
        let registry = Arc::clone(&self.0);
        drop(self.0.lifecycle.run_detached(async move {
            if let Err(error) = registry.presence.signal(game, side, LivenessSignal::Alive(at)).await {
                tracing::debug!(game.id = %game, %error, "a sign of life was not kept");
            }
        }));
    }

    /// A player has called something about his game, which is a sign of life. Until when he counts as present by it;
    /// none where nobody has to be there.
    pub(crate) fn heard(&self, game: &Game, side: Side) -> Option<OffsetDateTime> {
        if game.is_over() || !requires_presence(&game.info) {
            return None;
        }
        let id = game.info.id;
        if let Some(at) = self.0.presence.heard(id, side) {
            return Some(at + PATIENCE);
        }
        let at = self.0.env.now();
        let absent = game.progress().presence.absence(side).is_some();
        let registry = Arc::clone(&self.0);
        drop(self.0.lifecycle.run_detached(async move {
            let kept = match registry.live.deadline(names::missed(side), id.uuid()).await {
                // Who was never expected is not missed either.
                Ok(None) => Ok(()),
                Ok(Some(_)) => registry.presence.signal(id, side, LivenessSignal::Alive(at)).await,
                Err(error) => Err(error),
            };
            if let Err(error) = kept {
                tracing::debug!(game.id = %id, %error, "a sign of life was not kept");
            }
            if absent && let Err(error) = handle_join(&registry, id, side).await {
                tracing::warn!(game.id = %id, %error, "a player is back, and the game does not know");
            }
        }));
        Some(at + PATIENCE)
    }

    /// A player who calls about a game that he sees as it stands is there: until when, if that matters in it.
    pub(crate) fn heard_in(&self, view: &GameView, side: Side) -> Option<OffsetDateTime> {
        match view {
            GameView::Current(game) => self.heard(game, side),
            GameView::Delayed(_) | GameView::Finished(_) => None,
        }
    }

    /// Looks after the players who are missed.
    pub(crate) async fn poll_absences(&self) {
        for side in Side::BOTH {
            let now = self.0.env.now();
            let due = self.0.live.take_due(
                names::missed(side),
                live_moment(now),
                live_moment(now + LEASE),
                MISSED_MAX,
            );
            match due.await {
                Ok(due) => {
                    for deadline in due {
                        let game = GameId::from(deadline.key);
                        if let Err(error) = self.handle_absence(game, side, &deadline).await {
                            tracing::warn!(game.id = %game, %error, "a player is missed; it will be tried again");
                        }
                    }
                }
                Err(error) => tracing::warn!(%error, "who is missed could not be read"),
            }
        }
    }

    /// A player has given no sign of life.
    async fn handle_absence(&self, id: GameId, side: Side, deadline: &Deadline) -> Result<()> {
        match self.0.settle(id, Ingress::Internal, &AbsenceIntent { side, deadline }).await {
            Ok(Waited::On) => return Ok(()),
            Ok(Waited::Enough) | Err(Error::UnknownGame) => {}
            Err(error) => return Err(error),
        }
        self.0.live.clear_deadline(names::missed(side), id.uuid(), deadline.revision).await?;
        Ok(())
    }
}

async fn handle_join(registry: &Registry, id: GameId, side: Side) -> Result<()> {
    registry.settle(id, Ingress::Internal, &JoinIntent(side)).await
}

/// A player has begun to watch.
struct JoinIntent(Side);

impl Intent for JoinIntent {
    type Answer = ();

    async fn attempt(&self, room: &mut Room<'_>) -> Result<ControlFlow<()>> {
        room.refresh_if_shared().await?;
        let Registry { env, presence, .. } = room.registry;
        let other = self.0.other();
        if room.acted[other.index()].is_some() && room.progress().presence.absence(other).is_none() {
            presence.signal(room.info.id, other, LivenessSignal::Expected(env.now())).await?;
        }
        let Some(pending) = decide_returned(room, self.0) else { return Ok(ControlFlow::Break(())) };
        let written = room.commit(pending, env.now().into(), None).await?;
        Ok(if written.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// A player has given no sign of life by his deadline.
struct AbsenceIntent<'a> {
    side: Side,
    deadline: &'a Deadline,
}

/// What follows from that.
enum Waited {
    /// It is waited on: he may be there.
    On,
    /// It has been waited enough, whether or not he is gone.
    Enough,
}

impl Intent for AbsenceIntent<'_> {
    type Answer = Waited;

    async fn attempt(&self, room: &mut Room<'_>) -> Result<ControlFlow<Waited>> {
        room.refresh_if_shared().await?;
        let now = room.registry.env.now();
        let (seen, wait) = self.wait(room, now).await?;
        if let Some(until) = wait {
            let (id, revision) = (room.info.id, self.deadline.revision + 1);
            room.registry.presence.await_until(id, self.side, seen, until, revision).await?;
            return Ok(ControlFlow::Break(Waited::On));
        }
        let left = decide_left(room, self.side, seen, now).filter(|_| requires_presence(&room.info));
        let Some(pending) = left else { return Ok(ControlFlow::Break(Waited::Enough)) };
        let written = room.commit(pending, room.registry.env.now().into(), None).await?;
        Ok(if written.is_some() { ControlFlow::Break(Waited::Enough) } else { ControlFlow::Continue(()) })
    }
}

impl AbsenceIntent<'_> {
    /// When he was seen last, and until when it is waited on.
    async fn wait(
        &self,
        room: &Room<'_>,
        now: OffsetDateTime,
    ) -> Result<(OffsetDateTime, Option<OffsetDateTime>)> {
        let since = absent_since(self.deadline);
        let acted = room.acted[self.side.index()];
        // Nobody could be seen while the platform was down.
        let up = room.registry.heartbeat.outages_after(since).last().map(|outage| outage.until);
        let seen = [Some(since), acted, up].into_iter().flatten().max().unwrap_or(since);
        let patience = [acted, up].into_iter().flatten().max().map(|seen| seen + PATIENCE);
        let account = room.info.seats[self.side.index()].account;
        let rests = !room.is_over() && !room.progress().expects_players() && requires_presence(&room.info);
        let place = names::players(room.info.id);
        let wait = match patience.filter(|until| *until > now) {
            _ if rests => Some(now + REST),
            Some(until) => Some(until),
            None => match account {
                Some(account)
                    if room.registry.live.is_present(&place, account.uuid(), live_moment(now)).await? =>
                {
                    Some(now + PATIENCE)
                }
                _ => None,
            },
        };
        Ok((seen, wait))
    }
}

impl PresenceTracker {
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
        let Some(known) = self.live.deadline(names::missed(side), id.uuid()).await? else { return Ok(()) };
        let seen = game.updated;
        self.await_until(id, side, seen, seen + PATIENCE, known.revision + 1).await
    }
}
