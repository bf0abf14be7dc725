//! Who is where, in Redis.

use std::collections::BTreeSet;

use async_trait::async_trait;
use redis::AsyncCommands as _;
use uuid::Uuid;

use super::{Remote, codec, keep_ms};
use crate::limits::{self, PRESENT_MAX};
use crate::{LiveError, Moment, PresenceStore};

#[async_trait]
impl PresenceStore for Remote {
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
        let members: BTreeSet<Uuid> = members.iter().copied().collect();
        let mut call = self.scripts.renew_presence.key(self.keys.presence(key));
        call.arg(node.to_string())
            .arg(now.as_micros())
            .arg(until.as_micros())
            .arg(self.limits.presence_entries)
            .arg(keep_ms(until.since(now)));
        for member in members {
            call.arg(member.to_string());
        }
        let taken: bool = call.invoke_async(&mut self.connection()).await?;
        if taken { Ok(()) } else { Err(LiveError::Full { what: "a presence key" }) }
    }

    async fn end_presence(&self, key: &str, node: Uuid, member: Uuid) -> Result<(), LiveError> {
        limits::name("presence key", key)?;
        Ok(self.connection().zrem(self.keys.presence(key), format!("{member}{node}")).await?)
    }

    async fn count_present(&self, key: &str, now: Moment) -> Result<u32, LiveError> {
        limits::name("presence key", key)?;
        let mut call = self.scripts.count_present.key(self.keys.presence(key));
        Ok(call.arg(now.as_micros()).invoke_async(&mut self.connection()).await?)
    }

    async fn present(&self, key: &str, now: Moment) -> Result<Vec<Uuid>, LiveError> {
        limits::name("presence key", key)?;
        // An entry is the member and the node.
        let from = format!("({now}", now = now.as_micros());
        let entries: Vec<Vec<u8>> =
            self.connection().zrangebyscore(self.keys.presence(key), from, "+inf").await?;
        let member = |entry: &Vec<u8>| codec::uuid(entry.get(..36).unwrap_or_default());
        let members: BTreeSet<Uuid> = entries.iter().map(member).collect::<Result<_, LiveError>>()?;
        Ok(members.into_iter().collect())
    }

    async fn is_present(&self, key: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        limits::name("presence key", key)?;
        let mut call = self.scripts.count_present.key(self.keys.presence(key));
        call.arg(now.as_micros()).arg(member.to_string());
        Ok(call.invoke_async(&mut self.connection()).await?)
    }
}
