//! Tickets and pending matches in memory.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Bound;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use uuid::Uuid;

use super::Memory;
use crate::limits::{self, POOLS_MAX, RETENTION};
use crate::{
    Cancelled, Change, Changes, Cursor, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch,
    Ticket, TicketState, TicketStore, pair, ticket,
};

#[async_trait]
impl TicketStore for Memory {
    async fn open_ticket(&self, ticket: NewTicket, now: Moment) -> Result<Opened, LiveError> {
        ticket.check()?;
        Ok(self.tickets.lock().open(ticket.waiting(now), self.limits.pool_tickets))
    }

    async fn renew_ticket(&self, id: Uuid, expires_at: Moment) -> Result<Option<TicketState>, LiveError> {
        Ok(self.tickets.lock().renew(id, expires_at))
    }

    async fn renew_tickets(&self, ids: &[Uuid], expires_at: Moment) -> Result<Vec<Uuid>, LiveError> {
        ticket::check_held(ids)?;
        let mut tickets = self.tickets.lock();
        let mut waits = |id: &Uuid| matches!(tickets.renew(*id, expires_at), Some(TicketState::Waiting(_)));
        Ok(ids.iter().filter(|id| !waits(id)).copied().collect())
    }

    async fn ticket(&self, id: Uuid) -> Result<Option<TicketState>, LiveError> {
        Ok(self.tickets.lock().state(id))
    }

    async fn ticket_of(&self, owner: Uuid) -> Result<Option<Uuid>, LiveError> {
        Ok(self.tickets.lock().owners.get(&owner).copied())
    }

    async fn cancel_ticket(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError> {
        Ok(self.tickets.lock().cancel(id, owner, now))
    }

    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        Ok(self.tickets.lock().pools())
    }

    async fn waiting(&self, after: Option<(Moment, Uuid)>, max: u32) -> Result<Vec<Ticket>, LiveError> {
        Ok(self.tickets.lock().waiting(after, limits::batch(max)))
    }

    async fn changes(&self, since: Cursor, max: u32) -> Result<Changes, LiveError> {
        Ok(self.tickets.lock().log.since(since, limits::batch(max)))
    }

    async fn expire_tickets(&self, now: Moment, max: u32) -> Result<Vec<Uuid>, LiveError> {
        Ok(self.tickets.lock().expire(now, limits::batch(max)))
    }

    async fn take_pairs(&self, pairs: &[PairProposal], now: Moment) -> Result<Vec<bool>, LiveError> {
        pair::check(pairs)?;
        let mut tickets = self.tickets.lock();
        Ok(pairs.iter().map(|pair| tickets.take_pair(pair, now)).collect())
    }

    async fn pending_matches(
        &self,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<PendingMatch>, LiveError> {
        Ok(self.tickets.lock().pending(now, lease_until, limits::batch(max)))
    }

    async fn complete_match(&self, match_id: Uuid) -> Result<bool, LiveError> {
        Ok(self.tickets.lock().complete(match_id).is_some())
    }

    async fn fail_match(
        &self,
        match_id: Uuid,
        refused: &[Uuid],
        now: Moment,
        held_until: Moment,
    ) -> Result<bool, LiveError> {
        Ok(self.tickets.lock().fail(match_id, refused, (now, held_until)))
    }
}

/// All tickets and pending matches, with an index for each order in which they are asked for.
#[derive(Debug, Default)]
pub(super) struct Tickets {
    log: Log,
    known: HashMap<Uuid, Known>,
    /// How many tickets wait in each pool. None is empty.
    pools: BTreeMap<String, u32>,
    /// Waiting tickets by when they were opened.
    waiting: BTreeSet<(Moment, Uuid)>,
    /// The waiting ticket of each owner.
    owners: HashMap<Uuid, Uuid>,
    /// Waiting tickets by until when they are held.
    held: BTreeSet<(Moment, Uuid)>,
    /// Ended tickets by when they ended.
    ended: BTreeSet<(Moment, Uuid)>,
    matches: HashMap<Uuid, PendingMatch>,
    /// Pending matches by from when on they may be handed out.
    free: BTreeSet<(Moment, Uuid)>,
}

/// A ticket, and how and when it ended, if it has.
#[derive(Debug)]
struct Known {
    ticket: Ticket,
    end: Option<(TicketState, Moment)>,
}

impl Known {
    fn state(&self) -> TicketState {
        match &self.end {
            Some((state, _)) => state.clone(),
            None => TicketState::Waiting(self.ticket.clone()),
        }
    }
}

/// How many stores there were in this process: each is a life of its own.
static LIVES: AtomicU64 = AtomicU64::new(0);

/// The latest changes.
#[derive(Debug, Default)]
struct Log {
    life: u64,
    kept: VecDeque<Change>,
    /// How many were kept before these.
    dropped: u64,
    max: usize,
}

impl Log {
    fn add(&mut self, change: Change) {
        if self.kept.len() >= self.max && self.kept.pop_front().is_some() {
            self.dropped += 1;
        }
        self.kept.push_back(change);
    }

