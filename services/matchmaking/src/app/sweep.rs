//! Sweeping out the tickets that nobody holds.

use std::sync::Arc;

use live::LiveError;

use super::Desk;

/// Ends the tickets whose time is over.
pub async fn sweep(desk: Arc<Desk>) -> Result<(), LiveError> {
    for ticket in desk.queue.expire(desk.ambient.now()).await? {
        desk.queue.call(ticket).await;
    }
    Ok(())
}
