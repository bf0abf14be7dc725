use alloc::borrow::Cow;

use crate::{Actors, Side, prelude::*};

/// A point of a board as it is drawn: columns from the left, rows from the top, both from 0.
///
/// Its name (`G7`, `Q16`) belongs to the variant; see [`crate::Game::point_name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Column from the left, from 0.
    pub column: u8,
    /// Row from the top, from 0.
    pub row: u8,
}

impl Point {
    /// The points of a board, row by row.
    pub(crate) fn all(columns: u8, rows: u8) -> impl Iterator<Item = Point> {
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Point { column, row }))
    }
}

/// A stone on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stone {
    /// Where it stands.
    pub at: Point,
    /// Whose it is.
    pub owner: Side,
}

/// Something a client should draw on a point besides its stone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub at: Point,
    /// What, in lower case words joined by `-`: `last`, `dead`, `ko`, `dalian`, `gate`, `territory-first`.
    pub kind: Cow<'static, str>,
}

/// Who looks at a position. What a seat may not know is in no other seat's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// One of the two players.
    Seat(Side),
    /// Everybody else.
    Spectator,
}

/// A position as somebody may see it, complete enough to draw it without knowing the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Width of the board in points.
    pub columns: u8,
    /// Height of the board in points.
    pub rows: u8,
    /// Every stone, in reading order.
    pub stones: Vec<Stone>,
    /// Everything to be drawn besides stones.
    pub marks: Vec<Mark>,
    /// The name of the phase, in lower case.
    pub phase: &'static str,
    /// Who may act now.
    pub actors: Actors,
    /// How many acts the rules have accepted so far.
    pub ply: u32,
    /// What else is worth showing, as name and value: captured stones, ko, quiet plies, a proposed result.
    pub facts: Vec<(&'static str, String)>,
}
