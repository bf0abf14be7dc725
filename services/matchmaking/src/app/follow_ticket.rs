//! What becomes of one ticket, as long as somebody looks.

use std::{cmp::Reverse, collections::BTreeSet, mem, sync::Arc};

use chassis::follow::{Follower, Heard};
use live::Cancelled;
use tokio::time::Instant;

use super::{Tickets, micros, record::match_of};
use crate::{
    core::{Choice, MatchState, Offer, OfferState, PoolSize, Settings, Status, Ticket},
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
    stands: Stands,
    /// Whether nothing was said yet of a ticket that was just opened.
    is_new: bool,
    ended: bool,
}

/// Where a ticket stands as far as its watch knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    /// It does not.
    Unknown,
    /// It waits, just so.
    Waiting,
    /// The database has its match; live state is not asked any more.
    Recorded,
}

/// How long somebody waits before he is told where else others do.
const TELL_OTHERS: time::Duration = time::Duration::seconds(10);
/// How many other pools he is told of.
const OTHERS_MAX: usize = 3;

impl Watch {
    /// Watches a ticket.
    pub(super) fn new(tickets: Arc<Tickets>, ticket: Ticket, topic: Follower) -> Self {
        let (next_look, stands) = (Instant::now(), Stands::Unknown);
        Watch { tickets, ticket, topic, next_look, stands, is_new: false, ended: false }
    }

    /// The same for a ticket that was just opened as it is: it waits, and is held.
    pub(super) fn of_opened(self) -> Self {
        let next_look = Instant::now() + self.tickets.timings.look;
        Watch { stands: Stands::Waiting, is_new: true, next_look, ..self }
    }

    /// The same for a ticket that is known to be part of a match.
    pub(super) fn of_match(self) -> Self {
        Watch { stands: Stands::Recorded, ..self }
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
        if mem::take(&mut self.is_new) {
            return Some(Ok(self.waiting()));
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
                    if let Some(status) = decode_status(&message, self.ticket.id) {
                        return Ok(status);
                    }
                }
                Heard::Unfollowed => continue,
                Heard::Gap | Heard::Silence => {}
            }
            let is_due = self.next_look <= Instant::now();
            if self.stands != Stands::Recorded {
                self.leave_if_near().await?;
            }
            if is_due {
                self.next_look = Instant::now() + self.tickets.timings.look;
            }
            if is_due && self.stands != Stands::Recorded {
                let waits = self.tickets.holder.hold(self.ticket.id).await?;
                if waits && self.stands == Stands::Waiting {
                    return Ok(self.waiting());
                }
            }
            let queued = match self.stands {
                Stands::Recorded => None,
                Stands::Unknown | Stands::Waiting => self.tickets.queue.find(&self.ticket).await?,
            };
            let status = self.status(queued).await?;
            // Of an offer every second counts.
            if is_due || status.is_final() || matches!(status, Status::Offered { .. }) {
                return Ok(status);
            }
        }
    }

    /// Takes the ticket out of the queue if its owner has a game soon, unless it has become another meanwhile.
    async fn leave_if_near(&self) -> Result<(), Error> {
        let Err(near) = self.tickets.refuse_if_near(&self.ticket) else { return Ok(()) };
        let Ticket { id, account, .. } = self.ticket;
        match self.tickets.queue.cancel(id, account, self.tickets.env.now()).await? {
            Cancelled::Done | Cancelled::Already => Err(near),
            Cancelled::Matched { .. } | Cancelled::Unknown => Ok(()),
        }
    }

    /// What the ticket is, by what live state says of it. One that was lost without a match is handed in
    /// again.
    async fn status(&mut self, queued: Option<Queued>) -> Result<Status, Error> {
        if let Some(Queued::Waiting(ticket)) = queued {
            self.ticket = *ticket;
            self.stands = Stands::Waiting;
            return Ok(self.waiting());
        }
        let ticket = self.ticket.id;
        if let Some((matched, state)) = match_of(&self.tickets.database, ticket).await? {
            self.stands = Stands::Recorded;
            return Ok(match state {
                MatchState::Created => Status::matched(&matched, ticket).unwrap_or(Status::Cancelled),
                MatchState::Pending => self.waiting(),
                MatchState::Failed => Status::Cancelled,
            });
        }
        if let Some(offer) = self.offered(queued.as_ref()).await? {
            match (offer.state, offer.has_accepted(ticket)) {
                (OfferState::Open | OfferState::Accepted, Some(accepted)) => {
                    let settings = Box::new(offer.pair.settings);
                    return Ok(Status::Offered { settings, until: offer.until, accepted });
                }
                (OfferState::Closed, Some(false)) => return Ok(Status::Cancelled),
                _ => {}
            }
        }
        match queued {
            Some(Queued::Cancelled) => Ok(Status::Cancelled),
            Some(Queued::Expired) => Ok(Status::Expired),
            Some(Queued::Matched(_) | Queued::Waiting(_)) => Ok(self.waiting()),
            Some(Queued::Differs) => Err(Error::TicketDiffers),
            None => {
                self.tickets.open(&self.ticket).await?;
                Ok(self.waiting())
            }
        }
    }

    /// The offer to the ticket: that of the game for which it was taken; where live state was lost, the latest.
    async fn offered(&self, queued: Option<&Queued>) -> Result<Option<Offer>, Error> {
        let taken_for = match queued {
            Some(Queued::Matched(game)) => Some(*game),
            None => None,
            Some(_) => return Ok(None),
        };
        let offer = self.tickets.offer_to(self.ticket.id).await?;
        Ok(offer.filter(|offer| taken_for.is_none_or(|game| offer.pair.game == game)))
    }

    fn waiting(&self) -> Status {
        let Ticket { id, choices, window, since, .. } = &self.ticket;
        let now = self.tickets.env.now();
        let pools: Vec<(String, i32)> = choices
            .iter()
            .map(|Choice { settings, standing }| {
                (settings.to_string(), i32::try_from(standing.rating).unwrap_or(i32::MAX))
            })
            .collect();
        let named = pools.iter().map(|(pool, rating)| (&**pool, *rating));
        let outlook = self.tickets.mirror.lock().outlook(*id, micros(*since), named, micros(now));
        let others = if now - *since < TELL_OTHERS { Vec::new() } else { self.others(&pools) };
        let leaves = self.tickets.leaves(&self.ticket).map(|(at, _)| at);
        Status::Waiting { since: *since, outlook, window: *window, others, leaves }
    }

    /// Other pools of the same variants in which somebody waits, the fullest first.
    fn others(&self, own: &[(String, i32)]) -> Vec<(Settings, u32)> {
        let variants: BTreeSet<&str> =
            self.ticket.choices.iter().map(|choice| choice.settings.variant()).collect();
        let mut others: Vec<PoolSize> = Vec::new();
        let now = micros(self.tickets.env.now());
        let mut mirror = self.tickets.mirror.lock();
        for variant in variants {
            let pools = mirror.fullest(&format!("{variant}|"), now).into_iter();
            let pools = pools.filter(|(pool, _)| own.iter().all(|(own, _)| *own != **pool));
            others.extend(pools.take(OTHERS_MAX));
        }
        drop(mirror);
        others.sort_by_key(|(_, size)| Reverse(*size));
        others.truncate(OTHERS_MAX);
        others.into_iter().filter_map(|(pool, size)| Some((pool.parse().ok()?, size))).collect()
    }
}
