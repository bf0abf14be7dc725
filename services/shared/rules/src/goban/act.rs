use super::{NotationError, Point, Size, Terms};
use crate::{ActKind, AgreementInfo, prelude::*};

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
pub enum Act<T> {
    /// `Q16`: puts a stone on a point; before the game, a handicap stone.
    Play(Point),
    /// `pass`: gives up the turn and confirms the end.
    Pass,
    /// `void Q16`: a forbidden move, void, that cost the turn.
    Void(Point),
    /// `claim`: claims the long cycle that has been noticed.
    Claim,
    /// `dead D4,Q16` or `dead -`: proposes terms and agrees to them.
    Propose(T),
    /// `accept` or `accept D4,Q16`: accepts the opponent's proposal, and only this one if it is named.
    Accept(Option<T>),
    /// `reject`: disputes the end; play is resumed.
    Reject,
}

/// The longest text of an act, in bytes: every point of the largest board by name has 2,400.
const TEXT_MAX: usize = 4096;

impl<T: Terms> Act<T> {
    /// Reads an act on a board of this size; letters may be small or large.
    ///
    /// # Errors
    /// [`NotationError`] if it is none.
    pub fn parse(text: &str, width: Size, height: Size) -> Result<Act<T>, NotationError> {
        let point = |name: &str| Point::read(name, width, height);
        let (word, rest) = words(text)?;
        match (word.to_ascii_lowercase().as_str(), rest) {
            (PASS, "") => Ok(Act::Pass),
            ("claim", "") => Ok(Act::Claim),
            ("reject", "") => Ok(Act::Reject),
            (ACCEPT, "") => Ok(Act::Accept(None)),
            (ACCEPT, terms) => Ok(Act::Accept(Some(T::read(terms, width, height)?))),
            (DEAD, terms) => Ok(Act::Propose(T::read(terms, width, height)?)),
            ("void", name) => Ok(Act::Void(point(name)?)),
            (_, "") => Ok(Act::Play(point(word)?)),
            _ => Err(NotationError::Syntax),
        }
    }

    /// The act as text, on a board this high.
    pub fn write(&self, height: Size) -> String {
        match self {
            Act::Play(at) => at.name(height),
            Act::Pass => PASS.into(),
            Act::Void(at) => format!("void {}", at.name(height)),
            Act::Claim => "claim".into(),
            Act::Propose(terms) => terms.write(height),
            Act::Accept(None) => ACCEPT.into(),
            Act::Accept(Some(terms)) => format!("{ACCEPT} {}", terms.write_bare(height)),
            Act::Reject => "reject".into(),
        }
    }

    /// Where it puts a stone.
    pub(crate) const fn placed(&self) -> Option<Point> {
        match self {
            Act::Play(at) => Some(*at),
            _ => None,
        }
    }

    /// The act of a text on a square board, if the text is just what the act is written as.
    pub(crate) fn canonical(text: &str, size: Size) -> Option<Act<T>> {
        Act::parse(text, size, size).ok().filter(|act| act.write(size) == text)
    }
}

impl<T> From<Move> for Act<T> {
    fn from(mv: Move) -> Act<T> {
        match mv {
            Move::Play(at) => Act::Play(at),
            Move::Pass => Act::Pass,
        }
    }
}

/// The first word of an act and what follows it, without the blanks around them.
pub(crate) fn words(text: &str) -> Result<(&str, &str), NotationError> {
    if text.len() > TEXT_MAX {
        return Err(NotationError::Syntax);
    }
    let text = text.trim();
    Ok(text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim())))
}

/// What stands before the first of some words, and after each of them; a word may come once.
pub(crate) fn sections(text: &str, words: &[&str]) -> Result<Vec<Option<String>>, NotationError> {
    let mut found = vec![None; words.len() + 1];
    let mut section = 0;
    for word in text.split_whitespace() {
        if let Some(nth) = words.iter().position(|name| word.eq_ignore_ascii_case(name)) {
            section = nth + 1;
            if found[section].replace(String::new()).is_some() {
                return Err(NotationError::Syntax);
            }
        } else {
            found[section].get_or_insert_with(String::new).push_str(word);
        }
    }
    Ok(found)
}

/// Points by name, joined by commas with or without spaces; `-` for none.
pub(crate) fn read_points(list: &str, width: Size, height: Size) -> Result<Vec<Point>, NotationError> {
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
/// How stones are proposed as dead, and how that is accepted.
const DEAD: &str = "dead";
const ACCEPT: &str = "accept";
/// How two sides agree on what is dead.
pub(crate) const AGREEMENT: AgreementInfo =
    AgreementInfo { phase: "agreement", propose: DEAD, accept: ACCEPT };

/// What an act of a game on a Go board is. A virtual move puts its stone beside the board.
pub(crate) fn act_kind(text: &str) -> ActKind {
    match text.split_once(' ') {
        None if [PASS, "virtual"].contains(&text) => ActKind::Pass,
        Some(("void", _)) => ActKind::Void,
        _ => ActKind::by_point(text),
    }
}
