//! Ratings as they are published and carried on: in hundredths of a point.

use std::fmt;

/// A rating, or a difference of ratings, in hundredths of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(pub i32);

impl Points {
    /// The highest rating that there can be: 10,000 points. Nobody real comes near.
    pub const MAX: Points = Points(1_000_000);
    /// The lowest rating that there can be.
    pub const MIN: Points = Points(-1_000_000);

    /// So many whole points.
    pub const fn whole(points: i32) -> Points {
        Points(points.saturating_mul(100))
    }

    /// The whole points next to it, halves away from zero.
    pub const fn rounded(self) -> i32 {
        let half = if self.0 < 0 { -50 } else { 50 };
        self.0.saturating_add(half) / 100
    }

    /// It moved by so many hundredths, within the range.
    #[must_use]
    pub fn moved(self, hundredths: i64) -> Points {
        let moved = i64::from(self.0).saturating_add(hundredths);
        Points(i32::try_from(moved).unwrap_or(i32::MAX)).within()
    }

    /// It, or the end of the range that it is beyond.
    #[must_use]
    pub fn within(self) -> Points {
        self.clamp(Points::MIN, Points::MAX)
    }

    /// Its number for arithmetic that takes fractions.
    pub(crate) fn real(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The hundredths next to a number, halves away from zero, within the range.
    pub(crate) fn near(real: f64) -> Points {
        let hundredths = libm::round(real * 100.0).clamp(f64::from(Points::MIN.0), f64::from(Points::MAX.0));
        Points(to_i32(hundredths))
    }

    /// The points that a text says, with two digits after the point at most: `1500`, `-12.5`, `1613.25`.
    pub fn parse(text: &str) -> Option<Points> {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "00"));
        let is_number = |text: &str, most: usize| {
            (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_number(whole, 5) || !is_number(part, 2) {
            return None;
        }
        let tenfold = if part.len() == 1 { 10 } else { 1 };
        let hundredths = whole.parse::<i32>().ok()? * 100 + part.parse::<i32>().ok()? * tenfold;
        Some(Points(sign * hundredths)).filter(|points| *points == points.within())
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        f.pad(&format!("{sign}{whole}.{part:02}"))
    }
}

/// A number that is whole and within the range already.
#[expect(clippy::cast_possible_truncation, reason = "it is whole and was brought into the range")]
pub(crate) fn to_i32(whole: f64) -> i32 {
    whole as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_as_they_are_written() {
        for (text, hundredths) in
            [("1500", 150_000), ("-12.5", -1250), ("1613.25", 161_325), ("0.07", 7), ("-0.50", -50)]
        {
            assert_eq!(Points::parse(text), Some(Points(hundredths)), "{text}");
            assert_eq!(Points::parse(&Points(hundredths).to_string()), Some(Points(hundredths)), "{text}");
        }
        for bad in ["", "-", "1.", ".5", "1.234", "1e3", "100000", "10000.01", "+1", " 1", "--1", "1,5"] {
            assert_eq!(Points::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let rounded = [149, 150, -149, -150, -50, 49].map(|hundredths| Points(hundredths).rounded());
        assert_eq!(rounded, [1, 2, -1, -2, -1, 0]);
        assert_eq!(Points::MAX.moved(i64::MAX), Points::MAX);
        assert_eq!(Points::MIN.moved(-1), Points::MIN);
    }
}
