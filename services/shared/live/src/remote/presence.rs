//! Who is where, in Redis.

use std::collections::BTreeSet;

use async_trait::async_trait;
use redis::AsyncCommands as _;
use uuid::Uuid;

use super::{Remote, keep_ms};
use crate::limits::{self, ATTEND_MAX};
use crate::{LiveError, Moment, PresenceStore};

#[async_trait]
impl PresenceStore for Remote {
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
        let members: BTreeSet<Uuid> = members.iter().copied().collect();
        let mut call = self.scripts.attend.key(self.keys.place(place));
        call.arg(witness.to_string())
            .arg(now.as_micros())
            .arg(until.as_micros())
            .arg(self.limits.place_words)
            .arg(keep_ms(until.since(now)));
        for member in members {
            call.arg(member.to_string());
        }
        let taken: bool = call.invoke_async(&mut self.connection()).await?;
        if taken { Ok(()) } else { Err(LiveError::Full { what: "a place" }) }
    }

    async fn leave(&self, place: &str, witness: Uuid, member: Uuid) -> Result<(), LiveError> {
        limits::name("place", place)?;
        Ok(self.connection().zrem(self.keys.place(place), format!("{member}{witness}")).await?)
    }

    async fn attendance(&self, place: &str, now: Moment) -> Result<u32, LiveError> {
        limits::name("place", place)?;
        let mut call = self.scripts.attendance.key(self.keys.place(place));
        Ok(call.arg(now.as_micros()).invoke_async(&mut self.connection()).await?)
    }

    async fn attends(&self, place: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        limits::name("place", place)?;
        let mut call = self.scripts.attendance.key(self.keys.place(place));
        call.arg(now.as_micros()).arg(member.to_string());
        Ok(call.invoke_async(&mut self.connection()).await?)
    }
}
