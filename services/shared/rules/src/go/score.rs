use alloc::{borrow::ToOwned, format};

use super::{Area, Board, Colour, QuarterZi, Rules};

/// The count of a finished game by stones (数子法, articles 9 and 11), exact in quarters of a zi.
///
/// ```
/// use rules::go::{Colour, QuarterZi, Score};
/// // The usual example of article 11: 184 stones are 3/4 zi more than 180 1/2 and 2 3/4.
/// let score = Score::of_count(QuarterZi(4 * 184), 361, QuarterZi(11));
/// assert_eq!(score.winner(), Some(Colour::Black));
/// assert_eq!(score.frame().printed, "B+3/4 zi");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// Black's stones, enclosed points and half of the shared points.
    pub black: QuarterZi,
    /// White's; the two together are the points of the board.
    pub white: QuarterZi,
    /// By how much Black has more than the base number (归本数, half of the points) and the komi; White wins
    /// when it is negative and nobody when it is zero.
    pub margin: QuarterZi,
}

impl Score {
    /// Counts a board from which the dead stones have been removed.
    ///
    /// ```
    /// use rules::go::{QuarterZi, Rules, Score, Setup};
    /// let setup: Setup = ".x.o./.x.o./.x.o./.x.o./.x.o.".parse()?;
    /// let score = Score::of(setup.board(), &Rules::default());
    /// assert_eq!((score.black, score.white), (QuarterZi(50), QuarterZi(50)));
    /// assert_eq!(score.margin, QuarterZi(-11), "nothing but the komi");
    /// # Ok::<(), rules::go::SetupError>(())
    /// ```
    pub fn of(board: &Board, rules: &Rules) -> Score {
        let area = Area::of(board);
        let black = 4 * i32::from(area.held(Colour::Black)) + 2 * i32::from(area.shared());
        Score::of_count(QuarterZi(black), board.point_count(), rules.compensation())
    }

    /// The score when Black counts `black` on a board of `points` points and gives `compensation`.
    ///
    /// ```
    /// use rules::go::{QuarterZi, Score};
    /// let score = Score::of_count(QuarterZi(4 * 183), 361, QuarterZi(11));
    /// assert_eq!((score.white, score.margin), (QuarterZi(4 * 178), QuarterZi(-1)));
    /// ```
    pub const fn of_count(black: QuarterZi, points: u16, compensation: QuarterZi) -> Score {
        let points = points as i32;
        Score {
            black,
            white: QuarterZi(4 * points - black.0),
            margin: QuarterZi(black.0 - 2 * points - compensation.0),
        }
    }

    /// Who won; `None` if the count is even.
    ///
    /// ```
    /// use rules::go::{Colour, QuarterZi, Score};
    /// let winner = |black| Score::of_count(QuarterZi(black), 361, QuarterZi(0)).winner();
    /// assert_eq!([721, 722, 723].map(winner), [Some(Colour::White), None, Some(Colour::Black)]);
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
    /// use rules::go::{QuarterZi, Score};
    /// let score = Score::of_count(QuarterZi(4 * 183), 361, QuarterZi(11)).frame();
    /// assert_eq!((&*score.printed, &*score.printed_zh, &*score.points), ("W+1/4 zi", "白胜 1/4 子", "W+0.5"));
    /// ```
    pub fn frame(&self) -> crate::Score {
        written(self.margin)
    }
}

/// A margin, positive for Black, in the forms in which people write it.
pub(crate) fn written(margin: QuarterZi) -> crate::Score {
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
    crate::Score {
        printed: format!("{letter}+{size} zi"),
        printed_zh: format!("{name}胜 {size} 子"),
        points: format!("{letter}+{}", size.points()),
    }
}

#[cfg(test)]
mod tests {
    use super::{QuarterZi, Score};

    /// The table of the count, in quarters of Black's count on 19 x 19.
    #[test]
    fn worked_examples() {
        let check = |black, komi, printed: &str, printed_zh: &str, points: &str| {
            let score = Score::of_count(QuarterZi(black), 361, QuarterZi(komi));
            let frame = score.frame();
            assert_eq!((&*frame.printed, &*frame.printed_zh, &*frame.points), (printed, printed_zh, points));
            assert_eq!(score.black.0 + score.white.0, 4 * 361);
        };
        check(4 * 184, 11, "B+3/4 zi", "黑胜 3/4 子", "B+1.5");
        check(4 * 183, 11, "W+1/4 zi", "白胜 1/4 子", "W+0.5");
        check(4 * 183 + 2, 11, "B+1/4 zi", "黑胜 1/4 子", "B+0.5");
        check(4 * 182 + 2, 11, "W+3/4 zi", "白胜 3/4 子", "W+1.5");
        check(4 * 180 + 2, 0, "draw", "和棋", "0");
        check(4 * 181, 0, "B+1/2 zi", "黑胜 1/2 子", "B+1");
        check(4 * 185, 15, "B+3/4 zi", "黑胜 3/4 子", "B+1.5");
        check(4 * 189, 11, "B+5 3/4 zi", "黑胜 5 3/4 子", "B+11.5");
        check(0, 11, "W+183 1/4 zi", "白胜 183 1/4 子", "W+366.5");
    }
}
