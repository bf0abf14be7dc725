//! Glicko-2 with rating periods that may be fractions.
//!
//! The source is Mark E. Glickman, *Example of the Glicko-2 system* (2022-03-22 edition), called "the paper"
//! here; steps are its steps. What differs is said where it does: time is continuous (see [`Periods`]), and
//! every value is kept inside a range so that no arithmetic leaves the finite numbers.
//!
//! Of the arithmetic, + - * / and roots are exact to the last bit by IEEE 754; exponentials and logarithms are those of
//! the crate `libm`, which is software alone. So every machine comes to the same bits.
//!
//! It is not the book of who played whom.

use std::{f64::consts::PI, ops::RangeInclusive, time::Duration};

/// Glicko points to one unit of the Glicko-2 scale (step 2).
pub const SCALE: f64 = 173.7178;
/// The rating in the middle of the scale (step 2).
const CENTRE: f64 = 1500.0;
/// How freely the volatility moves; the paper recommends 0.3 to 1.2 (step 1).
pub const TAU: f64 = 0.5;
/// How exactly the volatility is found, as the logarithm of its square (step 5.1; the paper is content with
/// 0.000001).
const TOLERANCE: f64 = 1e-10;
/// The most steps of the search for the volatility. It takes one or two; the bound is there so that it ends
/// whatever comes.
const STEPS_MAX: u32 = 64;

/// Ratings that can occur. Nobody real is outside; inside, an expected score is never 0 or 1 to the last bit.
pub const RATING_RANGE: RangeInclusive<f64> = 100.0..=4000.0;
/// Deviations that an update leaves: below 45 a rating would hardly move any more, and 350 knows nothing.
pub const DEVIATION_RANGE: RangeInclusive<f64> = 45.0..=350.0;
/// Volatilities that an update leaves, around the 0.06 that everybody starts with.
pub const VOLATILITY_RANGE: RangeInclusive<f64> = 0.01..=0.1;
/// By how much a player may be stronger in a game than his rating: more counts as this much, for the same reason.
pub const AHEAD_RANGE: RangeInclusive<f64> = -2000.0..=2000.0;
/// Above this deviation a rating is provisional: not ranked.
pub const PROVISIONAL_ABOVE: f64 = 110.0;
/// The length of a rating period: 4 days 16 hours.
///
/// Chosen as Glickman chooses his constant c (*The Glicko system*, step 1): by how long a settled player must
/// be away until the rating is uncertain again. From a deviation of 60 to the provisional 110 in a year, at
/// the initial volatility 0.06: (110² − 60²) / 173.7178² / 0.06² = 78.24 periods, and 365 days / 78.24 =
/// 4.665 days.
pub const PERIOD: Duration = Duration::from_hours(4 * 24 + 16);

/// How strong a player is: a rating, how uncertain it is, and how erratic the player is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    value: f64,
    deviation: f64,
    volatility: f64,
}

/// What a game counts for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// 1.
    Win,
    /// ½.
    Draw,
    /// 0.
    Loss,
}

/// A game of a rating period: against whom, and what it counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The opponent as of the game.
    pub opponent: Rating,
    /// What the game counted for the player.
    pub score: Score,
    /// By how much the player was stronger in it than his rating, in points, such as by a handicap; within [`AHEAD_RANGE`].
    pub ahead: f64,
}

/// A time in rating periods of [`PERIOD`]: finite, not negative, not necessarily whole.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Periods(f64);

impl Rating {
    /// The rating of a player who has not played: 1500, deviation 350, volatility 0.06 (step 1).
    pub const INITIAL: Rating = Rating { value: CENTRE, deviation: 350.0, volatility: 0.06 };

    /// A rating from its parts; `None` unless the value is in [`RATING_RANGE`], the deviation above 0 and at
    /// most 350, and the volatility in [`VOLATILITY_RANGE`]. So NaN and infinity are refused here and occur
    /// nowhere.
    pub fn new(value: f64, deviation: f64, volatility: f64) -> Option<Rating> {
        let fits = RATING_RANGE.contains(&value)
            && deviation > 0.0
            && deviation <= *DEVIATION_RANGE.end()
            && VOLATILITY_RANGE.contains(&volatility);
        fits.then_some(Rating { value, deviation, volatility })
    }

