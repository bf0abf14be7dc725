named! {
    /// One of the two sides of a game, named by who acts first at its start.
    ///
    /// Which colour that is, is the variant's affair: in Go the first side has Black, in Jiu White.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Side {
        /// The side that acts first at the start of the game.
        First => "first",
        /// The other side.
        Second => "second",
    }
}

impl Side {
    /// Both sides, first one first.
    pub const BOTH: [Side; 2] = Side::ALL;

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second: for tables of two.
    pub const fn index(self) -> usize {
        self as usize
    }
}
