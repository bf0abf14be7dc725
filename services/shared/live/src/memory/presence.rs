//! Who is where, in memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use uuid::Uuid;

use super::Memory;
use crate::limits::{self, ATTEND_MAX, PLACES_MAX};
use crate::{LiveError, Moment, PresenceStore};

#[async_trait]
impl PresenceStore for Memory {
    async fn attend(
        &self,
        place: &str,
        witness: Uuid,
        members: &[Uuid],
        now: Moment,
        until: Moment,
    ) -> Result<(), LiveError> {
        limits::name("place", place)?;
        limits::size("members", members.len(), ATTEND_MAX)?;
        self.places.lock().attend(place, witness, members, (now, until), self.limits.place_words)
    }

    async fn leave(&self, place: &str, witness: Uuid, member: Uuid) -> Result<(), LiveError> {
        limits::name("place", place)?;
        self.places.lock().leave(place, witness, member);
        Ok(())
    }

    async fn attendance(&self, place: &str, now: Moment) -> Result<u32, LiveError> {
        limits::name("place", place)?;
        Ok(self.places.lock().attendance(place, now))
    }

    async fn attends(&self, place: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        limits::name("place", place)?;
        Ok(self.places.lock().attends(place, member, now))
    }
}

/// Until when each member is at each place, by the word of each witness.
#[derive(Debug, Default)]
pub(super) struct Places(HashMap<String, BTreeMap<(Uuid, Uuid), Moment>>);

impl Places {
    fn attend(
        &mut self,
        place: &str,
        witness: Uuid,
        members: &[Uuid],
        (now, until): (Moment, Moment),
        max: u32,
    ) -> Result<(), LiveError> {
        if !self.0.contains_key(place) && self.0.len() >= PLACES_MAX {
            self.0.retain(|_, words| words.values().any(|until| *until > now));
        }
        if !self.0.contains_key(place) && self.0.len() >= PLACES_MAX {
            return Err(LiveError::Full { what: "places" });
        }
        let words = self.0.entry(place.to_owned()).or_default();
        words.retain(|_, until| *until > now);
        let members: BTreeSet<Uuid> = members.iter().copied().collect();
        let new = members.iter().filter(|member| !words.contains_key(&(**member, witness))).count();
        if words.len() + new > max as usize {
            return Err(LiveError::Full { what: "a place" });
        }
        for member in members {
            let word = words.entry((member, witness)).or_insert(until);
            *word = until.max(*word);
        }
        Ok(())
    }

    fn leave(&mut self, place: &str, witness: Uuid, member: Uuid) {
        if let Some(words) = self.0.get_mut(place) {
            words.remove(&(member, witness));
            if words.is_empty() {
                self.0.remove(place);
            }
        }
    }

    fn attendance(&self, place: &str, now: Moment) -> u32 {
        let words = self.0.get(place).into_iter().flatten().filter(|(_, until)| **until > now);
        let members: BTreeSet<Uuid> = words.map(|((member, _), _)| *member).collect();
        u32::try_from(members.len()).unwrap_or(u32::MAX)
    }

    fn attends(&self, place: &str, member: Uuid, now: Moment) -> bool {
        let words = self.0.get(place).into_iter();
        let mut words = words.flat_map(|words| words.range((member, Uuid::nil())..=(member, Uuid::max())));
        words.any(|(_, until)| *until > now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn empty_places_make_room_and_others_do_not() {
        let mut places = Places::default();
        let (now, until) = (Moment::from_micros(1), Moment::from_micros(2));
        for number in 0..PLACES_MAX {
            places.attend(&number.to_string(), Uuid::nil(), &[Uuid::nil()], (now, until), 1).unwrap();
        }
        let full = places.attend("more", Uuid::nil(), &[Uuid::nil()], (now, until), 1);
        assert!(matches!(full, Err(LiveError::Full { .. })));
        let later = until.plus(Duration::from_secs(1));
        places.attend("more", Uuid::nil(), &[Uuid::nil()], (until, later), 1).unwrap();
        assert_eq!(places.0.len(), 1);
    }
}
