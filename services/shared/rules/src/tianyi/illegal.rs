use alloc::string::ToString as _;

use crate::{DrawError, Refusal, goban};

/// Why an act is refused. The position is then as it was, and nothing that is sealed is in the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Illegal {
    /// A rule of Go forbids it.
    #[error(transparent)]
    Go(#[from] goban::Illegal),
    /// A step of the draw that may not be taken.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// The game waits for another kind of act.
    #[error("the game waits for another kind of act")]
    NotNow,
    /// Only the house does this.
    #[error("only the house does this")]
    HouseOnly,
    /// The house has nothing of the kind to do.
    #[error("nothing waits for the house")]
    NothingDue,
    /// This side has bid, and a bid cannot be changed (article 二.3).
    #[error("a bid cannot be changed")]
    AlreadyBid,
    /// The bid is higher or lower than half the points of the board (T14).
    #[error("a bid is at most half the points of the board")]
    BidOutOfRange,
    /// The proposal puts two stones on one point.
    #[error("two stones cannot stand on one point")]
    TwoStones,
    /// The proposal has a chain without liberty.
    #[error("a chain of the proposal has no liberty")]
    NoLiberty,
    /// A point that nobody owns was said to be in seki.
    #[error("nobody owns this point, so it is in no block")]
    NoBlock,
    /// What may be filled in a seki is an empty point of a block in seki.
    #[error("only empty points of blocks in seki can be filled")]
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
            Illegal::NoBlock => "NO_BLOCK",
            Illegal::NotFillable => "NOT_FILLABLE",
        }
    }
}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Refusal {
        match illegal {
            Illegal::Go(illegal) => illegal.into(),
            Illegal::Draw(error) => error.into(),
            Illegal::NothingDue => Refusal::nothing_due(),
            _ => Refusal::illegal(illegal.reason(), illegal.to_string()),
        }
    }
}
