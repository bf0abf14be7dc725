//! A live state that can be made to fail, and that says whether it is shared as a test wants it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use bytes::Bytes;
use futures::FutureExt as _;
use live::{
    Cancelled, Deadline, Live, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch, Quota,
    Subscription, Throttle, Ticket, TicketState,
};
use uuid::Uuid;

/// A memory store behind a line that may break. Deadlines and topics are all that a clock may ask of it.
#[derive(Debug)]
pub struct FrailLive {
    inner: Arc<dyn Live>,
    broken: AtomicBool,
    shared: AtomicBool,
    deaf: AtomicBool,
}

impl FrailLive {
    /// An empty one that works and is not shared.
    pub fn new() -> Self {
        let config = live::Config::new("memory").expect("memory is a place");
        let memory = live::connect(&config).now_or_never().expect("memory is there at once");
        let inner = memory.expect("memory cannot fail");
        FrailLive {
            inner,
            broken: AtomicBool::new(false),
            shared: AtomicBool::new(false),
            deaf: AtomicBool::new(false),
        }
    }

    /// Breaks the line, or mends it.
    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    /// Makes it say that other processes share it.
    pub fn set_shared(&self) {
        self.shared.store(true, Ordering::SeqCst);
    }

    /// Makes it lose every message, or carry them again.
    pub fn set_deaf(&self, deaf: bool) {
        self.deaf.store(deaf, Ordering::SeqCst);
    }

    fn reach(&self) -> Result<&dyn Live, LiveError> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(LiveError::Unavailable("the line is broken".into()));
        }
        Ok(&*self.inner)
    }
}

fn no_business<T>() -> Result<T, LiveError> {
    Err(LiveError::Config("that is no business of a clock's".to_owned()))
}

#[async_trait]
impl Live for FrailLive {
    async fn set_deadline(&self, deadline: Deadline) -> Result<bool, LiveError> {
        self.reach()?.set_deadline(deadline).await
    }

    async fn deadline(&self, queue: &str, key: Uuid) -> Result<Option<Deadline>, LiveError> {
        self.reach()?.deadline(queue, key).await
    }

    async fn take_due(
        &self,
        queue: &str,
        now: Moment,
        lease_until: Moment,
        max: u32,
    ) -> Result<Vec<Deadline>, LiveError> {
        self.reach()?.take_due(queue, now, lease_until, max).await
    }

    async fn clear_deadline(&self, queue: &str, key: Uuid, revision: u64) -> Result<bool, LiveError> {
        self.reach()?.clear_deadline(queue, key, revision).await
    }

    async fn next_due(&self, queue: &str) -> Result<Option<Moment>, LiveError> {
        self.reach()?.next_due(queue).await
    }

    async fn attend(
        &self,
        _place: &str,
        _witness: Uuid,
        _member: &[Uuid],
        _now: Moment,
        _until: Moment,
    ) -> Result<(), LiveError> {
        no_business()
    }

    async fn leave(&self, _place: &str, _witness: Uuid, _member: Uuid) -> Result<(), LiveError> {
        no_business()
    }

    async fn attendance(&self, _place: &str, _now: Moment) -> Result<u32, LiveError> {
        no_business()
    }

    async fn attends(&self, _place: &str, _member: Uuid, _now: Moment) -> Result<bool, LiveError> {
        no_business()
    }

    async fn prove(&self) -> Result<(), LiveError> {
        self.reach()?.prove().await
    }

    fn shared(&self) -> bool {
        self.shared.load(Ordering::SeqCst)
    }

    async fn open_ticket(&self, _: NewTicket, _: Moment) -> Result<Opened, LiveError> {
        no_business()
    }

    async fn hold_ticket(&self, _: Uuid, _: Moment) -> Result<Option<TicketState>, LiveError> {
        no_business()
    }

    async fn ticket(&self, _: Uuid) -> Result<Option<TicketState>, LiveError> {
        no_business()
    }

    async fn cancel_ticket(&self, _: Uuid, _: Uuid, _: Moment) -> Result<Cancelled, LiveError> {
        no_business()
    }

    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        no_business()
    }

    async fn waiting(&self, _: &str, _: u32) -> Result<Vec<Ticket>, LiveError> {
        no_business()
    }

    async fn expire_tickets(&self, _: Moment, _: u32) -> Result<Vec<Uuid>, LiveError> {
        no_business()
    }

    async fn take_pairs(&self, _: &str, _: &[PairProposal], _: Moment) -> Result<Vec<bool>, LiveError> {
        no_business()
    }

    async fn pending_matches(&self, _: Moment, _: Moment, _: u32) -> Result<Vec<PendingMatch>, LiveError> {
        no_business()
    }

    async fn settle_match(&self, _: Uuid) -> Result<bool, LiveError> {
        no_business()
    }

    async fn dissolve_match(&self, _: Uuid, _: &[Uuid], _: Moment) -> Result<bool, LiveError> {
        no_business()
    }

    async fn lease(&self, _: &str, _: Uuid, _: Moment, _: Moment) -> Result<bool, LiveError> {
        no_business()
    }

    async fn release(&self, _: &str, _: Uuid) -> Result<bool, LiveError> {
        no_business()
    }

    async fn publish(&self, topic: &str, message: Bytes) -> Result<(), LiveError> {
        let live = self.reach()?;
        if self.deaf.load(Ordering::SeqCst) { Ok(()) } else { live.publish(topic, message).await }
    }

    async fn subscribe(&self, topic: &str) -> Result<Subscription, LiveError> {
        self.reach()?.subscribe(topic).await
    }

    async fn count(&self, _: &str, _: Quota, _: Moment) -> Result<Throttle, LiveError> {
        no_business()
    }

    async fn forgive(&self, _: &str) -> Result<(), LiveError> {
        no_business()
    }
}
