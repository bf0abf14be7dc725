use crate::goban;

reasons! {
    /// Why an act is refused. The position is then as it was.
    #[derive(Copy, Hash)]
    pub enum Illegal: [
        /// A reason that Go has too; a [`goban::Illegal::Ko`] is the simplest case of article 32 (article 24).
        Go(goban::Illegal),
    ] {
        /// A real move would make the opponent face board and virtual stones that it has faced (article 32.1).
        ShapeAgain => "SHAPE_AGAIN" as Forbidden ("the other side would face this board with these virtual stones again"),
        /// A virtual move would make the opponent face a board that it has faced (article 32.2).
        BoardAgain => "BOARD_AGAIN" as Forbidden ("the other side would face this board again by a virtual move"),
        /// A point on which a living stone stands was given to somebody.
        StoneThere => "STONE_THERE" ("a stone stands on a point that is to be given to somebody"),
        /// One point was given to two.
        NamedTwice => "NAMED_TWICE" ("a point cannot be given to two"),
        /// No point is shared, so there is nothing to fill.
        NothingToFill => "NOTHING_TO_FILL" ("no point is shared"),
        /// The side has demanded that neutral points be filled as often as it may.
        TooManyDemands => "TOO_MANY_DEMANDS" ("you have demanded to fill as often as you may; propose, accept or reject"),
    }
}
