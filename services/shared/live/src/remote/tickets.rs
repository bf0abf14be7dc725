//! Tickets and pending matches in Redis.

use redis::{AsyncCommands as _, FromRedisValue, Script};
use uuid::Uuid;

use super::{Remote, codec};
use crate::limits::{POOLS_MAX, RETENTION};
use crate::{Cancelled, LiveError, Moment, Opened, PairProposal, PendingMatch, Ticket, TicketState};

/// What most scripts answer: texts, of which each script says what they mean.
type Reply = Vec<Vec<u8>>;

impl Remote {
    pub(super) async fn open(&self, ticket: Ticket) -> Result<Opened, LiveError> {
        let reply: Reply = self
            .about_tickets(&self.scripts.open, |call| {
                call.arg(ticket.id.to_string()).arg(ticket.owner.to_string()).arg(&ticket.pool);
                call.arg(codec::body(&ticket)).arg(self.limits.pool_tickets).arg(POOLS_MAX);
            })
            .await?;
        let mut reply = reply.into_iter();
        let mut next = || reply.next().ok_or(LiveError::Corrupt { what: "reply" });
        match next()?.as_slice() {
            b"new" => Ok(Opened::New),
            b"full" => Ok(Opened::PoolFull),
            b"busy" => Ok(Opened::OwnerBusy(codec::uuid(&next()?)?)),
            _ => {
                let known = codec::ticket(ticket.id, next()?)?;
                let same = known.is_same(&ticket);
                let state = codec::state(known, next()?)?;
                Ok(if same { Opened::Again(state) } else { Opened::Differs })
            }
        }
    }

    /// Holds a ticket until a moment, or only looks at it.
    pub(super) async fn hold(
        &self,
        id: Uuid,
        until: Option<Moment>,
    ) -> Result<Option<TicketState>, LiveError> {
        let until = until.map(|until| until.to_string()).unwrap_or_default();
        let mut reply: Reply = self
            .about_tickets(&self.scripts.hold, |call| {
                call.arg(id.to_string()).arg(until);
            })
            .await?;
        match (reply.pop(), reply.pop()) {
            (Some(end), Some(body)) => codec::state(codec::ticket(id, body)?, end).map(Some),
            _ => Ok(None),
        }
    }

    pub(super) async fn cancel(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError> {
        let mut reply: Reply = self
            .about_tickets(&self.scripts.cancel, |call| {
                call.arg(id.to_string()).arg(owner.to_string()).arg(now.as_micros());
            })
            .await?;
        let Some(end) = reply.pop() else { return Ok(Cancelled::Unknown) };
        Ok(match codec::end(end)? {
            None => Cancelled::Done,
            Some(TicketState::Matched { match_id, payload }) => Cancelled::Matched { match_id, payload },
            Some(_) => Cancelled::Already,
        })
    }

    pub(super) async fn count_pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        let mut pools: Vec<(String, u32)> = self.connection().hgetall(self.keys.pools()).await?;
        pools.sort_unstable();
        Ok(pools)
    }

    pub(super) async fn list_waiting(&self, pool: &str, max: usize) -> Result<Vec<Ticket>, LiveError> {
        // To Redis, a range of nothing is a range of everything.
        if max == 0 {
            return Ok(Vec::new());
        }
        let reply: Vec<(Vec<u8>, Vec<u8>)> = self
            .about_tickets(&self.scripts.waiting, |call| {
                call.arg(pool).arg(max);
            })
            .await?;
        reply.into_iter().map(|(id, body)| codec::ticket(codec::uuid(&id)?, body)).collect()
    }

    pub(super) async fn expire(&self, now: Moment, max: usize) -> Result<Vec<Uuid>, LiveError> {
        let forgotten = now.checked_minus(RETENTION).map_or(-1, Moment::as_micros);
        let reply: Reply = self
            .about_tickets(&self.scripts.expire, |call| {
                call.arg(now.as_micros()).arg(forgotten).arg(max);
            })
            .await?;
        reply.iter().map(|id| codec::uuid(id)).collect()
    }

    pub(super) async fn pair(
        &self,
        pool: &str,
        pairs: &[PairProposal],
        now: Moment,
    ) -> Result<Vec<bool>, LiveError> {
        let reply: Vec<u8> = self
            .about_tickets(&self.scripts.take_pairs, |call| {
                call.arg(pool).arg(now.as_micros());
                for PairProposal { first, second, match_id, payload } in pairs {
                    call.arg(first.to_string()).arg(second.to_string()).arg(match_id.to_string());
                    call.arg(payload.as_ref());
                }
            })
            .await?;
        Ok(reply.into_iter().map(|taken| taken == b'1').collect())
    }

    pub(super) async fn pending(
        &self,
        now: Moment,
        until: Moment,
        max: usize,
    ) -> Result<Vec<PendingMatch>, LiveError> {
        let reply: Vec<(Vec<u8>, Vec<u8>)> = self
            .about_tickets(&self.scripts.pending, |call| {
                call.arg(now.as_micros()).arg(until.as_micros()).arg(max);
            })
            .await?;
        reply.into_iter().map(|(id, value)| codec::pending(&id, value, until)).collect()
    }

    pub(super) async fn settle(&self, match_id: Uuid) -> Result<bool, LiveError> {
        self.about_tickets(&self.scripts.settle, |call| {
            call.arg(match_id.to_string());
        })
        .await
    }

    pub(super) async fn dissolve(
        &self,
        match_id: Uuid,
        refused: &[Uuid],
        now: Moment,
    ) -> Result<bool, LiveError> {
        self.about_tickets(&self.scripts.dissolve, |call| {
            call.arg(match_id.to_string()).arg(now.as_micros());
            for id in refused {
                call.arg(id.to_string());
            }
        })
        .await
    }

    /// Runs a script on the keys of tickets.
    async fn about_tickets<T: FromRedisValue>(
        &self,
        script: &Script,
        arguments: impl FnOnce(&mut redis::ScriptInvocation<'_>) + Send,
    ) -> Result<T, LiveError> {
        let mut call = script.prepare_invoke();
        call.key(self.keys.tickets());
        arguments(&mut call);
        Ok(call.invoke_async(&mut self.connection()).await?)
    }
}