    /// The rating itself, in Glicko points; in [`RATING_RANGE`].
    pub const fn value(self) -> f64 {
        self.value
    }

    /// The deviation when it last changed, in Glicko points; in [`DEVIATION_RANGE`] after any game.
    pub const fn deviation(self) -> f64 {
        self.deviation
    }

    /// The volatility; in [`VOLATILITY_RANGE`].
    pub const fn volatility(self) -> f64 {
        self.volatility
    }

    /// Whether it is too uncertain to be ranked.
    pub fn is_provisional(self) -> bool {
        self.deviation > PROVISIONAL_ABOVE
    }

    /// The same player after a time without games: only the deviation grows, by the volatility's square a
    /// period (the paper's last paragraph of step 6), to 350 at most.
    #[must_use]
    pub fn idle(self, elapsed: Periods) -> Rating {
        let grown = square(self.deviation) + elapsed.0 * square(self.volatility * SCALE);
        Rating { deviation: grown.sqrt().min(*DEVIATION_RANGE.end()), ..self }
    }

    /// How long it takes without games until the rating is provisional; `None` when it is already.
    pub fn ranked_for(self) -> Option<Duration> {
        let room = square(PROVISIONAL_ABOVE) - square(self.deviation);
        let periods = room / square(self.volatility * SCALE);
        (room >= 0.0).then(|| PERIOD.mul_f64(periods))
    }

    /// The rating after a stretch of time with these games at its end (steps 2 to 8).
    ///
    /// With `elapsed` = 1 this is the paper's rating period. A longer stretch is idle time followed by one
    /// period; in a shorter one the deviation grows by that fraction of a period's growth. Without games it
    /// is [`Rating::idle`].
    #[must_use]
    pub fn update(self, games: &[Played], elapsed: Periods) -> Rating {
        if games.is_empty() {
            return self.idle(elapsed);
        }
        let last = elapsed.0.min(1.0);
        let before = self.idle(Periods(elapsed.0 - last));
        let phi2 = square(before.deviation / SCALE);
        let Evidence { information, surprise } = before.weigh(games);
        let v = information.recip();
        let volatility = find_volatility(self.volatility, square(v * surprise), phi2, v);

        let phi2 = phi2 + last * square(volatility);
        let phi2 = (phi2.recip() + information).recip();
        Rating {
            value: within(&RATING_RANGE, self.value + SCALE * phi2 * surprise),
            deviation: within(&DEVIATION_RANGE, SCALE * phi2.sqrt()),
            volatility: within(&VOLATILITY_RANGE, volatility),
        }
    }

    /// Steps 3 and 4: what the games tell about the player.
    fn weigh(self, games: &[Played]) -> Evidence {
        let mut evidence = Evidence { information: 0.0, surprise: 0.0 };
        for game in games {
            let ahead = within(&AHEAD_RANGE, game.ahead);
            let phi = game.opponent.deviation / SCALE;
            let g = (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt().recip();
            let expected = (1.0 + libm::exp(g * (game.opponent.value - self.value - ahead) / SCALE)).recip();
            evidence.information += g * g * expected * (1.0 - expected);
            evidence.surprise += g * (game.score.points() - expected);
        }
        evidence
    }
}

impl Score {
    /// The points: 1, ½ or 0.
    pub const fn points(self) -> f64 {
        match self {
            Score::Win => 1.0,
            Score::Draw => 0.5,
            Score::Loss => 0.0,
        }
    }
}

impl Periods {
    /// No time.
    pub const ZERO: Periods = Periods(0.0);

    /// A span of time in rating periods.
    pub fn of(span: Duration) -> Periods {
        Periods(span.as_secs_f64() / PERIOD.as_secs_f64())
    }

    /// A whole number of rating periods.
    pub fn whole(periods: u32) -> Periods {
        Periods(f64::from(periods))
    }

    /// So many parts of a rating period of `whole` parts, such as days; a period of none is one of one.
    pub fn parts(parts: u32, whole: u32) -> Periods {
        Periods(f64::from(parts) / f64::from(whole.max(1)))
    }

