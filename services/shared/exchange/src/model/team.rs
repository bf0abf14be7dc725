//! Teams and what they have in a round. Matches follow from the games of their players.

use pairing::{Number, ResultCode};

/// A team.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// From 1.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Its players in the order of boards. As many as there are boards play; who follows is a reserve.
    pub players: Vec<Number>,
}

/// A team that plays in another order than its own in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUp {
    /// Its number.
    pub team: u32,
    /// Who sits at each board from the first on; none where nobody does.
    pub players: Vec<Option<Number>>,
}

/// A bye of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TeamBye {
    /// Its number.
    pub team: u32,
    /// [`ResultCode::Pab`], [`ResultCode::ByeFull`], [`ResultCode::ByeHalf`] or [`ResultCode::ByeZero`].
    pub code: ResultCode,
}

/// Who won a match that was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchForfeit {
    /// The team with white on the first board.
    White,
    /// The other.
    Black,
    /// Neither.
    Neither,
}

/// A match that was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForfeitedMatch {
    /// The team with white on the first board.
    pub white: u32,
    /// The other.
    pub black: u32,
    /// Who won.
    pub won: MatchForfeit,
}
