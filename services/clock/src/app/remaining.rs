//! Reading the clocks of a game.

use chassis::{auth::Caller, id::GameId};

use super::Clocks;
use crate::{
    core::{ArmedClock, RemainingTimes},
    error::{Error, Result},
};

impl Clocks {
    /// What both sides have left.
    pub(crate) async fn remaining(&self, game: GameId, caller: Option<&Caller>) -> Result<RemainingTimes> {
        let clock = self.open_to(game, caller).await?;
        Ok(clock.reading.remaining_times(clock.control, self.now()))
    }

    /// The clock of a game, if the caller may hear it.
    pub(super) async fn open_to(&self, game: GameId, caller: Option<&Caller>) -> Result<ArmedClock> {
        let clock = self.flags.current(game).await?.filter(|clock| clock.is_open_to(caller));
        clock.ok_or(Error::UnknownClock)
    }
}
