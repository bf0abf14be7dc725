//! What the live state does, written as plainly as possible: lists, looked through from the beginning. This is
//! the specification; both stores must answer as it does.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use live::limits::RETENTION;
use live::{
    Cancelled, Change, Deadline, Moment, NewTicket, Opened, PairProposal, PendingMatch, Quota, Throttle,
    Ticket, TicketState,
};
use uuid::Uuid;

use crate::world::LIMITS;

#[derive(Debug, Default)]
pub(crate) struct Model {
    tickets: Vec<Known>,
    changes: Vec<Change>,
    /// With from when on they may be handed out.
    matches: Vec<(PendingMatch, Moment)>,
    deadlines: Vec<(Deadline, Moment)>,
    leases: BTreeMap<String, (Uuid, Moment)>,
    /// Microseconds a key has to pay off, and when that was.
    debts: BTreeMap<String, (u64, Moment)>,
    /// Key, member, node, and until when he is present through it.
    entries: Vec<(String, Uuid, Uuid, Moment)>,
}

#[derive(Debug)]
struct Known {
    ticket: Ticket,
    /// How and when it ended, if it has; never `Waiting`.
    state: Option<(TicketState, Moment)>,
}

impl Known {
    fn waits(&self) -> bool {
        self.state.is_none()
    }

    fn state(&self) -> TicketState {
        self.state
            .as_ref()
            .map_or_else(|| TicketState::Waiting(self.ticket.clone()), |(state, _)| state.clone())
    }
}

impl Model {
    pub(crate) fn open_ticket(&mut self, new: NewTicket, now: Moment) -> Opened {
        if let Some(known) = self.known(new.id) {
            let ticket = &known.ticket;
            let same =
                ticket.owner == new.owner && ticket.pools == new.pools && ticket.payload == new.payload;
            return if same { Opened::AlreadyExists(known.state()) } else { Opened::Conflict };
        }
        if let Some(other) = self.waiting_of(new.owner) {
            return Opened::OwnerBusy(other);
        }
        let counts: BTreeMap<String, u32> = self.pools().into_iter().collect();
        if new.pools.iter().filter_map(|pool| counts.get(pool)).any(|count| *count >= LIMITS.pool_tickets) {
            return Opened::PoolFull;
        }
        let NewTicket { id, owner, pools, standing, payload, expires_at } = new;
        let ticket = Ticket { id, owner, pools, standing, payload, since: now, expires_at };
        self.changes.push(Change::Waits(ticket.clone()));
        self.tickets.push(Known { ticket, state: None });
        Opened::Created
    }

    pub(crate) fn renew_ticket(&mut self, id: Uuid, until: Moment) -> Option<TicketState> {
        let known = self.known(id)?;
        if known.waits() {
            known.ticket.expires_at = known.ticket.expires_at.max(until);
        }
        Some(known.state())
    }

    pub(crate) fn renew_tickets(&mut self, ids: &[Uuid], until: Moment) -> Vec<Uuid> {
        let mut waits = |id: &Uuid| matches!(self.renew_ticket(*id, until), Some(TicketState::Waiting(_)));
        ids.iter().filter(|id| !waits(id)).copied().collect()
    }

    pub(crate) fn ticket(&mut self, id: Uuid) -> Option<TicketState> {
        self.known(id).map(|known| known.state())
    }

    pub(crate) fn cancel_ticket(&mut self, id: Uuid, owner: Uuid, now: Moment) -> Cancelled {
        let Some(known) = self.known(id).filter(|known| known.ticket.owner == owner) else {
            return Cancelled::Unknown;
        };
        match known.state() {
            TicketState::Matched { match_id } => Cancelled::Matched { match_id },
            TicketState::Cancelled | TicketState::Expired => Cancelled::Already,
            TicketState::Waiting(_) => {
                known.state = Some((TicketState::Cancelled, now));
                self.changes.push(Change::Left { id, at: now, is_matched: false });
                Cancelled::Done
            }
        }
    }

    pub(crate) fn pools(&self) -> Vec<(String, u32)> {
        let mut pools = BTreeMap::new();
        for known in self.tickets.iter().filter(|known| known.waits()) {
            for pool in &known.ticket.pools {
                *pools.entry(pool.clone()).or_insert(0) += 1;
            }
        }
        pools.into_iter().collect()
    }

    pub(crate) fn changes(&self) -> &[Change] {
        &self.changes
    }

    pub(crate) fn waiting(&self, after: Option<(Moment, Uuid)>, max: u32) -> Vec<Ticket> {
        let comes_after = |ticket: &Ticket| after.is_none_or(|after| (ticket.since, ticket.id) > after);
        let waiting = self.tickets.iter().filter(|known| known.waits() && comes_after(&known.ticket));
        let tickets = waiting.map(|known| known.ticket.clone()).collect();
        first(tickets, max, |ticket| (ticket.since, ticket.id))
    }

