//! Time controls from and to protos.

use std::time::Duration;

use super::{BadTimeControl, Control, TimeControl, of_second};
use crate::clock::v1::{self as pb, time_control as kind};

impl From<TimeControl> for pb::TimeControl {
    fn from(control: TimeControl) -> Self {
        let side = |control| pb::TimeControl { control: Some(to_kind(control)), second: None };
        let second = (control.first != control.second).then(|| Box::new(side(control.second)));
        pb::TimeControl { second, ..side(control.first) }
    }
}

impl TryFrom<&pb::TimeControl> for TimeControl {
    type Error = BadTimeControl;

    fn try_from(control: &pb::TimeControl) -> Result<Self, BadTimeControl> {
        let first = one_side(control)?;
        let second = match &control.second {
            None => first,
            Some(second) if second.second.is_some() => {
                let detail = "a second side has no second side";
                return Err(BadTimeControl { field: "second.second", detail });
            }
            Some(second) => one_side(second).map_err(of_second)?,
        };
        Ok(TimeControl { first, second })
    }
}

fn to_kind(control: Control) -> kind::Control {
    let duration = |span| Some(crate::time::duration(span));
    match control {
        Control::Absolute { main } => {
            kind::Control::Absolute(kind::Absolute { main_duration: duration(main) })
        }
        Control::Fischer { main, increment, cap } => kind::Control::Fischer(kind::Fischer {
            main_duration: duration(main),
            increment_duration: duration(increment),
            cap_duration: cap.and_then(duration),
        }),
        Control::UsDelay { main, delay } => kind::Control::UsDelay(kind::Delay {
            main_duration: duration(main),
            delay_duration: duration(delay),
        }),
        Control::Bronstein { main, delay } => kind::Control::Bronstein(kind::Delay {
            main_duration: duration(main),
            delay_duration: duration(delay),
        }),
        Control::ByoYomi { main, period, periods } => kind::Control::ByoYomi(kind::ByoYomi {
            main_duration: duration(main),
            period_duration: duration(period),
            periods,
        }),
        Control::Reserved { main, minutes } => {
            kind::Control::Reserved(kind::Reserved { main_duration: duration(main), minutes })
        }
        Control::Canadian { main, period, moves } => kind::Control::Canadian(kind::Canadian {
            main_duration: duration(main),
            period_duration: duration(period),
            moves,
        }),
        Control::PerMove { time } => kind::Control::PerMove(kind::PerMove { move_duration: duration(time) }),
        Control::Correspondence { days } => kind::Control::Correspondence(kind::Correspondence { days }),
        Control::Unlimited => kind::Control::Unlimited(kind::Unlimited {}),
    }
}

/// The control of a proto without regard to its second side, checked.
fn one_side(control: &pb::TimeControl) -> Result<Control, BadTimeControl> {
    let control = control.control.as_ref();
    from_kind(control.ok_or(BadTimeControl { field: "time_control", detail: "required" })?)?.checked()
}

fn from_kind(control: &kind::Control) -> Result<Control, BadTimeControl> {
    let main = |duration| span(duration, "main_duration");
    let delay = |duration| span(duration, "delay_duration");
    let period = |duration| span(duration, "period_duration");
    Ok(match control {
        kind::Control::Absolute(it) => Control::Absolute { main: main(it.main_duration.as_ref())? },
        kind::Control::Fischer(it) => Control::Fischer {
            main: main(it.main_duration.as_ref())?,
            increment: span(it.increment_duration.as_ref(), "increment_duration")?,
            cap: it.cap_duration.as_ref().map(|cap| span(Some(cap), "cap_duration")).transpose()?,
        },
        kind::Control::UsDelay(it) => Control::UsDelay {
            main: main(it.main_duration.as_ref())?,
            delay: delay(it.delay_duration.as_ref())?,
        },
        kind::Control::Bronstein(it) => Control::Bronstein {
            main: main(it.main_duration.as_ref())?,
            delay: delay(it.delay_duration.as_ref())?,
        },
        kind::Control::ByoYomi(it) => Control::ByoYomi {
            main: main(it.main_duration.as_ref())?,
            period: period(it.period_duration.as_ref())?,
            periods: it.periods,
        },
        kind::Control::Reserved(it) => {
            Control::Reserved { main: main(it.main_duration.as_ref())?, minutes: it.minutes }
        }
        kind::Control::Canadian(it) => Control::Canadian {
            main: main(it.main_duration.as_ref())?,
            period: period(it.period_duration.as_ref())?,
            moves: it.moves,
        },
        kind::Control::PerMove(it) => {
            Control::PerMove { time: span(it.move_duration.as_ref(), "move_duration")? }
        }
        kind::Control::Correspondence(it) => Control::Correspondence { days: it.days },
        kind::Control::Unlimited(kind::Unlimited {}) => Control::Unlimited,
    })
}

/// A duration; nothing when it is absent.
fn span(duration: Option<&prost_types::Duration>, field: &'static str) -> Result<Duration, BadTimeControl> {
    let bad = BadTimeControl { field, detail: "a duration that is not negative" };
    duration.map_or(Ok(Duration::ZERO), |duration| crate::time::span(duration).ok_or(bad))
}
