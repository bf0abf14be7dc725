//! One call of the live state, as a value, so that the store and the model can be given the same calls.

use std::collections::BTreeSet;

use anyhow::Result;
use bytes::Bytes;
use live::{Changes, Cursor, Deadline, Live, LiveError, Moment, NewTicket, PairProposal, Quota};
use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use crate::examples::{at, game, id, owner};
use crate::model::Model;

/// A call. Times are relative to the call's `now`.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Open(NewTicket),
    Renew(Uuid, Moment),
    RenewMany(Vec<Uuid>, Moment),
    Ticket(Uuid),
    TicketOf(Uuid),
    Cancel(Uuid, Uuid),
    Pools,
    Waiting(Option<(Moment, Uuid)>, u32),
    Changes,
    Expire(u32),
    TakePairs(Vec<PairProposal>),
    Pending(Moment, u32),
    Complete(Uuid),
    Fail(Uuid, Vec<Uuid>, Moment),
    SetDeadline(Deadline),
    Deadline(&'static str, Uuid),
    TakeDue(&'static str, Moment, u32),
    ClearDeadline(&'static str, Uuid, u64),
    NextDue(&'static str),
    Lease(&'static str, Uuid, Moment),
    Release(&'static str, Uuid),
    Count(&'static str, Quota),
    Forgive(&'static str),
    RenewPresence(&'static str, Uuid, Vec<Uuid>, Moment),
    EndPresence(&'static str, Uuid, Uuid),
    CountPresent(&'static str),
    Present(&'static str),
    IsPresent(&'static str, Uuid),
}

impl Op {
    /// Calls the store; the answer as text.
    pub(crate) async fn call(self, live: &dyn Live, now: Moment) -> Result<String> {
        Ok(match self {
            Self::Open(ticket) => text(live.open_ticket(ticket, now).await?),
            Self::Renew(id, until) => text(live.renew_ticket(id, until).await?),
            Self::RenewMany(ids, until) => text(live.renew_tickets(&ids, until).await?),
            Self::Ticket(id) => text(live.ticket(id).await?),
            Self::TicketOf(owner) => text(live.ticket_of(owner).await?),
            Self::Cancel(id, owner) => text(live.cancel_ticket(id, owner, now).await?),
            Self::Pools => text(live.pools().await?),
            Self::Waiting(after, max) => text(live.waiting(after, max).await?),
            Self::Changes => match live.changes(Cursor::START, u32::MAX).await? {
                Changes::Known(changes, _) => text(changes),
                lost @ Changes::Lost(_) => text(lost),
            },
            Self::Expire(max) => text(live.expire_tickets(now, max).await?),
            Self::TakePairs(pairs) => text(live.take_pairs(&pairs, now).await?),
            Self::Pending(until, max) => text(live.pending_matches(now, until, max).await?),
            Self::Complete(id) => text(live.complete_match(id).await?),
            Self::Fail(id, refused, held) => text(live.fail_match(id, &refused, now, held).await?),
            Self::SetDeadline(deadline) => match live.set_deadline(deadline).await {
                Err(LiveError::Full { .. }) => text("full"),
                taken => text(taken?),
            },
            Self::Deadline(queue, key) => text(live.deadline(queue, key).await?),
            Self::TakeDue(queue, until, max) => text(live.take_due(queue, now, until, max).await?),
            Self::ClearDeadline(queue, key, revision) => {
                text(live.clear_deadline(queue, key, revision).await?)
            }
            Self::NextDue(queue) => text(live.next_due(queue).await?),
            Self::Lease(name, owner, until) => text(live.lease(name, owner, now, until).await?),
            Self::Release(name, owner) => text(live.release(name, owner).await?),
            Self::Count(key, quota) => text(live.count(key, quota, now).await?),
            Self::Forgive(key) => {
                live.forgive(key).await?;
                text(())
            }
            Self::RenewPresence(key, node, members, until) => {
                match live.renew_presence(key, node, &members, now, until).await {
                    Err(LiveError::Full { .. }) => text("full"),
                    taken => text(taken?),
                }
            }
            Self::EndPresence(key, node, member) => text(live.end_presence(key, node, member).await?),
            Self::CountPresent(key) => text(live.count_present(key, now).await?),
            Self::Present(key) => text(live.present(key, now).await?),
            Self::IsPresent(key, member) => text(live.is_present(key, member, now).await?),
        })
    }

    /// Asks the model what the store must answer.
    pub(crate) fn expect(self, model: &mut Model, now: Moment) -> String {
        match self {
            Self::Open(ticket) => text(model.open_ticket(ticket, now)),
            Self::Renew(id, until) => text(model.renew_ticket(id, until)),
            Self::RenewMany(ids, until) => text(model.renew_tickets(&ids, until)),
            Self::Ticket(id) => text(model.ticket(id)),
            Self::TicketOf(owner) => text(model.waiting_of(owner)),
            Self::Cancel(id, owner) => text(model.cancel_ticket(id, owner, now)),
            Self::Pools => text(model.pools()),
            Self::Waiting(after, max) => text(model.waiting(after, max)),
            Self::Changes => text(model.changes()),
            Self::Expire(max) => text(model.expire_tickets(now, max)),
            Self::TakePairs(pairs) => text(model.take_pairs(&pairs, now)),
            Self::Pending(until, max) => text(model.pending_matches(now, until, max)),
            Self::Complete(id) => text(model.complete_match(id)),
            Self::Fail(id, refused, held) => text(model.fail_match(id, &refused, now, held)),
            Self::SetDeadline(deadline) => match model.set_deadline(deadline) {
                None => text("full"),
                Some(taken) => text(taken),
            },
            Self::Deadline(queue, key) => text(model.deadline(queue, key)),
            Self::TakeDue(queue, until, max) => text(model.take_due(queue, now, until, max)),
            Self::ClearDeadline(queue, key, revision) => text(model.clear_deadline(queue, key, revision)),
            Self::NextDue(queue) => text(model.next_due(queue)),
            Self::Lease(name, owner, until) => text(model.lease(name, owner, now, until)),
            Self::Release(name, owner) => text(model.release(name, owner)),
            Self::Count(key, quota) => text(model.count(key, quota, now)),
            Self::Forgive(key) => {
                model.forgive(key);
                text(())
            }
            Self::RenewPresence(key, node, members, until) => {
                if model.renew_presence(key, node, &members, now, until) { text(()) } else { text("full") }
            }
            Self::EndPresence(key, node, member) => {
                model.end_presence(key, node, member);
                text(())
            }
            Self::CountPresent(key) => text(model.present(key, now).len()),
            Self::Present(key) => text(model.present(key, now).into_iter().collect::<Vec<_>>()),
            Self::IsPresent(key, member) => text(model.is_present(key, member, now)),
        }
    }
}

/// Calls about few enough tickets, owners and times that they meet.
pub(crate) fn op() -> impl Strategy<Value = Op> {
    prop_oneof![5 => about_tickets(), 4 => about_matches(), 4 => about_deadlines(), 3 => about_others(), 3 => about_presence()]
}

fn about_tickets() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => new_ticket().prop_map(Op::Open),
        2 => (ticket_id(), time()).prop_map(|(id, until)| Op::Renew(id, until)),
        1 => ticket_id().prop_map(Op::Ticket),
        1 => owner_id().prop_map(Op::TicketOf),
        2 => (ticket_id(), owner_id()).prop_map(|(id, owner)| Op::Cancel(id, owner)),
        1 => Just(Op::Pools),
        2 => (prop::option::of((time(), ticket_id())), 0..4_u32).prop_map(|(after, max)| Op::Waiting(after, max)),
        2 => (vec(ticket_id(), 0..5), time()).prop_map(|(ids, until)| Op::RenewMany(ids, until)),
        1 => Just(Op::Changes),
        2 => (0..4_u32).prop_map(Op::Expire),
    ]
}

fn about_matches() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => vec(pair(), 0..5).prop_map(Op::TakePairs),
        2 => (time(), 0..4_u32).prop_map(|(until, max)| Op::Pending(until, max)),
        1 => match_id().prop_map(Op::Complete),
        2 => (match_id(), vec(ticket_id(), 0..3), time()).prop_map(|(id, refused, held)| Op::Fail(id, refused, held)),
    ]
}

fn about_deadlines() -> impl Strategy<Value = Op> {
    let set =
        (queue(), key(), 0..4_u64, time(), payload()).prop_map(|(queue, key, revision, due, payload)| {
            Op::SetDeadline(Deadline { queue: queue.to_owned(), key, revision, due, payload: payload.into() })
        });
    prop_oneof![
        5 => set,
        3 => (queue(), time(), 0..4_u32).prop_map(|(queue, until, max)| Op::TakeDue(queue, until, max)),
        2 => (queue(), key(), 0..4_u64).prop_map(|(queue, key, revision)| Op::ClearDeadline(queue, key, revision)),
        2 => (queue(), key()).prop_map(|(queue, key)| Op::Deadline(queue, key)),
        1 => queue().prop_map(Op::NextDue),
    ]
}

fn about_others() -> impl Strategy<Value = Op> {
    // A key must always be counted against the same quota.
    let count = prop_oneof![
        Just(Op::Count("login:1", Quota { limit: 3, window_us: 32 })),
        Just(Op::Count("login:2", Quota { limit: 1, window_us: 10 })),
    ];
    prop_oneof![
        4 => (name(), owner_id(), time()).prop_map(|(name, owner, until)| Op::Lease(name, owner, until)),
        1 => (name(), owner_id()).prop_map(|(name, owner)| Op::Release(name, owner)),
        5 => count,
        1 => prop_oneof![Just("login:1"), Just("login:2")].prop_map(Op::Forgive),
    ]
}

fn about_presence() -> impl Strategy<Value = Op> {
    prop_oneof![
        5 => (presence_key(), match_id(), vec(owner_id(), 0..3), time())
            .prop_map(|(key, node, members, until)| Op::RenewPresence(key, node, members, until)),
        2 => (presence_key(), match_id(), owner_id())
            .prop_map(|(key, node, member)| Op::EndPresence(key, node, member)),
        2 => presence_key().prop_map(Op::CountPresent),
        2 => presence_key().prop_map(Op::Present),
        2 => (presence_key(), owner_id()).prop_map(|(key, member)| Op::IsPresent(key, member)),
    ]
}

fn new_ticket() -> impl Strategy<Value = NewTicket> {
    let pools = vec(pool(), 1..3).prop_map(|pools| pools.into_iter().collect::<BTreeSet<_>>());
    (ticket_id(), owner_id(), pools, payload(), time()).prop_map(|(id, owner, pools, payload, expires_at)| {
        NewTicket {
            id,
            owner,
            pools: pools.into_iter().map(str::to_owned).collect(),
            standing: Bytes::new(),
            payload: payload.into(),
            expires_at,
        }
    })
}

fn pair() -> impl Strategy<Value = PairProposal> {
    (pool(), ticket_id(), ticket_id(), match_id()).prop_map(|(pool, first, second, match_id)| PairProposal {
        pool: pool.to_owned(),
        first,
        second,
        match_id,
    })
}

fn ticket_id() -> impl Strategy<Value = Uuid> {
    (0..8_u128).prop_map(id)
}

fn owner_id() -> impl Strategy<Value = Uuid> {
    (0..6_u128).prop_map(owner)
}

fn match_id() -> impl Strategy<Value = Uuid> {
    (0..4_u128).prop_map(game)
}

fn key() -> impl Strategy<Value = Uuid> {
    (0..4_u128).prop_map(id)
}

fn pool() -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => Just("go"), 1 => Just("jiu \u{4e5d}")]
}

fn queue() -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => Just("flags"), 1 => Just("pauses")]
}

fn presence_key() -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => Just("game 1"), 1 => Just("game 2")]
}

fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("job"), Just("other job")]
}

/// Payloads of which two are rarely, but sometimes, different.
fn payload() -> impl Strategy<Value = &'static [u8]> {
    prop_oneof![9 => Just(&b"a\0\xff"[..]), 1 => Just(&b""[..])]
}

/// Times around which the test's clock moves.
fn time() -> impl Strategy<Value = Moment> {
    (0..120_i64).prop_map(at)
}

fn text(answer: impl std::fmt::Debug) -> String {
    format!("{answer:?}")
}
