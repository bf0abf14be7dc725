/// One of the two sides of a game, named by who acts first at its start.
///
/// Which colour that is, is the variant's affair: in Go the first side has Black, in Jiu White.
///
/// ```
/// use rules::{Side, go, jiu};
/// assert_eq!((go::VARIANT.letter(Side::First), jiu::VARIANT.letter(Side::First)), ('B', 'W'));
/// assert!(Side::First < Side::Second);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that acts first at the start of the game.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides, first one first.
    ///
    /// ```
    /// use rules::Side;
    /// assert_eq!(Side::BOTH.map(Side::other), [Side::Second, Side::First]);
    /// ```
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    ///
    /// ```
    /// assert_eq!(rules::Side::First.other(), rules::Side::Second);
    /// ```
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// `first` or `second`.
    ///
    /// ```
    /// assert_eq!(rules::Side::BOTH.map(rules::Side::name), ["first", "second"]);
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Side::First => "first",
            Side::Second => "second",
        }
    }

    /// 0 for the first side, 1 for the second: for tables of two.
    ///
    /// ```
    /// use rules::Side;
    /// let captured = [3, 5];
    /// assert_eq!(captured[Side::Second.index()], 5);
    /// ```
    pub const fn index(self) -> usize {
        match self {
            Side::First => 0,
            Side::Second => 1,
        }
    }
}
