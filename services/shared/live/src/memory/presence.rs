//! Who is where, in memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use uuid::Uuid;

use super::Memory;
use crate::limits::{self, PRESENCE_KEYS_MAX, PRESENT_MAX};
use crate::{LiveError, Moment, PresenceStore};

#[async_trait]
impl PresenceStore for Memory {
    async fn renew_presence(
        &self,
        key: &str,
        node: Uuid,
        members: &[Uuid],
        now: Moment,
        until: Moment,
    ) -> Result<(), LiveError> {
        limits::name("presence key", key)?;
        limits::size("members", members.len(), PRESENT_MAX)?;
        self.presence.lock().renew(key, node, members, (now, until), self.limits.presence_entries)
    }

    async fn end_presence(&self, key: &str, node: Uuid, member: Uuid) -> Result<(), LiveError> {
        limits::name("presence key", key)?;
        self.presence.lock().end(key, node, member);
        Ok(())
    }

    async fn count_present(&self, key: &str, now: Moment) -> Result<u32, LiveError> {
        limits::name("presence key", key)?;
        Ok(self.presence.lock().count(key, now))
    }

    async fn present(&self, key: &str, now: Moment) -> Result<Vec<Uuid>, LiveError> {
        limits::name("presence key", key)?;
        Ok(self.presence.lock().members(key, now).into_iter().collect())
    }

    async fn is_present(&self, key: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        limits::name("presence key", key)?;
        Ok(self.presence.lock().contains(key, member, now))
    }
}

/// Until when each member is present under each key through each node.
#[derive(Debug, Default)]
pub(super) struct Presence(HashMap<String, BTreeMap<(Uuid, Uuid), Moment>>);

impl Presence {
    fn renew(
        &mut self,
        key: &str,
        node: Uuid,
        members: &[Uuid],
        (now, until): (Moment, Moment),
        max: u32,
    ) -> Result<(), LiveError> {
        if !self.0.contains_key(key) && self.0.len() >= PRESENCE_KEYS_MAX {
            self.0.retain(|_, entries| entries.values().any(|until| *until > now));
        }
        if !self.0.contains_key(key) && self.0.len() >= PRESENCE_KEYS_MAX {
            return Err(LiveError::Full { what: "presence keys" });
        }
        let entries = self.0.entry(key.to_owned()).or_default();
        entries.retain(|_, until| *until > now);
        let members: BTreeSet<Uuid> = members.iter().copied().collect();
        let new = members.iter().filter(|member| !entries.contains_key(&(**member, node))).count();
        if entries.len() + new > max as usize {
            return Err(LiveError::Full { what: "a presence key" });
        }
        for member in members {
            let entry = entries.entry((member, node)).or_insert(until);
            *entry = until.max(*entry);
        }
        Ok(())
    }

    fn end(&mut self, key: &str, node: Uuid, member: Uuid) {
        if let Some(entries) = self.0.get_mut(key) {
            entries.remove(&(member, node));
            if entries.is_empty() {
                self.0.remove(key);
            }
        }
    }

    fn count(&self, key: &str, now: Moment) -> u32 {
        u32::try_from(self.members(key, now).len()).unwrap_or(u32::MAX)
    }

    fn members(&self, key: &str, now: Moment) -> BTreeSet<Uuid> {
        let entries = self.0.get(key).into_iter().flatten().filter(|(_, until)| **until > now);
        entries.map(|((member, _), _)| *member).collect()
    }

    fn contains(&self, key: &str, member: Uuid, now: Moment) -> bool {
        let entries = self.0.get(key).into_iter();
        let mut entries =
            entries.flat_map(|entries| entries.range((member, Uuid::nil())..=(member, Uuid::max())));
        entries.any(|(_, until)| *until > now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn empty_keys_make_room_and_others_do_not() {
        let mut presence = Presence::default();
        let (now, until) = (Moment::from_micros(1), Moment::from_micros(2));
        for number in 0..PRESENCE_KEYS_MAX {
            presence.renew(&number.to_string(), Uuid::nil(), &[Uuid::nil()], (now, until), 1).unwrap();
        }
        let full = presence.renew("more", Uuid::nil(), &[Uuid::nil()], (now, until), 1);
        assert!(matches!(full, Err(LiveError::Full { .. })));
        let later = until.plus(Duration::from_secs(1));
        presence.renew("more", Uuid::nil(), &[Uuid::nil()], (until, later), 1).unwrap();
        assert_eq!(presence.0.len(), 1);
    }
}
