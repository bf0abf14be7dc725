//! Lists: who has entered, when rounds begin, ratings; and notices.

use serde::{Deserialize, Serialize};

use super::{Name, Person};

/// Who has entered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roster {
    /// Players, in the order of their numbers; none of those who stand in a team.
    pub players: Vec<Entrant>,
    /// Teams, in the order of their numbers.
    pub teams: Vec<RosterTeam>,
}

/// A player who has entered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Who.
    pub who: Person,
    /// What he is to the event.
    pub state: EntrantState,
}

/// What somebody is to an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntrantState {
    /// He plays.
    #[default]
    Entered,
    /// He waits for a place.
    Waiting,
    /// He has left.
    Withdrawn,
    /// He was sent away.
    Expelled,
    /// His results are void.
    Annulled,
}

/// A team that has entered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RosterTeam {
    /// The team.
    pub team: Person,
    /// What it is to the event.
    pub state: EntrantState,
    /// Who leads it; empty for nobody.
    pub captain: Name,
    /// Its players, in the order of boards.
    pub players: Vec<Person>,
    /// Who may take their places.
    pub reserves: Vec<Person>,
}

/// When rounds begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The rounds, in order.
    pub rounds: Vec<ScheduledRound>,
}

/// A round of a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledRound {
    /// Which round, from 1.
    pub round: u16,
    /// When it begins, with its zone; empty while that is not set.
    pub begins: String,
}

/// A list of ratings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingList {
    /// What it rates: the game, the class of speed.
    pub name: Name,
    /// The day from which it holds.
    pub date: String,
    /// Everybody, best first.
    pub lines: Vec<Rated>,
}

/// A line of a list of ratings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rated {
    /// The place.
    pub place: u32,
    /// Who, with his rating.
    pub who: Person,
    /// How that has changed since the list before; none for who is new.
    pub change: Option<i32>,
    /// Games since then.
    pub games: u32,
}

/// What an official has to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What it is about.
    pub title: String,
    /// What it says. An empty line ends a paragraph.
    pub text: String,
    /// Who signs it; empty for nobody.
    pub signed: Name,
    /// When it was posted, with its zone; empty where that is not said.
    pub posted: String,
}
