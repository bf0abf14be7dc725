use alloc::{format, string::String, vec::Vec};

use super::{Board, Point, Size, point::PointError};
use crate::ActKind;

/// A turn of the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Put a stone on a point.
    Play(Point),
    /// Give up the turn, which confirms the end of the game (articles 2.4 and 21.1).
    Pass,
}

/// Whatever a player may do, as text in [`Act::parse`] and [`Act::write`].
///
/// Dead chains are named by any of their stones when proposed, and by their first stone in reading order,
/// in reading order, when written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// `Q16`: puts a stone on a point; before the game, a handicap stone.
    Play(Point),
    /// `pass`: gives up the turn and confirms the end.
    Pass,
    /// `void Q16`: a forbidden move, void, that cost the turn.
    Void(Point),
    /// `claim`: claims the long cycle that has been noticed.
    Claim,
    /// `dead D4,Q16` or `dead -`: proposes which chains are dead and agrees to it.
    Dead(Vec<Point>),
    /// `accept` or `accept D4,Q16`: accepts the opponent's proposal, and only this one if it is named.
    Accept(Option<Vec<Point>>),
    /// `reject`: disputes the end; play is resumed.
    Reject,
}

/// Why a text is not an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActError {
    /// It is not written as an act.
    Syntax,
    /// It names a point that the board does not have.
    OffBoard,
}

/// The longest text of an act, in bytes: every point of the largest board by name has 2,400.
const TEXT_MAX: usize = 4096;

impl Act {
    /// Reads an act on a board of this size; letters may be small or large.
    ///
    /// # Errors
    /// [`ActError`] if it is none.
    pub fn parse(text: &str, width: Size, height: Size) -> Result<Act, ActError> {
        let point = |name: &str| Point::read(name, width, height).map_err(ActError::from);
        let points = |list: &str| read_points(list, width, height).map_err(ActError::from);
        let (word, rest) = words(text)?;
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("pass", "") => Ok(Act::Pass),
            ("claim", "") => Ok(Act::Claim),
            ("reject", "") => Ok(Act::Reject),
            ("accept", "") => Ok(Act::Accept(None)),
            ("accept", list) => Ok(Act::Accept(Some(points(list)?))),
            ("dead", list) => Ok(Act::Dead(points(list)?)),
            ("void", name) => Ok(Act::Void(point(name)?)),
            (_, "") => Ok(Act::Play(point(word)?)),
            _ => Err(ActError::Syntax),
        }
    }

    /// The act as text, on a board this high.
    pub fn write(&self, height: Size) -> String {
        match self {
            Act::Play(at) => at.name(height),
            Act::Pass => "pass".into(),
            Act::Void(at) => format!("void {}", at.name(height)),
            Act::Claim => "claim".into(),
            Act::Dead(dead) => format!("dead {}", write_points(dead, height)),
            Act::Accept(None) => "accept".into(),
            Act::Accept(Some(dead)) => format!("accept {}", write_points(dead, height)),
            Act::Reject => "reject".into(),
        }
    }

    /// Reads an act on this board.
    pub(crate) fn parse_on(text: &str, board: &Board) -> Result<Act, ActError> {
        Act::parse(text, board.columns(), board.rows())
    }
}

impl From<Move> for Act {
    fn from(mv: Move) -> Act {
        match mv {
            Move::Play(at) => Act::Play(at),
            Move::Pass => Act::Pass,
        }
    }
}

impl From<PointError> for ActError {
    fn from(error: PointError) -> ActError {
        match error {
            PointError::Syntax => ActError::Syntax,
            PointError::OffBoard => ActError::OffBoard,
        }
    }
}

/// The first word of an act and what follows it, without the blanks around them.
pub(crate) fn words(text: &str) -> Result<(&str, &str), ActError> {
    if text.len() > TEXT_MAX {
        return Err(ActError::Syntax);
    }
    let text = text.trim();
    Ok(text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim())))
}

/// Points by name, joined by commas with or without spaces; `-` for none.
pub(crate) fn read_points(list: &str, width: Size, height: Size) -> Result<Vec<Point>, PointError> {
    match list {
        "-" => Ok(Vec::new()),
        names => names.split(',').map(|name| Point::read(name.trim(), width, height)).collect(),
    }
}

/// Points by name, joined by commas; `-` for none.
pub(crate) fn write_points(points: &[Point], height: Size) -> String {
    if points.is_empty() {
        return "-".into();
    }
    points.iter().map(|point| point.name(height)).collect::<Vec<_>>().join(",")
}

/// How a pass is written.
pub(crate) const PASS: &str = "pass";

/// What an act of Go, or of a game made of it, is. A virtual move puts its stone beside the board.
pub(crate) fn act_kind(text: &str) -> ActKind {
    match text.split_once(' ') {
        None if [PASS, "virtual"].contains(&text) => ActKind::Pass,
        Some(("void", _)) => ActKind::Void,
        _ => ActKind::by_point(text),
    }
}
