use alloc::{borrow::ToOwned, format};

use super::{HalfPoints, Ledger};
use crate::go::{Colour, QuarterZi};

/// The count of a finished game, exact in half points.
///
/// ```
/// use rules::jpd::{HalfPoints, Ledger, Score};
/// // The author's example on 7 lines, articles 40 to 43.
/// let score = Score::of(&Ledger { stones: [19, 20], spaces: [5, 5], shared: 0 }, 0, HalfPoints(0));
/// assert_eq!(score.frame().printed, "W+1");
/// assert_eq!(score.frame().printed_zh, "白胜 1 点");
/// ```
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
    ///
    /// ```
    /// use rules::jpd::{HalfPoints, Ledger, Score};
    /// let ledger = Ledger { stones: [4, 2], spaces: [0, 1], shared: 1 };
    /// // Black has a point more, and pays for one more move and half a point for the first one.
    /// assert_eq!(Score::of(&ledger, 1, HalfPoints(1)).margin, HalfPoints(-1));
    /// ```
    pub fn of(ledger: &Ledger, extra: i32, komi: HalfPoints) -> Score {
        let [black, white] = Colour::BOTH.map(|colour| ledger.land(colour));
        Score { black, white, extra, komi, margin: black - white - HalfPoints::whole(extra) - komi }
    }

    /// Who won; `None` if the totals are equal, which is a draw.
    ///
    /// ```
    /// use rules::{go::Colour, jpd::{HalfPoints, Ledger, Score}};
    /// let ledger = Ledger { stones: [4, 3], ..Ledger::default() };
    /// assert_eq!(Score::of(&ledger, 0, HalfPoints(0)).winner(), Some(Colour::Black));
    /// assert_eq!(Score::of(&ledger, 1, HalfPoints(0)).winner(), None);
    /// ```
    pub const fn winner(&self) -> Option<Colour> {
        match self.margin.0 {
            0 => None,
            1.. => Some(Colour::Black),
            _ => Some(Colour::White),
        }
    }

    /// The score in the forms in which people write it.
    ///
    /// ```
    /// use rules::jpd::{HalfPoints, Ledger, Score};
    /// let ledger = Ledger { stones: [4, 3], ..Ledger::default() };
    /// assert_eq!(Score::of(&ledger, 0, HalfPoints(0)).frame().points, "B+1");
    /// assert_eq!(Score::of(&ledger, 1, HalfPoints(0)).frame().printed, "draw");
    /// ```
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
