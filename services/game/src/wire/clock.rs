//! Readings and time controls.

use std::time::Duration;

use api::{ProtoEnum as _, clock::v1 as pb, game::v1::RunningClock};
use prost::Message as _;
use prost_types::Timestamp;
use rules::Side;
use time::OffsetDateTime;

use super::{DecodeError, moment};
use crate::core::{ClockEntry, GameInfo, Header, Maintenance, Reading, Regulations, SideTime};

impl From<&Maintenance> for pb::Maintenance {
    fn from(maintenance: &Maintenance) -> Self {
        pb::Maintenance {
            begin_time: Some(api::time::timestamp(maintenance.begin)),
            end_time: Some(api::time::timestamp(maintenance.end)),
            reason: maintenance.reason.clone(),
        }
    }
}

impl TryFrom<&pb::Maintenance> for Maintenance {
    type Error = DecodeError;

    fn try_from(maintenance: &pb::Maintenance) -> Result<Self, DecodeError> {
        Ok(Maintenance {
            begin: moment(maintenance.begin_time.as_ref(), "begin of a maintenance")?,
            end: moment(maintenance.end_time.as_ref(), "end of a maintenance")?,
            reason: maintenance.reason.clone(),
        })
    }
}

impl From<&Reading> for pb::ClockReading {
    fn from(reading: &Reading) -> Self {
        let side = |time: SideTime| pb::SideTime {
            main_duration: Some(api::time::duration(time.main)),
            periods: time.periods,
            period_duration: non_zero(time.of_period),
            moves: time.moves,
            lag_quota_duration: non_zero(time.lag_quota),
        };
        pb::ClockReading {
            first: Some(side(reading.sides[0])),
            second: Some(side(reading.sides[1])),
            running: reading.running.map(|(side, _)| side).number(),
            running_since_time: reading.running.map(|(_, since)| api::time::timestamp(since)),
            flag_time: reading.flag.map(api::time::timestamp),
            revision: reading.revision,
            pauses: reading.pauses.clone(),
            held: reading.held.map(|(side, _)| side).number(),
            held_since_time: reading.held.map(|(_, since)| api::time::timestamp(since)),
            used_duration: non_zero(reading.used),
        }
    }
}

impl TryFrom<&pb::ClockReading> for Reading {
    type Error = DecodeError;

    fn try_from(reading: &pb::ClockReading) -> Result<Self, DecodeError> {
        let side = |time: &Option<pb::SideTime>| -> Result<SideTime, DecodeError> {
            let time = time.as_ref().ok_or(DecodeError("a side's time"))?;
            let main = time.main_duration.as_ref().ok_or(DecodeError("main time"))?;
            Ok(SideTime {
                main: span(Some(main), "main time")?,
                periods: time.periods,
                of_period: span(time.period_duration.as_ref(), "period")?,
                moves: time.moves,
                lag_quota: span(time.lag_quota_duration.as_ref(), "lag quota")?,
            })
        };
        Ok(Reading {
            sides: [side(&reading.first)?, side(&reading.second)?],
            running: turn(reading.running, reading.running_since_time.as_ref(), "running since")?,
            pauses: reading.pauses.clone(),
            held: turn(reading.held, reading.held_since_time.as_ref(), "held since")?,
            used: span(reading.used_duration.as_ref(), "used time")?,
            flag: match &reading.flag_time {
                None => None,
                flag => Some(moment(flag.as_ref(), "flag time")?),
            },
            revision: reading.revision,
        })
    }
}

impl From<&pb::ClockEntry> for ClockEntry {
    fn from(entry: &pb::ClockEntry) -> Self {
        ClockEntry { fallen: Side::of(entry.flagged), written: entry.encode_to_vec() }
    }
}

impl From<&ClockEntry> for pb::ClockEntry {
    fn from(entry: &ClockEntry) -> Self {
        pb::ClockEntry::decode(entry.written.as_slice()).expect("entries are made of messages")
    }
}

/// Nothing is not written.
fn non_zero(span: Duration) -> Option<prost_types::Duration> {
    (!span.is_zero()).then(|| api::time::duration(span))
}

fn span(span: Option<&prost_types::Duration>, what: &'static str) -> Result<Duration, DecodeError> {
    span.map_or(Ok(Duration::ZERO), |span| api::time::span(span).ok_or(DecodeError(what)))
}

fn turn(
    side: i32,
    since: Option<&Timestamp>,
    what: &'static str,
) -> Result<Option<(Side, OffsetDateTime)>, DecodeError> {
    Side::of(side).map(|side| Ok((side, moment(since, what)?))).transpose()
}

/// Who alone may hear the clocks of a game; none when everybody may.
pub(crate) fn audience(info: &GameInfo) -> Option<pb::Audience> {
    let Regulations { event, federation, broadcast_delay, .. } = &info.regulations;
    let text = |id: Option<String>| id.unwrap_or_default();
    (!broadcast_delay.is_zero()).then(|| pb::Audience {
        account_ids: info.seats.iter().filter_map(|seat| Some(seat.account?.to_string())).collect(),
        event_id: text(event.map(|event| event.to_string())),
        federation_id: text(federation.map(|federation| federation.to_string())),
    })
}

/// The clock of a game, unless there is none to be watched.
pub(crate) fn running_clock(header: &Header) -> Option<RunningClock> {
    let (control, clock) = (header.info.time_control?, header.state.clock.as_ref()?);
    (!header.is_over()).then(|| RunningClock {
        game_id: header.info.id.to_string(),
        time_control: Some(control.into()),
        reading: Some(clock.into()),
        audience: audience(&header.info),
    })
}