    pub(crate) fn expire_tickets(&mut self, now: Moment, max: u32) -> Vec<Uuid> {
        let held = self.tickets.iter().filter(|known| known.waits() && known.ticket.expires_at <= now);
        let held = held.map(|known| (known.ticket.expires_at, known.ticket.id)).collect();
        let expired: Vec<_> = first(held, max, |held| *held).into_iter().map(|(_, id)| id).collect();
        for known in &mut self.tickets {
            if expired.contains(&known.ticket.id) {
                known.state = Some((TicketState::Expired, now));
            }
        }
        let left = |id: &Uuid| Change::Left { id: *id, at: now, is_matched: false };
        self.changes.extend(expired.iter().map(left));
        let ended = self.tickets.iter().filter_map(|known| Some((known.state.as_ref()?.1, known.ticket.id)));
        let old = ended.filter(|(ended, _)| ended.plus(RETENTION) <= now).collect();
        for (_, id) in first(old, max, |old| *old) {
            self.tickets.retain(|known| known.ticket.id != id);
        }
        expired
    }

    pub(crate) fn take_pairs(&mut self, pairs: &[PairProposal], now: Moment) -> Vec<bool> {
        pairs.iter().map(|pair| self.take_pair(pair, now)).collect()
    }

    fn take_pair(&mut self, pair: &PairProposal, now: Moment) -> bool {
        let held = |ticket: &Ticket| ticket.expires_at > now && ticket.pools.contains(&pair.pool);
        let waiting: Vec<_> = self.waiting(None, u32::MAX).into_iter().filter(held).collect();
        let match_id = pair.match_id;
        let pending = self.matches.iter().any(|(pending, _)| pending.match_id == match_id);
        let found = |id: Uuid| waiting.iter().find(|ticket| ticket.id == id).cloned();
        let (Some(first), Some(second)) = (found(pair.first), found(pair.second)) else { return false };
        if pair.first == pair.second || pending {
            return false;
        }
        for id in [pair.first, pair.second] {
            if let Some(known) = self.known(id) {
                known.state = Some((TicketState::Matched { match_id }, now));
            }
            self.changes.push(Change::Left { id, at: now, is_matched: true });
        }
        let (pool, tickets) = (pair.pool.clone(), [first, second]);
        self.matches.push((PendingMatch { match_id, pool, tickets, leased_until: now }, now));
        true
    }

    pub(crate) fn pending_matches(&mut self, now: Moment, until: Moment, max: u32) -> Vec<PendingMatch> {
        let free = self.matches.iter().filter(|(_, free)| *free <= now);
        let free = free.map(|(pending, free)| (*free, pending.match_id)).collect();
        let mut taken = Vec::new();
        for (_, id) in first(free, max, |free| *free) {
            for (pending, free) in &mut self.matches {
                if pending.match_id == id {
                    (*free, pending.leased_until) = (until, until);
                    taken.push(pending.clone());
                }
            }
        }
        taken
    }

    pub(crate) fn complete_match(&mut self, id: Uuid) -> bool {
        let before = self.matches.len();
        self.matches.retain(|(pending, _)| pending.match_id != id);
        self.matches.len() < before
    }

    pub(crate) fn fail_match(&mut self, id: Uuid, refused: &[Uuid], now: Moment, held_until: Moment) -> bool {
        let pending = self.matches.iter().find(|(pending, _)| pending.match_id == id);
        let Some((pending, _)) = pending.cloned() else { return false };
        self.complete_match(id);
        for Ticket { id: ticket, .. } in pending.tickets {
            let Some(known) = self.known(ticket) else { continue };
            let owner = known.ticket.owner;
            if !matches!(known.state(), TicketState::Matched { match_id } if match_id == id) {
                continue;
            }
            let back = !refused.contains(&ticket) && self.waiting_of(owner).is_none();
            if let Some(known) = self.known(ticket) {
                known.state = (!back).then_some((TicketState::Cancelled, now));
                if back {
                    known.ticket.expires_at = known.ticket.expires_at.max(held_until);
                }
                let ticket = known.ticket.clone();
                if back {
                    self.changes.push(Change::Waits(ticket));
                }
            }
        }
        true
    }

    /// `None` if the queue is full.
    pub(crate) fn set_deadline(&mut self, new: Deadline) -> Option<bool> {
        let same = |old: &Deadline| old.queue == new.queue && old.key == new.key;
        if let Some((old, free)) = self.deadlines.iter_mut().find(|(old, _)| same(old)) {
            let newer = new.revision > old.revision;
            if newer {
                (*free, *old) = (new.due, new);
            }
            return Some(newer);
        }
        let queued = self.deadlines.iter().filter(|(old, _)| old.queue == new.queue).count();
        (queued < LIMITS.queue_deadlines as usize).then(|| {
            let due = new.due;
            self.deadlines.push((new, due));
            true
        })
    }

    pub(crate) fn deadline(&self, queue: &str, key: Uuid) -> Option<Deadline> {
        let mut deadlines = self.deadlines.iter().map(|(deadline, _)| deadline);
        deadlines.find(|deadline| (&*deadline.queue, deadline.key) == (queue, key)).cloned()
    }

