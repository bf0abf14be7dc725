//! The steps of a list: itself, and what is made anew before it.
//!
//! A step is an input and the list that follows from it. When a list is published, each step that counted an event which has
//! changed since is made once more, with the event as it is now, and so are all steps after it; the list's own step comes
//! last, and follows from the one before as it was made now. What was published stays what it was. So every list is what
//! would have been published had everything been known in time, as far back as [`REACH`](super::limits::REACH) lists.

use std::collections::{BTreeMap, BTreeSet};

use strength::{
    BadBytes, Digest, EventGames, Fault, Id, List, ListInput, Player, bytes, compute,
    limits::{GAMES_MAX, MEMBERS_MAX},
};

use super::Refusal;

/// What is known before steps are made.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The list from which the first step follows, if there is one.
    pub before: Option<List>,
    /// The inputs of the steps that are made anew, the earliest first.
    pub again: Vec<ListInput>,
    /// Events that count otherwise now, by the step that counted them; without games where they count no more.
    pub changed: BTreeMap<u32, Vec<EventGames>>,
    /// The grades of members, as far as they have any.
    pub grades: BTreeMap<Id, i32>,
    /// Doubles with those into whom they were merged.
    pub merged: BTreeMap<Id, Id>,
}

/// A step that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the list that it is a step to.
    pub number: u32,
    /// The canonical bytes of its input.
    pub input: Vec<u8>,
    /// The list.
    pub list: List,
}

impl Plan {
    /// Makes the steps that are made anew, and then the step of `new`, of which rows need no order, and players and doubles
    /// are worked out here.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`]; or a fault in what is stored, which is none of the caller's.
    pub fn make(mut self, new: ListInput) -> Result<Vec<Step>, Broken> {
        let mut steps = Vec::new();
        let mut before = self.before.take();
        let again = std::mem::take(&mut self.again);
        for mut input in again.into_iter().chain([new]) {
            for event in self.changed.get(&input.number).into_iter().flatten() {
                input.events.retain(|counted| counted.event != event.event);
                input.events.extend((!event.games.is_empty()).then(|| event.clone()));
            }
            self.complete(&mut input, before.as_ref())?;
            let list = compute(&input, before.as_ref())?;
            steps.push(Step { number: input.number, input: bytes::of_input(&input), list: list.clone() });
            before = Some(list);
        }
        Ok(steps)
    }

    /// Gives an input its players, its doubles and its order.
    fn complete(&self, input: &mut ListInput, before: Option<&List>) -> Result<(), Broken> {
        let graded: BTreeMap<Id, Option<i32>> =
            input.players.iter().map(|player| (player.member, player.grade)).collect();
        let mut members: BTreeSet<Id> = input.games().flat_map(|game| game.players).collect();
        members.extend(input.imported.iter().map(|imported| imported.member));
        let games = input.games().count();
        for (what, count, most) in [("games", games, GAMES_MAX), ("members", members.len(), MEMBERS_MAX)] {
            if count > most {
                return Err(Refusal::TooLarge(what, most).into());
            }
        }
        // Whoever was in the step before keeps the grade that he had then.
        let grade = |member: &Id| match graded.get(member) {
            Some(known) => *known,
            None => self.grades.get(member).copied(),
        };
        input.players =
            members.iter().map(|member| Player { member: *member, grade: grade(member) }).collect();
        members.extend(before.iter().flat_map(|list| &list.entries).map(|entry| entry.member));
        let double = |member: &Id| Some((*member, *self.merged.get(member)?));
        input.merged = members.iter().filter_map(double).collect();
        input.before = before.map(bytes::digest_of_list);
        input.order();
        Ok(())
    }
}

/// Why steps cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// It is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What is stored makes no sense.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// What is stored cannot be read.
    #[error(transparent)]
    Bytes(#[from] BadBytes),
}

/// What came of computing a stored step anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The digest of the list as it was computed.
    pub list: Digest,
    /// What is not as it should be.
    pub fault: Option<String>,
    /// Members whose entries differ, the first of them.
    pub differing: Vec<Id>,
}

/// Members that are named of those whose entries differ.
const DIFFERING_MAX: usize = 20;

/// Computes a stored step anew, from its input and the list before, and holds it to what is stored.
pub fn verify(input: &[u8], list: &[u8], expected: (Digest, Digest), before: Option<&[u8]>) -> Verdict {
    let fault = |fault: String| Verdict { fault: Some(fault), ..Verdict::default() };
    if bytes::digest(input) != expected.0 {
        return fault("the stored input is not what was published".to_owned());
    }
    let read = || -> Result<List, Broken> {
        let before = before.map(bytes::to_list).transpose()?;
        Ok(compute(&bytes::to_input(input)?, before.as_ref())?)
    };
    let computed = match read() {
        Ok(computed) => computed,
        Err(broken) => return fault(broken.to_string()),
    };
    let digest = bytes::digest_of_list(&computed);
    let mut verdict = Verdict { list: digest, ..Verdict::default() };
    if digest == expected.1 && bytes::digest(list) == expected.1 {
        return verdict;
    }
    verdict.fault = Some(match (digest == expected.1, bytes::to_list(list)) {
        (true, _) => "the stored list is not what was published".to_owned(),
        (false, Err(bad)) => format!("another list follows; the stored one: {bad}"),
        (false, Ok(stored)) => {
            verdict.differing = differing(&computed, &stored);
            "another list follows from the input".to_owned()
        }
    });
    verdict
}

fn differing(one: &List, other: &List) -> Vec<Id> {
    let members: BTreeSet<Id> = one.entries.iter().chain(&other.entries).map(|entry| entry.member).collect();
    let differ = members.into_iter().filter(|member| one.find(member) != other.find(member));
    differ.take(DIFFERING_MAX).collect()
}

/// The digest of the games of an event that count, whatever entry they were read up to.
pub fn digest_of_games(event: &EventGames) -> Digest {
    let mut bytes = Vec::with_capacity(event.games.len() * 40);
    for game in &event.games {
        bytes.extend_from_slice(&game.round.to_be_bytes());
        bytes.extend_from_slice(&game.table.to_be_bytes());
        for (player, score) in game.players.iter().zip(game.scores) {
            bytes.extend_from_slice(player);
            bytes.extend_from_slice(&score.halves().to_be_bytes());
        }
    }
    bytes::digest(&bytes)
}

#[cfg(test)]
mod tests;
