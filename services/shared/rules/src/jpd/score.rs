use super::{HalfPoints, Ledger};
use crate::{
    goban::{self, Colour, QuarterZi, score::margin_text},
    prelude::*,
};

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
}

impl goban::Score for Score {
    fn winner(&self) -> Option<Colour> {
        Colour::ahead(self.margin.0)
    }

    fn frame(&self) -> crate::Score {
        written(self.margin)
    }
}

/// A margin, positive for Black, in the forms in which people write it.
pub(super) fn written(margin: HalfPoints) -> crate::Score {
    let size = margin.abs().to_string();
    margin_text(Colour::ahead(margin.0), &size, "", "点", &size)
}

/// The same from the unit of SGF's numbers.
pub(super) fn written_sgf(margin: QuarterZi) -> crate::Score {
    written(margin.into())
}
