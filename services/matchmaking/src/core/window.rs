//! How far apart two ratings may be, by how long a player has waited.

use std::time::Duration;

/// The narrowest limit a player may set. A narrower one would seldom find anybody.
pub const DIFFERENCE_MIN: u32 = 25;
/// The widest limit a player may set.
pub const DIFFERENCE_MAX: u32 = 3000;
/// What stands for "no limit of his own".
pub const NO_LIMIT: u32 = u32::MAX;

/// How wide the window is after how many milliseconds; straight lines lie in between.
///
/// 100 points is a game that the stronger player wins 64 times in 100: a good game, so nobody waits for a
/// better one. 500 after half a minute is 95 in 100. After a minute any game is better than none: no two
/// ratings are 4000 points apart.
const STEPS: [(u64, u32); 4] = [(0, 100), (10_000, 200), (30_000, 500), (60_000, 4000)];

/// What a player accepts: everything that his waiting has opened, within his own limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// His own limit in rating points, or [`NO_LIMIT`].
    pub limit: u32,
}

impl Window {
    /// The rating difference accepted after waiting so long, in points. It never shrinks as the wait grows.
    pub fn after(self, waited: Duration) -> u32 {
        opened(waited).min(self.limit)
    }
}

fn opened(waited: Duration) -> u32 {
    let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
    for step in STEPS.windows(2) {
        let ((from_ms, from), (until_ms, until)) = (step[0], step[1]);
        if waited_ms < until_ms {
            let grown = u64::from(until - from) * (waited_ms - from_ms) / (until_ms - from_ms);
            return from + u32::try_from(grown).expect("it grows by less than the whole step");
        }
    }
    STEPS[STEPS.len() - 1].1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_window_opens_as_documented() {
        let after = |seconds| Window { limit: NO_LIMIT }.after(Duration::from_secs(seconds));
        assert_eq!([0, 5, 10, 20, 30, 45, 60, 3600].map(after), [100, 150, 200, 350, 500, 2250, 4000, 4000]);
        assert_eq!(Window { limit: 25 }.after(Duration::from_hours(1)), 25);
        assert_eq!(Window { limit: 300 }.after(Duration::from_secs(5)), 150);
    }

    proptest! {
        #[test]
        fn a_window_never_shrinks(limit in any::<u32>(), waited in any::<u64>(), more in any::<u32>()) {
            let window = Window { limit };
            let (waited, more) = (Duration::from_millis(waited), Duration::from_millis(more.into()));
            prop_assert!(window.after(waited) <= window.after(waited + more));
            prop_assert!(window.after(waited) <= limit);
        }
    }
}
