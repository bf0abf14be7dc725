//! The records of teams.

use super::Tenths;
use crate::Number;

/// A team of TRF16, record 013.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldTeam {
    /// Columns 5–36.
    pub name: String,
    /// From column 37 on, fields of four columns with a blank between them: its players in the order of boards.
    pub players: Vec<Number>,
}

/// A team of TRF26, record 310.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// Columns 5–7: from 1 to 999.
    pub number: u32,
    /// Columns 9–40.
    pub name: String,
    /// Columns 42–46.
    pub nickname: String,
    /// Columns 48–53.
    pub strength: Option<u32>,
    /// Columns 55–60.
    pub match_points: Option<Tenths>,
    /// Columns 62–67.
    pub game_points: Option<Tenths>,
    /// Columns 69–71: the place; several teams may share it.
    pub rank: Option<u32>,
    /// From column 74 on: its players in the order of boards.
    pub players: Vec<Number>,
}

/// Pairing byes of teams, record 320.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamByes {
    /// Columns 5–8.
    pub match_points: Option<Tenths>,
    /// Columns 10–13.
    pub game_points: Option<Tenths>,
    /// From column 15 on: the team of each round from the first; none in a round without a bye.
    pub teams: Vec<Option<u32>>,
}

named! {
    /// How a match was forfeited.
    pub enum ForfeitKind {
        /// White wins.
        WhiteWins = "+-",
        /// Black wins.
        BlackWins = "-+",
        /// Neither does.
        Double = "--",
    }
}

/// A match that was not played, record 330.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForfeitedMatch {
    /// Columns 5–6.
    pub kind: ForfeitKind,
    /// Columns 8–10.
    pub round: u16,
    /// Columns 12–14: the team with white on the first board.
    pub white: u32,
    /// Columns 16–18.
    pub black: u32,
}

/// A team that plays in another order than its record has, record 300.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardOrder {
    /// Columns 5–7.
    pub round: u16,
    /// Columns 9–11.
    pub team: u32,
    /// Columns 13–15.
    pub opponent: u32,
    /// From column 17 on: who sits at each board; none where nobody does.
    pub players: Vec<Option<Number>>,
}
