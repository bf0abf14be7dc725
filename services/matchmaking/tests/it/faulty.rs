//! A live state that fails where a test says.

use std::sync::{
    Arc, RwLock,
    atomic::{AtomicBool, Ordering},
};

use bytes::Bytes;
use live::{
    Cancelled, Deadline, Live, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch, Quota,
    Subscription, Throttle, Ticket, TicketState,
};
use tokio::sync::Notify;
use uuid::Uuid;

/// A live state in front of another, whose messages and two of whose calls can be cut.
#[derive(Debug)]
pub struct Faulty {
    behind: RwLock<Arc<dyn Live>>,
    /// Whether matches that are no games yet are hidden.
    pub hide_pending: AtomicBool,
    /// Whether matches cannot be settled.
    pub refuse_settling: AtomicBool,
    /// Whether messages are lost.
    pub mute: AtomicBool,
    /// Rung whenever it fails.
    pub failed: Notify,
}

impl Faulty {
    pub fn new(behind: Arc<dyn Live>) -> Arc<Self> {
        Arc::new(Faulty {
            behind: RwLock::new(behind),
            hide_pending: AtomicBool::new(false),
            refuse_settling: AtomicBool::new(false),
            mute: AtomicBool::new(false),
            failed: Notify::new(),
        })
    }

    /// Loses everything: from now on another, empty live state is behind it. Whoever listened to the old one
    /// hears nothing any more.
    pub fn forget(&self, empty: Arc<dyn Live>) {
        *self.behind.write().expect("nobody panics with it") = empty;
    }

    fn behind(&self) -> Arc<dyn Live> {
        Arc::clone(&self.behind.read().expect("nobody panics with it"))
    }

    fn check(&self, fault: &AtomicBool) -> Result<(), LiveError> {
        if fault.load(Ordering::SeqCst) {
            self.failed.notify_one();
            return Err(LiveError::Unavailable("cut by the test".into()));
        }
        Ok(())
    }
}

#[tonic::async_trait]
impl Live for Faulty {
    async fn open_ticket(&self, ticket: NewTicket, now: Moment) -> Result<Opened, LiveError> {
        self.behind().open_ticket(ticket, now).await
    }

    async fn hold_ticket(&self, id: Uuid, held_until: Moment) -> Result<Option<TicketState>, LiveError> {
        self.behind().hold_ticket(id, held_until).await
    }

    async fn ticket(&self, id: Uuid) -> Result<Option<TicketState>, LiveError> {
        self.behind().ticket(id).await
    }

    async fn cancel_ticket(&self, id: Uuid, owner: Uuid, now: Moment) -> Result<Cancelled, LiveError> {
        self.behind().cancel_ticket(id, owner, now).await
    }

    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        self.behind().pools().await
    }

    async fn waiting(&self, pool: &str, max: u32) -> Result<Vec<Ticket>, LiveError> {
        self.behind().waiting(pool, max).await
    }

    async fn expire_tickets(&self, now: Moment, max: u32) -> Result<Vec<Uuid>, LiveError> {
        self.behind().expire_tickets(now, max).await
    }

    async fn take_pairs(
        &self,
        pool: &str,
        pairs: &[PairProposal],
        now: Moment,
    ) -> Result<Vec<bool>, LiveError> {
        self.behind().take_pairs(pool, pairs, now).await
    }

    async fn pending_matches(
        &self,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<PendingMatch>, LiveError> {
        self.check(&self.hide_pending)?;
        self.behind().pending_matches(now, lease_until, max).await
    }

    async fn settle_match(&self, match_id: Uuid) -> Result<bool, LiveError> {
        self.check(&self.refuse_settling)?;
        self.behind().settle_match(match_id).await
    }

    async fn dissolve_match(&self, match_id: Uuid, refused: &[Uuid], now: Moment) -> Result<bool, LiveError> {
        self.behind().dissolve_match(match_id, refused, now).await
    }

    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError> {
        self.behind().set_deadline(deadline).await
    }

    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError> {
        self.behind().deadline(queue, key).await
    }

    async fn take_due(
        &self,
        queue: &str,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<Deadline>, LiveError> {
        self.behind().take_due(queue, now, lease_until, max).await
    }

    async fn clear_deadline(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError> {
        self.behind().clear_deadline(queue, key, revision).await
    }

    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError> {
        self.behind().next_due(queue).await
    }

    async fn lease(&self, name: &str, owner: Uuid, now: Moment, until: Moment) -> Result<bool, LiveError> {
        self.behind().lease(name, owner, now, until).await
    }

    async fn release(&self, name: &str, owner: Uuid) -> Result<bool, LiveError> {
        self.behind().release(name, owner).await
    }

    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError> {
        self.check(&self.mute)?;
        self.behind().publish(topic, message).await
    }

    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError> {
        self.behind().subscribe(topic).await
    }

    async fn count(&self, key: &str, quota: Quota, now: Moment) -> Result<Throttle, LiveError> {
        self.behind().count(key, quota, now).await
    }

    async fn forgive(&self, key: &str) -> Result<(), LiveError> {
        self.behind().forgive(key).await
    }

    async fn attend(
        &self,
        place: &str,
        witness: Uuid,
        members: &[Uuid],
        now: Moment,
        until: Moment,
    ) -> Result<(), LiveError> {
        self.behind().attend(place, witness, members, now, until).await
    }

    async fn leave(&self, place: &str, witness: Uuid, member: Uuid) -> Result<(), LiveError> {
        self.behind().leave(place, witness, member).await
    }

    async fn attendance(&self, place: &str, now: Moment) -> Result<u32, LiveError> {
        self.behind().attendance(place, now).await
    }

    async fn attends(&self, place: &str, member: Uuid, now: Moment) -> Result<bool, LiveError> {
        self.behind().attends(place, member, now).await
    }

    async fn prove(&self) -> Result<(), LiveError> {
        self.behind().prove().await
    }

    fn shared(&self) -> bool {
        self.behind().shared()
    }
}
