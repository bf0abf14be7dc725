/// The length of one side of a board, in points: from 5 to 25 in a game.
///
/// The rules name 19 x 19 alone (article 1); the other sizes follow the same rules with N / 2 as the
/// base number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(u8);

impl Size {
    /// The shortest side of a game.
    pub const MIN: Size = Size(5);
    /// 9 points.
    pub const NINE: Size = Size(9);
    /// 13 points.
    pub const THIRTEEN: Size = Size(13);
    /// 19 points.
    pub const NINETEEN: Size = Size(19);
    /// The longest side.
    pub const MAX: Size = Size(25);

    /// The size of this many points, if a board may have it.
    pub const fn new(points: u8) -> Option<Size> {
        if points >= Size::MIN.0 && points <= Size::MAX.0 { Some(Size(points)) } else { None }
    }

    /// The side of a board that is only looked at: worked positions may be smaller than any game.
    pub const fn of_board(points: u8) -> Option<Size> {
        if points >= 1 && points <= Size::MAX.0 { Some(Size(points)) } else { None }
    }

    /// How many points a side has.
    pub const fn get(self) -> u8 {
        self.0
    }
}
