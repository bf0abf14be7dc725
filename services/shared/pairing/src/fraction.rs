//! Exact numbers of the tables: points are integers, averages of them are not.

/// A fraction in lowest terms. Points of an event are small; 128 bits hold every sum and average of them.
pub type Fraction = num_rational::Ratio<i128>;

/// A whole number as a fraction.
pub fn whole(number: impl Into<i128>) -> Fraction {
    Fraction::from_integer(number.into())
}

/// A fraction as it stands in tables: `12`, `79/7`, `-5/7`.
///
/// ```
/// use pairing::{Fraction, fraction_text};
/// assert_eq!(fraction_text(&Fraction::new(158, 14)), "79/7");
/// assert_eq!(fraction_text(&Fraction::new(-24, 2)), "-12");
/// ```
pub fn fraction_text(fraction: &Fraction) -> String {
    match fraction.denom() {
        1 => fraction.numer().to_string(),
        _ => format!("{}/{}", fraction.numer(), fraction.denom()),
    }
}
