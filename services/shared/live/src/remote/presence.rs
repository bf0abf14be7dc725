//! Who is where, in Redis.

use std::collections::BTreeSet;

use redis::AsyncCommands as _;
use uuid::Uuid;

use super::{Remote, deadlines::keep_ms};
use crate::{LiveError, Moment};

impl Remote {
    pub(super) async fn come(
        &self,
        place: &str,
        witness: Uuid,
        members: &[Uuid],
        (now, until): (Moment, Moment),
    ) -> Result<(), LiveError> {
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

    pub(super) async fn go(&self, place: &str, witness: Uuid, member: Uuid) -> Result<(), LiveError> {
        Ok(self.connection().zrem(self.keys.place(place), format!("{member}{witness}")).await?)
    }

    /// How many are there; of one member whether he is.
    pub(super) async fn there(
        &self,
        place: &str,
        member: Option<Uuid>,
        now: Moment,
    ) -> Result<u32, LiveError> {
        let mut call = self.scripts.attendance.key(self.keys.place(place));
        call.arg(now.as_micros());
        if let Some(member) = member {
            call.arg(member.to_string());
        }
        Ok(call.invoke_async(&mut self.connection()).await?)
    }
}