    /// What is left of a longer time than one period before its last period begins.
    #[must_use]
    pub fn before_last(self) -> Periods {
        Periods((self.0 - 1.0).max(0.0))
    }
}

/// One game between two players: both ratings after it, each from the other's rating as of the game.
///
/// Each player comes with the time since its rating last changed and with what the game counted for it. The first was
/// stronger by `advantage` points than its rating.
pub fn play(
    first: (Rating, Periods, Score),
    second: (Rating, Periods, Score),
    advantage: f64,
) -> (Rating, Rating) {
    let after = |me: (Rating, Periods, Score), other: (Rating, Periods, Score), ahead: f64| {
        me.0.update(&[Played { opponent: other.0.idle(other.1), score: me.2, ahead }], me.1)
    };
    (after(first, second, advantage), after(second, first, -advantage))
}

/// How much of the difference of two ratings counts, of which both are uncertain: `g` of step 3, by both deviations.
pub fn certainty(first: Rating, second: Rating) -> f64 {
    let spread = square(first.deviation / SCALE) + square(second.deviation / SCALE);
    (1.0 + 3.0 * spread / (PI * PI)).sqrt().recip()
}

/// What the first is expected to score against the second, if he is stronger by so many points than his rating.
pub fn expected(first: Rating, second: Rating, advantage: f64) -> f64 {
    let ahead = first.value - second.value + within(&AHEAD_RANGE, advantage);
    (1.0 + libm::exp(-certainty(first, second) * ahead / SCALE)).recip()
}

/// What games tell about a player, on the Glicko-2 scale.
struct Evidence {
    /// 1 / v of step 3: how much they tell.
    information: f64,
    /// Δ / v of step 4: how far the results are from what was expected.
    surprise: f64,
}

/// Step 5: the new volatility, by the Illinois variant of regula falsi.
///
/// With spread C = φ² + v, excess D = Δ² − C and square e = eˣ, the paper's f(x) is h − (x − a)/τ² where
/// h = e(D − e) / 2(C + e)². The bracket is tighter than the paper's, so that one or two steps suffice: left
/// of a, h ≥ −e / 2(C + e) ≥ −σ² / 2(C + σ²); right of it, h ≤ De / 2(C + e)² ≤ D / 8C, and h ≤ 0 from ln D
/// on. The sign of f(a) is that of D − σ².
fn find_volatility(sigma: f64, delta2: f64, phi2: f64, v: f64) -> f64 {
    let sigma2 = sigma * sigma;
    let start = libm::log(sigma2);
    let spread = phi2 + v;
    let excess = delta2 - spread;
    let h = |square: f64| square * (excess - square) / (2.0 * (spread + square) * (spread + square));
    let f = |x: f64| h(libm::exp(x)) - (x - start) / (TAU * TAU);
    let (mut old, mut at_old) = (start, h(sigma2));
    let mut new = if excess > sigma2 {
        libm::log(excess).min(start + TAU * TAU * excess / (8.0 * spread))
    } else {
        start - TAU * TAU * sigma2 / (2.0 * (spread + sigma2))
    };
    let mut at_new = f(new);
    for _ in 0..STEPS_MAX {
        // The slope of f is about −1/τ², so this is the distance to the root. It also ends when both meet.
        if at_new.abs() * TAU * TAU <= TOLERANCE {
            break;
        }
        let x = old + (old - new) * at_old / (at_new - at_old);
        let at_x = f(x);
        if at_x * at_new <= 0.0 {
            (old, at_old) = (new, at_new);
        } else {
            at_old /= 2.0;
        }
        (new, at_new) = (x, at_x);
    }
    libm::exp(new / 2.0)
}

/// The square, by one multiplication, which is rounded alike everywhere.
fn square(x: f64) -> f64 {
    x * x
}

/// The value, or the end of the range that it is beyond.
fn within(range: &RangeInclusive<f64>, value: f64) -> f64 {
    value.clamp(*range.start(), *range.end())
}

#[cfg(test)]
mod tests;
