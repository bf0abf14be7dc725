use alloc::string::ToString as _;

use crate::{Refusal, RefusalKind};

/// Why an act is refused. The position is then as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game has ended")]
    GameOver,
    /// The other side is to act.
    #[error("the other side is to act")]
    NotYourTurn,
    /// A stone stands on the point.
    #[error("a stone stands on this point")]
    Occupied,
    /// The board has no such point.
    #[error("the board has no such point")]
    OffBoard,
    /// The stone's chain would have no liberty and nothing would be captured (article 5).
    #[error("the stone would have no liberty and captures nothing")]
    Suicide,
    /// It would take back a ko at once (article 20.1).
    #[error("the ko was taken just now; play elsewhere first")]
    Ko,
    /// It would bring back an earlier board in a way that is forbidden (article 6).
    #[error("this would bring back an earlier board")]
    Repetition,
    /// No more stones can be played after [`super::MAX_TURNS`] turns.
    #[error("the game has too many turns; only a pass is left")]
    TurnLimit,
    /// The handicap stones come first.
    #[error("the handicap stones are placed first")]
    HandicapFirst,
    /// The point is not forbidden, or forbidden moves are refused rather than void.
    #[error("this move is not void")]
    NotVoid,
    /// There is no long cycle to claim, or the arbiter has been asked already.
    #[error("there is no long cycle to claim")]
    NoLongCycle,
    /// Both have confirmed the end; what is dead is to be agreed on, or disputed.
    #[error("the end is confirmed; agree on the dead stones or reject")]
    InAgreement,
    /// The end has not been confirmed by both.
    #[error("the end has not been confirmed by both sides")]
    NotInAgreement,
    /// The opponent has proposed nothing.
    #[error("the other side has proposed nothing")]
    NoProposal,
    /// The opponent's proposal is another one than was accepted.
    #[error("the other side's proposal is another one now")]
    ProposalChanged,
    /// A point without a stone was called dead.
    #[error("a point without a stone cannot be dead")]
    NoStone,
    /// Too many proposals were made.
    #[error("too many proposals were made; answer the last one")]
    TooManyProposals,
}

impl Illegal {
    /// The stable name of the rule that was broken.
    pub const fn reason(self) -> &'static str {
        match self {
            Illegal::GameOver => "GAME_OVER",
            Illegal::NotYourTurn => "NOT_YOUR_TURN",
            Illegal::Occupied => "OCCUPIED",
            Illegal::OffBoard => "OFF_BOARD",
            Illegal::Suicide => "SUICIDE",
            Illegal::Ko => "KO",
            Illegal::Repetition => "REPETITION",
            Illegal::TurnLimit => "TURN_LIMIT",
            Illegal::HandicapFirst => "HANDICAP_FIRST",
            Illegal::NotVoid => "NOT_VOID",
            Illegal::NoLongCycle => "NO_LONG_CYCLE",
            Illegal::InAgreement => "IN_AGREEMENT",
            Illegal::NotInAgreement => "NOT_IN_AGREEMENT",
            Illegal::NoProposal => "NO_PROPOSAL",
            Illegal::ProposalChanged => "PROPOSAL_CHANGED",
            Illegal::NoStone => "NO_STONE",
            Illegal::TooManyProposals => "TOO_MANY_PROPOSALS",
        }
    }
}

impl Illegal {
    fn refused(self) -> Refusal {
        Refusal::illegal(self.reason(), self.to_string())
    }
}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Refusal {
        match illegal {
            Illegal::GameOver => Refusal::game_over(),
            Illegal::NotYourTurn => Refusal::not_your_turn(),
            Illegal::Occupied => illegal.refused().of_kind(RefusalKind::Occupied),
            Illegal::Suicide | Illegal::Ko | Illegal::Repetition => {
                illegal.refused().of_kind(RefusalKind::Forbidden)
            }
            _ => illegal.refused(),
        }
    }
}
