//! Tables: who stands where, and by what.

use serde::{Deserialize, Serialize};

use super::{Code, Colour, Name, Person};

/// Who stands where after a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standings {
    /// The last round that is in it; 0 for none.
    pub round: u16,
    /// Whether the lines are teams.
    pub teams: bool,
    /// What places are decided by and worked out from, in order.
    pub columns: Vec<Column>,
    /// The lines, best first.
    pub lines: Vec<Line>,
}

/// A line of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The place; none for who has none.
    pub place: Option<u32>,
    /// Who.
    pub who: Person,
    /// What stands in each column, as it is written: `79/7`; empty for nothing.
    pub cells: Vec<String>,
    /// Whether a game is still to be played, so that the line is not the last word.
    pub provisional: bool,
    /// What becomes of who stands here.
    pub fate: Fate,
}

/// What becomes of whom a table puts somewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Nothing.
    #[default]
    Stays,
    /// He goes up.
    Rises,
    /// He goes down.
    Falls,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// T: P + ΣO ÷ (M/2) − R.
    Total,
    /// P.
    Points,
    /// ΣO.
    Opponents,
    /// M.
    Highest,
    /// R.
    Rounds,
    /// A, of a round robin.
    A,
    /// Warnings, fewer first.
    Warnings,
    /// 1 for who stayed.
    Stayed,
    /// Points of a play-off.
    PlayOff,
    /// The place that was drawn.
    Lot,
    /// The McMahon score.
    Mms,
    /// Sum of the opponents' scores.
    Sos,
    /// Sum of their sums.
    Sosos,
    /// Sum of the scores of beaten opponents.
    Sodos,
    /// The sum without the lowest.
    #[serde(rename = "buchholz_cut_1")]
    BuchholzCut1,
    /// The sum without the highest and the lowest.
    BuchholzMedian,
    /// The sum with virtual opponents.
    DummyBuchholz,
    /// What those who are level made of each other.
    DirectEncounter,
    /// Games that were won.
    Wins,
    /// Points against those who made half of them.
    Koya,
    /// How well somebody has played.
    Performance,
    /// Points of matches.
    MatchPoints,
    /// Points of all boards.
    GamePoints,
    /// Points of one board, from 1.
    BoardPoints(u32),
    /// Points of one member of a team, the best first, from 1.
    MemberPoints(u32),
    /// Games that were played.
    Games,
    /// What has no name here, from 1.
    Other(u32),
}

/// Everybody's results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crosstable {
    /// The last round that is in it; 0 for none.
    pub round: u16,
    /// How it is laid out.
    pub form: Form,
    /// The lines, best first.
    pub lines: Vec<CrossLine>,
}

/// How a crosstable is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A column for each round.
    #[default]
    Rounds,
    /// A column for each opponent.
    AllPlayAll,
}

/// A line of a crosstable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossLine {
    /// The place; none for who has none.
    pub place: Option<u32>,
    /// Who.
    pub who: Person,
    /// What he has made, as it is written.
    pub points: String,
    /// His rounds, from the first.
    pub cells: Vec<Cell>,
}

/// What one had in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The number of the opponent; none for no opponent.
    pub opponent: Option<u32>,
    /// His own colour; none where none was given.
    pub colour: Option<Colour>,
    /// What came of it; none while that is not known, or if he was not there.
    pub code: Option<Code>,
}

/// A league after a round of its season.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct League {
    /// The season.
    pub season: Name,
    /// Its divisions, the highest first.
    pub divisions: Vec<Division>,
}

/// A division of a league.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Division {
    /// Its name.
    pub name: Name,
    /// Its table.
    pub table: Standings,
}
