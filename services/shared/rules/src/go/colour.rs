use core::ops::Not;

use crate::Side;

/// The colour of a stone and of the player who plays it.
///
/// Black is [`Side::First`] always, also in a handicap game in which White makes the first move.
///
/// ```
/// use rules::{Side, go::Colour};
/// assert_eq!(!Colour::Black, Colour::White);
/// assert_eq!(Colour::of(Side::First), Colour::Black);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// The dark stones.
    Black,
    /// The light stones.
    White,
}

impl Colour {
    /// Both colours, Black first.
    ///
    /// ```
    /// use rules::go::{Colour, Setup};
    /// let setup: Setup = "xx./o..".parse()?;
    /// assert_eq!(Colour::BOTH.map(|colour| setup.board().count(colour)), [2, 1]);
    /// # Ok::<(), rules::go::SetupError>(())
    /// ```
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// The opponent's colour.
    ///
    /// ```
    /// use rules::go::Colour;
    /// assert_eq!(Colour::BOTH.map(Colour::other), [Colour::White, Colour::Black]);
    /// ```
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// 0 for Black, 1 for White: for tables of two.
    ///
    /// ```
    /// use rules::go::Colour;
    /// let mut captures = [0; 2];
    /// captures[Colour::White.index()] += 3;
    /// assert_eq!(captures, [0, 3]);
    /// ```
    pub const fn index(self) -> usize {
        match self {
            Colour::Black => 0,
            Colour::White => 1,
        }
    }

    /// The side that plays this colour.
    ///
    /// ```
    /// use rules::{Side, go::Colour};
    /// assert_eq!(Colour::BOTH.map(Colour::side), Side::BOTH);
    /// ```
    pub const fn side(self) -> Side {
        match self {
            Colour::Black => Side::First,
            Colour::White => Side::Second,
        }
    }

    /// The colour a side plays.
    ///
    /// ```
    /// use rules::{Side, go::Colour};
    /// assert_eq!(Side::BOTH.map(Colour::of), Colour::BOTH);
    /// ```
    pub const fn of(side: Side) -> Colour {
        match side {
            Side::First => Colour::Black,
            Side::Second => Colour::White,
        }
    }

    /// `B` or `W`.
    ///
    /// ```
    /// use rules::go::Colour;
    /// assert_eq!(Colour::BOTH.map(Colour::letter), ['B', 'W']);
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Colour::Black => 'B',
            Colour::White => 'W',
        }
    }
}

impl Not for Colour {
    type Output = Colour;

    fn not(self) -> Colour {
        self.other()
    }
}
