//! Tickets and pending matches in Redis.

use async_trait::async_trait;
use redis::{AsyncCommands as _, FromRedisValue, Script};
use uuid::Uuid;

use super::{Remote, codec};
use crate::limits::{self, POOLS_MAX, RETENTION};
use crate::{
    Cancelled, Changes, Cursor, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch, Ticket,
    TicketState, TicketStore, pair, ticket,
};

/// What most scripts answer: texts, of which each script says what they mean.
type Reply = Vec<Vec<u8>>;

#[async_trait]
impl TicketStore for Remote {
    async fn open_ticket(&self, ticket: NewTicket, now: Moment) -> Result<Opened, LiveError> {
        ticket.check()?;
        let ticket = ticket.waiting(now);
        let reply: Reply = self
            .about_tickets(&self.scripts.open, |call| {
                call.arg(ticket.id.to_string()).arg(ticket.owner.to_string());
                call.arg(codec::body(&ticket)).arg(self.limits.pool_tickets).arg(POOLS_MAX);
            })
            .await?;
        let mut reply = reply.into_iter();
        let mut next = || reply.next().ok_or(LiveError::Corrupt { what: "reply" });
        match next()?.as_slice() {
            b"new" => Ok(Opened::Created),
            b"full" => Ok(Opened::PoolFull),
            b"busy" => Ok(Opened::OwnerBusy(codec::uuid(&next()?)?)),
            _ => {
                let known = codec::ticket(ticket.id, next()?)?;
                let same = known.is_same(&ticket);
                let state = codec::state(known, next()?)?;
                Ok(if same { Opened::AlreadyExists(state) } else { Opened::Conflict })
            }
        }
    }

    async fn renew_ticket(&self, id: Uuid, expires_at: Moment) -> Result<Option<TicketState>, LiveError> {
        self.renew(id, expires_at.to_string()).await
    }

    async fn renew_tickets(&self, ids: &[Uuid], expires_at: Moment) -> Result<Vec<Uuid>, LiveError> {
        ticket::check_held(ids)?;
        let reply: Reply = self
            .about_tickets(&self.scripts.renew_many, |call| {
                call.arg(expires_at.to_string());
                for id in ids {
                    call.arg(id.to_string());
                }
            })
            .await?;
        reply.iter().map(|id| codec::uuid(id)).collect()
    }

    async fn ticket(&self, id: Uuid) -> Result<Option<TicketState>, LiveError> {
        self.renew(id, String::new()).await
    }

    async fn ticket_of(&self, owner: Uuid) -> Result<Option<Uuid>, LiveError> {
        let id: Option<String> = self.connection().hget(self.keys.owners(), owner.to_string()).await?;
        id.map(|id| codec::uuid(id.as_bytes())).transpose()
    }

    async fn cancel_ticket(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError> {
        let mut reply: Reply = self
            .about_tickets(&self.scripts.cancel, |call| {
                call.arg(id.to_string()).arg(owner.to_string()).arg(now.to_string());
            })
            .await?;
        let Some(end) = reply.pop() else { return Ok(Cancelled::Unknown) };
        Ok(match codec::end(end)? {
            None => Cancelled::Done,
            Some(TicketState::Matched { match_id }) => Cancelled::Matched { match_id },
            Some(_) => Cancelled::Already,
        })
    }

    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        let mut pools: Vec<(String, u32)> = self.connection().hgetall(self.keys.pools()).await?;
        pools.sort_unstable();
        Ok(pools)
    }

    async fn waiting(&self, after: Option<(Moment, Uuid)>, max: u32) -> Result<Vec<Ticket>, LiveError> {
        // To Redis, a range of nothing is a range of everything.
        if max == 0 {
            return Ok(Vec::new());
        }
        let reply: Vec<(Vec<u8>, Vec<u8>)> = self
            .about_tickets(&self.scripts.waiting, |call| {
                call.arg(limits::batch(max));
                match after {
                    Some((since, id)) => call.arg(since.as_micros()).arg(id.to_string()),
                    None => call.arg("").arg(""),
                };
            })
            .await?;
        reply.into_iter().map(|(id, body)| codec::ticket(codec::uuid(&id)?, body)).collect()
    }

