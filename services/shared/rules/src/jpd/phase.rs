use super::{Score, Terms};
use crate::goban::{AGREEMENT, Agreement};

/// How far a game has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// From the start to the first two passes in a row (爭棋階段, article 27).
    Contest,
    /// Both have passed and are to agree on the end (articles 28 and 29).
    Agreement(Agreement<Terms>),
    /// One side has demanded that the neutral points be filled, and play goes on (article 39).
    Filling,
    /// They did not agree, and play decides (實戰解決, article 28).
    Resolution,
    /// The game is over.
    Ended(Ending),
}

/// How a game ended by its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The count.
    pub score: Score,
    /// What was agreed on; `None` if nothing was, so that every stone is alive (articles 4 and 30.2).
    pub terms: Option<Terms>,
}

impl Phase {
    /// The name: `contest`, `agreement`, `filling`, `resolution` or `ended`.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Phase::Contest => "contest",
            Phase::Agreement(_) => AGREEMENT.phase,
            Phase::Filling => "filling",
            Phase::Resolution => "resolution",
            Phase::Ended(_) => "ended",
        }
    }
}
