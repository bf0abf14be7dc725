//! Arrivals at other replicas.

use std::sync::Arc;

use live::{LiveError, Received};

use super::{Tickets, blocks};

/// Has the pools passed over when a ticket arrives at another replica, until they are heard no more or the process
/// stops.
pub(super) async fn follow(tickets: Arc<Tickets>) -> Result<(), LiveError> {
    // There may be no other replicas.
    let Some(mut arrivals) = tickets.queue.arrivals().await? else { return Ok(()) };
    while let Some(received) = tickets.stop.run_until_cancelled(arrivals.recv()).await
        && received != Received::Closed
    {
        if let Received::Message(message) = &received {
            blocks::note(&tickets, message);
        }
        tickets.arrived.notify_one();
    }
    Ok(())
}

/// Tells other replicas that somebody has arrived here. Those who arrive while that is being said are told of by the next.
pub(super) async fn announce(tickets: Arc<Tickets>) -> Result<(), LiveError> {
    tickets.queue.announce().await;
    Ok(())
}
