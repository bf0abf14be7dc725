//! Calls, and what is left.

use api::{
    clock::v1::{self as pb},
    time_control::{Control, TimeControl},
};

use super::{side_proto, spared, timestamp};
use crate::core::{Announcement, DueAnnouncement, Moment, Reading, Remaining, Side};

/// A call that follows from a reading of this revision.
pub fn call_proto(due: &DueAnnouncement, revision: u64, again: bool) -> pb::TimeCall {
    let (kind, number) = match due.announcement {
        Announcement::Seconds(seconds) => (pb::CallKind::Seconds, seconds),
        Announcement::PeriodsLeft(periods) => (pb::CallKind::PeriodsLeft, periods),
        Announcement::Count(number) => (pb::CallKind::Count, number),
        Announcement::Time => (pb::CallKind::Time, 10),
    };
    pb::TimeCall {
        side: side_proto(Some(due.side)).into(),
        kind: kind.into(),
        number,
        call_time: Some(timestamp(due.at)),
        revision,
        again,
    }
}

/// What a side has left at a moment.
pub fn remaining_proto(reading: &Reading, control: TimeControl, side: Side, now: Moment) -> pb::TimeLeft {
    if side.control(control) == Control::Unlimited {
        return pb::TimeLeft { unlimited: true, ..pb::TimeLeft::default() };
    }
    let Remaining { main, periods, of_period, moves } = reading.remaining(control, side, now);
    pb::TimeLeft {
        main_duration: Some(api::time::duration(main.into())),
        periods,
        period_duration: spared(of_period),
        moves,
        unlimited: false,
    }
}
