//! Holding the tickets that somebody looks at.

use chassis::{
    Env, Lifecycle,
    batch::{self, Batcher},
    id::TicketId,
    lifecycle::Aborted,
};
use live::{LiveError, limits::HELD_MAX};

use super::Timings;
use crate::{error::Error, store::Queue};

/// Tickets that may wait to be held; whoever comes then waits for a place.
const WAITING_MAX: usize = 16 * HELD_MAX;

/// Where tickets are held; clones share it. Those that come while others are being held share the next round trip.
#[derive(Clone, Debug)]
pub(crate) struct Holder(Batcher<TicketId, Result<bool, LiveError>>);

impl Holder {
    /// Starts the task that holds them.
    pub(crate) fn start(env: Env, queue: Queue, timings: Timings, lifecycle: &Lifecycle) -> Self {
        let (tickets, batches) = batch::channel(WAITING_MAX, HELD_MAX);
        lifecycle.supervise_last(("matchmaking", "holder"), move || {
            let (env, queue) = (env.clone(), queue.clone());
            batches.clone().run(move |tickets: Vec<TicketId>| {
                let (env, queue) = (env.clone(), queue.clone());
                async move {
                    match queue.hold(&tickets, env.now() + timings.hold).await {
                        Ok(waits) => waits.into_iter().map(Ok).collect(),
                        Err(error) => tickets.iter().map(|_| Err(error.clone())).collect(),
                    }
                }
            })
        });
        Holder(tickets)
    }

    /// Holds a ticket if it waits; whether it does.
    ///
    /// # Errors
    /// When live state fails or the process stops.
    pub(super) async fn hold(&self, ticket: TicketId) -> Result<bool, Error> {
        Ok(self.0.ask(ticket).await.map_err(|Aborted| Error::Stopping)??)
    }
}
