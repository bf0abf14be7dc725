//! How long somebody will wait, from how long others did: a median, and what nine of ten do not exceed.
//!
//! Waits go with `1 / √(α λ)`, where `λ` is how many come a second for each point of rating near somebody's and `α` what a
//! second is worth (what follows from the rule by which pairs are made, and what is seen: `examples/table`). So what is
//! remembered of waits is how they compared with that, and an estimate follows at once when more or fewer come. What is
//! promised is held to what became of it, for each tenth of the players by rating on its own: where too many wait longer than
//! they were told, the next are told more (adaptive conformal inference, arXiv 2106.00170).

use std::collections::VecDeque;

/// Arrivals by which ratings are known.
const ARRIVALS: usize = 512;
/// The latest of them, by which it is known how many come a second: few, to follow at once.
const LATEST: usize = 24;
/// Arrivals nearest in rating, by which it is known how many come near somebody.
const NEAREST: usize = 48;
/// Bands of players by rating.
const BANDS: usize = 10;
/// Waits that are remembered of each band.
const WAITS: usize = 160;
/// Waits without which nothing is said.
const WAITS_MIN: usize = 8;
/// Longer ones without which it is not known how much longer somebody waits.
const LONGER_MIN: usize = 4;
/// The parts of players who are to wait at most as long as they are told.
const TARGETS: [f64; 2] = [0.5, 0.9];
/// How far a promise that was kept or broken moves the next.
const STEP: f64 = 0.02;

/// What somebody is told, in microseconds from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Half of all wait at most so long.
    pub p50: u64,
    /// Nine of ten wait at most so long.
    pub p90: u64,
}

/// What somebody was told when he came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promise {
    since: u64,
    /// The wait that is to be expected where he stands, in seconds, but for a factor that is the same for all.
    scale: f32,
    /// In whole milliseconds: a promise is kept for everybody who waits, and should be small.
    told_ms: [u32; 2],
    band: u8,
}

/// What stands for nothing where milliseconds are told: nobody is told that he will wait for seven weeks.
const NOTHING_MS: u32 = u32::MAX;

impl Promise {
    /// What he was told; nothing where too little was known.
    #[must_use]
    pub fn told(&self) -> Option<Estimate> {
        let [p50, p90] = self.told_ms.map(|told| u64::from(told) * 1000);
        (self.told_ms[0] != NOTHING_MS).then_some(Estimate { p50, p90 })
    }

    /// Since when he waits.
    #[must_use]
    pub const fn since(&self) -> u64 {
        self.since
    }
}

/// What is known of the waits of a pool.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// When who came, by the ratings, the latest last.
    arrivals: VecDeque<(u64, i32)>,
    bands: [Band; BANDS],
}

#[derive(Clone, Debug)]
struct Band {
    /// The latest waits, each as a multiple of its scale.
    waits: VecDeque<f32>,
    /// The parts of these waits that are told for each target.
    levels: [f64; 2],
}

impl Default for Forecast {
    fn default() -> Self {
        let band = || Band { waits: VecDeque::new(), levels: TARGETS };
        Forecast { arrivals: VecDeque::new(), bands: std::array::from_fn(|_| band()) }
    }
}

impl Forecast {
    /// Somebody of a rating comes at a moment, in microseconds, where a second of waiting is worth so many points: what he is told.
    pub fn arrives(&mut self, rating: i32, since: u64, points: f64) -> Promise {
        if self.arrivals.len() == ARRIVALS {
            self.arrivals.pop_front();
        }
        // Who waits again since earlier comes now.
        let now = self.arrivals.back().map_or(since, |(latest, _)| since.max(*latest));
        self.arrivals.push_back((now, rating));
        self.promise(rating, since, points)
    }

    /// What somebody would be told who came at a moment.
    #[must_use]
    pub fn promise(&self, rating: i32, since: u64, points: f64) -> Promise {
        let scale = self.scale(rating, since, points);
        let mut promise = Promise { since, scale, told_ms: [NOTHING_MS; 2], band: self.band(rating) };
        if let Some(Estimate { p50, p90 }) = self.estimate(&promise, since) {
            promise.told_ms = [p50, p90].map(whole_ms);
        }
        promise
    }

