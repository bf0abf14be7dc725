//! What is announced while a player's last minutes are counted (competition.md 1.8, go.md 1.5).
//!
//! In a period of a minute 30, 40, 50, 55, 58 and 60 seconds are announced, and after a full one how many minutes
//! are left; in the last one 30, 40, 50, then each of the last ten seconds, 1 to 9 and "10, time". Periods of
//! other lengths are announced by the same distances from their end. Announced are byo-yomi and reserved minutes;
//! Canadian periods and times for a move, which nothing follows, are announced as a last minute is. A fixed time
//! is not announced, nor is one that grows.

use std::collections::VecDeque;

use api::time_control::{Control, TimeControl};

use super::{Micros, Moment, Reading, Side, SideTime, Turn, control_of, side_time};

/// The most announcements that are repeated at once: as many as a last minute has, and some.
pub const REPEATED_MAX: usize = 16;

const SECOND: u64 = 1_000_000;
/// How long before the end of a period that others follow its seconds are announced.
const SECONDS_BEFORE: [u64; 6] = [30, 20, 10, 5, 2, 0];
/// How long before the end of the last one.
const LAST_SECONDS_BEFORE: [u64; 3] = [30, 20, 10];
/// The seconds that are counted at the end of the last one.
const COUNTED: u64 = 10;

/// What is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Announcement {
    /// So many seconds of the period are used.
    Seconds(u32),
    /// So many periods are left.
    PeriodsLeft(u32),
    /// The count of the last ten seconds, 1 to 9.
    Count(u32),
    /// "10, time": the flag falls.
    Time,
}

/// An announcement and when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DueAnnouncement {
    /// When.
    pub at: Moment,
    /// Whose time.
    pub side: Side,
    /// What.
    pub announcement: Announcement,
}

/// The periods of a turn that are announced.
#[derive(Clone, Copy, Debug)]
struct AnnouncedPeriods {
    /// What the turn takes before the first of them begins.
    begins: Micros,
    /// The length of one, as long as its numbers tell.
    period: Micros,
    /// What is left of the first.
    first: Micros,
    /// How many there are.
    count: u32,
    /// Whether it is announced how many are left.
    tells_left: bool,
}

/// The announcements that follow from a reading if nothing happens, after a moment, in the order in which they are due.
/// There are none while no clock runs. Of two at one moment the seconds come before the periods left.
pub fn announcements_after(
    control: TimeControl,
    reading: &Reading,
    after: Moment,
) -> impl Iterator<Item = DueAnnouncement> + use<> {
    let announcements = reading.running().map(|turn| {
        let charged = turn.used.plus(after.since(turn.since));
        // What was due before the turn last began to run was announced then.
        announcements_of(control, reading, turn, charged)
            .filter(move |(offset, _)| *offset > turn.used)
            .map(move |(offset, announcement)| due(turn, offset, announcement))
            .skip_while(move |due| due.at <= after)
    });
    announcements.into_iter().flatten()
}

/// The next announcements after a moment, all of them due at once; none when nothing will be announced.
pub fn next_announcements(control: TimeControl, reading: &Reading, after: Moment) -> Vec<DueAnnouncement> {
    let mut announcements = announcements_after(control, reading, after).peekable();
    let at = announcements.peek().map(|due| due.at);
    announcements.take_while(|due| Some(due.at) == at).collect()
}

/// The announcements that are due after one moment and up to another.
pub fn announcements_between(
    control: TimeControl,
    reading: &Reading,
    after: Moment,
    until: Moment,
) -> impl Iterator<Item = DueAnnouncement> + use<> {
    announcements_after(control, reading, after).take_while(move |due| due.at <= until)
}

/// The announcements of the turn that are to be made again, whether its clock runs or is held: those due from a moment
/// on, or without one the last that was due; up to now, and at most the last [`REPEATED_MAX`].
///
/// A reading does not tell how long a turn rested before its clock last began to run. What was announced before that
/// counts as due that much later than it was: so nothing is left out, but something before the moment may be said.
pub fn announcements_to_repeat(
    control: TimeControl,
    reading: &Reading,
    from: Option<Moment>,
    now: Moment,
) -> Vec<DueAnnouncement> {
    let Some(turn) = reading.turn else {
        return Vec::new();
    };
    let charged = reading.charged(turn, now);
    let made =
        announcements_of(control, reading, turn, Micros::ZERO).take_while(|(offset, _)| *offset <= charged);
    let mut last = VecDeque::new();
    for (offset, announcement) in made {
        last.push_back(due(turn, offset, announcement));
        if last.len() > REPEATED_MAX {
            last.pop_front();
        }
    }
    let from = from.or(last.back().map(|due| due.at));
    last.into_iter().filter(|due| Some(due.at) >= from).collect()
}

