//! What is called while a player's last minutes are counted (competition.md 1.8, go.md 1.5).
//!
//! In a period of a minute 30, 40, 50, 55, 58 and 60 seconds are called, and after a full one how many minutes
//! are left; in the last one 30, 40, 50, then each of the last ten seconds, 1 to 9 and "10, time". Periods of
//! other lengths are called by the same distances from their end. Called are byo-yomi and reserved minutes;
//! Canadian periods and times for a move, which nothing follows, are called as a last minute is. A fixed time
//! is not called, nor is one that grows.

use std::collections::VecDeque;

use api::time_control::{Control, TimeControl};

use super::{Micros, Moment, Reading, Side, SideTime, Turn, side_time};

/// The most calls that are repeated at once: as many as a last minute has, and some.
pub const REPEATED_MAX: usize = 16;

const SECOND: u64 = 1_000_000;
/// How long before the end of a period that others follow its seconds are called.
const SECONDS_BEFORE: [u64; 6] = [30, 20, 10, 5, 2, 0];
/// How long before the end of the last one.
const LAST_SECONDS_BEFORE: [u64; 3] = [30, 20, 10];
/// The seconds that are counted at the end of the last one.
const COUNTED: u64 = 10;

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// So many seconds of the period are used.
    Seconds(u32),
    /// So many periods are left.
    PeriodsLeft(u32),
    /// The count of the last ten seconds, 1 to 9.
    Count(u32),
    /// "10, time": the flag falls.
    Time,
}

/// A call and when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DueCall {
    /// When.
    pub at: Moment,
    /// Whose time.
    pub side: Side,
    /// What.
    pub call: Call,
}

/// The periods of a turn that are called.
#[derive(Clone, Copy, Debug)]
struct Called {
    /// What the turn takes before the first of them begins.
    begins: Micros,
    /// The length of one, as long as its numbers tell.
    period: Micros,
    /// What is left of the first.
    first: Micros,
    /// How many there are.
    count: u32,
    /// Whether it is called how many are left.
    tells_left: bool,
}

/// The calls that follow from a reading if nothing happens, after a moment, in the order in which they are due.
/// There are none while no clock runs. Of two at one moment the seconds come before the periods left.
pub fn calls_after(
    control: TimeControl,
    reading: &Reading,
    after: Moment,
) -> impl Iterator<Item = DueCall> + use<> {
    let calls = reading.running().map(|turn| {
        let charged = turn.used.plus(after.since(turn.since));
        // What was due before the turn last began to run was called then.
        calls_of(control, reading, turn, charged)
            .filter(move |(offset, _)| *offset > turn.used)
            .map(move |(offset, call)| due(turn, offset, call))
            .skip_while(move |due| due.at <= after)
    });
    calls.into_iter().flatten()
}

/// The next calls after a moment, all of them due at once; none when nothing will be called.
pub fn next_calls(control: TimeControl, reading: &Reading, after: Moment) -> Vec<DueCall> {
    let mut calls = calls_after(control, reading, after).peekable();
    let at = calls.peek().map(|due| due.at);
    calls.take_while(|due| Some(due.at) == at).collect()
}

/// The calls that are due after one moment and up to another.
pub fn calls_between(
    control: TimeControl,
    reading: &Reading,
    after: Moment,
    until: Moment,
) -> impl Iterator<Item = DueCall> + use<> {
    calls_after(control, reading, after).take_while(move |due| due.at <= until)
}

/// The calls of the turn that are to be made again, whether its clock runs or is held: those due from a moment on,
/// or without one the last that was due; up to now, and at most the last [`REPEATED_MAX`].
///
/// A reading does not tell how long a turn rested before its clock last began to run. What was called before that
/// counts as due that much later than it was: so nothing is left out, but something before the moment may be said.
pub fn calls_to_repeat(
    control: TimeControl,
    reading: &Reading,
    from: Option<Moment>,
    now: Moment,
) -> Vec<DueCall> {
    let Some(turn) = reading.turn else {
        return Vec::new();
    };
    let charged = reading.charged(turn, now);
    let made = calls_of(control, reading, turn, Micros::ZERO).take_while(|(offset, _)| *offset <= charged);
    let mut last = VecDeque::new();
    for (offset, call) in made {
        last.push_back(due(turn, offset, call));
        if last.len() > REPEATED_MAX {
            last.pop_front();
        }
    }
    let from = from.or(last.back().map(|due| due.at));
    last.into_iter().filter(|due| Some(due.at) >= from).collect()
}

