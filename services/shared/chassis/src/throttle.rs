//! Complaints that would come thousands of times a second while something is down.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// How often the same complaint is made.
const PERIOD: Duration = Duration::from_secs(10);

/// Admits a complaint now and then, and counts those in between.
#[derive(Debug)]
pub struct Throttle(Mutex<Option<(Instant, u64)>>);

impl Throttle {
    /// One that admits the next complaint.
    #[expect(clippy::new_without_default, reason = "it stands in a static, beside what complains")]
    pub const fn new() -> Self {
        Throttle(Mutex::new(None))
    }

    /// Whether to complain now: then how many complaints were held back since the last one.
    pub fn admit(&self) -> Option<u64> {
        let mut last = self.0.lock();
        let now = Instant::now();
        match &mut *last {
            // A time before the last one is that of another runtime, in a test.
            Some((since, held_back)) if *since <= now && now - *since < PERIOD => {
                *held_back += 1;
                None
            }
            _ => Some(last.replace((now, 0)).map_or(0, |(_, held_back)| held_back)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Throttle;

    #[tokio::test(start_paused = true)]
    async fn a_complaint_is_made_once_a_period_and_says_how_many_were_not() {
        let throttle = Throttle::new();
        assert_eq!(throttle.admit(), Some(0));
        let admitted = (0..5000).filter(|_| throttle.admit().is_some()).count();
        assert_eq!(admitted, 0);
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(throttle.admit(), Some(5000));
        assert_eq!(throttle.admit(), None);
    }
}