    fn since(&self, since: Cursor, max: usize) -> Changes {
        let place = |number| Cursor { life: self.life, number };
        match self.skipped(since) {
            Some(skipped) => {
                let changes: Vec<Change> = self.kept.iter().skip(skipped).take(max).cloned().collect();
                let after =
                    if changes.is_empty() { since } else { place(since.number + changes.len() as u64) };
                Changes::Known(changes, after)
            }
            None => Changes::Lost(place(self.dropped + self.kept.len() as u64)),
        }
    }

    /// How many of those that are kept lie before a place; none where it is of another life, or what follows is not kept.
    fn skipped(&self, since: Cursor) -> Option<usize> {
        if since != Cursor::START && since.life != self.life {
            return None;
        }
        let skipped = usize::try_from(since.number.checked_sub(self.dropped)?).ok()?;
        (skipped <= self.kept.len()).then_some(skipped)
    }
}

impl Tickets {
    /// Nobody waits; of changes the latest so many are kept.
    pub(super) fn keeping(changes: u32) -> Self {
        let life = LIVES.fetch_add(1, Ordering::Relaxed) + 1;
        Self { log: Log { life, max: changes as usize, ..Log::default() }, ..Self::default() }
    }

    fn open(&mut self, ticket: Ticket, pool_max: u32) -> Opened {
        if let Some(known) = self.known.get(&ticket.id) {
            let same = known.ticket.is_same(&ticket);
            return if same { Opened::AlreadyExists(known.state()) } else { Opened::Conflict };
        }
        if let Some(&other) = self.owners.get(&ticket.owner) {
            return Opened::OwnerBusy(other);
        }
        let count = |pool: &String| self.pools.get(pool).copied().unwrap_or_default();
        let new = ticket.pools.iter().filter(|pool| count(pool) == 0).count();
        if ticket.pools.iter().any(|pool| count(pool) >= pool_max)
            || self.pools.len() + new > POOLS_MAX as usize
        {
            return Opened::PoolFull;
        }
        self.enter(ticket);
        Opened::Created
    }

    fn state(&self, id: Uuid) -> Option<TicketState> {
        self.known.get(&id).map(Known::state)
    }

    fn renew(&mut self, id: Uuid, until: Moment) -> Option<TicketState> {
        let known = self.known.get_mut(&id)?;
        if known.end.is_none() && until > known.ticket.expires_at {
            self.held.remove(&(known.ticket.expires_at, id));
            self.held.insert((until, id));
            known.ticket.expires_at = until;
        }
        Some(known.state())
    }

    fn cancel(&mut self, id: Uuid, owner: Uuid, now: Moment) -> Cancelled {
        match self.known.get(&id).filter(|known| known.ticket.owner == owner).map(Known::state) {
            None => Cancelled::Unknown,
            Some(TicketState::Matched { match_id }) => Cancelled::Matched { match_id },
            Some(TicketState::Cancelled | TicketState::Expired) => Cancelled::Already,
            Some(TicketState::Waiting(_)) => {
                self.finish(id, TicketState::Cancelled, now);
                Cancelled::Done
            }
        }
    }

    fn pools(&self) -> Vec<(String, u32)> {
        self.pools.iter().map(|(name, count)| (name.clone(), *count)).collect()
    }

    fn waiting(&self, after: Option<(Moment, Uuid)>, max: usize) -> Vec<Ticket> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let ids = self.waiting.range((from, Bound::Unbounded));
        ids.take(max).filter_map(|(_, id)| self.known.get(id)).map(|known| known.ticket.clone()).collect()
    }

    fn expire(&mut self, now: Moment, max: usize) -> Vec<Uuid> {
        let expired = first(&self.held, now, max);
        for &id in &expired {
            self.finish(id, TicketState::Expired, now);
        }
        if let Some(long_ago) = now.checked_minus(RETENTION) {
            for id in first(&self.ended, long_ago, max) {
                if let Some(Known { end: Some((_, at)), .. }) = self.known.remove(&id) {
                    self.ended.remove(&(at, id));
                }
            }
        }
        expired
    }

