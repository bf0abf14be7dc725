//! A clock that is watched.

use api::time_control::TimeControl;
use chassis::{auth::Caller, id::GameId};

use super::{Audience, Reading};

/// The clock of a game, whose flag is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArmedClock {
    /// The game.
    pub game: GameId,
    /// Its time control.
    pub control: TimeControl,
    /// The last reading of its log.
    pub reading: Reading,
    /// Who alone may hear it; none for everybody.
    pub audience: Option<Audience>,
}

impl ArmedClock {
    /// Whether a caller may hear the clock.
    pub fn is_open_to(&self, caller: Option<&Caller>) -> bool {
        self.audience.is_none_or(|audience| audience.may_receive(caller))
    }
}
