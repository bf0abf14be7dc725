use super::Colour;
use crate::Side;

/// Which side plays which colour.
///
/// In Go the first side has Black; where colours are bid for or drawn it may be the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seats {
    black: Side,
}

impl Seats {
    /// The first side has Black.
    pub const USUAL: Seats = Seats { black: Side::First };

    /// This side has White.
    pub const fn with_white(side: Side) -> Seats {
        Seats { black: side.other() }
    }

    /// The side that plays a colour.
    pub const fn side(self, colour: Colour) -> Side {
        match colour {
            Colour::Black => self.black,
            Colour::White => self.black.other(),
        }
    }

    /// The colour a side plays.
    pub const fn colour(self, side: Side) -> Colour {
        if side.index() == self.black.index() { Colour::Black } else { Colour::White }
    }
}
