use super::{Bid, Layout, Settlement};
use crate::{
    Commitment, Opening,
    goban::{
        self, Colour, NotationError, Size,
        act::{read_points, sections, words},
    },
    prelude::*,
};

/// Whatever somebody may do, as text in [`Act::parse`] and [`Act::write`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// `seed SALT SEED`, by the system: its part of a lottery, sealed until the lottery is done.
    Seed(Opening),
    /// `expire`, by the system: the time the players had is over.
    Expire,
    /// `commit HASH`: a player's promise of his part of a lottery.
    Commit(Commitment),
    /// `reveal SALT SEED`: what was promised.
    Reveal(Opening),
    /// `bid 3.5`, in zi: sealed until both have bid.
    Bid(Bid),
    /// `choose white` or `choose black`: the colour, when the opponent has not bid.
    Choose(Colour),
    /// `propose B D4,Q16 W C3`: a position to begin from.
    Propose(Layout),
    /// `accept B D4,Q16 W C3`: the position that the opponent has proposed to begin from.
    Accept(Layout),
    /// What may be done in the play as in Go: `Q16`, `pass`, `dead D4 seki A1 fill B1`, `accept`; in the placement
    /// `accept` alone.
    Turn(goban::Act<Settlement>),
}

impl Act {
    /// Reads an act on a square board of this size; letters may be small or large.
    ///
    /// # Errors
    /// [`NotationError`] if it is none.
    pub fn parse(text: &str, size: Size) -> Result<Act, NotationError> {
        let (word, rest) = words(text)?;
        let syntax = |_| NotationError::Syntax;
        match word.to_ascii_lowercase().as_str() {
            "seed" => rest.parse().map(Act::Seed).map_err(syntax),
            "reveal" => rest.parse().map(Act::Reveal).map_err(syntax),
            "commit" => rest.parse().map(Act::Commit).map_err(syntax),
            "bid" => Bid::parse(rest).map(Act::Bid).ok_or(NotationError::Syntax),
            "choose" if rest.eq_ignore_ascii_case("white") => Ok(Act::Choose(Colour::White)),
            "choose" if rest.eq_ignore_ascii_case("black") => Ok(Act::Choose(Colour::Black)),
            "propose" => layout(rest, size).map(Act::Propose),
            "accept" if begins(rest, "B ") || begins(rest, "W ") => layout(rest, size).map(Act::Accept),
            "expire" if rest.is_empty() => Ok(Act::Expire),
            _ => goban::Act::parse(text, size, size).map(Act::Turn),
        }
    }

    /// The act as text, on a board this high. What is sealed is in it.
    pub fn write(&self, height: Size) -> String {
        match self {
            Act::Seed(opening) => format!("seed {}", opening.text()),
            Act::Expire => "expire".into(),
            Act::Commit(commitment) => format!("commit {commitment}"),
            Act::Reveal(opening) => format!("reveal {}", opening.text()),
            Act::Bid(bid) => format!("bid {bid}"),
            Act::Choose(Colour::White) => "choose white".into(),
            Act::Choose(Colour::Black) => "choose black".into(),
            Act::Propose(layout) => format!("propose {}", layout.write(height)),
            Act::Accept(layout) => format!("accept {}", layout.write(height)),
            Act::Turn(act) => act.write(height),
        }
    }
}

fn begins(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Reads `B D4,Q16 W C3`, the colours in any order, both named.
fn layout(text: &str, size: Size) -> Result<Layout, NotationError> {
    match &sections(text, &["b", "w"])?[..] {
        [None, Some(black), Some(white)] => {
            Ok(Layout { black: read_points(black, size, size)?, white: read_points(white, size, size)? })
        }
        _ => Err(NotationError::Syntax),
    }
}
