use crate::{LotteryError, goban};

reasons! {
    /// Why an act is refused. The position is then as it was, and nothing that is sealed is in the words.
    #[derive(Copy, Hash)]
    pub enum Illegal: [
        /// A rule of Go forbids it.
        Go(goban::Illegal),
        /// A step of the lottery that may not be taken.
        Lottery(LotteryError),
    ] {
        /// The game waits for another kind of act.
        NotNow => "NOT_NOW" ("the game waits for another kind of act"),
        /// Only the system does this.
        SystemOnly => "HOUSE_ONLY" ("only the house does this"),
        /// The system has nothing of the kind to do.
        NothingDue => "NOTHING_DUE" as Turn ("nothing waits for the house"),
        /// This side has bid, and a bid cannot be changed (article 二.3).
        AlreadyBid => "ALREADY_BID" ("a bid cannot be changed"),
        /// The bid is higher or lower than half the points of the board (T14).
        BidOutOfRange => "BID_OUT_OF_RANGE" ("a bid is at most half the points of the board"),
        /// The proposal puts two stones on one point.
        TwoStones => "TWO_STONES" ("two stones cannot stand on one point"),
        /// The proposal has a chain without liberty.
        NoLiberty => "NO_LIBERTY" ("a chain of the proposal has no liberty"),
        /// A point that nobody owns was said to be in seki.
        NoBlock => "NO_BLOCK" ("nobody owns this point, so it is in no block"),
        /// What may be filled in a seki is an empty point of a block in seki.
        NotFillable => "NOT_FILLABLE" ("only empty points of blocks in seki can be filled"),
    }
}
