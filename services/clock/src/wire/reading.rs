//! Readings.

use api::{Unspecified, clock::v1 as pb, proto_enum, time_control::TimeControl};

use super::{moment, non_zero, side, side_proto};
use crate::{
    core::{MAIN_REMAINING_MAX, Micros, PauseReason, Pauses, Reading, SideTime, Turn},
    error::InvalidField,
};

/// A turn is charged less than all that a side can have: the main time and a hundred periods of an hour.
const USED_MAX: Micros = MAIN_REMAINING_MAX.times(2);

/// The flag time is not read, because it follows from the rest.
impl TryFrom<&pb::ClockReading> for Reading {
    type Error = InvalidField;

    fn try_from(reading: &pb::ClockReading) -> Result<Self, InvalidField> {
        let pauses = pauses(&reading.pauses)?;
        let (turn, since, [turn_field, since_field]) = if pauses.is_empty() {
            let fields = ["before.running", "before.running_since_time"];
            (reading.running, &reading.running_since_time, fields)
        } else {
            (reading.held, &reading.held_since_time, ["before.held", "before.held_since_time"])
        };
        let turn = match side(turn, turn_field)? {
            None => None,
            Some(side) => Some(Turn {
                side,
                since: moment(since.as_ref(), since_field)?,
                used: span(reading.used_duration.as_ref(), "before.used_duration", USED_MAX)?,
            }),
        };
        Ok(Reading {
            first: side_time(reading.first.as_ref(), "before.first")?,
            second: side_time(reading.second.as_ref(), "before.second")?,
            turn,
            pauses,
            revision: reading.revision,
        })
    }
}

/// A reading that must be there.
pub(crate) fn required_reading(reading: Option<&pb::ClockReading>) -> Result<Reading, InvalidField> {
    reading.ok_or(InvalidField { field: "reading", detail: "required" })?.try_into()
}

/// A reading as a proto, with the flag time that follows from it.
pub(crate) fn clock_reading(reading: &Reading, control: TimeControl) -> pb::ClockReading {
    let (running, held) = (reading.running(), reading.held());
    pb::ClockReading {
        first: Some(reading.first.into()),
        second: Some(reading.second.into()),
        running: side_proto(running.map(|turn| turn.side)).into(),
        running_since_time: running.map(|turn| turn.since.into()),
        flag_time: reading.flag_time(control).map(Into::into),
        revision: reading.revision,
        pauses: reading.pauses.iter().map(|reason| pb::PauseReason::from(reason).into()).collect(),
        held: side_proto(held.map(|turn| turn.side)).into(),
        held_since_time: held.map(|turn| turn.since.into()),
        used_duration: reading.turn.and_then(|turn| non_zero(turn.used)),
    }
}

/// A reason to pause; none when not said.
pub(super) fn reason(reason: i32, field: &'static str) -> Result<PauseReason, InvalidField> {
    let reason = pb::PauseReason::try_from(reason);
    let reason = reason.map_err(|_| InvalidField { field, detail: "there is no such reason" })?;
    reason.try_into().map_err(|Unspecified| InvalidField { field, detail: "required" })
}

/// A span of at most so long; nothing when it is absent.
pub(super) fn span(
    span: Option<&prost_types::Duration>,
    field: &'static str,
    max: Micros,
) -> Result<Micros, InvalidField> {
    let Some(span) = span else {
        return Ok(Micros::ZERO);
    };
    let read = api::time::span(span).map(Micros::from).filter(|read| *read <= max);
    read.ok_or(InvalidField { field, detail: "a duration that is not negative, and not too long" })
}

proto_enum!(PauseReason = pb::PauseReason { Players, Arbiter, EventBreak, ServerOutage, Leave, Maintenance });

fn pauses(reasons: &[i32]) -> Result<Pauses, InvalidField> {
    let field = "before.pauses";
    if reasons.len() > PauseReason::ALL.len() {
        return Err(InvalidField { field, detail: "each reason once" });
    }
    reasons.iter().map(|it| reason(*it, field)).collect()
}

