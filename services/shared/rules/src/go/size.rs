/// The length of one side of a board, in points: from 5 to 25 in a game.
///
/// The rules name 19 x 19 alone (article 1); the other sizes follow the same rules with N / 2 as the
/// base number.
///
/// ```
/// use rules::go::{Position, Rules, Size};
/// let size = Size::new(9).unwrap();
/// assert_eq!(Position::new(size, Rules::default()).board().point_count(), 81);
/// assert!(Size::NINE < Size::NINETEEN);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(u8);

impl Size {
    /// The shortest side of a game.
    ///
    /// ```
    /// use rules::go::Size;
    /// assert_eq!((Size::new(5), Size::new(4)), (Some(Size::MIN), None));
    /// ```
    pub const MIN: Size = Size(5);
    /// 9 points.
    ///
    /// ```
    /// use rules::go::{Board, Size};
    /// assert_eq!(Board::new(Size::NINE, Size::NINE).point_count(), 81);
    /// ```
    pub const NINE: Size = Size(9);
    /// 13 points.
    ///
    /// ```
    /// use rules::go::{Board, Size};
    /// assert_eq!(Board::new(Size::THIRTEEN, Size::THIRTEEN).point_count(), 169);
    /// ```
    pub const THIRTEEN: Size = Size(13);
    /// 19 points.
    ///
    /// ```
    /// use rules::go::{Board, Size};
    /// assert_eq!(Board::new(Size::NINETEEN, Size::NINETEEN).point_count(), 361);
    /// ```
    pub const NINETEEN: Size = Size(19);
    /// The longest side.
    ///
    /// ```
    /// use rules::go::Size;
    /// assert_eq!((Size::new(25), Size::new(26)), (Some(Size::MAX), None));
    /// ```
    pub const MAX: Size = Size(25);

    /// The size of this many points, if a board may have it.
    ///
    /// ```
    /// use rules::go::Size;
    /// assert_eq!(Size::new(19), Some(Size::NINETEEN));
    /// assert_eq!(Size::new(26), None);
    /// ```
    pub const fn new(points: u8) -> Option<Size> {
        if points >= Size::MIN.0 && points <= Size::MAX.0 { Some(Size(points)) } else { None }
    }

    /// The side of a board that is only looked at: worked positions may be smaller than any game.
    ///
    /// ```
    /// use rules::go::Size;
    /// assert_eq!(Size::of_board(3).unwrap().get(), 3);
    /// assert_eq!(Size::of_board(0), None);
    /// ```
    pub const fn of_board(points: u8) -> Option<Size> {
        if points >= 1 && points <= Size::MAX.0 { Some(Size(points)) } else { None }
    }

    /// How many points a side has.
    ///
    /// ```
    /// assert_eq!(rules::go::Size::THIRTEEN.get(), 13);
    /// ```
    pub const fn get(self) -> u8 {
        self.0
    }
}
