use crate::prelude::*;
use core::fmt;

/// An exact number of quarters of a zi (子), the unit of the count by stones: 1 zi = 4 quarters = 2 points
/// of difference, so one quarter is half a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuarterZi(pub i32);

/// The largest komi a text may give, in zi; the largest board has 625 points, half of them its base.
const KOMI_ZI_MAX: i32 = 400;

impl QuarterZi {
    /// Reads a decimal number of zi with quarters (`2.75`, `-3`), or of points with halves (`5.5pt`).
    pub fn parse(text: &str) -> Option<QuarterZi> {
        match text.strip_suffix("pt") {
            Some(points) => QuarterZi::from_hundredths(hundredths(points)?, 50),
            None => QuarterZi::from_hundredths(hundredths(text)?, 25),
        }
    }

    /// Reads a number of points with halves, of up to six digits: more than any game is won by.
    pub(super) fn parse_margin(points: &str) -> Option<QuarterZi> {
        hundredths(points).filter(|value| value % 50 == 0).map(|value| QuarterZi(value / 50))
    }

    /// Reads the komi of an SGF file, which is in points (`KM[7.5]` is 3 3/4 zi). Chinese files are known to
    /// write zi instead: what has quarters (`2.75`) is zi, and what is 100 or more is hundredths, of zi if
    /// that leaves quarters (`375`) and of points if not (`650`).
    pub fn parse_sgf(text: &str) -> Option<QuarterZi> {
        let given = hundredths(text)?;
        let value = if given % 100 == 0 && given.abs() >= 100 * 100 { given / 100 } else { given };
        QuarterZi::from_hundredths(value, if value % 50 == 0 { 50 } else { 25 })
    }

    /// The same as a decimal number of zi: `2.75`.
    pub fn decimal(self) -> String {
        let fraction = ["", ".25", ".5", ".75"][(self.0.unsigned_abs() % 4) as usize];
        format!("{}{}{fraction}", self.sign(), self.0.unsigned_abs() / 4)
    }

    /// The same as a number of points: `5.5`.
    pub fn points(self) -> String {
        let fraction = if self.0 % 2 == 0 { "" } else { ".5" };
        format!("{}{}{fraction}", self.sign(), self.0.unsigned_abs() / 2)
    }

    /// The number without its sign.
    #[must_use]
    pub const fn abs(self) -> QuarterZi {
        QuarterZi(self.0.abs())
    }

    /// `value` hundredths of a unit of which a quarter zi has `unit` hundredths.
    fn from_hundredths(value: i32, unit: i32) -> Option<QuarterZi> {
        let quarters = QuarterZi(value / unit);
        (value % unit == 0 && quarters.0.abs() <= 4 * KOMI_ZI_MAX).then_some(quarters)
    }

    const fn sign(self) -> &'static str {
        if self.0 < 0 { "-" } else { "" }
    }
}

/// As Chinese score sheets write it: `2 3/4`, `1/4`, `7`.
impl fmt::Display for QuarterZi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, quarters) = (self.0.unsigned_abs() / 4, (self.0.unsigned_abs() % 4) as usize);
        let fraction = ["", "1/4", "1/2", "3/4"][quarters];
        f.write_str(self.sign())?;
        match (whole, quarters) {
            (whole, 0) => write!(f, "{whole}"),
            (0, _) => f.write_str(fraction),
            (whole, _) => write!(f, "{whole} {fraction}"),
        }
    }
}

/// Reads a decimal number with no more than two digits behind the point, trailing zeros aside.
fn hundredths(text: &str) -> Option<i32> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 && !digits.contains('0') {
        return None;
    }
    if whole.len() > 6 || fraction.len() > 2 || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let number = |part: &str| part.bytes().fold(0, |sum, byte| sum * 10 + i32::from(byte - b'0'));
    let scale = if fraction.len() == 1 { 10 } else { 1 };
    let value = number(whole) * 100 + number(fraction) * scale;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::QuarterZi;

    #[test]
    fn komi_is_read_in_zi_or_in_points() {
        let check = |text, quarters: Option<i32>| {
            assert_eq!(QuarterZi::parse(text), quarters.map(QuarterZi), "{text}");
        };
        check("2.75", Some(11));
        check("3.75", Some(15));
        check("3.7500", Some(15));
        check("0", Some(0));
        check("-1.5", Some(-6));
        check("7.5pt", Some(15));
        check("7pt", Some(14));
        check("7.25pt", None);
        check("2.7", None);
        check("2.755", None);
        check("", None);
        check(".", None);
        check("-", None);
        check("1e3", None);
        check("401", None);
        check("99999999999", None);
    }

    #[test]
    fn komi_of_sgf_is_points_unless_it_is_clearly_zi() {
        let check = |text, quarters: Option<i32>| {
            assert_eq!(QuarterZi::parse_sgf(text), quarters.map(QuarterZi), "{text}");
        };
        check("7.500000", Some(15));
        check("6.5", Some(13));
        check("5.50", Some(11));
        check("0", Some(0));
        check("7", Some(14));
        check("2.75", Some(11));
        check("3.75", Some(15));
        check("375", Some(15));
        check("275", Some(11));
        check("650", Some(13));
        check("-7.5", Some(-15));
        check("7.3", None);
    }

    #[test]
    fn every_form_reads_back() {
        for quarters in -1600..=1600 {
            let value = QuarterZi(quarters);
            assert_eq!(QuarterZi::parse(&value.decimal()), Some(value));
            assert_eq!(QuarterZi::parse(&alloc::format!("{}pt", value.points())), Some(value));
            if quarters.abs() < 200 {
                assert_eq!(QuarterZi::parse_sgf(&value.points()), Some(value));
            }
        }
        assert_eq!(QuarterZi(1).to_string(), "1/4");
        assert_eq!(QuarterZi(6).to_string(), "1 1/2");
        assert_eq!(QuarterZi(-8).to_string(), "-2");
    }
}
