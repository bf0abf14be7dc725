use super::Colour;
use crate::Side;

/// Which side plays which colour.
///
/// In Go the first side has Black; where colours are bid for or drawn it may be the other way round.
///
/// ```
/// use rules::{Side, go::{Colour, Seats}};
/// let seats = Seats::with_white(Side::First);
/// assert_eq!(seats.side(Colour::Black), Side::Second);
/// assert_eq!(seats.colour(Side::First), Colour::White);
/// assert_eq!(Seats::USUAL.side(Colour::Black), Side::First);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seats {
    black: Side,
}

impl Seats {
    /// The first side has Black.
    ///
    /// ```
    /// use rules::{Side, go::{Colour, Seats}};
    /// assert_eq!(Side::BOTH.map(|side| Seats::USUAL.colour(side)), Colour::BOTH);
    /// ```
    pub const USUAL: Seats = Seats { black: Side::First };

    /// This side has White.
    ///
    /// ```
    /// use rules::{Side, go::Seats};
    /// assert_eq!(Seats::with_white(Side::Second), Seats::USUAL);
    /// assert_ne!(Seats::with_white(Side::First), Seats::USUAL);
    /// ```
    pub const fn with_white(side: Side) -> Seats {
        Seats { black: side.other() }
    }

    /// The side that plays a colour.
    ///
    /// ```
    /// use rules::{Side, go::{Colour, Seats}};
    /// let seats = Seats::with_white(Side::First);
    /// assert_eq!(Colour::BOTH.map(|colour| seats.side(colour)), [Side::Second, Side::First]);
    /// ```
    pub const fn side(self, colour: Colour) -> Side {
        match colour {
            Colour::Black => self.black,
            Colour::White => self.black.other(),
        }
    }

    /// The colour a side plays.
    ///
    /// ```
    /// use rules::{Side, go::{Colour, Seats}};
    /// let seats = Seats::with_white(Side::First);
    /// assert_eq!(Side::BOTH.map(|side| seats.colour(side)), [Colour::White, Colour::Black]);
    /// ```
    pub const fn colour(self, side: Side) -> Colour {
        if side.index() == self.black.index() { Colour::Black } else { Colour::White }
    }
}
