use super::{Score, Terms};
use crate::go::Colour;

/// How far a game has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// From the start to the first two passes in a row (爭棋階段, article 27).
    Contest,
    /// Both have passed and are to agree on the end (articles 28 and 29).
    Agreement(Agreement),
    /// One side has demanded that the neutral points be filled, and play goes on (article 39).
    Filling,
    /// They did not agree, and play decides (實戰解決, article 28).
    Resolution,
    /// The game is over.
    Ended(Ending),
}

/// The state of the talk about the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The proposal that stands, if any.
    pub proposal: Option<Proposal>,
    /// How many proposals have been made in this phase.
    pub proposals: u16,
}

/// Proposed terms, to which their proposer has agreed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Who made it.
    pub by: Colour,
    /// What it says, in canonical form.
    pub terms: Terms,
}

/// How a game ended by its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The count.
    pub score: Score,
    /// What was agreed on; `None` if nothing was, so that every stone is alive (articles 4 and 30.2).
    pub terms: Option<Terms>,
}
