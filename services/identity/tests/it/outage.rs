//! A live state that does not answer.

use async_trait::async_trait;
use bytes::Bytes;
use live::{
    Cancelled, Deadline, Live, LiveError, Moment, NewTicket, Opened, PairProposal, PendingMatch, Quota,
    Subscription, Throttle, Ticket, TicketState,
};
use uuid::Uuid;

/// Fails whatever it is asked.
#[derive(Debug)]
pub enum Outage {
    /// It says so at once.
    Gone,
    /// It never says anything.
    Silent,
}

impl Outage {
    async fn down<T>(&self) -> Result<T, LiveError> {
        match self {
            Outage::Gone => Err(LiveError::Unavailable("nobody is there".into())),
            Outage::Silent => std::future::pending().await,
        }
    }
}

#[async_trait]
impl Live for Outage {
    async fn open_ticket(&self, _: NewTicket, _: Moment) -> Result<Opened, LiveError> {
        self.down().await
    }
    async fn hold_ticket(&self, _: Uuid, _: Moment) -> Result<Option<TicketState>, LiveError> {
        self.down().await
    }
    async fn ticket(&self, _: Uuid) -> Result<Option<TicketState>, LiveError> {
        self.down().await
    }
    async fn cancel_ticket(&self, _: Uuid, _: Uuid, _: Moment) -> Result<Cancelled, LiveError> {
        self.down().await
    }
    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        self.down().await
    }
    async fn waiting(&self, _: &str, _: u32) -> Result<Vec<Ticket>, LiveError> {
        self.down().await
    }
    async fn expire_tickets(&self, _: Moment, _: u32) -> Result<Vec<Uuid>, LiveError> {
        self.down().await
    }
    async fn take_pairs(&self, _: &str, _: &[PairProposal], _: Moment) -> Result<Vec<bool>, LiveError> {
        self.down().await
    }
    async fn pending_matches(&self, _: Moment, _: Moment, _: u32) -> Result<Vec<PendingMatch>, LiveError> {
        self.down().await
    }
    async fn settle_match(&self, _: Uuid) -> Result<bool, LiveError> {
        self.down().await
    }
    async fn dissolve_match(&self, _: Uuid, _: &[Uuid], _: Moment) -> Result<bool, LiveError> {
        self.down().await
    }
    async fn set_deadline(&self, _: Deadline) -> Result<bool, LiveError> {
        self.down().await
    }
    async fn deadline(&self, _: &str, _: Uuid) -> Result<Option<Deadline>, LiveError> {
        self.down().await
    }
    async fn take_due(&self, _: &str, _: Moment, _: Moment, _: u32) -> Result<Vec<Deadline>, LiveError> {
        self.down().await
    }
    async fn clear_deadline(&self, _: &str, _: Uuid, _: u64) -> Result<bool, LiveError> {
        self.down().await
    }
    async fn next_due(&self, _: &str) -> Result<Option<Moment>, LiveError> {
        self.down().await
    }
    async fn lease(&self, _: &str, _: Uuid, _: Moment, _: Moment) -> Result<bool, LiveError> {
        self.down().await
    }
    async fn release(&self, _: &str, _: Uuid) -> Result<bool, LiveError> {
        self.down().await
    }
    async fn publish(&self, _: &str, _: Bytes) -> Result<(), LiveError> {
        self.down().await
    }
    async fn subscribe(&self, _: &str) -> Result<Subscription, LiveError> {
        self.down().await
    }
    async fn count(&self, _: &str, _: Quota, _: Moment) -> Result<Throttle, LiveError> {
        self.down().await
    }
    async fn forgive(&self, _: &str) -> Result<(), LiveError> {
        self.down().await
    }
    async fn attend(&self, _: &str, _: Uuid, _: &[Uuid], _: Moment, _: Moment) -> Result<(), LiveError> {
        self.down().await
    }
    async fn leave(&self, _: &str, _: Uuid, _: Uuid) -> Result<(), LiveError> {
        self.down().await
    }
    async fn attendance(&self, _: &str, _: Moment) -> Result<u32, LiveError> {
        self.down().await
    }
    async fn attends(&self, _: &str, _: Uuid, _: Moment) -> Result<bool, LiveError> {
        self.down().await
    }
    async fn prove(&self) -> Result<(), LiveError> {
        self.down().await
    }
    fn shared(&self) -> bool {
        true
    }
}