    /// What somebody is told at a moment who has waited until then; nothing while too little is known.
    #[must_use]
    pub fn estimate(&self, promise: &Promise, now: u64) -> Option<Estimate> {
        let band = &self.bands[usize::from(promise.band)];
        let waits = self.known(band)?;
        let waited = seconds(now.saturating_sub(promise.since)) / promise.scale;
        let shorter = waits.partition_point(|wait| *wait < waited);
        let passed = band.part_of(part(shorter, waits.len()));
        let left = |target: f64| {
            let whole = if waits.len() - shorter < LONGER_MIN {
                // He has waited longer than nearly all: that is what is known.
                waited * (1.0 + longer(target))
            } else {
                quantile(&waits, band.level_of(passed + target * (1.0 - passed)))
            };
            micros((whole - waited) * promise.scale)
        };
        let [p50, p90] = TARGETS.map(left);
        Some(Estimate { p50, p90: p90.max(p50) })
    }

    /// Somebody waits no more at a moment, because he has an opponent.
    pub fn settle(&mut self, promise: &Promise, now: u64) {
        let waited = now.saturating_sub(promise.since);
        let band = &mut self.bands[usize::from(promise.band)];
        if let Some(Estimate { p50, p90 }) = promise.told() {
            for ((level, told), target) in band.levels.iter_mut().zip([p50, p90]).zip(TARGETS) {
                let moved = if waited > told { target } else { target - 1.0 };
                *level += STEP * moved;
            }
            // They stay apart, and in their order.
            band.levels[1] = band.levels[1].clamp(0.02, 0.998);
            band.levels[0] = band.levels[0].clamp(0.01, band.levels[1] - 0.01);
        }
        if band.waits.len() == WAITS {
            band.waits.pop_front();
        }
        band.waits.push_back(seconds(waited) / promise.scale);
    }

    /// The waits by which a band is told, in order: its own where there are enough, or else those of all.
    fn known(&self, band: &Band) -> Option<Vec<f32>> {
        let mut waits: Vec<f32> = if band.waits.len() >= WAITS_MIN {
            band.waits.iter().copied().collect()
        } else {
            self.bands.iter().flat_map(|band| &band.waits).copied().collect()
        };
        waits.sort_unstable_by(f32::total_cmp);
        (waits.len() >= WAITS_MIN).then_some(waits)
    }

    /// The wait that is to be expected, in seconds, but for a factor.
    fn scale(&self, rating: i32, now: u64, points: f64) -> f32 {
        if self.arrivals.is_empty() {
            return 1.0;
        }
        let latest = self.arrivals.iter().rev().take(LATEST);
        let (count, first) = latest.fold((0.0, now), |(count, _), (at, _)| (count + 1.0, *at));
        let a_second = count / f64::from(seconds(now.saturating_sub(first))).max(1e-3);
        let mut gaps: Vec<u32> = self.arrivals.iter().map(|(_, other)| other.abs_diff(rating)).collect();
        let nearest = NEAREST.min(gaps.len()) - 1;
        let (_, reach, _) = gaps.select_nth_unstable(nearest);
        let near = part(nearest + 1, self.arrivals.len()) / (2.0 * f64::from((*reach).max(1)));
        #[expect(clippy::cast_possible_truncation, reason = "some digits are enough")]
        let scale = (1.0 / (points * a_second * near).sqrt()) as f32;
        scale.clamp(1e-4, 1e6)
    }

    /// The tenth in which a rating is.
    fn band(&self, rating: i32) -> u8 {
        let lower = self.arrivals.iter().filter(|(_, other)| *other < rating).count();
        let alike = self.arrivals.iter().filter(|(_, other)| *other == rating).count();
        let tenth = (2 * lower + alike) * BANDS / (2 * self.arrivals.len().max(1));
        u8::try_from(tenth.min(BANDS - 1)).unwrap_or_default()
    }
}

impl Band {
    /// The part of all who wait at most as long as a part of those whose waits are remembered: by what became of promises.
    fn part_of(&self, level: f64) -> f64 {
        along([(0.0, 0.0), (self.levels[0], TARGETS[0]), (self.levels[1], TARGETS[1]), (1.0, 1.0)], level)
    }

    /// The other way round.
    fn level_of(&self, part: f64) -> f64 {
        along([(0.0, 0.0), (TARGETS[0], self.levels[0]), (TARGETS[1], self.levels[1]), (1.0, 1.0)], part)
    }
}

/// The value at a place on straight lines between points.
fn along(points: [(f64, f64); 4], place: f64) -> f64 {
    let line = points.windows(2).find(|line| place <= line[1].0);
    line.map_or(1.0, |line| {
        let ((from, low), (until, high)) = (line[0], line[1]);
        low + (high - low) * ((place - from) / (until - from)).clamp(0.0, 1.0)
    })
}

/// How much longer than until now somebody still waits who has waited longer than all, as a part of that.
fn longer(target: f64) -> f32 {
    if target > 0.5 { 2.5 } else { 0.5 }
}

