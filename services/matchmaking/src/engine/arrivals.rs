//! Arrivals at other replicas.

use std::sync::Arc;

use live::Received;

use super::Desk;

/// Rings the bell of this desk when a ticket arrives at another replica, until the process stops.
pub async fn follow(desk: Arc<Desk>) {
    let stop = desk.stop.clone();
    tokio::select! {
        biased;
        () = stop.cancelled() => {}
        () = listen(&desk) => {}
    }
}

async fn listen(desk: &Desk) {
    loop {
        match desk.queue.arrivals().await {
            // There are no other replicas.
            Ok(None) => return std::future::pending().await,
            Ok(Some(mut arrivals)) => {
                while arrivals.recv().await != Received::Closed {
                    desk.arrived.notify_one();
                }
            }
            Err(error) => tracing::warn!(%error, "arrivals at other replicas are not heard at once"),
        }
        tokio::time::sleep(desk.pace.retry).await;
    }
}
