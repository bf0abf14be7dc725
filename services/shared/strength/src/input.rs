//! Everything that a list follows from.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Digest, Id, Points, Policy,
    limits::{EVENTS_MAX, GAMES_MAX, MEMBERS_MAX},
};

/// What a list follows from, beside the list before. Rows have an order, which [`ListInput::order`] makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListInput {
    /// Which list it is, from 1.
    pub number: u32,
    /// Its day, as a Julian day number.
    pub day: i32,
    /// How it is made.
    pub policy: Policy,
    /// The digest of the list before; none of the first.
    pub before: Option<Digest>,
    /// Who has played in these games, or had his rating imported, in the order of ids.
    pub players: Vec<Player>,
    /// Doubles, each with the member into whom he was merged, in the order of doubles.
    pub merged: Vec<(Id, Id)>,
    /// Ratings that somebody vouches for, in the order of members: of those who have none by then.
    pub imported: Vec<Imported>,
    /// The events that count, in the order of ids.
    pub events: Vec<EventGames>,
}

/// Somebody who has played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Player {
    /// Who.
    pub member: Id,
    /// His grade, if he has one: 3 dan is 3, 1 kyu is 0.
    pub grade: Option<i32>,
}

/// A rating that somebody vouches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Imported {
    /// Whose.
    pub member: Id,
    /// The rating.
    pub rating: Points,
    /// By how many games.
    pub games: u32,
    /// Of which day, as a Julian day number.
    pub day: i32,
}

/// The games of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventGames {
    /// Which event.
    pub event: Id,
    /// Up to which entry its log was read.
    pub sequence: u64,
    /// Its games, in the order of rounds and tables.
    pub games: Vec<Game>,
}

/// A game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Game {
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u32,
    /// Who played.
    pub players: [Id; 2],
    /// What each has scored: two can both have lost.
    pub scores: [Score; 2],
}

/// What somebody has scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Score {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

/// Rows that contradict each other, or are too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadInput {
    /// Something is there twice.
    #[error("{0} are there twice, or out of their order")]
    Order(&'static str),
    /// A row names somebody who is no player.
    #[error("{0} name somebody who is none of the players")]
    Stranger(&'static str),
    /// There are too many.
    #[error("more than {1} {0}")]
    TooMany(&'static str, usize),
    /// A double leads to a double.
    #[error("a double leads to another double, or to itself")]
    Merged,
    /// Somebody plays against himself.
    #[error("somebody plays against himself")]
    OwnOpponent,
    /// A rating that there cannot be.
    #[error("an imported rating is beyond 10,000 points")]
    Rating,
}

impl Score {
    /// In half points.
    pub const fn halves(self) -> u32 {
        match self {
            Score::Loss => 0,
            Score::Draw => 1,
            Score::Win => 2,
        }
    }
}

impl ListInput {
    /// The input of a list of which nothing else is known: no list before it, and nobody has played.
    pub fn new(number: u32, day: i32, policy: Policy) -> ListInput {
        ListInput {
            number,
            day,
            policy,
            before: None,
            players: Vec::new(),
            merged: Vec::new(),
            imported: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Puts rows in their order, whatever it was.
    pub fn order(&mut self) {
        self.players.sort_unstable();
        self.merged.sort_unstable();
        self.imported.sort_unstable();
        self.events.sort_unstable_by_key(|event| event.event);
        for event in &mut self.events {
            event.games.sort_unstable();
        }
    }

    /// Every game, in the order in which they are reckoned.
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.events.iter().flat_map(|event| &event.games)
    }

    /// Makes sure that rows are in their order, once each, not too many, and name nobody but players.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), BadInput> {
        for (count, most, what) in [
            (self.players.len(), MEMBERS_MAX, "players"),
            (self.merged.len(), MEMBERS_MAX, "doubles"),
            (self.imported.len(), MEMBERS_MAX, "imported ratings"),
            (self.events.len(), EVENTS_MAX, "events"),
            (self.games().count(), GAMES_MAX, "games"),
        ] {
            if count > most {
                return Err(BadInput::TooMany(what, most));
            }
        }
        grow(self.players.iter().map(|it| it.member), "players")?;
        grow(self.merged.iter().map(|it| it.0), "doubles")?;
        grow(self.imported.iter().map(|it| it.member), "imported ratings")?;
        grow(self.events.iter().map(|it| it.event), "events")?;
        for event in &self.events {
            grow(event.games.iter().map(|it| (it.round, it.table)), "games of an event")?;
        }
        self.check_people()
    }

    fn check_people(&self) -> Result<(), BadInput> {
        let players: BTreeSet<Id> = self.players.iter().map(|it| it.member).collect();
        if self.imported.iter().any(|it| !players.contains(&it.member)) {
            return Err(BadInput::Stranger("imported ratings"));
        }
        if self.imported.iter().any(|it| it.rating != it.rating.within()) {
            return Err(BadInput::Rating);
        }
        if self.games().flat_map(|it| it.players).any(|it| !players.contains(&it)) {
            return Err(BadInput::Stranger("games"));
        }
        if self.games().any(|it| it.players[0] == it.players[1]) {
            return Err(BadInput::OwnOpponent);
        }
        let doubles: BTreeMap<Id, Id> = self.merged.iter().copied().collect();
        let is_double = |id: &Id| doubles.contains_key(id);
        if doubles.values().any(is_double) { Err(BadInput::Merged) } else { Ok(()) }
    }
}

/// Makes sure that each key is greater than the one before.
fn grow<T: Ord>(keys: impl Iterator<Item = T>, what: &'static str) -> Result<(), BadInput> {
    if keys.is_sorted_by(|one, next| one < next) { Ok(()) } else { Err(BadInput::Order(what)) }
}
