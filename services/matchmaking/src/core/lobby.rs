//! The open challenges, as whoever looks on is told of them.
//!
//! Each change has a number, one more than the change before. Whoever knows all up to a number is told what has changed since;
//! whoever has missed too much is told all there are.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
};

use chassis::id::ChallengeId;

use super::{Addressee, Challenge};

/// The most challenges that a lobby knows, the latest: a thousand accounts with all that they may have open.
pub const LOBBY_MAX: usize = 20_000;
/// The most that are told to somebody who comes, the latest: more than anybody reads, and a message of some 200 KB.
const WHOLE_MAX: usize = 500;
/// How many changes are remembered for those who come back.
const CHANGES_MAX: usize = 5_000;

/// What is known of the open challenges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lobby {
    /// By the numbers at which they were opened; by some below 1 where that was before the lobby knew.
    open: BTreeMap<i64, Arc<Challenge>>,
    numbers: HashMap<ChallengeId, i64>,
    /// The latest changes.
    changes: VecDeque<Change>,
    /// Up to which number all is known.
    up_to: u64,
}

/// One change: a challenge was opened, or is over.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    number: u64,
    id: ChallengeId,
    /// The challenge as far as it is known.
    challenge: Option<Arc<Challenge>>,
    is_open: bool,
}

/// What somebody looks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sought {
    /// One of these variants; any if there are none.
    pub variants: Vec<&'static str>,
    /// Rated or casual; either if not said.
    pub rated: Option<bool>,
    /// One of these speed classes, by the numbers of the proto; any if there are none.
    pub speeds: Vec<i32>,
    /// Of bots or of people; either if not said.
    pub bots: Option<bool>,
}

/// What somebody is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LobbyNews {
    /// Whether this is all there are: what was told before is to be forgotten.
    pub whole: bool,
    /// What was opened, the earliest first.
    pub opened: Vec<Arc<Challenge>>,
    /// What is over.
    pub closed: Vec<ChallengeId>,
    /// Up to which number he knows all then.
    pub number: u64,
}

impl LobbyNews {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        !self.whole && self.opened.is_empty() && self.closed.is_empty()
    }
}

impl Sought {
    /// Whether it is this.
    pub fn is(&self, challenge: &Challenge) -> bool {
        let settings = &challenge.settings;
        (self.variants.is_empty() || self.variants.contains(&settings.variant()))
            && self.rated.is_none_or(|rated| rated == settings.rated())
            && self.bots.is_none_or(|bots| bots == challenge.bot)
            && (self.speeds.is_empty() || self.speeds.contains(&settings.time_control().speed_class().into()))
    }
}

impl Lobby {
    /// The lobby of these, the earliest first, when the latest change had this number.
    pub fn of(open: Vec<Challenge>, up_to: u64) -> Self {
        let mut lobby = Lobby { up_to, ..Lobby::default() };
        for (number, challenge) in (1 - open.len().cast_signed() as i64..).zip(open) {
            lobby.numbers.insert(challenge.id, number);
            lobby.open.insert(number, Arc::new(challenge));
        }
        lobby.keep_latest();
        lobby
    }

    /// Up to which number all is known.
    pub fn up_to(&self) -> u64 {
        self.up_to
    }

    /// Notes the next change: a challenge, as far as it is still there, is open now, or is not.
    pub fn note(&mut self, number: u64, id: ChallengeId, challenge: Option<Challenge>, is_open: bool) {
        let known = self.numbers.remove(&id).and_then(|number| self.open.remove(&number));
        let challenge = challenge.filter(|it| matches!(it.to, Addressee::Open(_))).map(Arc::new).or(known);
        let is_open = is_open && challenge.is_some();
        if is_open && let Some(challenge) = &challenge {
            self.open.insert(number.cast_signed(), Arc::clone(challenge));
            self.numbers.insert(id, number.cast_signed());
        }
        self.changes.push_back(Change { number, id, challenge, is_open });
        self.up_to = number;
        self.keep_latest();
    }

    fn keep_latest(&mut self) {
        while self.changes.len() > CHANGES_MAX {
            self.changes.pop_front();
        }
        while self.open.len() > LOBBY_MAX {
            if let Some((_, challenge)) = self.open.pop_first() {
                self.numbers.remove(&challenge.id);
            }
        }
    }

    /// What somebody is told who knows all up to a number, or nothing.
    pub fn since(&self, number: Option<u64>, sought: &Sought) -> LobbyNews {
        let known = number.filter(|number| {
            let oldest = self.changes.front().map_or(self.up_to + 1, |change| change.number);
            (oldest - 1..=self.up_to).contains(number)
        });
        let Some(known) = known else { return self.whole(sought) };
        // Of the same challenge only the latest counts.
        let mut latest: HashMap<ChallengeId, &Change> = HashMap::new();
        let begin = self.changes.partition_point(|change| change.number <= known);
        let fits = |change: &&Change| change.challenge.as_ref().is_none_or(|it| sought.is(it));
        for change in self.changes.range(begin..).filter(fits) {
            latest.insert(change.id, change);
        }
        let mut latest: Vec<&Change> = latest.into_values().collect();
        latest.sort_by_key(|change| change.number);
        let (opened, closed): (Vec<&Change>, Vec<&Change>) =
            latest.into_iter().partition(|change| change.is_open);
        LobbyNews {
            whole: false,
            opened: opened.into_iter().filter_map(|change| change.challenge.clone()).collect(),
            closed: closed.into_iter().map(|change| change.id).collect(),
            number: self.up_to,
        }
    }

    fn whole(&self, sought: &Sought) -> LobbyNews {
        let sought = self.open.values().rev().filter(|it| sought.is(it)).take(WHOLE_MAX).cloned();
        let mut opened: Vec<Arc<Challenge>> = sought.collect();
        opened.reverse();
        LobbyNews { whole: true, opened, closed: Vec::new(), number: self.up_to }
    }
}

#[cfg(test)]
mod tests;
