use alloc::{borrow::ToOwned, format};

use super::{Area, Board, Colour, QuarterZi, Rules};

/// The count of a finished game by stones (数子法, articles 9 and 11), exact in quarters of a zi.
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
    pub fn of(board: &Board, rules: &Rules) -> Score {
        let area = Area::of(board);
        let black = 4 * i32::from(area.held(Colour::Black)) + 2 * i32::from(area.shared());
        Score::of_count(QuarterZi(black), board.point_count(), rules.compensation())
    }

    /// The score when Black counts `black` on a board of `points` points and gives `compensation`.
    pub const fn of_count(black: QuarterZi, points: u16, compensation: QuarterZi) -> Score {
        let points = points as i32;
        Score {
            black,
            white: QuarterZi(4 * points - black.0),
            margin: QuarterZi(black.0 - 2 * points - compensation.0),
        }
    }

    /// Who won; `None` if the count is even.
    pub const fn winner(&self) -> Option<Colour> {
        Colour::ahead(self.margin.0)
    }

    /// The score in the forms in which people write it.
    pub fn frame(&self) -> crate::Score {
        written(self.margin)
    }
}

/// A margin, positive for Black, in the forms in which people write it.
pub(crate) fn written(margin: QuarterZi) -> crate::Score {
    let size = margin.abs();
    margin_text(Colour::ahead(margin.0), &format!("{size}"), " zi", "子", &size.points())
}

/// A margin in the words of a record: its size with its units in Latin letters and in Chinese, and in points.
pub(crate) fn margin_text(
    winner: Option<Colour>,
    size: &str,
    unit: &str,
    unit_zh: &str,
    points: &str,
) -> crate::Score {
    let (letter, name) = match winner {
        None => {
            return crate::Score {
                printed: "draw".to_owned(),
                printed_zh: "和棋".to_owned(),
                points: "0".to_owned(),
            };
        }
        Some(Colour::Black) => ('B', "黑"),
        Some(Colour::White) => ('W', "白"),
    };
    crate::Score {
        printed: format!("{letter}+{size}{unit}"),
        printed_zh: format!("{name}胜 {size} {unit_zh}"),
        points: format!("{letter}+{points}"),
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
