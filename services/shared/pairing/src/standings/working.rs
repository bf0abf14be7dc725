//! How a number of a table was worked out, as text.

use crate::{Fraction, Number, fraction_text, whole};

/// A summand: what an opponent adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The opponent; none for a round without one.
    pub opponent: Option<Number>,
    /// His points, or what stands for them.
    pub points: Fraction,
    /// Whether only half of them count (a drawn game).
    pub halved: bool,
}

impl Term {
    pub(crate) fn value(&self) -> Fraction {
        if self.halved { self.points / 2 } else { self.points }
    }

    fn text(&self) -> String {
        let points = fraction_text(&self.points);
        if self.halved { format!("½·{points}") } else { points }
    }
}

/// How a number was worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Working {
    /// It is what was counted.
    Plain,
    /// Art. 28.1.2: P + ΣO ÷ (M/2) − R.
    Total {
        /// P, own points.
        points: u32,
        /// ΣO, the points of the opponents.
        opponents: Fraction,
        /// M, the highest score.
        highest: u32,
        /// R, rounds.
        rounds: u32,
    },
    /// A sum over opponents.
    Sum(Vec<Term>),
    /// Points made in a play-off, and those made against him.
    PlayOff([u32; 2]),
}

impl Working {
    /// One line that ends in the value.
    pub(crate) fn text(&self, value: &Fraction) -> String {
        let value = fraction_text(value);
        match self {
            Working::Plain => value,
            Working::PlayOff([own, against]) => format!("play-off {own}:{against}"),
            Working::Total { points, opponents, highest: 0, rounds } => {
                format!("P {points}, ΣO {}, M 0, R {rounds}: no bonus, {value}", fraction_text(opponents))
            }
            Working::Total { points, opponents, highest, rounds } => {
                let sum = fraction_text(opponents);
                let half = Fraction::new((*highest).into(), 2);
                format!(
                    "P {points}, ΣO {sum}, M {highest}, R {rounds}: {points} + {}/{} − {rounds} = {value}",
                    bracketed(opponents),
                    bracketed(&half),
                )
            }
            Working::Sum(terms) if terms.is_empty() => value,
            Working::Sum(terms) => {
                let terms: Vec<String> = terms.iter().map(Term::text).collect();
                format!("{} = {value}", terms.join(" + "))
            }
        }
    }
}

/// A fraction that may stand beside a stroke.
fn bracketed(fraction: &Fraction) -> String {
    if fraction.is_integer() { fraction_text(fraction) } else { format!("({})", fraction_text(fraction)) }
}

/// A sum and how it came about.
pub(crate) fn sum(terms: Vec<Term>) -> (Fraction, Working) {
    (terms.iter().map(Term::value).fold(whole(0), |a, b| a + b), Working::Sum(terms))
}
