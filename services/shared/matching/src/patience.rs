//! What a second of waiting is worth, from how many arrive.

/// The least that a second is worth: where few come nobody waits a minute for a game that is a little more even.
pub const POINTS_MIN: f64 = 5.0;
/// What a second is worth at one arrival a second, were it not for the least, and how that grows: where many come, a near opponent is
/// near in time, too, and nobody needs to wait for him. About 0.17 points an arrival; `tests/bench/pools` shows what comes of it.
const POINTS_AT_ONE: f64 = 0.1;
const GROWTH: f64 = 1.14;
/// The time in which arrivals are forgotten, in seconds: short enough to follow an evening that begins, long enough that a burst
/// is none.
const MEMORY: f64 = 30.0;

/// What a second of waiting is worth where so many arrive in one, in points.
#[must_use]
pub fn points_a_second(arrivals: f64) -> f64 {
    (POINTS_AT_ONE * arrivals.powf(GROWTH)).max(POINTS_MIN)
}

/// How many arrive a second, lately.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arrivals {
    /// Arrivals that are remembered, each the less the longer ago it was.
    weight: f64,
    last: u64,
}

impl Arrivals {
    /// Somebody arrives at a moment, in microseconds.
    pub fn note(&mut self, now: u64) {
        self.weight = self.kept(now) + 1.0;
        self.last = self.last.max(now);
    }

    /// How many arrive a second as of a moment.
    #[must_use]
    pub fn a_second(&self, now: u64) -> f64 {
        self.kept(now) / MEMORY
    }

    fn kept(&self, now: u64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "microseconds of minutes are exact")]
        let passed = now.saturating_sub(self.last) as f64 / 1e6;
        self.weight * (-passed / MEMORY).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_worth_more_where_many_come() {
        assert!(
            [0.0, 0.5, 10.0, 28.0]
                .map(points_a_second)
                .iter()
                .all(|points| (points - POINTS_MIN).abs() < 1e-9)
        );
        let points = [50.0, 200.0, 1_000.0, 5_000.0].map(points_a_second);
        assert!(points.is_sorted() && points[0] > POINTS_MIN);
        for (arrivals, points) in [50.0, 200.0].into_iter().zip(points) {
            assert!((points / (0.17 * arrivals) - 1.0).abs() < 0.3, "{points} at {arrivals} a second");
        }
    }

    #[test]
    fn arrivals_are_counted_and_forgotten() {
        let mut arrivals = Arrivals::default();
        for at in 0..20_000_u64 {
            arrivals.note(at * 10_000);
        }
        let (then, later) = (arrivals.a_second(200_000_000), arrivals.a_second(400_000_000));
        assert!((then - 100.0).abs() < 2.0, "{then}");
        assert!(later < 1.0, "{later}");
        assert!(Arrivals::default().a_second(1).abs() < f64::EPSILON);
    }
}
