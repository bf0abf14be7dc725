//! How probable it is that something is at least so large.

use libm::{exp, lgamma, log};

/// The least probability that is told: smaller ones say no more.
const LEAST: f64 = 1e-300;
/// The part of players with the highest rates that a fit leaves out: they may be those who are looked for.
const TRIMMED: f64 = 0.05;
/// In a small pool rates are thought to be as different as those of Beta(2, 78), as if so many more players had shown it.
const THOUGHT_PLAYERS: usize = 20;
const THOUGHT_SIZE: f64 = 81.0;
/// A player with fewer games says little of how different rates are.
const COUNT_MIN: usize = 20;

/// How often something happens to players of whom each has a rate of his own: the rates are Beta(a, b).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BetaBinomial {
    a: f64,
    b: f64,
}

impl BetaBinomial {
    /// The distribution by what happened to each player: of how many games to how many. By its moments, without those with the
    /// highest rates.
    pub(crate) fn fit(players: impl Iterator<Item = (usize, usize)>) -> BetaBinomial {
        let mut players: Vec<(f64, f64)> = players
            .filter(|(count, _)| *count >= COUNT_MIN)
            .map(|(count, hits)| (number(count), number(hits)))
            .collect();
        players.sort_by(|one, other| (one.1 / one.0).total_cmp(&(other.1 / other.0)));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a length")]
        players.truncate((number(players.len()) * (1.0 - TRIMMED)).floor() as usize);
        let games: f64 = players.iter().map(|(count, _)| count).sum();
        let hits: f64 = players.iter().map(|(_, hits)| hits).sum();
        // One of each is thought beside: a pool in which nothing happened yet is none in which nothing can.
        let mean = (hits + 1.0) / (games + 40.0);
        let of = |(count, hits): &(f64, f64)| {
            let off = hits / count - mean;
            // What chance alone adds to the spread is taken away.
            off * off - mean * (1.0 - mean) / count
        };
        let most = mean * (1.0 - mean);
        let thought = number(THOUGHT_PLAYERS) * most / THOUGHT_SIZE;
        let spread =
            (thought + players.iter().map(of).sum::<f64>()) / number(THOUGHT_PLAYERS + players.len());
        // Never so alike, nor so different, that a rate says everything or nothing.
        let size = (most / spread.max(most / 400.0) - 1.0).max(2.0);
        BetaBinomial { a: mean * size, b: (1.0 - mean) * size }
    }

    /// The rate of somebody to whom it has happened so often.
    pub(crate) fn mean_after(self, count: usize, hits: usize) -> f64 {
        (self.a + number(hits)) / (self.a + self.b + number(count))
    }

    /// How probable it is that it happens to somebody in so many games at least so often.
    pub(crate) fn tail(self, count: usize, hits: usize) -> f64 {
        let beta = |a: f64, b: f64| lgamma(a) + lgamma(b) - lgamma(a + b);
        let of = |hits: usize| {
            let (count, hits) = (number(count), number(hits));
            exp(choose(count, hits) + beta(self.a + hits, self.b + count - hits) - beta(self.a, self.b))
        };
        (hits..=count).map(of).sum::<f64>().clamp(LEAST, 1.0)
    }
}

/// How probable it is that something of a probability happens in so many games at least so often.
pub(crate) fn binomial_tail(count: usize, hits: usize, probability: f64) -> f64 {
    if hits == 0 || probability >= 1.0 {
        return 1.0;
    }
    let (yes, no) = (log(probability.max(LEAST)), log(1.0 - probability));
    let of = |hits: usize| {
        let (count, hits) = (number(count), number(hits));
        exp(choose(count, hits) + hits * yes + (count - hits) * no)
    };
    (hits..=count).map(of).sum::<f64>().clamp(LEAST, 1.0)
}

/// The logarithm of the number of ways to choose.
fn choose(count: f64, hits: f64) -> f64 {
    lgamma(count + 1.0) - lgamma(hits + 1.0) - lgamma(count - hits + 1.0)
}

#[expect(clippy::cast_precision_loss, reason = "there are fewer games than that")]
fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by going through all outcomes, one trial at a time.
    fn by_trials(count: usize, hits: usize, probability: f64) -> f64 {
        let mut have = vec![0.0; count + 1];
        have[0] = 1.0;
        for trial in 0..count {
            for so_far in (0..=trial).rev() {
                let here = have[so_far];
                have[so_far] = here * (1.0 - probability);
                have[so_far + 1] += here * probability;
            }
        }
        have[hits.min(count + 1)..].iter().sum()
    }

    proptest! {
        #[test]
        fn a_binomial_tail_is_the_sum_over_all_outcomes(
            count in 0..40_usize, part in 0.0..=1.0_f64, probability in 0.001..0.999_f64,
        ) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a length")]
            let hits = (number(count) * part) as usize;
            let (ours, theirs) = (binomial_tail(count, hits, probability), by_trials(count, hits, probability));
            prop_assert!((ours - theirs).abs() < 1e-9, "{ours} is not {theirs}");
        }

        #[test]
        fn a_beta_binomial_tail_averages_over_the_rates(count in 0..30_usize, hits in 0..30_usize) {
            prop_assume!(hits <= count);
            let (a, b) = (2.0, 18.0);
            // In steps of a thousandth, each weighed by the density of Beta(2, 18): 342 x (1 - x)^17.
            let steps = (0..1_000_u32).map(|step| (f64::from(step) + 0.5) / 1_000.0);
            let average: f64 = steps.map(|x| 0.342 * x * (1.0 - x).powi(17) * by_trials(count, hits, x)).sum();
            let ours = BetaBinomial { a, b }.tail(count, hits);
            prop_assert!((ours - average).abs() < 1e-4, "{ours} is not {average}");
        }
    }

    #[test]
    fn a_fit_finds_how_different_rates_are() {
        // Rates of 1 and of 5 of a hundred: a mean of 3, a spread of 2.
        let of = |players: &[(usize, usize)]| BetaBinomial::fit(players.iter().copied());
        let (low, high) = ((10_000, 100), (10_000, 500));
        let fit = of(&[[low; 50], [high; 50]].concat());
        let mean = fit.a / (fit.a + fit.b);
        let spread = (mean * (1.0 - mean) / (fit.a + fit.b + 1.0)).sqrt();
        // Without the highest twentieth the mean is a little lower.
        assert!((mean - 0.029).abs() < 0.001 && (spread - 0.02).abs() < 0.001, "{mean} {spread}");
        // Where all are alike a rate of one's own is nearly that of all.
        let alike = of(&[(1_000, 30); 50]);
        assert!((alike.mean_after(100, 20) - 0.06).abs() < 0.01, "{alike:?}");
        let nothing = of(&[]);
        assert!(nothing.a > 0.0 && nothing.b > 0.0 && nothing.tail(10, 0) > 0.999, "{nothing:?}");
    }
}
