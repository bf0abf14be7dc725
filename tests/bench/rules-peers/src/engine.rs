//! What is asked of every library for Go.

/// A point as column and row from the upper left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    column: u8,
    row: u8,
}

impl At {
    /// The point in this column and row, both from 0.
    pub const fn new(column: u8, row: u8) -> At {
        At { column, row }
    }

    /// Column from the left, from 0.
    pub const fn column(self) -> u8 {
        self.column
    }

    /// Row from the top, from 0.
    pub const fn row(self) -> u8 {
        self.row
    }
}

/// A game of Go in some library. Black begins; the sides take turns, passes included.
///
/// The two ways to go on are those of the comparison: a game that is known to be legal is only applied, and
/// one that is not is asked about before each move.
pub trait Engine {
    /// Its name in the tables.
    const NAME: &'static str;

    /// An empty board of `size` points a side.
    fn new(size: u8) -> Self;

    /// Plays what is known to be legal, as fast as the library can; `None` passes.
    fn apply(&mut self, at: Option<At>);

    /// Plays on an empty point if that is legal, and says whether it captured anything; `None` if it is not.
    fn try_play(&mut self, at: At) -> Option<bool>;

    /// Passes in a game in which every move is asked about.
    fn pass(&mut self);

    /// How many stones both have on the board.
    fn stones(&self) -> u32;

    /// The game after these moves, which are legal.
    fn replay(size: u8, moves: &[Option<At>]) -> Self
    where
        Self: Sized,
    {
        let mut game = Self::new(size);
        for at in moves {
            game.apply(*at);
        }
        game
    }
}
