//! Compensation of network lag: what of a turn the network took is not charged, within a quota.
//!
//! Each side has a quota that starts at three gains, grows by a gain with each of its own moves and never
//! exceeds six. A gain is an eighth of the time that the control expects a move to take, from 100 to 500 ms: a
//! steady lag below it is compensated for ever, a single stall up to the whole quota.
//!
//! Why it cannot be farmed. A turn is compensated by no more than it took, so nobody ends it with more time
//! than he began it with. What is not spent does not pile up beyond the quota, and over any n moves together no
//! more than six gains and n more are compensated, whatever a client says. A client may only lower what the
//! platform has measured; a lag that nobody measured counts up to 100 ms. And a flag that has fallen stays
//! fallen: compensation shortens what a turn is charged, it does not lengthen the last one.

use std::time::Duration;

use api::time_control::{Control, EXPECTED_MOVES};

use super::Micros;

/// The most that a client's word counts for when nothing was measured: a good connection round the globe.
pub const UNMEASURED_MAX: Micros = Micros(100_000);
/// The least gain: below it compensation would not be felt.
const GAIN_MIN: Micros = Micros(100_000);
/// The greatest gain: who needs more each move has no connection to play on.
const GAIN_MAX: Micros = Micros(500_000);
/// Gains in the quota at the start.
const GAINS_AT_START: u32 = 3;
/// Gains in the quota at most.
const GAINS_MAX: u32 = 6;
/// A gain is this part of the time that a move is expected to take.
const GAIN_PART: u32 = 8;

/// What is known of the lag of an act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lag {
    /// By the platform's own measurement.
    pub measured: Option<Micros>,
    /// By what the client says.
    pub claimed: Option<Micros>,
}

impl Lag {
    /// The lag that counts: what was measured, or less if the client says so; without a measurement what the
    /// client says, up to [`UNMEASURED_MAX`].
    pub fn counted(self) -> Micros {
        match (self.measured, self.claimed) {
            (Some(measured), claimed) => claimed.map_or(measured, |claimed| claimed.min(measured)),
            (None, claimed) => claimed.unwrap_or_default().min(UNMEASURED_MAX),
        }
    }
}

/// The quota of a side at the start; nothing for controls that nobody loses by a second.
pub fn at_start(control: Control) -> Micros {
    gain(control).times(GAINS_AT_START)
}

/// The most that a quota can be.
pub fn quota_max(control: Control) -> Micros {
    gain(control).times(GAINS_MAX)
}

/// What the quota grows by with each move of the side.
pub fn gain(control: Control) -> Micros {
    if matches!(control, Control::Correspondence { .. } | Control::Unlimited) {
        return Micros::ZERO;
    }
    let expected = control.expected().unwrap_or(Duration::ZERO);
    Micros::from(expected / EXPECTED_MOVES / GAIN_PART).clamp(GAIN_MIN, GAIN_MAX)
}

/// What of a turn that `took` so long is not charged, and the quota after it.
pub fn compensate(control: Control, quota: Micros, lag: Lag, took: Micros) -> (Micros, Micros) {
    let max = quota_max(control);
    let quota = quota.min(max);
    let compensated = lag.counted().min(quota).min(took);
    (compensated, quota.minus(compensated).plus(gain(control)).min(max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> Control {
        text.parse().expect("a control")
    }

    #[test]
    fn gains_follow_the_pace_of_the_control() {
        for (text, gain_ms) in [
            ("30s", 100),
            ("1m", 125),
            ("3m+2s", 500),
            ("10m", 500),
            ("2h", 500),
            ("3d/move", 0),
            ("none", 0),
        ] {
            assert_eq!(gain(control(text)), Micros(gain_ms * 1000), "{text}");
        }
    }

    #[test]
    fn only_what_was_measured_counts_in_full() {
        let lag = |measured: Option<u64>, claimed: Option<u64>| {
            Lag { measured: measured.map(Micros), claimed: claimed.map(Micros) }.counted().0
        };
        assert_eq!(lag(None, None), 0);
        assert_eq!(lag(Some(300_000), None), 300_000);
        assert_eq!(lag(Some(300_000), Some(900_000)), 300_000);
        assert_eq!(lag(Some(300_000), Some(50_000)), 50_000);
        assert_eq!(lag(None, Some(50_000)), 50_000);
        assert_eq!(lag(None, Some(900_000)), 100_000);
    }

    #[test]
    fn a_quota_is_spent_and_refills_slowly() {
        let blitz = control("1m");
        let lag = Lag { measured: Some(Micros(10_000_000)), claimed: None };
        let long = Micros(20_000_000);
        let (first, quota) = compensate(blitz, at_start(blitz), lag, long);
        assert_eq!((first, quota), (Micros(375_000), Micros(125_000)));
        let (second, quota) = compensate(blitz, quota, lag, long);
        assert_eq!((second, quota), (Micros(125_000), Micros(125_000)));
        let idle = (0..100).fold(quota, |quota, _| compensate(blitz, quota, Lag::default(), long).1);
        assert_eq!(idle, quota_max(blitz));
        assert_eq!(compensate(blitz, idle, lag, Micros(7)).0, Micros(7), "no more than the turn took");
    }
}
