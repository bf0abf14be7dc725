//! What is told about a ticket.

use chassis::id::TicketId;
use live::{Received, Subscription};

use super::payload;
use crate::core::Status;

/// The messages about one ticket.
#[derive(Debug)]
pub struct Messages {
    ticket: TicketId,
    subscription: Subscription,
}

impl Messages {
    pub(super) const fn new(ticket: TicketId, subscription: Subscription) -> Self {
        Messages { ticket, subscription }
    }

    /// Waits for the next message: what the ticket has become, or `None` for "look". Dropping the future
    /// loses nothing.
    pub async fn next(&mut self) -> Option<Status> {
        loop {
            return match self.subscription.recv().await {
                Received::Message(message) => Status::matched(&payload::matched(&message)?, self.ticket),
                Received::Lagged(_) => None,
                Received::Unfollowed => continue,
                // Nothing comes any more; whoever waits looks for himself now and then.
                Received::Closed => std::future::pending().await,
            };
        }
    }
}
