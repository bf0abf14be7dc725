use alloc::{borrow::ToOwned, format};

use super::{HalfPoints, Ledger};
use crate::go::{Colour, QuarterZi};

/// The count of a finished game, exact in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// Black's land before compensation and komi.
    pub black: HalfPoints,
    /// White's.
    pub white: HalfPoints,
    /// How many points Black gives for more moves; White gives them if it is negative (article 38).
    pub extra: i32,
    /// How many points Black gives for the first move (article 37).
    pub komi: HalfPoints,
    /// By how much Black has more after both; White wins when it is negative, and nobody when it is zero.
    pub margin: HalfPoints,
}

impl Score {
    /// The score of a board without dead stones.
    pub fn of(ledger: &Ledger, extra: i32, komi: HalfPoints) -> Score {
        let [black, white] = Colour::BOTH.map(|colour| ledger.land(colour));
        Score { black, white, extra, komi, margin: black - white - HalfPoints::whole(extra) - komi }
    }

    /// Who won; `None` if the totals are equal, which is a draw.
    pub const fn winner(&self) -> Option<Colour> {
        match self.margin.0 {
            0 => None,
            1.. => Some(Colour::Black),
            _ => Some(Colour::White),
        }
    }

    /// The score in the forms in which people write it.
    pub fn frame(&self) -> crate::Score {
        written(self.margin)
    }
}

/// A margin, positive for Black, in the forms in which people write it.
pub(super) fn written(margin: HalfPoints) -> crate::Score {
    let (letter, name) = match margin.0 {
        0 => {
            return crate::Score {
                printed: "draw".to_owned(),
                printed_zh: "和棋".to_owned(),
                points: "0".to_owned(),
            };
        }
        1.. => ('B', "黑"),
        _ => ('W', "白"),
    };
    let size = margin.abs();
    let points = format!("{letter}+{size}");
    crate::Score { printed: points.clone(), printed_zh: format!("{name}胜 {size} 点"), points }
}

/// The same from the unit of SGF's numbers.
pub(super) fn written_sgf(margin: QuarterZi) -> crate::Score {
    written(margin.into())
}
