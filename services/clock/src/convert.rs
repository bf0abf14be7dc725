//! Between protos and plain types. What a core cannot mean anything by is refused here.

use api::{
    board::v1 as board,
    clock::v1::{self as pb, step_request},
    game::v1::RunningClock,
    time_control::TimeControl,
};
use chassis::id::GameId;
use prost_types::{Duration, Timestamp};
use time::OffsetDateTime;

use crate::{
    core::{Event, Micros, Moment, Reading, Running, Side, SideTime, Step},
    error::{BadField, ClockError},
    store::Watched,
};

/// Events are from before the year 2200: the flag times that follow from them then fit the live state, which
/// counts to 2255.
const EVENT_TIME_MAX_S: i64 = 7_258_118_400;
/// No side has more main time left than 416 days, which a Fischer control with an increment of an hour gives
/// in ten thousand moves.
const MAIN_LEFT_MAX_S: i64 = 416 * 24 * 3600;

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
        })
    }
}

/// The answer to a step.
pub fn answer(step: &Step, control: TimeControl) -> pb::StepResponse {
    pb::StepResponse {
        after: Some(reading_proto(&step.after, control)),
        flagged: side_proto(step.flagged).into(),
    }
}

/// A running clock as the game service tells it and the live state keeps it.
pub fn watched(clock: &RunningClock) -> Result<Watched, ClockError> {
    Ok(Watched {
        game: GameId::parse(&clock.game_id, "game_id")?,
        control: control(clock.time_control.as_ref())?,
        reading: required(clock.reading.as_ref())?,
    })
}

/// A watched clock as the live state keeps it.
pub fn watched_proto(watched: &Watched) -> RunningClock {
    RunningClock {
        game_id: watched.game.to_string(),
        time_control: Some(watched.control.into()),
        reading: Some(reading_proto(&watched.reading, watched.control)),
    }
}

/// A reading that must be there.
pub fn required(clock: Option<&pb::ClockReading>) -> Result<Reading, BadField> {
    reading(clock.ok_or(BadField { field: "reading", detail: "required" })?)
}

/// A reading; its flag time is not read, because it follows from the rest.
pub fn reading(reading: &pb::ClockReading) -> Result<Reading, BadField> {
    let running = match side(reading.running, "before.running")? {
        None => None,
        Some(side) => {
            let since = moment(reading.running_since_time.as_ref(), "before.running_since_time")?;
            Some(Running { side, since })
        }
    };
    Ok(Reading {
        first: side_time(reading.first.as_ref(), "before.first")?,
        second: side_time(reading.second.as_ref(), "before.second")?,
        running,
        revision: reading.revision,
    })
}

/// A reading as a proto, with the flag time that follows from it.
pub fn reading_proto(reading: &Reading, control: TimeControl) -> pb::ClockReading {
    let time = |time: SideTime| {
        Some(pb::SideTime {
            main_duration: Some(api::time::duration(time.main.into())),
            periods: time.periods,
        })
    };
    pb::ClockReading {
        first: time(reading.first),
        second: time(reading.second),
        running: side_proto(reading.running.map(|running| running.side)).into(),
        running_since_time: reading.running.map(|running| timestamp(running.since)),
        flag_time: reading.flag_time(control).map(timestamp),
        revision: reading.revision,
    }
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
    let micros = now.unix_timestamp_nanos().div_euclid(1000);
    Moment(i64::try_from(micros).expect("the years that a time can have fit an i64 of microseconds"))
}

fn control(control: Option<&pb::TimeControl>) -> Result<TimeControl, ClockError> {
    let absent = pb::TimeControl::default();
    Ok(TimeControl::try_from(control.unwrap_or(&absent))?)
}

