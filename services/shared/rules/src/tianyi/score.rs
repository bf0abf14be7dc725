use super::{Bid, Blocks, Settlement};
use crate::goban::{self, Board, Colour, QuarterZi, score::written};

/// How many stones each colour can have on the board in the end (article 三.2): own land is filled, and what
/// can never be filled is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tally {
    counts: [i32; 2],
    groups: [u16; 2],
}

/// The count of a finished game, exact in quarters of a zi.
///
/// A zi is two points of difference; as bids are in half zi, the margin of a game is a whole number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    /// The stones of both.
    pub tally: Tally,
    /// What White pays Black.
    pub komi: QuarterZi,
    /// By how much Black wins; White wins when it is negative and nobody when it is zero.
    pub margin: QuarterZi,
}

impl Tally {
    /// The points of every living block that are never filled, its two eyes: "one zi back for every block more
    /// than the opponent has" (要点 3), as a zi is two points (T1).
    pub const TAX: u16 = 2;

    /// Counts a board from which the dead stones have been removed: a living block has its size less the tax,
    /// one marked as seki its stones and what its owner may fill (T4). What nobody owns is nobody's; it
    /// does not make a block a seki by itself (T5).
    pub fn of(board: &Board, settlement: &Settlement) -> Tally {
        Tally::taxed(&Blocks::of(board), settlement, Tally::TAX)
    }

    /// As [`Tally::of`] with another tax on a block, for other ways of counting.
    pub fn taxed(blocks: &Blocks, settlement: &Settlement, tax: u16) -> Tally {
        let mut tally = Tally { counts: [0; 2], groups: [0; 2] };
        for block in blocks.all() {
            let points = &block.points;
            let holds = |marked: &&goban::Point| points.binary_search(marked).is_ok();
            let count = if settlement.seki.iter().any(|marked| holds(&marked)) {
                usize::from(block.stones) + settlement.fill.iter().filter(holds).count()
            } else {
                tally.groups[block.colour.index()] += 1;
                points.len()
            };
            let count = i32::try_from(count).expect("a board has at most 625 points");
            tally.counts[block.colour.index()] += count;
        }
        for (count, groups) in tally.counts.iter_mut().zip(tally.groups) {
            *count -= i32::from(tax) * i32::from(groups);
        }
        tally
    }

    /// The stones of a colour.
    pub const fn count(&self, colour: Colour) -> i32 {
        self.counts[colour.index()]
    }

    /// How many living blocks a colour has.
    pub const fn groups(&self, colour: Colour) -> u16 {
        self.groups[colour.index()]
    }
}

impl Score {
    /// The score of these stones when White pays this bid.
    pub fn of(tally: Tally, komi: Bid) -> Score {
        Score::with(tally, komi.quarters())
    }

    fn with(tally: Tally, komi: QuarterZi) -> Score {
        Score { tally, komi, margin: Score::margin_of(tally.counts, komi) }
    }

    /// By how much Black wins with so many stones of Black and White, when White pays `komi`. The komi is
    /// paid from one to the other, so that it moves both counts (T2).
    ///
    /// The author's own example: Black has 184 points in 18 blocks, White 177 in one, and Black pays 6 1/2
    /// points, which are 3 1/4 zi. White wins by 27 + 6 1/2 points, as he says.
    pub const fn margin_of([black, white]: [i32; 2], komi: QuarterZi) -> QuarterZi {
        QuarterZi(2 * (black - white) + komi.0)
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

impl goban::Count for Settlement {
    type Score = Score;

    fn count(&self, board: &Board, rules: &goban::Rules) -> Score {
        Score::with(Tally::of(board, self), QuarterZi(-rules.komi.0))
    }
}
