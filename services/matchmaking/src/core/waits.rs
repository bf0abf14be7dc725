//! How long it will still take, by what others waited lately.

use std::{collections::VecDeque, time::Duration};

/// How many waits count: enough for a steady median, few enough to follow the time of day.
const REMEMBERED: usize = 50;

/// The waits of the players of one pool who were matched last.
#[derive(Clone, Debug, Default)]
pub struct RecentWaits(VecDeque<Duration>);

impl RecentWaits {
    /// Remembers how long somebody waited until he was matched.
    pub fn add(&mut self, waited: Duration) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(waited);
    }

    /// How long a player who has waited so long will still wait: the median of those who waited longer,
    /// less what is over. `None` when nobody did.
    pub fn remaining(&self, waited: Duration) -> Option<Duration> {
        let mut longer: Vec<Duration> = self.0.iter().copied().filter(|wait| *wait > waited).collect();
        longer.sort_unstable();
        // The upper of the two in the middle: rather promise too little.
        longer.get(longer.len() / 2).map(|median| median.saturating_sub(waited))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_the_last_fifty() {
        let seconds = Duration::from_secs;
        let mut waits = RecentWaits::default();
        assert_eq!(waits.remaining(Duration::ZERO), None);
        waits.add(seconds(4));
        assert_eq!(waits.remaining(seconds(1)), Some(seconds(3)));
        for wait in [10, 20] {
            waits.add(seconds(wait));
        }
        assert_eq!(waits.remaining(Duration::ZERO), Some(seconds(10)));
        // Whoever has waited five seconds is not one of those who wait four.
        assert_eq!(waits.remaining(seconds(5)), Some(seconds(15)));
        assert_eq!(waits.remaining(seconds(20)), None);
        for _ in 0..REMEMBERED {
            waits.add(seconds(2));
        }
        assert_eq!(waits.remaining(Duration::ZERO), Some(seconds(2)));
        assert_eq!(waits.remaining(seconds(3)), None);
    }
}
