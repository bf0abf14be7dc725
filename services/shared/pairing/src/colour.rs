//! Colours without their names.

named! {
    /// The colour of a player's stones, told by who moves first with it (section 1.1: colour is not the order in
    /// which stones are placed, and black is not always first).
    ///
    /// Whoever shows it asks the rules of the game for the name of the colour. In Go the first is black; in Jiu
    /// black too; in Jirige and Tianyi Go it is white.
    pub enum Colour {
        /// The colour that makes the first move.
        First = "first",
        /// The other colour.
        Second = "second",
    }
}

impl Colour {
    /// The other colour.
    ///
    /// ```
    /// use pairing::Colour;
    /// assert_eq!(Colour::First.opposite(), Colour::Second);
    /// assert_eq!(Colour::named("second"), Some(Colour::Second));
    /// ```
    #[must_use]
    pub const fn opposite(self) -> Colour {
        match self {
            Colour::First => Colour::Second,
            Colour::Second => Colour::First,
        }
    }

    /// The first colour where this holds, else the second.
    pub const fn first_if(it: bool) -> Colour {
        if it { Colour::First } else { Colour::Second }
    }
}
