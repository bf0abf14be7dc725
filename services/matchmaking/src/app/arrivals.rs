//! Arrivals at other replicas.

use std::sync::Arc;

use live::{LiveError, Received};

use super::Desk;

/// Rings the bell of this desk when a ticket arrives at another replica, until they are heard no more or the process
/// stops.
pub async fn follow(desk: Arc<Desk>) -> Result<(), LiveError> {
    // There may be no other replicas.
    let Some(mut arrivals) = desk.queue.arrivals().await? else { return Ok(()) };
    while let Some(received) = desk.stop.run_until_cancelled(arrivals.recv()).await
        && received != Received::Closed
    {
        desk.arrived.notify_one();
    }
    Ok(())
}
