use crate::{Mark, Point, Side, prelude::*};

/// What an act did to the board, in order; enough to redraw it without knowing the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The changes of stones, in the order in which they happened.
    pub changes: Vec<Change>,
    /// The marks that hold after the act; they replace all earlier ones.
    pub marks: Vec<Mark>,
    /// Earlier acts that were sealed until now, by ply and full text; everybody may read them now.
    pub revealed: Vec<(u32, String)>,
}

/// One change of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A stone was put on an empty point.
    Placed {
        /// Where.
        at: Point,
        /// Whose stone.
        owner: Side,
    },
    /// A stone moved along a path of two or more points, the first where it stood and the last where it
    /// stands now (they may be the same).
    Moved {
        /// Every point it stood on, in order.
        path: Vec<Point>,
    },
    /// A stone left the board.
    Removed {
        /// Where it stood.
        at: Point,
        /// Whose it was.
        owner: Side,
        /// Why.
        cause: RemovalCause,
    },
}

/// Why a stone left the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemovalCause {
    /// It was captured: without liberty, or jumped over.
    Captured,
    /// The mover chose it, as a square, line or spear allows.
    Chosen,
    /// Its own side lifted it because the rules say so.
    Lifted,
    /// Both sides agreed that it is dead.
    Dead,
}
