//! Throttles in memory.

use std::collections::HashMap;

use async_trait::async_trait;

use super::Memory;
use crate::limits::{self, THROTTLES_MAX};
use crate::throttle::gcra;
use crate::{LiveError, Moment, Quota, Throttle, ThrottleStore};

#[async_trait]
impl ThrottleStore for Memory {
    async fn count(&self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError> {
        limits::name("throttle", key)?;
        quota.check()?;
        self.throttles.lock().count(key, quota, now)
    }

    async fn forgive(&self, key: &str) -> Result<(), LiveError> {
        limits::name("throttle", key)?;
        self.throttles.lock().forgive(key);
        Ok(())
    }
}

/// Number of keys below which looking for ones that are paid off is not worth the while.
const SWEEP_MIN: usize = 1_024;

/// When each key is paid off.
#[derive(Debug)]
pub(super) struct Throttles {
    paid_off: HashMap<String, Moment>,
    /// The number of keys at which those that are paid off are dropped: twice as many as were left last time,
    /// so that the work stays in proportion.
    sweep_at: usize,
}

impl Default for Throttles {
    fn default() -> Self {
        Self { paid_off: HashMap::new(), sweep_at: SWEEP_MIN }
    }
}

impl Throttles {
    fn count(&mut self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError> {
        if let Some(paid_off) = self.paid_off.get_mut(key) {
            let (answer, after) = gcra(*paid_off, quota, now);
            *paid_off = after;
            return Ok(answer);
        }
        if self.paid_off.len() >= self.sweep_at {
            self.paid_off.retain(|_, paid_off| *paid_off > now);
            self.sweep_at = (2 * self.paid_off.len()).clamp(SWEEP_MIN, THROTTLES_MAX);
        }
        if self.paid_off.len() >= THROTTLES_MAX {
            return Err(LiveError::Full { what: "throttles" });
        }
        let (answer, after) = gcra(Moment::MIN, quota, now);
        self.paid_off.insert(key.to_owned(), after);
        Ok(answer)
    }

    fn forgive(&mut self, key: &str) {
        self.paid_off.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn keys_that_are_paid_off_are_dropped() {
        let mut throttles = Throttles::default();
        let quota = Quota::new(1, Duration::from_micros(1));
        for number in 0..100_000 {
            let now = Moment::from_micros(number);
            let answer = throttles.count(&number.to_string(), quota, now).unwrap();
            assert_eq!(answer, Throttle::Allowed { left: 0 });
        }
        assert!(throttles.paid_off.len() <= SWEEP_MIN, "{} keys", throttles.paid_off.len());
    }
}
