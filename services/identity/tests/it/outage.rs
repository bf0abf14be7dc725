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
pub struct Outage;

fn down<T>() -> Result<T, LiveError> {
    Err(LiveError::Unavailable("nobody is there".into()))
}

#[async_trait]
impl Live for Outage {
    async fn open_ticket(&self, _: NewTicket, _: Moment) -> Result<Opened, LiveError> {
        down()
    }
    async fn hold_ticket(&self, _: Uuid, _: Moment) -> Result<Option<TicketState>, LiveError> {
        down()
    }
    async fn ticket(&self, _: Uuid) -> Result<Option<TicketState>, LiveError> {
        down()
    }
    async fn cancel_ticket(&self, _: Uuid, _: Uuid, _: Moment) -> Result<Cancelled, LiveError> {
        down()
    }
    async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        down()
    }
    async fn waiting(&self, _: &str, _: u32) -> Result<Vec<Ticket>, LiveError> {
        down()
    }
    async fn expire_tickets(&self, _: Moment, _: u32) -> Result<Vec<Uuid>, LiveError> {
        down()
    }
    async fn take_pairs(&self, _: &str, _: &[PairProposal], _: Moment) -> Result<Vec<bool>, LiveError> {
        down()
    }
    async fn pending_matches(&self, _: Moment, _: Moment, _: u32) -> Result<Vec<PendingMatch>, LiveError> {
        down()
    }
    async fn settle_match(&self, _: Uuid) -> Result<bool, LiveError> {
        down()
    }
    async fn dissolve_match(&self, _: Uuid, _: &[Uuid], _: Moment) -> Result<bool, LiveError> {
        down()
    }
    async fn set_deadline(&self, _: Deadline) -> Result<bool, LiveError> {
        down()
    }
    async fn deadline(&self, _: &str, _: Uuid) -> Result<Option<Deadline>, LiveError> {
        down()
    }
    async fn take_due(&self, _: &str, _: Moment, _: Moment, _: u32) -> Result<Vec<Deadline>, LiveError> {
        down()
    }
    async fn clear_deadline(&self, _: &str, _: Uuid, _: u64) -> Result<bool, LiveError> {
        down()
    }
    async fn next_due(&self, _: &str) -> Result<Option<Moment>, LiveError> {
        down()
    }
    async fn lease(&self, _: &str, _: Uuid, _: Moment, _: Moment) -> Result<bool, LiveError> {
        down()
    }
    async fn release(&self, _: &str, _: Uuid) -> Result<bool, LiveError> {
        down()
    }
    async fn publish(&self, _: &str, _: Bytes) -> Result<(), LiveError> {
        down()
    }
    async fn subscribe(&self, _: &str) -> Result<Subscription, LiveError> {
        down()
    }
    async fn count(&self, _: &str, _: Quota, _: Moment) -> Result<Throttle, LiveError> {
        down()
    }
    async fn forgive(&self, _: &str) -> Result<(), LiveError> {
        down()
    }
    async fn attend(&self, _: &str, _: Uuid, _: &[Uuid], _: Moment, _: Moment) -> Result<(), LiveError> {
        down()
    }
    async fn leave(&self, _: &str, _: Uuid, _: Uuid) -> Result<(), LiveError> {
        down()
    }
    async fn attendance(&self, _: &str, _: Moment) -> Result<u32, LiveError> {
        down()
    }
    async fn attends(&self, _: &str, _: Uuid, _: Moment) -> Result<bool, LiveError> {
        down()
    }
    async fn prove(&self) -> Result<(), LiveError> {
        down()
    }
    fn shared(&self) -> bool {
        true
    }
}
