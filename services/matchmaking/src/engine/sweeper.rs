//! Sweeping out the tickets that nobody holds.

use std::sync::Arc;

use super::Desk;

/// Ends tickets whose time is over, now and then, until the process stops.
pub async fn run(desk: Arc<Desk>) {
    loop {
        match desk.queue.expire(desk.ambient.now()).await {
            Ok(expired) => {
                for ticket in expired {
                    desk.queue.call(ticket).await;
                }
            }
            Err(error) => tracing::warn!(%error, "tickets could not be swept; it is tried again"),
        }
        tokio::select! {
            biased;
            () = desk.stop.cancelled() => return,
            () = tokio::time::sleep(desk.pace.sweep) => {}
        }
    }
}
