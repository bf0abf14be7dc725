//! Numbers as the tables have them.

use rules::{Side, Verdict};
use scrutiny::{Ending, Suspicion};

use crate::core::category::Speed;

/// The number of a speed class.
pub(super) const fn speed(speed: Speed) -> i16 {
    match speed {
        Speed::Blitz => 1,
        Speed::Rapid => 2,
        Speed::Classical => 3,
        Speed::Correspondence => 4,
    }
}

/// The speed class of a number.
pub(super) const fn to_speed(code: i16) -> Option<Speed> {
    match code {
        1 => Some(Speed::Blitz),
        2 => Some(Speed::Rapid),
        3 => Some(Speed::Classical),
        4 => Some(Speed::Correspondence),
        _ => None,
    }
}

/// The number of a side.
pub(super) const fn side(side: Side) -> i16 {
    match side {
        Side::First => 1,
        Side::Second => 2,
    }
}

/// The side of a number.
pub(super) const fn to_side(code: i16) -> Option<Side> {
    match code {
        1 => Some(Side::First),
        2 => Some(Side::Second),
        _ => None,
    }
}

/// The number of what is suspicious.
pub(super) const fn suspicion(suspicion: Suspicion) -> i16 {
    match suspicion {
        Suspicion::Alone => 1,
        Suspicion::Streaks => 2,
        Suspicion::Company => 3,
    }
}

/// What is suspicious by a number.
pub(super) fn to_suspicion(code: i16) -> Option<Suspicion> {
    Suspicion::ALL.into_iter().find(|it| suspicion(*it) == code)
}

/// The number of a verdict.
pub(super) const fn verdict(verdict: Verdict) -> i16 {
    match verdict {
        Verdict::Win(Side::First) => 1,
        Verdict::Win(Side::Second) => 2,
        Verdict::Draw => 3,
        Verdict::BothLose => 4,
        Verdict::Void => 5,
    }
}

/// The verdict of a number.
pub(super) const fn to_verdict(code: i16) -> Option<Verdict> {
    match code {
        1 => Some(Verdict::Win(Side::First)),
        2 => Some(Verdict::Win(Side::Second)),
        3 => Some(Verdict::Draw),
        4 => Some(Verdict::BothLose),
        5 => Some(Verdict::Void),
        _ => None,
    }
}

/// The number of an ending.
pub(super) const fn ending(ending: Ending) -> i16 {
    match ending {
        Ending::Played => 1,
        Ending::Resigned => 2,
        Ending::Left => 3,
    }
}

/// The ending of a number.
pub(super) const fn to_ending(code: i16) -> Option<Ending> {
    match code {
        1 => Some(Ending::Played),
        2 => Some(Ending::Resigned),
        3 => Some(Ending::Left),
        _ => None,
    }
}