/// The calls of a turn from the period on that is in use when it has been charged so much, in order, each by what
/// the turn takes until then.
fn calls_of(
    control: TimeControl,
    reading: &Reading,
    turn: Turn,
    charged: Micros,
) -> impl Iterator<Item = (Micros, Call)> + use<> {
    let called = called(turn.side.control(control), reading.time(turn.side));
    let called = called.filter(|called| called.period > Micros::ZERO);
    called.into_iter().flat_map(move |called| {
        (called.index(charged)..called.count).flat_map(move |index| called.calls(index))
    })
}

/// A call that is due when the turn has been charged so much.
fn due(turn: Turn, offset: Micros, call: Call) -> DueCall {
    let at = turn.since.later(offset.minus(turn.used)).earlier(turn.used.minus(offset));
    DueCall { at, side: turn.side, call }
}

fn called(control: Control, time: SideTime) -> Option<Called> {
    match control {
        Control::ByoYomi { .. } | Control::Reserved { .. } => {
            let period = side_time::period(control);
            let count = time.periods;
            Some(Called { begins: time.main, period, first: period, count, tells_left: true })
        }
        Control::Canadian { period, .. } => Some(Called {
            begins: time.main,
            period: period.into(),
            first: time.of_period,
            count: 1,
            tells_left: false,
        }),
        Control::PerMove { .. } => Some(Called {
            begins: Micros::ZERO,
            period: time.main,
            first: time.main,
            count: 1,
            tells_left: false,
        }),
        _ => None,
    }
}

impl Called {
    /// The period that is in use when the turn has been charged so much; the first before any is.
    fn index(&self, charged: Micros) -> u32 {
        // One earlier than that: its last calls are made at the very moment at which it ends.
        let over = charged.minus(self.begins).0;
        let index = over.checked_div(self.period.0).unwrap_or(0);
        u32::try_from(index).unwrap_or(u32::MAX).saturating_sub(1)
    }

    /// The calls of a period, each by what the turn takes until then.
    fn calls(self, index: u32) -> impl Iterator<Item = (Micros, Call)> {
        let begins = self.begins.plus(self.period.times(index));
        let length = if index == 0 { self.first } else { self.period };
        let last = index + 1 == self.count;
        let enters = index == 0 && self.tells_left && self.begins > Micros::ZERO;
        let entry = enters.then_some((begins, Call::PeriodsLeft(self.count)));
        let spoken = move |before: u64| {
            let seconds = self.period.0.saturating_sub(before * SECOND) / SECOND;
            Call::Seconds(u32::try_from(seconds).unwrap_or(u32::MAX))
        };
        let before: &[u64] = if last { &LAST_SECONDS_BEFORE } else { &SECONDS_BEFORE };
        let seconds = before.iter().map(move |before| (*before, spoken(*before)));
        let counted = (1..COUNTED).map(|number| (COUNTED - number, count(number)));
        let counted = counted.filter(move |_| last);
        let end = (0, if last { Call::Time } else { Call::PeriodsLeft(self.count - index - 1) });
        let in_period = seconds.chain(counted).chain([end]);
        let in_period = in_period.filter(move |(before, _)| before * SECOND < length.0);
        let in_period =
            in_period.map(move |(before, call)| (begins.plus(length.minus(Micros(before * SECOND))), call));
        entry.into_iter().chain(in_period)
    }
}

fn count(number: u64) -> Call {
    Call::Count(u32::try_from(number).unwrap_or(u32::MAX))
}