fn event(event: Option<&step_request::Event>) -> Result<Event, BadField> {
    let required = |field| BadField { field, detail: "required" };
    Ok(match event.ok_or_else(|| required("event"))? {
        step_request::Event::Start(start) => {
            let running = side(start.running, "start.running")?;
            Event::Start { running: running.ok_or_else(|| required("start.running"))? }
        }
        step_request::Event::Press(press) => Event::Press {
            side: side(press.side, "press.side")?.ok_or_else(|| required("press.side"))?,
            next: side(press.next, "press.next")?,
        },
        step_request::Event::Stop(pb::StopClock {}) => Event::Stop,
        step_request::Event::Credit(credit) => Event::CreditOutage {
            from: moment(credit.from_time.as_ref(), "credit.from_time")?,
            until: moment(credit.until_time.as_ref(), "credit.until_time")?,
        },
        step_request::Event::Watch(pb::WatchFlag {}) => Event::Watch,
    })
}

fn side(side: i32, field: &'static str) -> Result<Option<Side>, BadField> {
    match board::Side::try_from(side) {
        Ok(board::Side::Unspecified) => Ok(None),
        Ok(board::Side::First) => Ok(Some(Side::First)),
        Ok(board::Side::Second) => Ok(Some(Side::Second)),
        Err(_) => Err(BadField { field, detail: "there is no such side" }),
    }
}

fn side_time(time: Option<&pb::SideTime>, field: &'static str) -> Result<SideTime, BadField> {
    let Some(time) = time else {
        return Err(BadField { field, detail: "required" });
    };
    let main = time.main_duration.unwrap_or_default();
    let bad = BadField { field, detail: "main time left from 0 to 416 days" };
    let Duration { seconds: 0..MAIN_LEFT_MAX_S, .. } = main else {
        return Err(bad);
    };
    let main = Micros::from(api::time::span(&main).ok_or(bad)?);
    Ok(SideTime { main, periods: time.periods })
}

/// Cuts what is below a microsecond.
fn moment(timestamp: Option<&Timestamp>, field: &'static str) -> Result<Moment, BadField> {
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
        fn readings_round_trip(
            mains in (0..1_000_000_000_000_u64, 0..1_000_000_000_000_u64),
            periods in (0..=100_u32, 0..=100_u32),
            running in proptest::option::of((any::<bool>(), 0..4_000_000_000_000_000_i64)),
            revision in any::<u64>(),
        ) {
            let time = |main, periods| SideTime { main: Micros(main), periods };
            let before = Reading {
                first: time(mains.0, periods.0),
                second: time(mains.1, periods.1),
                running: running.map(|(first, since)| Running {
                    side: if first { Side::First } else { Side::Second },
                    since: Moment(since),
                }),
                revision,
            };
            let control: TimeControl = "1h+100x30s".parse().expect("a control");
            let proto = reading_proto(&before, control);
            prop_assert_eq!(proto.flag_time.is_some(), before.running.is_some());
            prop_assert_eq!(reading(&proto), Ok(before));
        }

        #[test]
        fn any_timestamp_is_read_or_refused(seconds in any::<i64>(), nanos in any::<i32>()) {
            let given = Timestamp { seconds, nanos };
            if let Ok(read) = moment(Some(&given), "event_time") {
                let cut = Timestamp { seconds, nanos: nanos / 1000 * 1000 };
                prop_assert_eq!(timestamp(read), cut);
            }
        }
    }

    #[test]
    fn strange_fields_are_refused_by_name() {
        let time =
            |seconds, nanos| pb::SideTime { main_duration: Some(Duration { seconds, nanos }), periods: 0 };
        let good = pb::ClockReading {
            first: Some(time(1, 0)),
            second: Some(time(1, 0)),
            running: board::Side::First.into(),
            running_since_time: Some(Timestamp { seconds: 1, nanos: 0 }),
            flag_time: None,
            revision: 1,
        };
        assert!(reading(&good).is_ok());
        let field = |bad: pb::ClockReading| reading(&bad).expect_err("strange").field;
        for strange in [time(-1, 0), time(0, -1), time(i64::MAX, 0), time(0, i32::MAX)] {
            assert_eq!(field(pb::ClockReading { first: Some(strange), ..good }), "before.first");
        }
        assert_eq!(field(pb::ClockReading { second: None, ..good }), "before.second");
        assert_eq!(field(pb::ClockReading { running: 7, ..good }), "before.running");
        let since = field(pb::ClockReading { running_since_time: None, ..good });
        assert_eq!(since, "before.running_since_time");
    }
}