#[expect(clippy::cast_precision_loss, reason = "some hundred")]
fn part(of: usize, all: usize) -> f64 {
    of as f64 / all as f64
}

/// The value below which so large a part of sorted values lies; beyond the largest it goes on growing.
fn quantile(sorted: &[f32], level: f64) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "some hundred")]
    let place = level * (sorted.len() + 1) as f64 - 1.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is an index")]
    let (below, rest) = (place.max(0.0) as usize, place.max(0.0).fract() as f32);
    let last = sorted.len() - 1;
    match (sorted.get(below), sorted.get(below + 1)) {
        (Some(low), Some(high)) => low + (high - low) * rest,
        _ => sorted[last] * (1.0 + rest),
    }
}

/// Microseconds in milliseconds, rounded up.
fn whole_ms(micros: u64) -> u32 {
    u32::try_from(micros.div_ceil(1000)).unwrap_or(NOTHING_MS).min(NOTHING_MS - 1)
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds are enough")]
fn seconds(micros: u64) -> f32 {
    micros as f32 / 1e6
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped")]
fn micros(seconds: f32) -> u64 {
    (f64::from(seconds).clamp(0.0, 1e9) * 1e6) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECOND: u64 = 1_000_000;

    /// So many come a second, all of one rating, and each waits so long; what the next is told.
    fn after(comes: u64, gap_s: u64, wait_s: u64) -> Option<Estimate> {
        let mut forecast = Forecast::default();
        for number in 0..comes {
            let since = number * gap_s * SECOND;
            let promise = forecast.arrives(1500, since, 5.0);
            forecast.settle(&promise, since + wait_s * SECOND);
        }
        forecast.promise(1500, comes * gap_s * SECOND, 5.0).told()
    }

    #[test]
    fn nothing_is_said_while_too_little_is_known() {
        assert_eq!(after(0, 5, 5), None);
        assert_eq!(after(WAITS_MIN as u64 - 1, 5, 5), None);
        assert!(after(WAITS_MIN as u64, 5, 5).is_some());
    }

    #[test]
    fn what_is_told_is_what_others_waited() {
        let told = after(200, 5, 7).expect("much is known");
        let [p50, p90] = [told.p50, told.p90].map(|micros| micros / SECOND);
        assert!((6..=8).contains(&p50) && (6..=10).contains(&p90), "{told:?}");
    }

    #[test]
    fn an_estimate_follows_at_once_when_fewer_come() {
        let mut forecast = Forecast::default();
        for number in 0..400 {
            let promise = forecast.arrives(1500, number * SECOND, 5.0);
            forecast.settle(&promise, number * SECOND + 4 * SECOND);
        }
        let busy = forecast.promise(1500, 400 * SECOND, 5.0).told().expect("much is known");
        let idle = forecast.promise(1500, 2_400 * SECOND, 5.0).told().expect("much is known");
        assert!(idle.p50 > 5 * busy.p50, "{idle:?} where nobody came for half an hour, before {busy:?}");
    }

    #[test]
    fn who_is_far_from_all_others_is_told_more() {
        let mut forecast = Forecast::default();
        for number in 0..400_u64 {
            let rating = 1500 + i32::try_from(number * 37 % 200).expect("small");
            let promise = forecast.arrives(rating, number * SECOND, 5.0);
            forecast.settle(&promise, number * SECOND + 4 * SECOND);
        }
        let of = |rating| forecast.promise(rating, 400 * SECOND, 5.0).told().expect("much is known");
        assert!(of(2300).p50 > 2 * of(1600).p50, "{:?} and {:?}", of(2300), of(1600));
    }

    proptest! {
        /// Whatever comes and goes, no estimate is out of order, and none comes to nothing by a number that is none.
        #[test]
        fn estimates_are_in_order(
            steps in prop::collection::vec((0..60_000_000_u64, 0..4_000_i32, 0..600_000_000_u64, any::<bool>()), 0..200),
            later in 0..3_600_000_000_u64,
        ) {
            let (mut forecast, mut now) = (Forecast::default(), 0);
            for (pause, rating, wait, stays) in steps {
                now += pause;
                let promise = forecast.arrives(rating, now, 5.0);
                if !stays {
                    forecast.settle(&promise, now + wait);
                }
                if let Some(Estimate { p50, p90 }) = forecast.estimate(&promise, now + later) {
                    prop_assert!(p50 <= p90 && p90 < 1_000_000_000_000_000, "{p50} {p90}");
                }
            }
        }
    }
}