/// The announcements of a turn from the period on that is in use when it has been charged so much, in order, each by
/// what the turn takes until then.
fn announcements_of(
    control: TimeControl,
    reading: &Reading,
    turn: Turn,
    charged: Micros,
) -> impl Iterator<Item = (Micros, Announcement)> + use<> {
    let announced = announced_periods(control_of(control, turn.side), reading.time(turn.side));
    let announced = announced.filter(|announced| announced.period > Micros::ZERO);
    announced.into_iter().flat_map(move |announced| {
        (announced.index(charged)..announced.count).flat_map(move |index| announced.announcements(index))
    })
}

/// An announcement that is due when the turn has been charged so much.
fn due(turn: Turn, offset: Micros, announcement: Announcement) -> DueAnnouncement {
    let at = turn.since.later(offset.minus(turn.used)).earlier(turn.used.minus(offset));
    DueAnnouncement { at, side: turn.side, announcement }
}

fn announced_periods(control: Control, time: SideTime) -> Option<AnnouncedPeriods> {
    match control {
        Control::ByoYomi { .. } | Control::Reserved { .. } => {
            let period = side_time::period(control);
            let count = time.periods;
            Some(AnnouncedPeriods { begins: time.main, period, first: period, count, tells_left: true })
        }
        Control::Canadian { period, .. } => Some(AnnouncedPeriods {
            begins: time.main,
            period: period.into(),
            first: time.of_period,
            count: 1,
            tells_left: false,
        }),
        Control::PerMove { .. } => Some(AnnouncedPeriods {
            begins: Micros::ZERO,
            period: time.main,
            first: time.main,
            count: 1,
            tells_left: false,
        }),
        _ => None,
    }
}

impl AnnouncedPeriods {
    /// The period that is in use when the turn has been charged so much; the first before any is.
    fn index(&self, charged: Micros) -> u32 {
        // One earlier than that: its last announcements are made at the very moment at which it ends.
        let over = charged.minus(self.begins).0;
        let index = over.checked_div(self.period.0).unwrap_or(0);
        u32::try_from(index).unwrap_or(u32::MAX).saturating_sub(1)
    }

    /// The announcements of a period, each by what the turn takes until then.
    fn announcements(self, index: u32) -> impl Iterator<Item = (Micros, Announcement)> {
        let begins = self.begins.plus(self.period.times(index));
        let length = if index == 0 { self.first } else { self.period };
        let last = index + 1 == self.count;
        let enters = index == 0 && self.tells_left && self.begins > Micros::ZERO;
        let entry = enters.then_some((begins, Announcement::PeriodsLeft(self.count)));
        let spoken = move |before: u64| {
            let seconds = self.period.0.saturating_sub(before * SECOND) / SECOND;
            Announcement::Seconds(u32::try_from(seconds).unwrap_or(u32::MAX))
        };
        let before: &[u64] = if last { &LAST_SECONDS_BEFORE } else { &SECONDS_BEFORE };
        let seconds = before.iter().map(move |before| (*before, spoken(*before)));
        let counted = (1..COUNTED).map(|number| (COUNTED - number, count(number)));
        let counted = counted.filter(move |_| last);
        let end =
            (0, if last { Announcement::Time } else { Announcement::PeriodsLeft(self.count - index - 1) });
        let in_period = seconds.chain(counted).chain([end]);
        let in_period = in_period.filter(move |(before, _)| before * SECOND < length.0);
        let in_period = in_period.map(move |(before, announcement)| {
            (begins.plus(length.minus(Micros(before * SECOND))), announcement)
        });
        entry.into_iter().chain(in_period)
    }
}

fn count(number: u64) -> Announcement {
    Announcement::Count(u32::try_from(number).unwrap_or(u32::MAX))
}
