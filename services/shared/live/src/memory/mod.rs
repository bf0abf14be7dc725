//! The live state in this process's memory: for one process only, gone when it ends.
//!
//! Tickets and deadlines, leases, throttles and places each lie under one mutex, held for the length of one method and
//! never across an await. Sizes are limited by [`limits`](crate::limits).

mod deadlines;
mod leases;
mod presence;
mod throttles;
mod tickets;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use uuid::Uuid;

use crate::fanout::Topics;
use crate::limits::{self, ATTEND_MAX, Limits, MESSAGE_MAX};
use crate::{
    Cancelled, Deadline, Live, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch, Quota,
    Subscription, Throttle, Ticket, TicketState, pair,
};

/// The live state in memory.
#[derive(Debug)]
pub(crate) struct Memory {
    limits: Limits,
    tickets: Mutex<tickets::Tickets>,
    deadlines: Mutex<deadlines::Deadlines>,
    leases: Mutex<leases::Leases>,
    throttles: Mutex<throttles::Throttles>,
    places: Mutex<presence::Places>,
    topics: Arc<Topics>,
}

impl Memory {
    /// An empty live state.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            tickets: Mutex::default(),
            deadlines: Mutex::default(),
            leases: Mutex::default(),
            throttles: Mutex::default(),
            places: Mutex::default(),
            topics: Topics::local(),
        }
    }
}

#[async_trait]
impl Live for Memory {
    async fn open_ticket(&self, ticket: NewTicket, now: Moment) -> Result<Opened, LiveError> {
        ticket.check()?;
        Ok(lock(&self.tickets).open(ticket.waiting(now), self.limits.pool_tickets))
    }

    async fn hold_ticket(&self, id: Uuid, held_until: Moment) -> Result<Option<TicketState>, LiveError> {
        Ok(lock(&self.tickets).hold(id, held_until))
    }

    async fn ticket(&self, id: Uuid) -> Result<Option<TicketState>, LiveError> {
        Ok(lock(&self.tickets).state(id))
    }

    async fn cancel_ticket(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError> {
        Ok(lock(&self.tickets).cancel(id, owner, now))
    }

    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        Ok(lock(&self.tickets).pools())
    }

    async fn waiting(&self, pool: &str, max: u32) -> Result<Vec<Ticket>, LiveError> {
        limits::name("pool", pool)?;
        Ok(lock(&self.tickets).waiting(pool, limits::batch(max)))
    }

    async fn expire_tickets(&self, now: Moment, max: u32) -> Result<Vec<Uuid>, LiveError> {
        Ok(lock(&self.tickets).expire(now, limits::batch(max)))
    }

    async fn take_pairs(
        &self,
        pool: &str,
        pairs: &[PairProposal],
        now: Moment,
    ) -> Result<Vec<bool>, LiveError> {
        limits::name("pool", pool)?;
        pair::check(pairs)?;
        let mut tickets = lock(&self.tickets);
        Ok(pairs.iter().map(|pair| tickets.take_pair(pool, pair, now)).collect())
    }

    async fn pending_matches(
        &self,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<PendingMatch>, LiveError> {
        Ok(lock(&self.tickets).pending(now, lease_until, limits::batch(max)))
    }

    async fn settle_match(&self, match_id: Uuid) -> Result<bool, LiveError> {
        Ok(lock(&self.tickets).settle(match_id).is_some())
    }

    async fn dissolve_match(&self, match_id: Uuid, refused: &[Uuid], now: Moment) -> Result<bool, LiveError> {
        Ok(lock(&self.tickets).dissolve(match_id, refused, now))
    }

    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError> {
        deadline.check()?;
        lock(&self.deadlines).set(deadline, self.limits.queue_deadlines)
    }

    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError> {
        limits::name("queue", queue)?;
        Ok(lock(&self.deadlines).get(queue, key))
    }

    async fn take_due(
        &self,
        queue: &str,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<Deadline>, LiveError> {
        limits::name("queue", queue)?;
        Ok(lock(&self.deadlines).take(queue, now, lease_until, limits::batch(max)))
    }

    async fn clear_deadline(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError> {
        limits::name("queue", queue)?;
        Ok(lock(&self.deadlines).clear(queue, key, revision))
    }

    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError> {
        limits::name("queue", queue)?;
        Ok(lock(&self.deadlines).next(queue))
    }

    async fn lease(&self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError> {
        limits::name("lease", name)?;
        lock(&self.leases).take(name, owner, now, until)
    }

    async fn release(&self, name: &str, owner: Uuid) -> Result<bool, LiveError> {
        limits::name("lease", name)?;
        Ok(lock(&self.leases).release(name, owner))
    }

    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError> {
        limits::name("topic", topic)?;
        limits::size("message", message.len(), MESSAGE_MAX)?;
        self.topics.send(topic, message);
        Ok(())
    }

    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError> {
        limits::name("topic", topic)?;
        self.topics.listen(topic)
    }

    async fn count(&self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError> {
        limits::name("throttle", key)?;
        quota.check()?;
        lock(&self.throttles).count(key, quota, now)
    }

    async fn forgive(&self, key: &str) -> Result<(), LiveError> {
        limits::name("throttle", key)?;
        lock(&self.throttles).forgive(key);
        Ok(())
    }

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
        lock(&self.places).attend(place, witness, members, (now, until), self.limits.place_words)
    }

    async fn leave(&self, place: &str, witness: Uuid, member: Uuid) -> Result<(), LiveError> {
        limits::name("place", place)?;
        lock(&self.places).leave(place, witness, member);
        Ok(())
    }

    async fn attendance(&self, place: &str, now: Moment) -> Result<u32, LiveError> {
        limits::name("place", place)?;
        Ok(lock(&self.places).attendance(place, now))
    }

    async fn attends(&self, place: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        limits::name("place", place)?;
        Ok(lock(&self.places).attends(place, member, now))
    }

    async fn prove(&self) -> Result<(), LiveError> {
        Ok(())
    }

    fn shared(&self) -> bool {
        false
    }
}

/// The guarded state. A panic under the lock leaves at worst one entry half made, in a state that may be lost
/// altogether; going on serves the players better than failing for ever.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
