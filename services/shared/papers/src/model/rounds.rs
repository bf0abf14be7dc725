//! Rounds: who meets whom, and what came of it.

use serde::{Deserialize, Serialize};

use super::{Name, Person};

/// The boards of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairings {
    /// Which round, from 1.
    pub round: u16,
    /// When it begins, with its zone; empty where that is not known.
    pub begins: String,
    /// Which colours those who stand first and second have.
    pub colours: Colours,
    /// The boards, in the order of tables.
    pub boards: Vec<PairedBoard>,
    /// Who has no opponent.
    pub out: Vec<Out>,
}

/// Slips for the results of a round, one for each board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slips {
    /// Which round, from 1.
    pub round: u16,
    /// Which colours those who stand first and second have.
    pub colours: Colours,
    /// The boards, in the order of tables. What came of them does not stand on a slip.
    pub boards: Vec<PairedBoard>,
}

/// A board of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedBoard {
    /// The table, as it is called: `12`, or `3.2` for the second board of the third match.
    pub table: String,
    /// Who plays.
    pub players: [Person; 2],
    /// What came of it for each; none while that is not known.
    pub result: Option<[Code; 2]>,
}

/// Who has no opponent in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Out {
    /// Who.
    pub player: Person,
    /// Why.
    pub bye: Bye,
}

/// The team matches of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matches {
    /// Which round, from 1.
    pub round: u16,
    /// When it begins, with its zone; empty where that is not known.
    pub begins: String,
    /// The matches, in their order.
    pub matches: Vec<Match>,
    /// Teams without an opponent.
    pub out: Vec<Out>,
}

/// A team match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Which match of the round, from 1.
    pub number: u32,
    /// The teams.
    pub teams: [Person; 2],
    /// The points of each; none while nothing of it is known.
    pub score: Option<[u32; 2]>,
    /// The boards; none while the line-ups are not public.
    pub boards: Vec<MatchBoard>,
}

/// A board of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchBoard {
    /// Which board of the match, from 1.
    pub board: u32,
    /// Who plays, in the order of the teams.
    pub players: [Person; 2],
    /// The colour of the first team's player; none where that is decided at the board.
    pub colour: Option<Colour>,
    /// What came of it for each; none while that is not known.
    pub result: Option<[Code; 2]>,
}

/// A colour of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Dark stones.
    Black,
    /// Light stones.
    White,
}

/// Which colours the two columns of a list of boards have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colours {
    /// Who stands first has Black.
    BlackFirst,
    /// Who stands first has White.
    WhiteFirst,
    /// The colours are decided at the board.
    #[default]
    Open,
}

/// What came of a board, or a round without an opponent, for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Won at the board.
    Win,
    /// Lost at the board.
    Loss,
    /// Drawn at the board.
    Draw,
    /// Won, as the opponent did not play.
    ForfeitWin,
    /// Lost without play.
    ForfeitLoss,
    /// Neither played.
    DoubleForfeit,
    /// To be played on.
    Adjourned,
    /// To be played again.
    ReplayOrdered,
    /// Struck out.
    Annulled,
    /// Without an opponent.
    Bye(Bye),
}

/// Why somebody has no opponent, and what he gets for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bye {
    /// One of an odd number is left over.
    Pab,
    /// Asked for, with the points of a win.
    ByeFull,
    /// Asked for, with the points of a draw.
    ByeHalf,
    /// Absent.
    ByeZero,
}

impl Pairings {
    /// Which boards they are, for slips.
    #[must_use]
    pub fn slips(&self) -> Slips {
        Slips { round: self.round, colours: self.colours, boards: self.boards.clone() }
    }
}

impl Out {
    /// Who has no opponent, and why.
    #[must_use]
    pub fn new(player: Person, bye: Bye) -> Out {
        Out { player, bye }
    }
}

impl Match {
    /// The names of the two.
    #[must_use]
    pub fn names(&self) -> [&Name; 2] {
        [&self.teams[0].name, &self.teams[1].name]
    }
}
