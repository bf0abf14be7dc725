use core::{fmt, str::FromStr};

use super::{Board, Colour, Point, Size};
use crate::{RuleSet, SetupText, StoneColour, prelude::*};

/// Where a game begins: stones on a board and who is to move.
///
/// As text: the rows from the top joined by `/`, with `.` empty, `x` black, `o` white, then a space and `w`
/// if White is to move. Every chain on it has a liberty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    board: Board,
    to_move: Colour,
}

/// Why a text is not a position that can stand on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// It is not rows of `.`, `x` and `o`, or its rows differ in length, or a side is not 1 to 25 long.
    #[error("rows of '.', 'x' and 'o' of equal length, joined by '/', are wanted")]
    Shape,
    /// A chain has no liberty, and so cannot exist on the board (article 3).
    #[error("a chain has no liberty")]
    NoLiberty,
}

impl Setup {
    /// The empty board, Black to move.
    pub fn empty(size: Size) -> Setup {
        Setup { board: Board::new(size, size), to_move: Colour::Black }
    }

    /// A board of this size with these stones, of which a later one replaces an earlier one on the same
    /// point; points off the board are left out.
    ///
    /// # Errors
    /// [`SetupError::NoLiberty`] if a chain has none.
    pub fn new(
        columns: Size,
        rows: Size,
        stones: impl IntoIterator<Item = (Point, Option<Colour>)>,
        to_move: Colour,
    ) -> Result<Setup, SetupError> {
        let mut grid = [[None; Size::MAX.get() as usize]; Size::MAX.get() as usize];
        for (at, colour) in stones {
            grid[usize::from(at.row())][usize::from(at.column())] = colour;
        }
        let mut board = Board::new(columns, rows);
        let mut captured = false;
        for at in board.points() {
            if let Some(colour) = grid[usize::from(at.row())][usize::from(at.column())] {
                // A chain loses its last liberty at some stone, and leaves the board then: what is removed
                // here would have stood without liberty, and what stands to the end has one.
                board.put(at, colour, |_, _| captured = true);
            }
        }
        if captured { Err(SetupError::NoLiberty) } else { Ok(Setup { board, to_move }) }
    }

    /// The stones.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Who is to move.
    pub const fn to_move(&self) -> Colour {
        self.to_move
    }
}

/// The rule set of a game that begins from a position given as text, with its size and its stones as options.
///
/// The one key besides `to-move` is `phase`.
pub(crate) fn rules_of_text(
    rule_set: &RuleSet,
    text: &str,
    phase: &str,
) -> Result<RuleSet, crate::SetupError> {
    let text = SetupText::read(text)?;
    text.only(&["phase"])?;
    let setup = read(&text, phase)?;
    let size = setup.board().rows().get().to_string();
    Ok(rule_set.clone().with("size", &size).with("setup", &setup.to_string()))
}

/// Reads a position as every variant writes it, see [`crate::SetupText`].
///
/// Only a position of one phase can be set up: the one in which the players take turns.
pub(crate) fn read(setup: &SetupText<'_>, phase: &str) -> Result<Setup, crate::SetupError> {
    if setup.key("phase").is_some_and(|named| named != phase) {
        return Err(crate::SetupError::new(format!("only a position of the phase {phase} can be set up")));
    }
    let colour = |colour| if colour == StoneColour::Black { Colour::Black } else { Colour::White };
    let to_move = colour(setup.to_move()?);
    let grid = setup.grid()?;
    let size = u8::try_from(grid.len()).ok().and_then(Size::new);
    let size = size.filter(|_| grid.iter().all(|row| row.len() == grid.len()));
    let size =
        size.ok_or_else(|| crate::SetupError::new("the board is a square of 5 to 25 points a side"))?;
    let points = Board::new(size, size).points();
    let stones = points.zip(grid.into_iter().flatten()).map(|(at, stone)| (at, stone.map(colour)));
    Setup::new(size, size, stones, to_move).map_err(|error| crate::SetupError::new(error.to_string()))
}

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Setup, SetupError> {
        let (rows, to_move) = match text.split_once(' ') {
            None => (text, Colour::Black),
            Some((rows, "b")) => (rows, Colour::Black),
            Some((rows, "w")) => (rows, Colour::White),
            Some(_) => return Err(SetupError::Shape),
        };
        let side =
            |points: usize| u8::try_from(points).ok().and_then(Size::of_board).ok_or(SetupError::Shape);
        let height = side(rows.split('/').count())?;
        let width = side(rows.split('/').next().map_or(0, str::len))?;
        let points = Board::new(width, height).points();
        if rows.split('/').any(|row| row.len() != usize::from(width.get())) {
            return Err(SetupError::Shape);
        }
        let stone = |sign| match sign {
            b'.' => Ok(None),
            b'x' | b'X' => Ok(Some(Colour::Black)),
            b'o' | b'O' => Ok(Some(Colour::White)),
            _ => Err(SetupError::Shape),
        };
        let stones = points.zip(rows.bytes().filter(|byte| *byte != b'/'));
        let stones = stones.map(|(at, sign)| Ok((at, stone(sign)?))).collect::<Result<Vec<_>, _>>()?;
        Setup::new(width, height, stones, to_move)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to_move = if self.to_move == Colour::White { " w" } else { "" };
        write!(f, "{}{to_move}", self.board)
    }
}
