//! A store that tests can come before.
//!
//! It is part of the crate, not of its tests, because the tests of services need it; nothing in it is reachable from a
//! running service.

use std::fmt::Debug;
use std::ops::Deref;
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use async_trait::async_trait;
use bytes::Bytes;
use uuid::Uuid;

use crate::{
    Cancelled, Changes, Cursor, Deadline, DeadlineStore, FanOut, LeaseStore, Live, LiveError, Moment,
    NewTicket, Opened, PairProposal, PendingMatch, PresenceStore, PubSub, Quota, Subscription, Throttle,
    ThrottleStore, Ticket, TicketState, TicketStore,
};

/// What comes between callers and a store.
#[async_trait]
pub trait Hook: Debug + Send + Sync + 'static {
    /// The store that a call goes to, or why it reaches none.
    async fn reach(&self, call: Call) -> Result<Arc<dyn Live>, LiveError>;

    /// What has become of the answer on its way back: it is handed on, or the caller learns of this error instead.
    fn answered(&self, _call: Call) -> Result<(), LiveError> {
        Ok(())
    }

    /// What [`Live::shared`] says.
    fn shared(&self) -> bool {
        true
    }
}

/// The live state behind a hook, each of whose calls goes through it.
#[derive(Debug)]
pub struct Intercept<H>(H);

impl<H: Hook> Intercept<H> {
    /// The live state behind this hook.
    pub fn new(hook: H) -> Arc<Self> {
        Arc::new(Intercept(hook))
    }
}

impl<H> Deref for Intercept<H> {
    type Target = H;

    fn deref(&self) -> &H {
        &self.0
    }
}

#[async_trait]
impl<H: Hook> Live for Intercept<H> {
    async fn prove(&self) -> Result<(), LiveError> {
        let proof = self.0.reach(Call::Prove).await?.prove().await;
        self.0.answered(Call::Prove)?;
        proof
    }

    fn shared(&self) -> bool {
        self.0.shared()
    }

    /// Nothing: which store would be asked is the hook's own.
    fn fan_out(&self) -> FanOut {
        FanOut::default()
    }
}

/// Live state in memory for the replicas of a test, which is shared as soon as there are two of them: from then on each reads what
/// others have written.
#[derive(Debug)]
pub struct InCommon {
    memory: Arc<dyn Live>,
    users: AtomicU32,
}

impl InCommon {
    /// An empty one, which nobody uses.
    ///
    /// # Panics
    /// Never: memory is always there.
    pub async fn empty() -> Arc<Intercept<Self>> {
        let config = crate::Config::new("memory").expect("memory is a place");
        let memory = crate::connect(&config).await.expect("memory is always there");
        Intercept::new(InCommon { memory, users: AtomicU32::new(0) })
    }

    /// One more replica uses it.
    pub fn join(&self) {
        self.users.fetch_add(1, Ordering::Relaxed);
    }
}

#[async_trait]
impl Hook for InCommon {
    async fn reach(&self, _: Call) -> Result<Arc<dyn Live>, LiveError> {
        Ok(Arc::clone(&self.memory))
    }

    fn shared(&self) -> bool {
        self.users.load(Ordering::Relaxed) > 1
    }
}

macro_rules! intercept {
    ($($store:ident {
        $($call:ident: $method:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*
    })*) => {
        /// A call of the live state.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Call {
            $($(
                #[doc = concat!("[`", stringify!($store), "::", stringify!($method), "`]")]
                $call,
            )*)*
            /// [`Live::prove`]
            Prove,
        }

        $(
            #[async_trait]
            impl<H: Hook> $store for Intercept<H> {
                $(
                    async fn $method(&self, $($argument: $type),*) -> Result<$answer, LiveError> {
                        let answer = self.0.reach(Call::$call).await?.$method($($argument),*).await;
                        self.0.answered(Call::$call)?;
                        answer
                    }
                )*
            }
        )*
    };
}

intercept! {
    TicketStore {
        OpenTicket: open_ticket(ticket: NewTicket, now: Moment) -> Opened;
        RenewTicket: renew_ticket(id: Uuid, expires_at: Moment) -> Option<TicketState>;
        RenewTickets: renew_tickets(ids: &[Uuid], expires_at: Moment) -> Vec<Uuid>;
        Ticket: ticket(id: Uuid) -> Option<TicketState>;
        TicketOf: ticket_of(owner: Uuid) -> Option<Uuid>;
        CancelTicket: cancel_ticket(id: Uuid, owner: Uuid, now: Moment) -> Cancelled;
        Pools: pools() -> Vec<(String, u32)>;
        Waiting: waiting(after: Option<(Moment, Uuid)>, max: u32) -> Vec<Ticket>;
        Changes: changes(since: Cursor, max: u32) -> Changes;
        ExpireTickets: expire_tickets(now: Moment, max: u32) -> Vec<Uuid>;
        TakePairs: take_pairs(pairs: &[PairProposal], now: Moment) -> Vec<bool>;
        PendingMatches: pending_matches(now: Moment, lease_until: Moment, max: u32) -> Vec<PendingMatch>;
        CompleteMatch: complete_match(match_id: Uuid) -> bool;
        FailMatch: fail_match(match_id: Uuid, refused: &[Uuid], now: Moment, held_until: Moment) -> bool;
    }
    DeadlineStore {
        SetDeadline: set_deadline(deadline: Deadline) -> bool;
        Deadline: deadline(queue: &str, key: Uuid) -> Option<Deadline>;
        TakeDue: take_due(queue: &str, now: Moment, lease_until: Moment, max: u32) -> Vec<Deadline>;
        ClearDeadline: clear_deadline(queue: &str, key: Uuid, revision: u64) -> bool;
        NextDue: next_due(queue: &str) -> Option<Moment>;
    }
    LeaseStore {
        Lease: lease(name: &str, owner: Uuid, now: Moment, until: Moment) -> bool;
        Release: release(name: &str, owner: Uuid) -> bool;
    }
    PubSub {
        Publish: publish(topic: &str, message: Bytes) -> ();
        Subscribe: subscribe(topic: &str) -> Subscription;
    }
    ThrottleStore {
        Count: count(key: &str, quota: Quota, now: Moment) -> Throttle;
        Forgive: forgive(key: &str) -> ();
    }
    PresenceStore {
        RenewPresence: renew_presence(key: &str, node: Uuid, members: &[Uuid], now: Moment, until: Moment) -> ();
        EndPresence: end_presence(key: &str, node: Uuid, member: Uuid) -> ();
        CountPresent: count_present(key: &str, now: Moment) -> u32;
        Present: present(key: &str, now: Moment) -> Vec<Uuid>;
        IsPresent: is_present(key: &str, member: Uuid, now: Moment) -> bool;
    }
}
