//! What becomes of one ticket, as long as somebody looks.

use std::sync::Arc;

use chassis::follow::{Follower, Heard};
use tokio::time::Instant;

use super::{Tickets, micros, record::match_of};
use crate::{
    core::{MatchState, Status, Ticket},
    error::Error,
    store::{Queued, decode_status},
};

/// One open stream on a ticket. Looking holds the ticket; who stops looking, stops holding.
///
/// Messages make it quick, but it rests on none of them: now and then it looks for itself.
pub(crate) struct Watch {
    tickets: Arc<Tickets>,
    ticket: Ticket,
    topic: Follower,
    next_look: Instant,
    /// Whether the database has the ticket's match; then live state is not asked any more.
    recorded: bool,
    ended: bool,
}

impl Watch {
    /// Watches a ticket.
    pub(super) fn new(tickets: Arc<Tickets>, ticket: Ticket, topic: Follower) -> Self {
        Watch { tickets, ticket, topic, next_look: Instant::now(), recorded: false, ended: false }
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
    pub(crate) async fn next(&mut self) -> Option<Result<Status, Error>> {
        if self.ended {
            return None;
        }
        let status = self.wait().await;
        self.ended = status.as_ref().map_or(true, Status::is_final);
        if let Ok(Status::Matched { game, side, .. }) = &status {
            self.tickets.told.note(*game, *side);
        }
        Some(status)
    }

    async fn wait(&mut self) -> Result<Status, Error> {
        loop {
            match self.topic.next(self.next_look.saturating_duration_since(Instant::now())).await? {
                // A stop counts before a look: the client should go elsewhere while its ticket is held.
                Heard::Stopping => return Err(Error::Stopping),
                Heard::Message(message) => {
                    if let Some(status) = decode_status(&message, self.ticket.player.ticket) {
                        return Ok(status);
                    }
                }
                Heard::Unfollowed => continue,
                Heard::Gap | Heard::Silence => {}
            }
            let queue = &self.tickets.queue;
            let is_due = self.next_look <= Instant::now();
            if is_due {
                self.next_look = Instant::now() + self.tickets.timings.look;
            }
            let queued = if self.recorded {
                None
            } else if is_due {
                queue.hold(&self.ticket, self.tickets.env.now() + self.tickets.timings.hold).await?
            } else {
                queue.find(&self.ticket).await?
            };
            let status = self.status(queued).await?;
            if is_due || status.is_final() {
                return Ok(status);
            }
        }
    }

    /// What the ticket is, by what live state says of it. One that was lost without a match is handed in
    /// again.
    async fn status(&mut self, queued: Option<Queued>) -> Result<Status, Error> {
        if let Some(Queued::Waiting(ticket)) = queued {
            self.ticket = *ticket;
            return Ok(self.waiting());
        }
        let ticket = self.ticket.player.ticket;
        if let Some((matched, state)) = match_of(&self.tickets.database, ticket).await? {
            self.recorded = true;
            return Ok(match state {
                MatchState::Created => Status::matched(&matched, ticket).unwrap_or(Status::Cancelled),
                MatchState::Pending => self.waiting(),
                MatchState::Failed => Status::Cancelled,
            });
        }
        match queued {
            Some(Queued::Cancelled) => Ok(Status::Cancelled),
            Some(Queued::Expired) => Ok(Status::Expired),
            Some(Queued::Matched | Queued::Waiting(_)) => Ok(self.waiting()),
            Some(Queued::Differs) => Err(Error::TicketDiffers),
            None => {
                self.tickets.open(&self.ticket).await?;
                Ok(self.waiting())
            }
        }
    }

    fn waiting(&self) -> Status {
        let Ticket { settings, window, since, .. } = &self.ticket;
        let (player, now) = (&self.ticket.player, micros(self.tickets.env.now()));
        let rating = i32::try_from(player.rating).unwrap_or(i32::MAX);
        let outlook = self.tickets.mirror.lock().outlook(player.ticket, &settings.to_string(), rating, now);
        Status::Waiting { since: *since, outlook, window: *window }
    }
}
