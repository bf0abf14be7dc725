use crate::Side;

/// The colour of a stone and of the player who plays it.
///
/// Black is [`Side::First`] always, also in a handicap game in which White makes the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// The dark stones.
    Black,
    /// The light stones.
    White,
}

impl Colour {
    /// Who is ahead by this margin of Black's; nobody where it is 0.
    pub(crate) const fn ahead(margin: i32) -> Option<Colour> {
        match margin {
            0 => None,
            1.. => Some(Colour::Black),
            _ => Some(Colour::White),
        }
    }

    /// Both colours, Black first.
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// The opponent's colour.
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// 0 for Black, 1 for White: for tables of two.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side that plays this colour.
    pub const fn side(self) -> Side {
        match self {
            Colour::Black => Side::First,
            Colour::White => Side::Second,
        }
    }

    /// The colour a side plays.
    pub const fn of(side: Side) -> Colour {
        match side {
            Side::First => Colour::Black,
            Side::Second => Colour::White,
        }
    }

    /// `B` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Colour::Black => 'B',
            Colour::White => 'W',
        }
    }
}
