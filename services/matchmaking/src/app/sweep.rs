//! Sweeping out the tickets that nobody holds.

use std::sync::Arc;

use live::LiveError;

use super::Tickets;

/// Ends the tickets whose time is over.
pub(super) async fn sweep(tickets: Arc<Tickets>) -> Result<(), LiveError> {
    for ticket in tickets.queue.expire(tickets.env.now()).await? {
        tickets.queue.call(ticket).await;
    }
    Ok(())
}