    fn take_pair(&mut self, pair: &PairProposal, now: Moment) -> bool {
        let tickets = [pair.first, pair.second];
        let match_id = pair.match_id;
        if pair.first == pair.second || self.matches.contains_key(&match_id) {
            return false;
        }
        let waits = |id: Uuid| {
            let known = self.known.get(&id).filter(|known| known.end.is_none())?;
            let is_held = known.ticket.pools.contains(&pair.pool) && known.ticket.expires_at > now;
            is_held.then(|| known.ticket.clone())
        };
        let [Some(first), Some(second)] = tickets.map(waits) else { return false };
        for id in tickets {
            self.finish(id, TicketState::Matched { match_id }, now);
        }
        let (pool, tickets) = (pair.pool.clone(), [first, second]);
        let pending = PendingMatch { match_id, pool, tickets, leased_until: now };
        self.matches.insert(match_id, pending);
        self.free.insert((now, match_id));
        true
    }

    fn pending(&mut self, now: Moment, until: Moment, max: usize) -> Vec<PendingMatch> {
        let ids = first(&self.free, now, max);
        let lease = |id: &Uuid| {
            let pending = self.matches.get_mut(id)?;
            self.free.remove(&(pending.leased_until, *id));
            self.free.insert((until, *id));
            pending.leased_until = until;
            Some(pending.clone())
        };
        ids.iter().filter_map(lease).collect()
    }

    fn complete(&mut self, match_id: Uuid) -> Option<PendingMatch> {
        let pending = self.matches.remove(&match_id)?;
        self.free.remove(&(pending.leased_until, match_id));
        Some(pending)
    }

    fn fail(&mut self, match_id: Uuid, refused: &[Uuid], times: (Moment, Moment)) -> bool {
        let Some(pending) = self.complete(match_id) else { return false };
        for Ticket { id, .. } in pending.tickets {
            self.leave_match(id, match_id, refused.contains(&id), times);
        }
        true
    }

    /// Takes one ticket out of its failed match, unless it was forgotten, or is another one of that id.
    fn leave_match(&mut self, id: Uuid, from: Uuid, refused: bool, (now, held_until): (Moment, Moment)) {
        let Some(known) = self.known.get(&id) else { return };
        let Some((TicketState::Matched { match_id }, at)) = &known.end else { return };
        if *match_id != from {
            return;
        }
        self.ended.remove(&(*at, id));
        let expires_at = known.ticket.expires_at.max(held_until);
        let ticket = Ticket { expires_at, ..known.ticket.clone() };
        if refused || self.owners.contains_key(&ticket.owner) {
            self.end(id, TicketState::Cancelled, now);
        } else {
            self.enter(ticket);
        }
    }

    /// A ticket starts to wait.
    fn enter(&mut self, ticket: Ticket) {
        self.owners.insert(ticket.owner, ticket.id);
        self.held.insert((ticket.expires_at, ticket.id));
        self.waiting.insert((ticket.since, ticket.id));
        for pool in &ticket.pools {
            *self.pools.entry(pool.clone()).or_default() += 1;
        }
        self.log.add(Change::Waits(ticket.clone()));
        self.known.insert(ticket.id, Known { ticket, end: None });
    }

    /// A waiting ticket waits no more.
    fn finish(&mut self, id: Uuid, state: TicketState, now: Moment) {
        let Some(Known { ticket, .. }) = self.known.get(&id) else { return };
        self.owners.remove(&ticket.owner);
        self.held.remove(&(ticket.expires_at, id));
        self.waiting.remove(&(ticket.since, id));
        for pool in &ticket.pools {
            match self.pools.get_mut(pool) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(self.pools.remove(pool)),
            }
        }
        let is_matched = matches!(state, TicketState::Matched { .. });
        self.log.add(Change::Left { id, at: now, is_matched });
        self.end(id, state, now);
    }

    /// Writes down how a ticket that is in no index ended.
    fn end(&mut self, id: Uuid, state: TicketState, now: Moment) {
        if let Some(known) = self.known.get_mut(&id) {
            known.end = Some((state, now));
            self.ended.insert((now, id));
        }
    }
}

/// The first `max` ids of an index up to and with `now`.
fn first(index: &BTreeSet<(Moment, Uuid)>, now: Moment, max: usize) -> Vec<Uuid> {
    index.range(..=(now, Uuid::max())).take(max).map(|(_, id)| *id).collect()
}
