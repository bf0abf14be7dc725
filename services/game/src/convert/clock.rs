//! Readings and time controls.

use api::clock::v1 as pb;

use super::{Malformed, moment, optional_side_to_pb, side_from_pb};
use crate::core::{Reading, SideTime, TimeControl};

pub(crate) fn control_to_pb(control: TimeControl) -> pb::TimeControl {
    control.into()
}

pub(crate) fn reading_to_pb(reading: &Reading) -> pb::ClockReading {
    let side = |time: SideTime| pb::SideTime {
        main_duration: Some(api::time::duration(time.main)),
        periods: time.periods,
    };
    pb::ClockReading {
        first: Some(side(reading.sides[0])),
        second: Some(side(reading.sides[1])),
        running: optional_side_to_pb(reading.running.map(|(side, _)| side)),
        running_since_time: reading.running.map(|(_, since)| api::time::timestamp(since)),
        flag_time: reading.flag.map(api::time::timestamp),
        revision: reading.revision,
    }
}

pub(crate) fn reading_from_pb(reading: &pb::ClockReading) -> Result<Reading, Malformed> {
    let side = |time: &Option<pb::SideTime>| -> Result<SideTime, Malformed> {
        let time = time.as_ref().ok_or(Malformed("a side's time"))?;
        let main = time.main_duration.as_ref().and_then(api::time::span).ok_or(Malformed("main time"))?;
        Ok(SideTime { main, periods: time.periods })
    };
    let running = match side_from_pb(reading.running) {
        None => None,
        Some(side) => Some((side, moment(reading.running_since_time.as_ref(), "running since")?)),
    };
    Ok(Reading {
        sides: [side(&reading.first)?, side(&reading.second)?],
        running,
        flag: match &reading.flag_time {
            None => None,
            flag => Some(moment(flag.as_ref(), "flag time")?),
        },
        revision: reading.revision,
    })
}
