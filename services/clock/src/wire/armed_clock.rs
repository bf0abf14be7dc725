//! Armed clocks: as the live state keeps them and the game service lists them, and as they are told.

use api::{clock::v1 as pb, game::v1::RunningClock};
use chassis::id::GameId;

use super::{clock_reading, required_reading, time_control::time_control};
use crate::{
    core::{ArmedClock, Audience},
    error::Error,
};

impl TryFrom<&RunningClock> for ArmedClock {
    type Error = Error;

    fn try_from(clock: &RunningClock) -> Result<Self, Error> {
        Ok(ArmedClock {
            game: GameId::parse(&clock.game_id, "game_id")?,
            control: time_control(clock.time_control.as_ref())?,
            reading: required_reading(clock.reading.as_ref())?,
            audience: clock.audience.as_ref().map(Audience::try_from).transpose()?,
        })
    }
}

impl From<&ArmedClock> for RunningClock {
    fn from(clock: &ArmedClock) -> Self {
        RunningClock {
            game_id: clock.game.to_string(),
            time_control: Some(clock.control.into()),
            reading: Some(clock_reading(&clock.reading, clock.control)),
            audience: clock.audience.as_ref().map(Into::into),
        }
    }
}

impl From<&ArmedClock> for pb::ClockState {
    fn from(clock: &ArmedClock) -> Self {
        pb::ClockState {
            time_control: Some(clock.control.into()),
            reading: Some(clock_reading(&clock.reading, clock.control)),
        }
    }
}

/// The clock of a game as it is told.
pub(crate) fn decode_armed(game: GameId, state: &pb::ClockState) -> Result<ArmedClock, Error> {
    let control = time_control(state.time_control.as_ref())?;
    Ok(ArmedClock { game, control, reading: required_reading(state.reading.as_ref())?, audience: None })
}
