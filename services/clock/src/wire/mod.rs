//! Between protos and plain types. What a core cannot mean anything by is refused here.

mod announcement;
mod audience;
mod event;
mod reading;

use api::{
    board::v1 as board,
    clock::v1::{self as pb},
    game::v1::RunningClock,
    time_control::TimeControl,
};
use chassis::{id::GameId, time::to_micros};
use prost_types::Timestamp;
use time::OffsetDateTime;

pub use self::{
    announcement::{call_proto, remaining_proto},
    audience::{audience, audience_proto},
    event::event,
    reading::{reading, reading_proto},
};
use crate::{
    core::{Audience, Event, Micros, Moment, Reading, Side, Step},
    error::{BadField, ClockError},
    store::ArmedClock,
};

/// Events are from before the year 2200: the flag times that follow from them then fit the live state, which
/// counts to 2255.
const EVENT_TIME_MAX_S: i64 = 7_258_118_400;

/// A request to step, read.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The game.
    pub game: GameId,
    /// Its time control.
    pub control: TimeControl,
    /// The last reading of its log.
    pub before: Option<Reading>,
    /// What happened.
    pub event: Event,
    /// When.
    pub now: Moment,
    /// Who alone may hear the clock.
    pub audience: Option<Audience>,
}

impl TryFrom<&pb::StepRequest> for Asked {
    type Error = ClockError;

    fn try_from(request: &pb::StepRequest) -> Result<Self, ClockError> {
        Ok(Asked {
            game: GameId::parse(&request.game_id, "game_id")?,
            control: control(request.time_control.as_ref())?,
            before: request.before.as_ref().map(reading).transpose()?,
            event: event(request.event.as_ref())?,
            now: moment(request.event_time.as_ref(), "event_time")?,
            audience: request.listeners.as_ref().map(audience).transpose()?,
        })
    }
}

/// The answer to a step.
pub fn answer(step: &Step, control: TimeControl) -> pb::StepResponse {
    pb::StepResponse {
        after: Some(reading_proto(&step.after, control)),
        flagged: side_proto(step.flagged).into(),
        compensated_duration: spared(step.compensated),
    }
}

/// The clocks of a game, as they are told to whoever listens to them.
pub fn state(watched: &ArmedClock) -> pb::ClockState {
    pb::ClockState {
        time_control: Some(watched.control.into()),
        reading: Some(reading_proto(&watched.reading, watched.control)),
    }
}

/// The clocks of a game as they are told.
pub fn told(game: GameId, state: &pb::ClockState) -> Result<ArmedClock, ClockError> {
    let control = control(state.time_control.as_ref())?;
    Ok(ArmedClock { game, control, reading: required(state.reading.as_ref())?, audience: None })
}

/// A running clock as the game service tells it and the live state keeps it.
pub fn watched(clock: &RunningClock) -> Result<ArmedClock, ClockError> {
    Ok(ArmedClock {
        game: GameId::parse(&clock.game_id, "game_id")?,
        control: control(clock.time_control.as_ref())?,
        reading: required(clock.reading.as_ref())?,
        audience: clock.listeners.as_ref().map(audience).transpose()?,
    })
}

/// A watched clock as the live state keeps it.
pub fn watched_proto(watched: &ArmedClock) -> RunningClock {
    RunningClock {
        game_id: watched.game.to_string(),
        time_control: Some(watched.control.into()),
        reading: Some(reading_proto(&watched.reading, watched.control)),
        listeners: watched.audience.as_ref().map(audience_proto),
    }
}

/// A reading that must be there.
pub fn required(clock: Option<&pb::ClockReading>) -> Result<Reading, BadField> {
    reading(clock.ok_or(BadField { field: "reading", detail: "required" })?)
}

/// A side as a proto.
pub const fn side_proto(side: Option<Side>) -> board::Side {
    match side {
        None => board::Side::Unspecified,
        Some(Side::First) => board::Side::First,
        Some(Side::Second) => board::Side::Second,
    }
}

/// A moment as a proto.
pub fn timestamp(moment: Moment) -> Timestamp {
    let nanos = moment.0.rem_euclid(1_000_000) * 1000;
    Timestamp {
        seconds: moment.0.div_euclid(1_000_000),
        nanos: i32::try_from(nanos).expect("less than a second has less than 10^9 nanoseconds"),
    }
}

/// The moment of the platform's time.
pub fn platform_moment(now: OffsetDateTime) -> Moment {
    Moment(to_micros(now))
}

/// A time control that must be there.
pub fn control(control: Option<&pb::TimeControl>) -> Result<TimeControl, ClockError> {
    let absent = pb::TimeControl::default();
    Ok(TimeControl::try_from(control.unwrap_or(&absent))?)
}

/// What was compensated, or what a turn was charged; absent when nothing.
fn spared(span: Micros) -> Option<prost_types::Duration> {
    (span > Micros::ZERO).then(|| api::time::duration(span.into()))
}

/// A side; none when not said.
pub fn side(side: i32, field: &'static str) -> Result<Option<Side>, BadField> {
    match board::Side::try_from(side) {
        Ok(board::Side::Unspecified) => Ok(None),
        Ok(board::Side::First) => Ok(Some(Side::First)),
        Ok(board::Side::Second) => Ok(Some(Side::Second)),
        Err(_) => Err(BadField { field, detail: "there is no such side" }),
    }
}

/// A moment that must be there. Cuts what is below a microsecond.
pub fn moment(timestamp: Option<&Timestamp>, field: &'static str) -> Result<Moment, BadField> {
    let detail = "a time from 1970 to before 2200";
    match timestamp {
        Some(&Timestamp { seconds: seconds @ 0..EVENT_TIME_MAX_S, nanos: nanos @ 0..1_000_000_000 }) => {
            Ok(Moment(seconds * 1_000_000 + i64::from(nanos / 1000)))
        }
        Some(_) => Err(BadField { field, detail }),
        None => Err(BadField { field, detail: "required" }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_timestamp_is_read_or_refused(seconds in any::<i64>(), nanos in any::<i32>()) {
            let given = Timestamp { seconds, nanos };
            if let Ok(read) = moment(Some(&given), "event_time") {
                let cut = Timestamp { seconds, nanos: nanos / 1000 * 1000 };
                prop_assert_eq!(timestamp(read), cut);
            }
        }
    }
}