fn side_time(time: Option<&pb::SideTime>, field: &'static str) -> Result<SideTime, InvalidField> {
    let time = time.ok_or(InvalidField { field, detail: "required" })?;
    Ok(SideTime {
        main: span(time.main_duration.as_ref(), field, MAIN_REMAINING_MAX)?,
        periods: time.periods,
        of_period: span(time.period_duration.as_ref(), field, MAIN_REMAINING_MAX)?,
        moves: time.moves,
        lag_quota: span(time.lag_quota_duration.as_ref(), field, MAIN_REMAINING_MAX)?,
    })
}

impl From<SideTime> for pb::SideTime {
    fn from(time: SideTime) -> Self {
        pb::SideTime {
            main_duration: Some(api::time::duration(time.main.into())),
            periods: time.periods,
            period_duration: non_zero(time.of_period),
            moves: time.moves,
            lag_quota_duration: non_zero(time.lag_quota),
        }
    }
}

#[cfg(test)]
mod tests {
    use api::board::v1 as board;
    use proptest::prelude::*;
    use prost_types::{Duration, Timestamp};

    use super::*;
    use crate::core::{Moment, Side};

    fn any_time() -> impl Strategy<Value = SideTime> {
        let span = || (0..1_000_000_000_000_u64).prop_map(Micros);
        (span(), 0..=100_u32, span(), 0..=100_u32, span()).prop_map(
            |(main, periods, of_period, moves, lag_quota)| SideTime {
                main,
                periods,
                of_period,
                moves,
                lag_quota,
            },
        )
    }

    fn any_turn() -> impl Strategy<Value = Turn> {
        (any::<bool>(), 0..4_000_000_000_000_000_i64, 0..1_000_000_000_000_u64).prop_map(
            |(first, since, used)| Turn {
                side: if first { Side::First } else { Side::Second },
                since: Moment(since),
                used: Micros(used),
            },
        )
    }

    proptest! {
        #[test]
        fn readings_round_trip(
            (first, second) in (any_time(), any_time()),
            turn in proptest::option::of(any_turn()),
            pauses in proptest::sample::subsequence(&PauseReason::ALL[..], 0..=5),
            revision in any::<u64>(),
        ) {
            let pauses = pauses.into_iter().collect();
            let before = Reading { first, second, turn, pauses, revision };
            let control: TimeControl = "1h+100x30s".parse().expect("a control");
            let proto = clock_reading(&before, control);
            prop_assert_eq!(proto.flag_time.is_some(), before.running().is_some());
            prop_assert_eq!(Reading::try_from(&proto), Ok(before));
        }
    }

    #[test]
    fn strange_fields_are_refused_by_name() {
        let time = |seconds, nanos| pb::SideTime {
            main_duration: Some(Duration { seconds, nanos }),
            ..pb::SideTime::default()
        };
        let good = pb::ClockReading {
            first: Some(time(1, 0)),
            second: Some(time(1, 0)),
            running: board::Side::First.into(),
            running_since_time: Some(Timestamp { seconds: 1, nanos: 0 }),
            revision: 1,
            ..pb::ClockReading::default()
        };
        assert!(Reading::try_from(&good).is_ok());
        let field = |bad: pb::ClockReading| Reading::try_from(&bad).expect_err("strange").field;
        for strange in [time(-1, 0), time(0, -1), time(i64::MAX, 0), time(0, i32::MAX)] {
            assert_eq!(field(pb::ClockReading { first: Some(strange), ..good.clone() }), "before.first");
        }
        assert_eq!(field(pb::ClockReading { second: None, ..good.clone() }), "before.second");
        assert_eq!(field(pb::ClockReading { running: 7, ..good.clone() }), "before.running");
        let since = field(pb::ClockReading { running_since_time: None, ..good.clone() });
        assert_eq!(since, "before.running_since_time");
        for strange in [vec![0], vec![9], vec![1; PauseReason::ALL.len() + 1]] {
            assert_eq!(field(pb::ClockReading { pauses: strange, ..good.clone() }), "before.pauses");
        }
        let held = pb::ClockReading { pauses: vec![2], held: board::Side::First.into(), ..good.clone() };
        assert_eq!(field(held), "before.held_since_time");
        let used = Some(Duration { seconds: -1, nanos: 0 });
        assert_eq!(field(pb::ClockReading { used_duration: used, ..good }), "before.used_duration");
    }
}
