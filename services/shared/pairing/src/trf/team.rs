//! The records of teams.

use super::{ByeMark, Side, Tenths};
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

/// What a team has made round by round, record 802, which repeats the others for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamResults {
    /// Columns 5–7.
    pub number: u32,
    /// Columns 9–13.
    pub nickname: String,
    /// Columns 15–20.
    pub match_points: Option<Tenths>,
    /// Columns 22–27.
    pub game_points: Option<Tenths>,
    /// From column 29 on, thirteen columns each; the last of them says something.
    pub rounds: Vec<TeamRound>,
}

/// A round of record 802.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamRound {
    /// Columns 1–3 and 5.
    pub against: Against,
    /// Columns 7–10: game points.
    pub points: Option<Tenths>,
    /// Column 11: whether the match was forfeited.
    pub forfeited: bool,
}

/// Whom a team met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// Nobody, and it is not said why.
    #[default]
    Nobody,
    /// Nobody, for it had a bye.
    Bye(ByeMark),
    /// Another team.
    Team {
        /// Its number.
        opponent: u32,
        /// The colour on the first board of the team whose record it is.
        colour: Option<Side>,
    },
}

/// What a team has made board by board, record 801, which repeats the others for people. How many boards there are is as
/// many results as its first round has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamBoards {
    /// Columns 4–6.
    pub number: u32,
    /// Columns 8–12.
    pub nickname: String,
    /// Columns 14–17.
    pub match_points: Option<Tenths>,
    /// Columns 19–22.
    pub game_points: Option<Tenths>,
    /// From column 24 on, eight columns each and two for every board.
    pub rounds: Vec<BoardsOfRound>,
}

/// A round of record 801.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardsOfRound {
    /// Columns 1–3 and 5: the opponent and the colour on the first board; none in a bye.
    pub against: Option<(u32, Option<Side>)>,
    /// From column 7 on: what came of each board, or the bye, once for each.
    pub marks: Vec<BoardMark>,
    /// Behind the marks and a blank: who sat at each board, by his place in the record of the team, from 1 to 9; none where
    /// nobody did. Empty where it is not said.
    pub seats: Vec<Option<u32>>,
}

named! {
    /// What came of a board of record 801.
    pub enum BoardMark {
        /// Won.
        Win = "1",
        /// Drawn.
        Draw = "=",
        /// Lost.
        Loss = "0",
        /// Won by forfeit.
        ForfeitWin = "+",
        /// Lost by forfeit.
        ForfeitLoss = "-",
        /// A full-point bye.
        Full = "F",
        /// A half-point bye.
        Half = "H",
        /// A zero-point bye.
        Zero = "Z",
        /// The pairing-allocated bye.
        Pab = "U",
    }
}

/// The byes of record 802.
pub(super) const BYES: [(&str, ByeMark); 4] =
    [("PAB", ByeMark::Pab), ("FPB", ByeMark::Full), ("HPB", ByeMark::Half), ("ZPB", ByeMark::Zero)];

/// Columns of a round of record 802.
pub(super) const RESULTS_WIDTH: usize = 13;

/// Columns of a round of record 801 with so many boards.
pub(super) const fn boards_width(boards: usize) -> usize {
    2 * boards + 8
}
