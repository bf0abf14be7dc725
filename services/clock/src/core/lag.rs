//! Compensation of network lag: what of a turn the network took is not charged, within a quota.
//!
//! Each side has a quota that starts at three gains and never exceeds six. A gain is an eighth of the time that the
//! control expects a move to take, from 100 to 500 ms: a single stall is compensated up to the whole quota. With
//! each of its own moves the quota grows by a gain, but by no more than a good connection takes there and back
//! half-way round the globe ([`REFILL_MAX`]): a steady lag up to it is compensated for ever.
//!
//! Why it cannot be farmed. A turn is compensated by no more than it took, so nobody ends it with more time
//! than he began it with. What is not spent does not pile up beyond the quota, and over any n moves together no
//! more than six gains and n refills are compensated, whatever a client says. Who answers the platform's probes late
//! draws his quota once and has the refill of a steady lag then; and as the least of the last measurements counts,
//! a late answer among prompt ones brings nothing. A client may only lower what the platform has measured; a lag that
//! nobody measured counts up to 100 ms. And a flag that has fallen stays fallen: compensation shortens what a turn is
//! charged, it does not lengthen the last one.

use std::time::Duration;

use api::time_control::{Control, EXPECTED_MOVES};
use chassis::limit::{Amount, Limit};

use super::Micros;

/// The most that a client's word counts for when nothing was measured: a good connection round the globe.
pub const UNMEASURED_MAX: Micros = Micros(100_000);
/// The least gain: below it compensation would not be felt.
const GAIN_MIN: Micros = Micros(100_000);
/// The greatest gain: who needs more each move has no connection to play on.
const GAIN_MAX: Micros = Micros(500_000);
/// The most that the quota grows by with a move: there and back half-way round the globe, on a good connection.
pub(super) const REFILL_MAX: Micros = Micros(200_000);
/// Gains in the quota at the start.
const GAINS_AT_START: u32 = 3;
/// Gains in the quota at most.
const GAINS_MAX: u32 = 6;
/// A gain is this part of the time that a move is expected to take.
const GAIN_PART: u32 = 8;

/// The limits of what is given back for lag.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "lag that counts on a client's word, when none was measured",
        amount: span(UNMEASURED_MAX),
        setting: None,
        reason: "a good connection round the globe",
    },
    Limit {
        name: "lag that is compensated with every move for ever",
        amount: span(REFILL_MAX),
        setting: None,
        reason: "there and back half-way round the globe; who delays his answers to probes has no more of it",
    },
    Limit {
        name: "lag that is compensated at once",
        amount: span(GAIN_MAX.times(GAINS_MAX)),
        setting: None,
        reason: "a stall of a mobile network; in a game of short moves it is less, six eighths of the time for one",
    },
];

const fn span(time: Micros) -> Amount {
    Amount::Time(Duration::from_micros(time.0))
}

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
pub(super) fn at_start(control: Control) -> Micros {
    gain(control).times(GAINS_AT_START)
}

/// The most that a quota can be.
pub fn quota_max(control: Control) -> Micros {
    gain(control).times(GAINS_MAX)
}

/// What the quota grows by with each move of the side.
pub(super) fn refill(control: Control) -> Micros {
    gain(control).min(REFILL_MAX)
}

/// What quotas are measured in.
pub fn gain(control: Control) -> Micros {
    if matches!(control, Control::Correspondence { .. } | Control::Unlimited) {
        return Micros::ZERO;
    }
    let expected = control.expected().unwrap_or(Duration::ZERO);
    Micros::from(expected / EXPECTED_MOVES / GAIN_PART).clamp(GAIN_MIN, GAIN_MAX)
}

/// What of a turn that `took` so long is not charged, and the quota after it.
pub(super) fn compensate(control: Control, quota: Micros, lag: Lag, took: Micros) -> (Micros, Micros) {
    let max = quota_max(control);
    let quota = quota.min(max);
    let compensated = lag.counted().min(quota).min(took);
    (compensated, quota.minus(compensated).plus(refill(control)).min(max))
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

    #[test]
    fn a_steady_lag_is_covered_for_ever_and_delayed_answers_are_paid_for_once() {
        const MOVES: u64 = 300;
        let game = |control: Control, lag: u64| {
            let lag = Lag { measured: Some(Micros(lag)), claimed: None };
            let mut quota = at_start(control);
            let mut spared = 0;
            for _ in 0..MOVES {
                let (compensated, left) = compensate(control, quota, lag, Micros(20_000_000));
                (spared, quota) = (spared + compensated.0, left);
            }
            spared
        };
        for text in ["3m+2s", "10m", "2h"] {
            let control = control(text);
            assert_eq!(game(control, 200_000), MOVES * 200_000, "{text}: a steady lag is covered");
            let delayed = game(control, 10_000_000);
            assert!(
                delayed <= quota_max(control).0 + MOVES * 200_000,
                "{text}: {delayed} of delays were paid"
            );
        }
    }
}
