//! Games as they were a while ago, for those who see a broadcast with its delay.

use std::time::Duration;

use ::time::OffsetDateTime;
use chassis::{auth::Caller, id::GameId};

use super::Rooms;
use crate::{
    core::{Event, Game, Info, Origin},
    fault::CallError,
    store::StoreError,
};

/// How much later somebody sees a game; not at all later if he plays in it or is an official of its event.
pub(crate) fn delay(info: &Info, caller: Option<&Caller>) -> Option<Duration> {
    let delay = info.regulations.broadcast_delay;
    let plays = |caller: &Caller| info.seats.iter().any(|seat| seat.account == Some(caller.id));
    let exempt = caller.is_some_and(|caller| plays(caller) || is_official(info, caller));
    (!delay.is_zero() && !exempt && info.origin == Origin::Match).then_some(delay)
}

/// Whether somebody has an office in the event of a game, or in its federation.
pub(crate) fn is_official(info: &Info, caller: &Caller) -> bool {
    !caller.roles_in(info.regulations.event, info.regulations.federation).is_empty()
}

/// Whether somebody may know of a game: a delayed broadcast begins later for all who see it so.
pub(crate) fn is_known(info: &Info, caller: Option<&Caller>, now: OffsetDateTime) -> bool {
    delay(info, caller).is_none_or(|delay| info.created + delay <= now)
}

/// What had happened by a moment. The times of a log never go back.
pub(crate) fn until(log: &[Event], moment: OffsetDateTime) -> &[Event] {
    &log[..log.partition_point(|event| event.time <= moment)]
}

impl Rooms {
    /// The game as somebody sees it now.
    ///
    /// # Errors
    /// When there is none, or none yet for him, or it cannot be read.
    pub(crate) async fn look_as(&self, id: GameId, caller: Option<&Caller>) -> Result<Game, CallError> {
        let game = self.look(id).await?;
        match delay(&game.info, caller) {
            None => Ok(game),
            Some(delay) => self.look_back(id, self.ambient.now() - delay).await,
        }
    }

    /// The game as it was at a moment.
    async fn look_back(&self, id: GameId, moment: OffsetDateTime) -> Result<Game, CallError> {
        let log = self.reader.events_after(id, 0).await?;
        let log = until(&log, moment);
        if log.is_empty() {
            return Err(CallError::UnknownGame);
        }
        Ok(Game::replay(log).map_err(StoreError::from)?)
    }
}
