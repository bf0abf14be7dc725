//! What became of tickets as far as their owners were told.

use std::collections::BTreeMap;

use api::board::v1::Side;
use parking_lot::Mutex;

/// What the owner of a ticket knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// He asks for it, or has gone away without a word.
    Open,
    /// He was told of a game.
    Matched {
        /// Which.
        game: String,
        /// His side.
        side: Side,
    },
    /// He was told that there will be none.
    Over,
}

/// A ticket and what its owner knows of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// Whose it is.
    pub owner: String,
    /// Whether he held on to it until he was told.
    pub held: bool,
    /// What he was told.
    pub fate: Fate,
}

/// All tickets of a run.
#[derive(Debug, Default)]
pub(crate) struct Fates(Mutex<BTreeMap<String, Told>>);

impl Fates {
    /// A ticket is asked for.
    pub(crate) fn open(&self, ticket: &str, owner: String) {
        self.0.lock().insert(ticket.to_owned(), Told { owner, held: true, fate: Fate::Open });
    }

    /// Its owner goes away without a word.
    pub(crate) fn leave(&self, ticket: &str) {
        if let Some(told) = self.0.lock().get_mut(ticket) {
            told.held = false;
        }
    }

    /// Its owner is told something; what he was told before that does not agree with it.
    pub(crate) fn tell(&self, ticket: &str, fate: &Fate) -> Option<Fate> {
        let mut all = self.0.lock();
        let told = all.get_mut(ticket)?;
        let before = std::mem::replace(&mut told.fate, fate.clone());
        (before != Fate::Open && before != *fate).then_some(before)
    }

    /// All of them.
    pub(crate) fn all(&self) -> BTreeMap<String, Told> {
        self.0.lock().clone()
    }
}
