//! Events.

use api::{clock::v1 as pb, clock::v1::step_request, time_control::MAIN_MAX};

use super::{moment, reading::reason, reading::span, side};
use crate::{
    core::{Adjustment, Event, Lag, Micros},
    error::InvalidField,
};

/// What happened, which must be said.
pub(crate) fn event(event: Option<&step_request::Event>) -> Result<Event, InvalidField> {
    let required = |field| InvalidField { field, detail: "required" };
    Ok(match event.ok_or_else(|| required("event"))? {
        step_request::Event::Start(start) => {
            let running = side(start.running, "start.running")?;
            Event::Start { running: running.ok_or_else(|| required("start.running"))? }
        }
        step_request::Event::Press(press) => Event::Press {
            side: side(press.side, "press.side")?.ok_or_else(|| required("press.side"))?,
            next: side(press.next, "press.next")?,
            lag: lag(press)?,
        },
        step_request::Event::Stop(pb::StopClock {}) => Event::Stop,
        step_request::Event::Credit(credit) => Event::CreditOutage {
            from: moment(credit.from_time.as_ref(), "credit.from_time")?,
            until: moment(credit.until_time.as_ref(), "credit.until_time")?,
        },
        step_request::Event::Watch(pb::WatchFlag {}) => Event::Watch,
        step_request::Event::Pause(pause) => Event::Pause { reason: reason(pause.reason, "pause.reason")? },
        step_request::Event::Resume(resume) => {
            Event::Resume { reason: reason(resume.reason, "resume.reason")? }
        }
        step_request::Event::Adjust(adjust) => Event::Adjust {
            side: side(adjust.side, "adjust.side")?.ok_or_else(|| required("adjust.side"))?,
            by: adjustment(adjust.adjustment.as_ref().ok_or_else(|| required("adjust"))?)?,
        },
    })
}

/// A lag longer than a day is no lag, but a mistake.
fn lag(press: &pb::PressClock) -> Result<Lag, InvalidField> {
    let read = |duration: Option<&prost_types::Duration>, field| {
        duration.map(|duration| span(Some(duration), field, MAIN_MAX.into())).transpose()
    };
    Ok(Lag {
        measured: read(press.measured_lag_duration.as_ref(), "press.measured_lag_duration")?,
        claimed: read(press.claimed_lag_duration.as_ref(), "press.claimed_lag_duration")?,
    })
}

fn adjustment(adjustment: &pb::adjust_clock::Adjustment) -> Result<Adjustment, InvalidField> {
    use pb::adjust_clock::Adjustment::{AddDuration, DeductDuration};
    let read = |duration, field| match span(Some(duration), field, MAIN_MAX.into())? {
        Micros::ZERO => Err(InvalidField { field, detail: "more than nothing" }),
        span => Ok(span),
    };
    Ok(match adjustment {
        AddDuration(duration) => Adjustment::Add(read(duration, "adjust.add_duration")?),
        DeductDuration(duration) => Adjustment::Deduct(read(duration, "adjust.deduct_duration")?),
    })
}
