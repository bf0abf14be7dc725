//! What stands on papers: plain data, which other tools read as JSON.

mod lists;
mod rounds;
mod tables;

use serde::{Deserialize, Serialize};

pub use lists::{
    Entrant, EntrantState, Notice, Rated, RatingList, Roster, RosterTeam, Schedule, ScheduledRound,
};
pub use rounds::{Bye, Code, Colour, Colours, Match, MatchBoard, Matches, Out, PairedBoard, Pairings, Slips};
pub use tables::{Cell, Column, CrossLine, Crosstable, Division, Fate, Form, League, Line, Standings};

/// A paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paper {
    /// The languages of its words, as tags. The first is that of the page, and says in which direction it is written.
    pub languages: Vec<String>,
    /// What stands above everything.
    pub head: Head,
    /// The rest.
    pub sheet: Sheet,
}

/// What stands above a paper, and says as of when it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Who holds the event, or the paper is from.
    pub organiser: Name,
    /// The event; empty for a paper of a federation.
    pub event: Name,
    /// Where it is held; may be empty.
    pub venue: String,
    /// The moment as of which it is, with its zone; empty where that is not said.
    pub as_of: String,
    /// The last entry of the event's log that the paper knows of; 0 for none.
    pub sequence: u64,
}

/// What a paper is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sheet {
    /// Who meets whom.
    Pairings(Pairings),
    /// A slip for each board, to be cut apart.
    Slips(Slips),
    /// Who stands where.
    Standings(Standings),
    /// Everybody's results.
    Crosstable(Crosstable),
    /// Which team meets which, and who sits at its boards.
    Matches(Matches),
    /// When rounds begin.
    Schedule(Schedule),
    /// Who has entered.
    Roster(Roster),
    /// A list of ratings.
    RatingList(RatingList),
    /// The divisions of a league.
    League(League),
    /// What an official has to say.
    Notice(Notice),
}

/// A name as it is written where it belongs, and in Latin letters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name {
    /// In its own script.
    pub native: String,
    /// In Latin letters; the same as the native one, or empty, where that is Latin.
    pub latin: String,
    /// By what it is found on a page again when it is to be [blacked out](crate::blacked_out): whose it is, and nobody
    /// else's. Empty where it never will be.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mark: String,
}

/// A player, or a team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The number in the event; 0 for none.
    pub number: u32,
    /// Who it is.
    pub name: Name,
    /// The club or federation; empty for none.
    pub club: Name,
    /// The grade, as it is written: 5d; empty for none.
    pub grade: String,
    /// The rating; none where there is none.
    pub rating: Option<i32>,
}

impl Name {
    /// A name of two parts.
    #[must_use]
    pub fn new(native: &str, latin: &str) -> Name {
        Name { native: native.to_owned(), latin: latin.to_owned(), mark: String::new() }
    }

    /// The same with a mark.
    #[must_use]
    pub fn marked(self, mark: String) -> Name {
        Name { mark, ..self }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.native.is_empty() && self.latin.is_empty()
    }
}
