use core::fmt;

use crate::{Refusal, RefusalKind};

/// Why an act is refused. The position is then as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Illegal {
    /// The game has ended.
    GameOver,
    /// The other side is to act.
    NotYourTurn,
    /// A stone stands on the point.
    Occupied,
    /// The board has no such point.
    OffBoard,
    /// The stone's chain would have no liberty and nothing would be captured (article 5).
    Suicide,
    /// It would take back a ko at once (article 20.1).
    Ko,
    /// It would bring back an earlier board in a way that is forbidden (article 6).
    Repetition,
    /// No more stones can be played after [`super::MAX_TURNS`] turns.
    TurnLimit,
    /// The handicap stones come first.
    HandicapFirst,
    /// The point is not forbidden, or forbidden moves are refused rather than void.
    NotVoid,
    /// There is no long cycle to claim, or the arbiter has been asked already.
    NoLongCycle,
    /// Both have confirmed the end; what is dead is to be agreed on, or disputed.
    InAgreement,
    /// The end has not been confirmed by both.
    NotInAgreement,
    /// The opponent has proposed nothing.
    NoProposal,
    /// The opponent's proposal is another one than was accepted.
    ProposalChanged,
    /// A point without a stone was called dead.
    NoStone,
    /// Too many proposals were made; accept the last one or dispute it.
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

    /// One sentence for a person.
    const fn detail(self) -> &'static str {
        match self {
            Illegal::GameOver => "the game has ended",
            Illegal::NotYourTurn => "the other side is to act",
            Illegal::Occupied => "a stone stands on this point",
            Illegal::OffBoard => "the board has no such point",
            Illegal::Suicide => "the stone would have no liberty and captures nothing",
            Illegal::Ko => "the ko was taken just now; play elsewhere first",
            Illegal::Repetition => "this would bring back an earlier board",
            Illegal::TurnLimit => "the game has too many turns; only a pass is left",
            Illegal::HandicapFirst => "the handicap stones are placed first",
            Illegal::NotVoid => "this move is not void",
            Illegal::NoLongCycle => "there is no long cycle to claim",
            Illegal::InAgreement => "the end is confirmed; agree on the dead stones or reject",
            Illegal::NotInAgreement => "the end has not been confirmed by both sides",
            Illegal::NoProposal => "the other side has proposed nothing",
            Illegal::ProposalChanged => "the other side's proposal is another one now",
            Illegal::NoStone => "a point without a stone cannot be dead",
            Illegal::TooManyProposals => "too many proposals; accept or reject the last one",
        }
    }
}

impl Illegal {
    fn refused(self) -> Refusal {
        Refusal::illegal(self.reason(), self.detail())
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

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.detail())
    }
}

impl core::error::Error for Illegal {}
