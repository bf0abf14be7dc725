use alloc::{format, string::String, vec::Vec};

use super::{Bid, Layout, Settlement};
use crate::{
    Commitment, Opening,
    go::{
        self, ActError, Colour, Point, Size,
        act::{read_points, words},
    },
};

/// Whatever somebody may do, as text in [`Act::parse`] and [`Act::write`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// `seed SALT SEED`, by the house: its part of a draw, sealed until the draw is done.
    Seed(Opening),
    /// `expire`, by the house: the time the players had is over.
    Expire,
    /// `commit HASH`: a player's promise of his part of a draw.
    Commit(Commitment),
    /// `reveal SALT SEED`: what was promised.
    Reveal(Opening),
    /// `bid 3.5`, in zi: sealed until both have bid.
    Bid(Bid),
    /// `choose white` or `choose black`: the colour, when the opponent has not bid.
    Choose(Colour),
    /// `propose B D4,Q16 W C3`: a position to begin from.
    Propose(Layout),
    /// `accept`, or with what is accepted: `accept B D4,Q16 W C3`, `accept D4 seki A1`.
    Accept(Option<Offer>),
    /// `dead D4 seki A1 fill B1`, `dead -`: a settlement of the end, to which its proposer agrees.
    Settle(Settlement),
    /// `reject`: disputes the end; play is resumed.
    Reject,
    /// `Q16`, `pass`, `void Q16` or `claim`, as in Go.
    Turn(go::Act),
}

/// What may be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A position to begin from.
    Layout(Layout),
    /// A settlement of the end.
    Settlement(Settlement),
}

impl Act {
    /// Reads an act on a square board of this size; letters may be small or large.
    ///
    /// # Errors
    /// [`ActError`] if it is none.
    pub fn parse(text: &str, size: Size) -> Result<Act, ActError> {
        let (word, rest) = words(text)?;
        let syntax = |_| ActError::Syntax;
        match word.to_ascii_lowercase().as_str() {
            "seed" => rest.parse().map(Act::Seed).map_err(syntax),
            "reveal" => rest.parse().map(Act::Reveal).map_err(syntax),
            "commit" => rest.parse().map(Act::Commit).map_err(syntax),
            "bid" => Bid::parse(rest).map(Act::Bid).ok_or(ActError::Syntax),
            "choose" if rest.eq_ignore_ascii_case("white") => Ok(Act::Choose(Colour::White)),
            "choose" if rest.eq_ignore_ascii_case("black") => Ok(Act::Choose(Colour::Black)),
            "propose" => layout(rest, size).map(Act::Propose),
            "dead" => settlement(rest, size).map(Act::Settle),
            "accept" => accepted(rest, size).map(Act::Accept),
            "expire" if rest.is_empty() => Ok(Act::Expire),
            "reject" if rest.is_empty() => Ok(Act::Reject),
            _ => go::Act::parse(text, size, size).map(Act::Turn),
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
            Act::Accept(None) => "accept".into(),
            Act::Accept(Some(Offer::Layout(layout))) => format!("accept {}", layout.write(height)),
            Act::Accept(Some(Offer::Settlement(end))) => format!("accept {}", end.write_bare(height)),
            Act::Settle(settlement) => settlement.write(height),
            Act::Reject => "reject".into(),
            Act::Turn(act) => act.write(height),
        }
    }
}

fn accepted(text: &str, size: Size) -> Result<Option<Offer>, ActError> {
    let starts = |word: &str| text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if text.is_empty() {
        Ok(None)
    } else if starts("B ") || starts("W ") {
        layout(text, size).map(|layout| Some(Offer::Layout(layout)))
    } else {
        settlement(text, size).map(|settlement| Some(Offer::Settlement(settlement)))
    }
}

/// Reads `B D4,Q16 W C3`, the colours in any order, both named.
fn layout(text: &str, size: Size) -> Result<Layout, ActError> {
    let [before, black, white] = sections(text, ["b", "w"])?;
    match (before, black, white) {
        (None, Some(black), Some(white)) => {
            Ok(Layout { black: points(&black, size)?, white: points(&white, size)? })
        }
        _ => Err(ActError::Syntax),
    }
}

/// Reads `D4,Q16 seki A1 fill B1`, what stands before `seki` being needed.
fn settlement(text: &str, size: Size) -> Result<Settlement, ActError> {
    let [dead, seki, fill] = sections(text, ["seki", "fill"])?;
    let optional = |list: Option<String>| list.map_or(Ok(Vec::new()), |list| points(&list, size));
    Ok(Settlement {
        dead: points(&dead.ok_or(ActError::Syntax)?, size)?,
        seki: optional(seki)?,
        fill: optional(fill)?,
    })
}

/// What stands before the first of two words and after each of them; a word may come once.
fn sections(text: &str, words: [&str; 2]) -> Result<[Option<String>; 3], ActError> {
    let mut found = [None, None, None];
    let mut section = 0;
    for word in text.split_whitespace() {
        if let Some(nth) = words.iter().position(|name| word.eq_ignore_ascii_case(name)) {
            section = nth + 1;
            if found[section].replace(String::new()).is_some() {
                return Err(ActError::Syntax);
            }
        } else {
            found[section].get_or_insert_default().push_str(word);
        }
    }
    Ok(found)
}

/// Reads a list of points; `-` is none.
fn points(list: &str, size: Size) -> Result<Vec<Point>, ActError> {
    Ok(read_points(list, size, size)?)
}
