use super::Terms;
use crate::{
    goban::{
        NotationError, Point, Size, Terms as _,
        act::{PASS, words},
    },
    prelude::*,
};

/// A turn of the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Put a stone on a point (實著, article 19.1).
    Play(Point),
    /// Put a stone beside the board (虛著, article 19.2).
    Virtual,
    /// Give up the turn (放棄, article 20).
    Pass,
}

/// Whatever a player may do, as text in [`Act::parse`] and [`Act::write`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// `Q16`: puts a stone on a point.
    Play(Point),
    /// `virtual`: puts a stone beside the board.
    Virtual,
    /// `pass`: gives up the turn and proposes to stop.
    Pass,
    /// `dead D4,Q16 black A1` or `dead -`: proposes terms and agrees to them.
    Propose(Terms),
    /// `accept`, or with the terms `accept dead D4,Q16 black A1`: accepts the opponent's proposal, and only
    /// this one if it is named.
    Accept(Option<Terms>),
    /// `reject`: disputes what is dead or whose a point is; play decides (article 28).
    Reject,
    /// `fill`: demands that the neutral points be filled (article 39).
    Fill,
}

impl Act {
    /// Reads an act on a board of this size; letters may be small or large.
    ///
    /// # Errors
    /// [`NotationError`] if it is none.
    pub fn parse(text: &str, width: Size, height: Size) -> Result<Act, NotationError> {
        let (word, rest) = words(text)?;
        match (word.to_ascii_lowercase().as_str(), rest) {
            (PASS, "") => Ok(Act::Pass),
            ("virtual", "") => Ok(Act::Virtual),
            ("reject", "") => Ok(Act::Reject),
            ("fill", "") => Ok(Act::Fill),
            ("accept", "") => Ok(Act::Accept(None)),
            ("accept", terms) => Ok(Act::Accept(Some(Terms::read_named(terms, width, height)?))),
            ("dead", terms) => Ok(Act::Propose(Terms::read(terms, width, height)?)),
            (_, "") => Ok(Act::Play(Point::read(word, width, height)?)),
            _ => Err(NotationError::Syntax),
        }
    }

    /// The act as text, on a board this high.
    pub fn write(&self, height: Size) -> String {
        match self {
            Act::Play(at) => at.name(height),
            Act::Virtual => "virtual".into(),
            Act::Pass => PASS.into(),
            Act::Propose(terms) => terms.write(height),
            Act::Accept(None) => "accept".into(),
            Act::Accept(Some(terms)) => format!("accept {}", terms.write(height)),
            Act::Reject => "reject".into(),
            Act::Fill => "fill".into(),
        }
    }
}

impl From<Move> for Act {
    fn from(mv: Move) -> Act {
        match mv {
            Move::Play(at) => Act::Play(at),
            Move::Virtual => Act::Virtual,
            Move::Pass => Act::Pass,
        }
    }
}