    async fn changes(&self, since: Cursor, max: u32) -> Result<Changes, LiveError> {
        let max = limits::batch(max);
        // To Redis, a range of nothing is a range of everything.
        let asked = max.max(1);
        let reply: Reply = self
            .about_tickets(&self.scripts.changes, |call| {
                call.arg(since.life).arg(since.number).arg(asked);
            })
            .await?;
        let Some((latest, entries)) = reply.split_first() else {
            let begins = since == Cursor::START;
            return Ok(if begins { Changes::Known(Vec::new(), since) } else { Changes::Lost(Cursor::START) });
        };
        let (latest, (entries, _)) = (codec::cursor(latest)?, entries.as_chunks::<3>());
        let first = entries.first().map(|[place, ..]| codec::cursor(place)).transpose()?;
        // Changes are numbered without a gap.
        let is_next = match first {
            Some(first) => first.number == since.number + 1,
            None => since == latest,
        };
        if !is_next {
            return Ok(Changes::Lost(latest));
        }
        let mut after = since;
        let mut changes = Vec::with_capacity(entries.len());
        for [place, id, body] in &entries[..max.min(entries.len())] {
            after = codec::cursor(place)?;
            changes.push(codec::change(codec::uuid(id)?, body)?);
        }
        Ok(Changes::Known(changes, after))
    }

    async fn expire_tickets(&self, now: Moment, max: u32) -> Result<Vec<Uuid>, LiveError> {
        let forgotten = now.checked_minus(RETENTION).map_or(-1, Moment::as_micros);
        let reply: Reply = self
            .about_tickets(&self.scripts.expire, |call| {
                call.arg(now.to_string()).arg(forgotten).arg(limits::batch(max));
            })
            .await?;
        reply.iter().map(|id| codec::uuid(id)).collect()
    }

    async fn take_pairs(&self, pairs: &[PairProposal], now: Moment) -> Result<Vec<bool>, LiveError> {
        pair::check(pairs)?;
        let reply: Vec<u8> = self
            .about_tickets(&self.scripts.take_pairs, |call| {
                call.arg(now.to_string());
                for PairProposal { pool, first, second, match_id } in pairs {
                    call.arg(pool).arg(first.to_string()).arg(second.to_string()).arg(match_id.to_string());
                }
            })
            .await?;
        Ok(reply.into_iter().map(|taken| taken == b'1').collect())
    }

    async fn pending_matches(
        &self,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<PendingMatch>, LiveError> {
        let reply: Vec<(Vec<u8>, Vec<u8>)> = self
            .about_tickets(&self.scripts.pending, |call| {
                call.arg(now.as_micros()).arg(lease_until.as_micros()).arg(limits::batch(max));
            })
            .await?;
        reply.into_iter().map(|(id, value)| codec::pending(&id, value, lease_until)).collect()
    }

    async fn complete_match(&self, match_id: Uuid) -> Result<bool, LiveError> {
        self.about_tickets(&self.scripts.complete, |call| {
            call.arg(match_id.to_string());
        })
        .await
    }

    async fn fail_match(
        &self,
        match_id: Uuid,
        refused: &[Uuid],
        now: Moment,
        held_until: Moment,
    ) -> Result<bool, LiveError> {
        self.about_tickets(&self.scripts.fail, |call| {
            call.arg(match_id.to_string()).arg(now.as_micros()).arg(held_until.to_string());
            for id in refused {
                call.arg(id.to_string());
            }
        })
        .await
    }
}

impl Remote {
    /// Holds a ticket until a moment, or, without one, only looks at it.
    async fn renew(&self, id: Uuid, until: String) -> Result<Option<TicketState>, LiveError> {
        let mut reply: Reply = self
            .about_tickets(&self.scripts.renew, |call| {
                call.arg(id.to_string()).arg(until);
            })
            .await?;
        match (reply.pop(), reply.pop()) {
            (Some(end), Some(body)) => codec::state(codec::ticket(id, body)?, end).map(Some),
            _ => Ok(None),
        }
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
