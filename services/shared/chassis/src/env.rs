//! Time and chance, passed in, so that a test can decide both.

use std::{fmt, sync::Arc, time::Duration};

use parking_lot::Mutex;
use rand::{Rng as _, SeedableRng as _, rngs::StdRng, rngs::SysRng};
use time::OffsetDateTime;
use tokio::time::Instant;
use uuid::Uuid;

/// Where a service gets the time, its ids and its randomness from.
#[derive(Clone)]
pub struct Env {
    time: TimeSource,
    rng: Arc<Mutex<StdRng>>,
}

/// The hands of a mock time.
#[derive(Clone, Debug)]
pub struct MockClock(Arc<Mutex<OffsetDateTime>>);

#[derive(Clone)]
enum TimeSource {
    System,
    Mock(MockClock),
    /// That much after `start` as tokio's time is after `zero`.
    Virtual {
        start: OffsetDateTime,
        zero: Instant,
    },
}

impl Env {
    /// The real time and the operating system's randomness.
    ///
    /// # Panics
    /// If the operating system has no randomness to give.
    pub fn system() -> Self {
        let rng = StdRng::try_from_rng(&mut SysRng).expect("the operating system gives randomness");
        Env { time: TimeSource::System, rng: Arc::new(Mutex::new(rng)) }
    }

    /// A time that stands still until it is moved, and randomness that repeats.
    pub fn mock(start: OffsetDateTime, seed: u64) -> (Self, MockClock) {
        let time = MockClock(Arc::new(Mutex::new(start)));
        let rng = Arc::new(Mutex::new(StdRng::seed_from_u64(seed)));
        (Env { time: TimeSource::Mock(time.clone()), rng }, time)
    }

    /// A time that is `start` now and goes on as tokio's time does, and randomness that repeats. On a runtime
    /// with paused time both jump to the next timer together, and hours pass in no time.
    pub fn simulated(start: OffsetDateTime, seed: u64) -> Self {
        let time = TimeSource::Virtual { start, zero: Instant::now() };
        Env { time, rng: Arc::new(Mutex::new(StdRng::seed_from_u64(seed))) }
    }

    /// The time now, in UTC and whole microseconds (PostgreSQL stores no more).
    pub fn now(&self) -> OffsetDateTime {
        let now = match &self.time {
            TimeSource::System => system_now(),
            TimeSource::Mock(time) => *time.0.lock(),
            TimeSource::Virtual { start, zero } => *start + zero.elapsed(),
        };
        now.replace_nanosecond(now.nanosecond() / 1000 * 1000)
            .expect("a smaller number of nanoseconds is still one of a second")
    }

    /// Whether time is that of a simulation, in which everything that happens follows from a seed.
    pub const fn is_simulated(&self) -> bool {
        matches!(self.time, TimeSource::Virtual { .. })
    }

    /// A new id: a UUIDv7, so that ids sort by time.
    pub fn uuid(&self) -> Uuid {
        let millis = u64::try_from(self.now().unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes::<10>()).into_uuid()
    }

    /// Random bytes, fit for secrets.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.with_rng(|rng| rng.fill_bytes(&mut bytes));
        bytes
    }

    /// Lends the generator, which is fit for secrets.
    pub fn with_rng<T>(&self, body: impl FnOnce(&mut StdRng) -> T) -> T {
        body(&mut self.rng.lock())
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Env").finish_non_exhaustive()
    }
}

impl MockClock {
    /// Moves the time on.
    pub fn advance(&self, by: Duration) {
        *self.0.lock() += by;
    }

    /// Sets the time.
    pub fn set(&self, now: OffsetDateTime) {
        *self.0.lock() = now;
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place where the real time is read")]
fn system_now() -> OffsetDateTime {
    OffsetDateTime::now_utc()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mock_time_moves_only_when_told_and_ids_sort_by_it() {
        let (env, time) = Env::mock(OffsetDateTime::UNIX_EPOCH + Duration::from_hours(1), 7);
        let (before, first) = (env.now(), env.uuid());
        assert_eq!(env.now(), before);
        time.advance(Duration::from_millis(2));
        assert!(env.uuid() > first);
        assert_eq!(env.now() - before, Duration::from_millis(2));
    }

    #[tokio::test(start_paused = true)]
    async fn simulated_time_is_that_of_tokio() {
        let env = Env::simulated(OffsetDateTime::UNIX_EPOCH, 7);
        tokio::time::sleep(Duration::from_hours(5)).await;
        assert_eq!(env.now(), OffsetDateTime::UNIX_EPOCH + Duration::from_hours(5));
    }
}
