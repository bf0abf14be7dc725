//! What becomes of one ticket, as long as somebody looks.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{Tickets, record::match_of};
use crate::{
    core::{MatchState, Status, Ticket},
    error::Error,
    store::{Messages, Queued},
};

/// One open stream on a ticket. Looking holds the ticket; who stops looking, stops holding.
///
/// Messages make it quick, but it rests on none of them: at every beat it looks for itself.
pub struct Watch {
    tickets: Arc<Tickets>,
    ticket: Ticket,
    messages: Messages,
    beat: Instant,
    /// Whether the database has the ticket's match; then live state is not asked any more.
    recorded: bool,
    ended: bool,
}

impl Watch {
    /// Watches a ticket.
    pub(super) fn new(tickets: Arc<Tickets>, ticket: Ticket, messages: Messages) -> Self {
        Watch { tickets, ticket, messages, beat: Instant::now(), recorded: false, ended: false }
    }

    /// The same for a ticket that is known to be part of a match.
    pub(super) fn of_match(self) -> Self {
        Watch { recorded: true, ..self }
    }

    /// What the ticket is, at once and then whenever there is something to say; `None` after its end.
    ///
    /// # Errors
    /// When a store fails or the process is about to stop; nothing comes after that, and calling again with
    /// the same ticket goes on.
    pub async fn next(&mut self) -> Option<Result<Status, Error>> {
        if self.ended {
            return None;
        }
        let status = self.wait().await;
        self.ended = status.as_ref().map_or(true, Status::is_final);
        Some(status)
    }

    async fn wait(&mut self) -> Result<Status, Error> {
        let stop = self.tickets.stop.clone();
        loop {
            let told = tokio::select! {
                // A stop counts before a beat: the client should go elsewhere while its ticket is held.
                biased;
                () = stop.cancelled() => return Err(Error::Stopping),
                told = self.messages.next() => told,
                () = tokio::time::sleep_until(self.beat) => None,
            };
            if let Some(status) = told {
                return Ok(status);
            }
            let queue = &self.tickets.queue;
            let beaten = self.beat <= Instant::now();
            if beaten {
                self.beat = Instant::now() + self.tickets.timings.beat;
            }
            let queued = if self.recorded {
                None
            } else if beaten {
                queue.hold(&self.ticket, self.tickets.env.now() + self.tickets.timings.hold).await?
            } else {
                queue.find(&self.ticket).await?
            };
            let status = self.status(queued).await?;
            if beaten || status.is_final() {
                return Ok(status);
            }
        }
    }

    /// What the ticket is, by what live state says of it. One that was lost without a match is handed in
    /// again.
    async fn status(&mut self, queued: Option<Queued>) -> Result<Status, Error> {
        if let Some(Queued::Waiting { since, .. }) = queued {
            self.ticket.since = since;
            return Ok(self.waiting());
        }
        let ticket = self.ticket.player.ticket;
        if let Some((matched, state)) = match_of(&self.tickets.database, ticket).await? {
            self.recorded = true;
            return Ok(match state {
                MatchState::Created => Status::matched(&matched, ticket).unwrap_or(Status::Cancelled),
                MatchState::Pending => self.waiting(),
                MatchState::Dissolved => Status::Cancelled,
            });
        }
        match queued {
            Some(Queued::Cancelled) => Ok(Status::Cancelled),
            Some(Queued::Expired) => Ok(Status::Expired),
            Some(Queued::Matched | Queued::Waiting { .. }) => Ok(self.waiting()),
            Some(Queued::Differs) => Err(Error::TicketDiffers),
            None => {
                self.tickets.open(&self.ticket).await?;
                Ok(self.waiting())
            }
        }
    }

    fn waiting(&self) -> Status {
        let Ticket { settings, window, since, .. } = &self.ticket;
        let waited = Duration::try_from(self.tickets.env.now() - *since).unwrap_or_default();
        let (pool_size, remaining) = self.tickets.pool_stats.estimate(settings, waited);
        Status::Waiting { since: *since, remaining, difference: window.after(waited), pool_size }
    }
}
