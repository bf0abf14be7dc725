//! What the players were told, to be held to what the logs say.

use std::sync::{Mutex, MutexGuard, PoisonError};

use api::{error::reason, game::v1::GameEvent};
use tokio::time::Instant;
use tonic::{Code, Status};

/// What became of one sending of a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer<T = Box<GameEvent>> {
    /// It was acknowledged: it has become this.
    Event(T),
    /// It was refused, for this reason: it has become nothing.
    Refused(String),
    /// Nobody knows.
    Unknown,
}

/// A command of an official or a player to an event and all its answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Command {
    /// The id under which it was sent, each time.
    pub request: String,
    /// The method.
    pub what: &'static str,
    /// When it was sent and what became of it, in the order of sending: the last entry of the log that it was answered with.
    pub answers: Vec<(Instant, Answer<u64>)>,
}

/// A request of a player and all its answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The game.
    pub game: String,
    /// The id under which it was sent, each time.
    pub request: String,
    /// What was asked, in a word.
    pub what: &'static str,
    /// When it was sent and what became of it, in the order of sending.
    pub answers: Vec<(Instant, Answer)>,
}

/// What a spectator saw of a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sighting {
    /// The game.
    pub game: String,
    /// The number of the last event of the snapshot that it began with; 0 without one.
    pub from: u64,
    /// The events after that, in the order in which they came.
    pub events: Vec<GameEvent>,
}

/// A line-up that somebody was shown whose it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peek {
    /// When he was answered.
    pub at: Instant,
    /// For which round of the event it is.
    pub round: u32,
    /// The number of the team.
    pub team: u32,
    /// Who sits where.
    pub players: Vec<u32>,
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct History {
    entries: Mutex<Vec<Entry>>,
    commands: Mutex<Vec<Command>>,
    sightings: Mutex<Vec<Sighting>>,
    peeks: Mutex<Vec<Peek>>,
}

impl Answer {
    /// An answer as a client of games takes it.
    pub(crate) fn new(answer: Result<Option<GameEvent>, Status>) -> Self {
        Answer::of(answer.map(|event| event.map(Box::new)))
    }
}

impl<T> Answer<T> {
    /// An answer as a client takes it.
    pub(crate) fn of(answer: Result<Option<T>, Status>) -> Self {
        match answer {
            Ok(Some(event)) => Answer::Event(event),
            Ok(None) => Answer::Refused("NO_EVENT".to_owned()),
            Err(status) => match status.code() {
                Code::Unavailable | Code::Cancelled | Code::DeadlineExceeded => Answer::Unknown,
                Code::Unknown | Code::Internal if reason(&status).is_empty() => Answer::Unknown,
                _ => Answer::Refused(reason(&status)),
            },
        }
    }
}

impl History {
    /// Writes down what became of a request.
    pub(crate) fn enter(&self, entry: Entry) {
        locked(&self.entries).push(entry);
    }

    /// Writes down what became of a command.
    pub(crate) fn command(&self, command: Command) {
        locked(&self.commands).push(command);
    }

    /// Writes down what a spectator saw.
    pub(crate) fn sight(&self, sighting: Sighting) {
        locked(&self.sightings).push(sighting);
    }

    /// Writes down what somebody was shown of a line-up.
    pub(crate) fn peek(&self, peek: Peek) {
        locked(&self.peeks).push(peek);
    }

    /// Every look at somebody else's line-up that showed it.
    pub(crate) fn peeks(&self) -> Vec<Peek> {
        locked(&self.peeks).clone()
    }

    /// Every request.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        locked(&self.entries).clone()
    }

    /// Every command.
    pub(crate) fn commands(&self) -> Vec<Command> {
        locked(&self.commands).clone()
    }

    /// Everything that was seen.
    pub(crate) fn sightings(&self) -> Vec<Sighting> {
        locked(&self.sightings).clone()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
