//! Who is where, in Redis.

use std::collections::BTreeSet;

use async_trait::async_trait;
use redis::AsyncCommands as _;
use uuid::Uuid;

use super::{Remote, keep_ms};
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

    async fn is_present(&self, key: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        limits::name("presence key", key)?;
        let mut call = self.scripts.count_present.key(self.keys.presence(key));
        call.arg(now.as_micros()).arg(member.to_string());
        Ok(call.invoke_async(&mut self.connection()).await?)
    }
}