    pub(crate) fn take_due(&mut self, queue: &str, now: Moment, until: Moment, max: u32) -> Vec<Deadline> {
        let due = self.deadlines.iter().filter(|(deadline, free)| deadline.queue == queue && *free <= now);
        let due = first(due.cloned().collect(), max, |(deadline, free)| (*free, deadline.key));
        let due: Vec<_> = due.into_iter().map(|(deadline, _)| deadline).collect();
        for (deadline, free) in &mut self.deadlines {
            if due.contains(deadline) {
                *free = until;
            }
        }
        due
    }

    pub(crate) fn clear_deadline(&mut self, queue: &str, key: Uuid, revision: u64) -> bool {
        let before = self.deadlines.len();
        self.deadlines.retain(|(old, _)| (&*old.queue, old.key) != (queue, key) || old.revision > revision);
        self.deadlines.len() < before
    }

    pub(crate) fn next_due(&self, queue: &str) -> Option<Moment> {
        self.deadlines.iter().filter(|(deadline, _)| deadline.queue == queue).map(|(_, free)| *free).min()
    }

    pub(crate) fn lease(&mut self, name: &str, owner: Uuid, now: Moment, until: Moment) -> bool {
        let until = match self.leases.get(name) {
            Some((holder, held)) if *holder == owner => until.max(*held),
            Some((_, held)) if *held > now => return false,
            _ => until,
        };
        self.leases.insert(name.to_owned(), (owner, until));
        true
    }

    pub(crate) fn release(&mut self, name: &str, owner: Uuid) -> bool {
        let held = self.leases.get(name).is_some_and(|(holder, _)| *holder == owner);
        if held {
            self.leases.remove(name);
        }
        held
    }

    /// As a bucket that holds `limit` tries and drains evenly; time must not run backwards.
    pub(crate) fn count(&mut self, key: &str, quota: Quota, now: Moment) -> Throttle {
        let cost = quota.window_us / u64::from(quota.limit);
        let (debt, since) = self.debts.get(key).copied().unwrap_or_default();
        let drained = u64::try_from(now.since(since).as_micros()).unwrap_or(u64::MAX);
        let debt = debt.saturating_sub(drained);
        let room = (cost * u64::from(quota.limit)).saturating_sub(debt);
        if room < cost {
            self.debts.insert(key.to_owned(), (debt, now));
            return Throttle::Refused { retry_after: Duration::from_micros(cost - room) };
        }
        self.debts.insert(key.to_owned(), (debt + cost, now));
        Throttle::Allowed { left: u32::try_from((room - cost) / cost).unwrap_or(u32::MAX) }
    }

    pub(crate) fn forgive(&mut self, key: &str) {
        self.debts.remove(key);
    }

    /// `false` if the key is full.
    pub(crate) fn renew_presence(
        &mut self,
        key: &str,
        node: Uuid,
        members: &[Uuid],
        now: Moment,
        until: Moment,
    ) -> bool {
        self.entries.retain(|entry| entry.0 != key || entry.3 > now);
        let mut entries = self.entries.clone();
        for member in members {
            let same = |entry: &&mut (String, Uuid, Uuid, Moment)| {
                (&*entry.0, entry.1, entry.2) == (key, *member, node)
            };
            match entries.iter_mut().find(same) {
                Some(entry) => entry.3 = entry.3.max(until),
                None => entries.push((key.to_owned(), *member, node, until)),
            }
        }
        let fits = entries.iter().filter(|entry| entry.0 == key).count() <= LIMITS.presence_entries as usize;
        if fits {
            self.entries = entries;
        }
        fits
    }

    pub(crate) fn end_presence(&mut self, key: &str, node: Uuid, member: Uuid) {
        self.entries.retain(|entry| (&*entry.0, entry.1, entry.2) != (key, member, node));
    }

    pub(crate) fn present(&self, key: &str, now: Moment) -> BTreeSet<Uuid> {
        let here = self.entries.iter().filter(|entry| entry.0 == key && entry.3 > now);
        here.map(|entry| entry.1).collect()
    }

    pub(crate) fn is_present(&self, key: &str, member: Uuid, now: Moment) -> bool {
        self.entries.iter().any(|entry| entry.0 == key && entry.1 == member && entry.3 > now)
    }

    fn known(&mut self, id: Uuid) -> Option<&mut Known> {
        self.tickets.iter_mut().find(|known| known.ticket.id == id)
    }

    pub(crate) fn waiting_of(&self, owner: Uuid) -> Option<Uuid> {
        let mut waiting = self.tickets.iter().filter(|known| known.waits() && known.ticket.owner == owner);
        waiting.next().map(|known| known.ticket.id)
    }
}

/// The first `max` by an order.
fn first<T, K: Ord>(mut all: Vec<T>, max: u32, order: impl Fn(&T) -> K) -> Vec<T> {
    all.sort_by_key(order);
    all.truncate(max as usize);
    all
}
