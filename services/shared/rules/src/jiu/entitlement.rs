use super::{Board, Point};
use crate::Side;

/// What a move earned: how many enemy stones the mover removes besides those he jumped, and by what.
///
/// The largest one that applies, never a sum; the default is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Entitlement {
    /// How many stones, from 0 to 12. The mover removes all of them when the enemy has fewer.
    pub stones: u8,
    /// By which formation; `None` when nothing was earned.
    pub formation: Option<Formation>,
}

named! {
    /// The formations that capture by choice (Article 3.3).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Formation {
        /// Squares only (棋门, Article 3.3.1): one stone for each.
        Gate => "gate",
        /// A full line without a square (抢 or 武, Article 3.3.4): two stones.
        Wu => "wu",
        /// A full line with a square or more (煞, Article 3.3.5): three stones, or four.
        Sha => "sha",
        /// A full line that crosses another one (恰, Article 3.3.7): two, four or eight stones.
        Qia => "qia",
        /// Two adjacent lines filled together (岚, Article 3.3.6): eight stones.
        Lan => "lan",
        /// Three adjacent lines filled together (颂然, Article 3.3.8): twelve stones.
        Songran => "songran",
    }
}

named! {
    /// Where the two full lines of a qia must cross.
    ///
    /// The source asks for two full lines that cross, one of them completed by the moved stone. It cannot mean that
    /// they cross where that stone comes to rest: there each neighbour would stand on one of the lines, so that the
    /// stone could neither step nor jump in, and a side with so many stones does not fly.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Crossing {
        /// Anywhere: the completed line crosses any full line.
        #[default]
        Anywhere => "anywhere",
        /// At the moved stone only, which never happens: qia is left out.
        Landing => "landing",
    }
}

impl Entitlement {
    /// What two stones that fill two adjacent lines together earn.
    pub(super) const LAN: Entitlement = Entitlement { stones: 8, formation: Some(Formation::Lan) };
    /// What three stones that fill three adjacent lines together earn.
    pub(super) const SONGRAN: Entitlement = Entitlement { stones: 12, formation: Some(Formation::Songran) };

    /// What a single stone of `side` earns that has come to rest on `landing`; it stands there already.
    ///
    /// Only squares and lines through that point count, for they are what this move has completed; but the
    /// second line of a qia may stand already.
    pub fn of_landing(board: &Board, side: Side, landing: Point, crossing: Crossing) -> Entitlement {
        let squares = board.squares_at(side, landing);
        let (row, column) = board.lines_at(side, landing);
        let crossed = match crossing {
            // What nearly every landing is.
            _ if !row && !column => false,
            Crossing::Landing => row && column,
            Crossing::Anywhere => {
                let (any_row, any_column) = board.has_lines(side);
                row && any_column || column && any_row
            }
        };
        let (stones, formation) = match squares {
            0 if !row && !column => return Entitlement::default(),
            _ if !row && !column => (squares, Formation::Gate),
            0 if crossed => (2, Formation::Qia),
            1 if crossed => (4, Formation::Qia),
            _ if crossed => (8, Formation::Qia),
            0 => (2, Formation::Wu),
            1 => (3, Formation::Sha),
            _ => (4, Formation::Sha),
        };
        Entitlement { stones, formation: Some(formation) }
    }
}

impl Formation {
    /// The name in the script of the source.
    pub const fn native_name(self) -> &'static str {
        match self {
            Formation::Gate => "棋门",
            Formation::Wu => "武",
            Formation::Sha => "煞",
            Formation::Qia => "恰",
            Formation::Lan => "岚",
            Formation::Songran => "颂然",
        }
    }
}
