//! What was asked for without a pool, and what those who asked and those who accepted were told.

use api::board::v1::Side;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::history::Answer;

/// A game that somebody asks for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The challenge.
    pub id: String,
    /// Who asks.
    pub by: String,
    /// The secret of the link; empty if anybody may accept it.
    pub secret: String,
    /// How many games may come of it.
    pub uses: u32,
    /// When the game is to begin, if it is arranged for a time.
    pub starts: Option<Instant>,
    /// Whether its owner was told that it is there.
    pub made: bool,
    /// When its owner was told that it is taken back.
    pub withdrawn: Option<Instant>,
}

/// A challenge that somebody accepts.
#[derive(Clone, Debug)]
pub(crate) struct Accepted {
    /// The challenge.
    pub challenge: String,
    /// Who accepts it.
    pub by: String,
    /// With which ticket.
    pub ticket: String,
    /// When he began to.
    pub since: Instant,
    /// What he was told at last: the game, and his side if it is known.
    pub answer: Answer<(String, Side)>,
}

/// An arranged game that somebody was told is called off.
#[derive(Clone, Debug)]
pub(crate) struct CalledOff {
    /// The game.
    pub game: String,
    /// Who has called it off.
    pub by: String,
}

/// All of it. Cloning makes a copy of what is known so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// What was asked for, in its order.
    pub asked: Vec<Asked>,
    /// What was accepted.
    pub accepted: Vec<Accepted>,
    /// What was called off.
    pub called_off: Vec<CalledOff>,
}

/// All of it, as it comes.
#[derive(Debug, Default)]
pub(crate) struct Board(Mutex<Known>);

impl Board {
    /// What is known.
    pub(crate) fn known(&self) -> Known {
        self.0.lock().clone()
    }

    /// Adds to what is known.
    pub(crate) fn note<T>(&self, note: impl FnOnce(&mut Known) -> T) -> T {
        note(&mut self.0.lock())
    }

    /// What becomes known of a challenge.
    pub(crate) fn of(&self, challenge: &str, note: impl FnOnce(&mut Asked)) {
        if let Some(asked) = self.0.lock().asked.iter_mut().find(|asked| asked.id == challenge) {
            note(asked);
        }
    }
}
