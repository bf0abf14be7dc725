//! Announcements, and what is left.

use api::clock::v1 as pb;

use super::{non_zero, side_proto};
use crate::core::{Announcement, DueAnnouncement, Remaining, RemainingTimes};

/// An announcement that follows from a reading of this revision.
pub(crate) fn announcement(due: &DueAnnouncement, revision: u64, again: bool) -> pb::Announcement {
    let (kind, number) = match due.announcement {
        Announcement::Seconds(seconds) => (pb::AnnouncementKind::Seconds, seconds),
        Announcement::PeriodsLeft(periods) => (pb::AnnouncementKind::PeriodsLeft, periods),
        Announcement::Count(number) => (pb::AnnouncementKind::Count, number),
        Announcement::Time => (pb::AnnouncementKind::Time, 10),
    };
    pb::Announcement {
        side: side_proto(Some(due.side)).into(),
        kind: kind.into(),
        number,
        announce_time: Some(due.at.into()),
        revision,
        again,
    }
}

impl From<&RemainingTimes> for pb::GetRemainingTimeResponse {
    fn from(times: &RemainingTimes) -> Self {
        pb::GetRemainingTimeResponse {
            first: Some(time_left(times.first)),
            second: Some(time_left(times.second)),
            running: side_proto(times.running).into(),
            server_time: Some(times.at.into()),
            revision: times.revision,
        }
    }
}

fn time_left(remaining: Option<Remaining>) -> pb::TimeLeft {
    let Some(Remaining { main, periods, of_period, moves }) = remaining else {
        return pb::TimeLeft { unlimited: true, ..pb::TimeLeft::default() };
    };
    pb::TimeLeft {
        main_duration: Some(api::time::duration(main.into())),
        periods,
        period_duration: non_zero(of_period),
        moves,
        unlimited: false,
    }
}
