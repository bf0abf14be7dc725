use super::Position;
use crate::{
    goban::{
        self, Area, Board, Colour, Illegal, Point, QuarterZi, Rules, Terms,
        agreement::{canonical_chains, without},
        score::written,
    },
    prelude::*,
};

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
}

impl goban::Score for Score {
    fn winner(&self) -> Option<Colour> {
        Colour::ahead(self.margin.0)
    }

    fn frame(&self) -> crate::Score {
        written(self.margin)
    }
}

/// The chains that are dead, by the first stone of each in reading order: all there is to agree on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dead(pub Vec<Point>);

impl Terms for Dead {
    type Illegal = Illegal;
    const WORDS: &'static [&'static str] = &[];

    fn lists(&self) -> Vec<&[Point]> {
        Vec::from([&*self.0])
    }

    fn of_lists(mut lists: impl Iterator<Item = Vec<Point>>) -> Dead {
        Dead(lists.next().unwrap_or_default())
    }

    fn canonical(&self, board: &Board) -> Result<Dead, Illegal> {
        canonical_chains(board, &self.0).map(Dead)
    }
}

impl goban::Count for Dead {
    type Score = Score;

    fn count(&self, board: &Board, rules: &Rules) -> Score {
        Score::of(board, rules)
    }
}

impl Position {
    /// The count if the chains of these stones are dead and everything else is alive (article 9); points
    /// without a stone are left out.
    pub fn score(&self, dead: &[Point]) -> Score {
        Score::of(&without(self.board(), dead), self.rules())
    }

    /// The count without the stones that stand proposed as dead.
    pub(super) fn standing(&self) -> Score {
        let proposal = self.agreement().and_then(|agreement| agreement.proposal.as_ref());
        self.score(proposal.map_or(&[], |proposal| &proposal.terms.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{QuarterZi, Score};
    use crate::goban::Score as _;

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
