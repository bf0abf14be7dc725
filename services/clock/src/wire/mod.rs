//! Between protos and plain types. What a core cannot mean anything by is refused here.

mod announcement;
mod armed_clock;
mod audience;
mod event;
mod reading;
mod time_control;

pub(crate) use self::{
    announcement::announcement,
    armed_clock::decode_armed,
    event::event,
    reading::{clock_reading, required_reading},
    time_control::{described_time_control, description, named_time_control, variant},
};

use api::{
    board::v1 as board,
    clock::v1::{self as pb},
    time_control::TimeControl,
};
use chassis::id::GameId;
use prost_types::Timestamp;

use crate::{
    core::{Audience, Micros, Moment, Reading, Side, Step, StepRequest},
    error::{Error, InvalidField},
};

/// Events are from before the year 2200: the flag times that follow from them then fit the live state, which
/// counts to 2255.
const EVENT_TIME_MAX_S: i64 = 7_258_118_400;

impl TryFrom<&pb::StepRequest> for StepRequest {
    type Error = Error;

    fn try_from(request: &pb::StepRequest) -> Result<Self, Error> {
        Ok(StepRequest {
            game: GameId::parse(&request.game_id, "game_id")?,
            control: time_control::time_control(request.time_control.as_ref())?,
            before: request.before.as_ref().map(Reading::try_from).transpose()?,
            event: event(request.event.as_ref())?,
            now: moment(request.event_time.as_ref(), "event_time")?,
            audience: request.audience.as_ref().map(Audience::try_from).transpose()?,
        })
    }
}

/// The answer to a step.
pub(crate) fn step_response(step: &Step, control: TimeControl) -> pb::StepResponse {
    pb::StepResponse {
        after: Some(clock_reading(&step.after, control)),
        flagged: side_proto(step.flagged).into(),
        compensated_duration: non_zero(step.compensated),
    }
}

impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        let nanos = moment.0.rem_euclid(1_000_000) * 1000;
        Timestamp {
            seconds: moment.0.div_euclid(1_000_000),
            nanos: i32::try_from(nanos).expect("less than a second has less than 10^9 nanoseconds"),
        }
    }
}

/// A side as a proto.
pub(crate) fn side_proto(side: Option<Side>) -> board::Side {
    side.map_or(board::Side::Unspecified, Into::into)
}

/// What was compensated, or what a turn was charged; absent when nothing.
fn non_zero(span: Micros) -> Option<prost_types::Duration> {
    (span > Micros::ZERO).then(|| api::time::duration(span.into()))
}

/// A side; none when not said.
pub(crate) fn side(side: i32, field: &'static str) -> Result<Option<Side>, InvalidField> {
    let side = board::Side::try_from(side);
    let side = side.map_err(|_| InvalidField { field, detail: "there is no such side" })?;
    Ok(side.try_into().ok())
}

/// A moment that must be there. Cuts what is below a microsecond.
pub(crate) fn moment(timestamp: Option<&Timestamp>, field: &'static str) -> Result<Moment, InvalidField> {
    let detail = "a time from 1970 to before 2200";
    match timestamp {
        Some(&Timestamp { seconds: seconds @ 0..EVENT_TIME_MAX_S, nanos: nanos @ 0..1_000_000_000 }) => {
            Ok(Moment(seconds * 1_000_000 + i64::from(nanos / 1000)))
        }
        Some(_) => Err(InvalidField { field, detail }),
        None => Err(InvalidField { field, detail: "required" }),
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
                prop_assert_eq!(Timestamp::from(read), cut);
            }
        }
    }
}
