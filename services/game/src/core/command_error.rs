//! Why a call that would change a game is refused.

use api::reason::{self, Reason};
use rules::{ActErrorKind, DrawOfferError};
use time::OffsetDateTime;

use super::RulingError;

/// A refused command; the game is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
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
    Rules(rules::ActError),
    /// A draw cannot be offered or answered now.
    #[error("{0}")]
    Offer(#[from] DrawOfferError),
    /// Too much has been played for an abort.
    #[error("a game can be aborted before the second act only")]
    TooLateToAbort,
    /// Nothing is played now.
    #[error("the game is paused, adjourned or not begun")]
    NotInPlay,
    /// There is no such pause to end.
    #[error("the game is not paused, or not for this")]
    NotPaused,
    /// Moves are not taken back in this game.
    #[error("in a rated game or one of an event no moves are taken back")]
    UndoOff,
    /// The player has played nothing since.
    #[error("nothing of yours has been played since that ply")]
    NothingToUndo,
    /// Something secret has been opened, or the server has acted.
    #[error("what has been drawn or opened since that ply cannot be taken back")]
    CannotUndo,
    /// The same is proposed already.
    #[error("your proposal is open already")]
    ProposalOpen,
    /// It has been asked often enough.
    #[error("at most {most} times {of} may one ask that of the other side")]
    AskedTooOften {
        /// How often one may.
        most: u16,
        /// In what.
        of: &'static str,
    },
    /// Nothing of the kind is proposed.
    #[error("nothing of the kind is proposed")]
    NoProposal,
    /// There is no other game after this one.
    #[error("the result is not final, or the next game has been agreed on")]
    NoRematch,
    /// Only officials may do that in a game of an event.
    #[error("in a game of an event only its officials do that")]
    OfficialsOnly,
    /// Too little or too much time.
    #[error("from one second to ten minutes can be given at once")]
    BadGift,
    /// No clock has run yet.
    #[error("no clock has run yet")]
    NoClock,
    /// It concerns officials.
    #[error("{0}")]
    Ruling(#[from] RulingError),
    /// The other side is not gone.
    #[error("the opponent is not gone")]
    OpponentPresent,
    /// The other side may still come back.
    #[error("the opponent may still come back")]
    GraceRunning(OffsetDateTime),
    /// The game does not wait for its start.
    #[error("the game does not wait for its start")]
    NotWaiting,
    /// The player has come already.
    #[error("you have checked in already")]
    CheckedIn,
    /// The game cannot be adjourned.
    #[error("by its regulations this game is not adjourned")]
    NotAdjournable,
    /// No move is under seal.
    #[error("the game is not adjourned with a sealed move")]
    NotAdjourned,
    /// No move is to be sealed.
    #[error("no move is to be sealed now")]
    NotSealing,
    /// The resumption is too far ahead.
    #[error("a game is resumed within 366 days")]
    BadResumption,
    /// No sealed move waits for a decision.
    #[error("no sealed move waits for a decision")]
    NothingHeld,
    /// A move is sealed to a key that is not the platform's.
    #[error("there is no such sealing key")]
    UnknownKey,
    /// A sealed move cannot be opened.
    #[error("it was not sealed for this key, game and ply, or holds no salt and move")]
    BadCiphertext,
    /// A sealed move is not what is committed to.
    #[error("the commitment is not that of the sealed move")]
    BadCommitment,
}

impl CommandError {
    /// The stable reason.
    pub fn reason(&self) -> Reason {
        match self {
            CommandError::GameOver => reason::GAME_OVER,
            CommandError::StalePly { .. } => reason::STALE_PLY,
            CommandError::ActTooLong(_) => reason::ACT_TOO_LONG,
            CommandError::Rules(refusal) => Reason::of_rules(refusal.reason),
            CommandError::Offer(fault) => Reason::of_rules(fault.reason()),
            CommandError::TooLateToAbort => reason::TOO_LATE_TO_ABORT,
            CommandError::NotInPlay => reason::NOT_IN_PLAY,
            CommandError::NotPaused => reason::NOT_PAUSED,
            CommandError::UndoOff => reason::UNDO_OFF,
            CommandError::NothingToUndo => reason::NOTHING_TO_UNDO,
            CommandError::CannotUndo => reason::CANNOT_UNDO,
            CommandError::ProposalOpen => reason::PROPOSAL_OPEN,
            CommandError::AskedTooOften { .. } => reason::ASKED_TOO_OFTEN,
            CommandError::NoProposal => reason::NOTHING_PROPOSED,
            CommandError::NoRematch => reason::NO_REMATCH,
            CommandError::OfficialsOnly => reason::OFFICIALS_ONLY,
            CommandError::BadGift => reason::BAD_GIFT,
            CommandError::NoClock => reason::NO_CLOCK,
            CommandError::Ruling(error) => error.reason(),
            CommandError::OpponentPresent => reason::OPPONENT_PRESENT,
            CommandError::GraceRunning(_) => reason::GRACE_RUNNING,
            CommandError::NotWaiting => reason::NOT_WAITING,
            CommandError::CheckedIn => reason::CHECKED_IN,
            CommandError::NotAdjournable => reason::NOT_ADJOURNABLE,
            CommandError::NotAdjourned => reason::NOT_ADJOURNED,
            CommandError::NotSealing => reason::NOT_SEALING,
            CommandError::BadResumption => reason::BAD_RESUMPTION,
            CommandError::NothingHeld => reason::NOTHING_HELD,
            CommandError::UnknownKey => reason::UNKNOWN_KEY,
            CommandError::BadCiphertext => reason::BAD_CIPHERTEXT,
            CommandError::BadCommitment => reason::BAD_COMMITMENT,
        }
    }

    /// Whether the request is wrong whatever the state of the game.
    pub fn is_malformed(&self) -> bool {
        match self {
            CommandError::ActTooLong(_) | CommandError::BadGift => true,
            CommandError::Rules(refusal) => refusal.kind == ActErrorKind::Syntax,
            CommandError::Ruling(error) => error.field().is_some(),
            _ => false,
        }
    }
}
