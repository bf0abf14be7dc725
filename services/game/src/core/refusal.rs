//! Why a call that would change a game is refused.

use rules::{OfferFault, RefusalKind};

/// A refused command; the game is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game has ended.
    #[error("the game has ended")]
    GameOver,
    /// The act was meant for another position.
    #[error("the act was meant for ply {meant}, and the game is at ply {current}")]
    StalePly {
        /// The ply it was meant for.
        meant: u32,
        /// The current one.
        current: u32,
    },
    /// The act is longer than any act can be.
    #[error("an act has at most {0} bytes")]
    ActTooLong(usize),
    /// The rules refuse it.
    #[error("{0}")]
    Rules(rules::Refusal),
    /// A draw cannot be offered or answered now.
    #[error("{0}")]
    Offer(#[from] OfferFault),
    /// Too much has been played for an abort.
    #[error("a game can be aborted before the second act only")]
    TooLateToAbort,
}

impl Refusal {
    /// The stable reason.
    pub const fn reason(&self) -> &'static str {
        match self {
            Refusal::GameOver => "GAME_OVER",
            Refusal::StalePly { .. } => "STALE_PLY",
            Refusal::ActTooLong(_) => "ACT_TOO_LONG",
            Refusal::Rules(refusal) => refusal.reason,
            Refusal::Offer(fault) => fault.reason(),
            Refusal::TooLateToAbort => "TOO_LATE_TO_ABORT",
        }
    }

    /// Whether the request is wrong whatever the state of the game.
    pub fn is_malformed(&self) -> bool {
        match self {
            Refusal::ActTooLong(_) => true,
            Refusal::Rules(refusal) => refusal.kind == RefusalKind::Syntax,
            _ => false,
        }
    }
}
