use core::fmt;

use crate::{DrawError, Refusal, go};

/// Why an act is refused. The position is then as it was, and nothing that is sealed is in the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Illegal {
    /// A rule of Go forbids it.
    Go(go::Illegal),
    /// A step of the draw that may not be taken.
    Draw(DrawError),
    /// The game waits for another kind of act.
    NotNow,
    /// Only the house does this.
    HouseOnly,
    /// The house has nothing of the kind to do.
    NothingDue,
    /// This side has bid, and a bid cannot be changed (article 二.3).
    AlreadyBid,
    /// The bid is higher or lower than half the points of the board (T14).
    BidOutOfRange,
    /// The proposal puts two stones on one point.
    TwoStones,
    /// The proposal has a chain without liberty.
    NoLiberty,
    /// The other side has proposed nothing.
    NoProposal,
    /// The other side's proposal is another one than was accepted.
    ProposalChanged,
    /// Too many proposals were made.
    TooManyProposals,
    /// A point that nobody owns was said to be in seki.
    NoBlock,
    /// What may be filled in a seki is an empty point of a block in seki.
    NotFillable,
}

impl Illegal {
    /// The stable name of the rule that was broken.
    pub const fn reason(self) -> &'static str {
        match self {
            Illegal::Go(illegal) => illegal.reason(),
            Illegal::Draw(error) => error.reason(),
            Illegal::NotNow => "NOT_NOW",
            Illegal::HouseOnly => "HOUSE_ONLY",
            Illegal::NothingDue => "NOTHING_DUE",
            Illegal::AlreadyBid => "ALREADY_BID",
            Illegal::BidOutOfRange => "BID_OUT_OF_RANGE",
            Illegal::TwoStones => "TWO_STONES",
            Illegal::NoLiberty => "NO_LIBERTY",
            Illegal::NoProposal => "NO_PROPOSAL",
            Illegal::ProposalChanged => "PROPOSAL_CHANGED",
            Illegal::TooManyProposals => "TOO_MANY_PROPOSALS",
            Illegal::NoBlock => "NO_BLOCK",
            Illegal::NotFillable => "NOT_FILLABLE",
        }
    }

    /// One sentence for a person.
    const fn detail(self) -> &'static str {
        match self {
            Illegal::Go(_) => "a rule of Go forbids it",
            Illegal::Draw(_) => "the draw does not allow it",
            Illegal::NotNow => "the game waits for another kind of act",
            Illegal::HouseOnly => "only the house does this",
            Illegal::NothingDue => "nothing waits for the house",
            Illegal::AlreadyBid => "a bid cannot be changed",
            Illegal::BidOutOfRange => "a bid is at most half the points of the board",
            Illegal::TwoStones => "two stones cannot stand on one point",
            Illegal::NoLiberty => "a chain of the proposal has no liberty",
            Illegal::NoProposal => "the other side has proposed nothing",
            Illegal::ProposalChanged => "the other side's proposal is another one now",
            Illegal::TooManyProposals => "too many proposals; accept the last one",
            Illegal::NoBlock => "nobody owns this point, so it is in no block",
            Illegal::NotFillable => "only empty points of blocks in seki can be filled",
        }
    }
}

impl From<go::Illegal> for Illegal {
    fn from(illegal: go::Illegal) -> Illegal {
        Illegal::Go(illegal)
    }
}

impl From<DrawError> for Illegal {
    fn from(error: DrawError) -> Illegal {
        Illegal::Draw(error)
    }
}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Refusal {
        match illegal {
            Illegal::Go(illegal) => illegal.into(),
            Illegal::Draw(error) => error.into(),
            Illegal::NothingDue => Refusal::nothing_due(),
            _ => Refusal::illegal(illegal.reason(), illegal.detail()),
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegal::Go(illegal) => illegal.fmt(f),
            Illegal::Draw(error) => error.fmt(f),
            other => f.write_str(other.detail()),
        }
    }
}

impl core::error::Error for Illegal {}
