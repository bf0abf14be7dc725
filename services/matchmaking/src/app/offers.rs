//! Long games are made only when both have accepted them.
//!
//! 1. A pair of a long game is written down as an offer (database), and its tickets are told; in live state it stays a match that
//!    is handed out again and again, so that an offer is taken up whoever dies.
//! 2. Each answer is a change of the offer that holds only while it is open. The second that accepts closes it for good.
//! 3. What both have accepted goes the way of every pair. What one has declined, or not accepted in time, is undone: who has
//!    not accepted goes out of the queue, and the other waits again since when he did.

use std::collections::BTreeMap;

use chassis::{
    auth::Caller,
    id::{GameId, TicketId},
};
use live::LiveError;
use time::Duration;

use super::{Tickets, record::match_of};
use crate::{
    core::{MatchState, OFFER_TIME, Offer, OfferState, Pair, is_offered},
    error::Error,
    store,
};

/// How long after its time an offer is open: an answer that is on its way then still comes, and clocks of replicas differ.
const LATE: Duration = Duration::SECOND;

impl Tickets {
    /// Offers those of pairs whose games are long; gives the others, and those that both have accepted.
    pub(super) async fn offer(&self, pairs: Vec<Pair>) -> Result<Vec<Pair>, Error> {
        let (long, mut ready): (Vec<Pair>, Vec<Pair>) =
            pairs.into_iter().partition(|pair| is_offered(&pair.settings));
        if long.is_empty() {
            return Ok(ready);
        }
        let known = self.offers(&long).await?;
        let new: Vec<&Pair> = long.iter().filter(|pair| !known.contains_key(&pair.game)).collect();
        if !new.is_empty() {
            store::offer::insert(self.database.write(), &new, self.env.now() + OFFER_TIME).await?;
            for pair in new {
                self.call(pair).await;
            }
        }
        for pair in long {
            let Some(offer) = known.get(&pair.game) else { continue };
            match offer.state {
                OfferState::Open => {}
                OfferState::Accepted => ready.push(pair),
                OfferState::Closed if offer.unwilling().is_empty() => ready.push(pair),
                OfferState::Closed => self.dissolve(&pair, &offer.unwilling()).await?,
            }
        }
        Ok(ready)
    }

    /// Those that both have accepted of the offers that are due, at most so many; those whose time is over come to nothing.
    pub(super) async fn close_offers(&self, at_most: usize) -> Result<Vec<Pair>, Error> {
        let now = self.env.now();
        let due = store::offer::due(self.database.read(), now - LATE, at_most as u64).await?;
        let (accepted, over): (Vec<Offer>, Vec<Offer>) =
            due.into_iter().partition(|offer| offer.state == OfferState::Accepted);
        for offer in over {
            if store::offer::fail(self.database.write(), &offer, None).await? {
                self.undo(&offer.pair).await?;
            }
        }
        Ok(accepted.into_iter().map(|offer| offer.pair).collect())
    }

    /// Notes that offers became matches, or never will: nobody has to take them up any more.
    pub(super) async fn note_recorded(&self, pairs: impl Iterator<Item = &Pair>) -> Result<(), Error> {
        let long: Vec<&Pair> = pairs.filter(|pair| is_offered(&pair.settings)).collect();
        if long.is_empty() {
            return Ok(());
        }
        let games: Vec<GameId> = long.iter().map(|pair| pair.game).collect();
        store::offer::close(self.database.write(), &games).await?;
        let accounts = long.iter().flat_map(|pair| &pair.players).map(|player| player.account);
        self.touched(&accounts.collect::<Vec<_>>()).await;
        Ok(())
    }

    /// Takes the answer of a ticket's owner to the game that is offered to it.
    ///
    /// # Errors
    /// When no game is, or he declines too late, or a store fails.
    pub(crate) async fn answer(&self, caller: &Caller, ticket: TicketId, accepts: bool) -> Result<(), Error> {
        if let Some((matched, state)) = match_of(&self.database, ticket).await?
            && matched.player(ticket).is_some_and(|player| player.account == caller.id)
            && state != MatchState::Failed
        {
            return if accepts { Ok(()) } else { Err(Error::TicketMatched) };
        }
        let offer = self.offer_to(ticket).await?;
        let is_his = |offer: &Offer| {
            offer.pair.players.iter().any(|player| (player.ticket, player.account) == (ticket, caller.id))
        };
        let offer = offer.filter(is_his).ok_or(Error::NotOffered)?;
        if accepts { self.accept(&offer, ticket).await } else { self.decline(&offer, ticket).await }
    }

    async fn accept(&self, offer: &Offer, ticket: TicketId) -> Result<(), Error> {
        if store::offer::accept(self.database.write(), offer, ticket, self.env.now()).await? {
            self.answered.notify_one();
            self.call(&offer.pair).await;
            return Ok(());
        }
        let now = self.offer_to(ticket).await?.filter(|now| now.pair.game == offer.pair.game);
        let stands = |now: &Offer| match now.state {
            OfferState::Open => now.has_accepted(ticket) == Some(true),
            OfferState::Accepted => true,
            // The other may have accepted it at the same time, and the match may be there already.
            OfferState::Closed => now.unwilling().is_empty(),
        };
        if now.is_some_and(|now| stands(&now)) { Ok(()) } else { Err(Error::NotOffered) }
    }

    /// Declines an offer for the owner of one of its tickets.
    ///
    /// # Errors
    /// When both have accepted it, or it came to nothing otherwise, or a store fails.
    pub(super) async fn decline(&self, offer: &Offer, ticket: TicketId) -> Result<(), Error> {
        if store::offer::fail(self.database.write(), offer, Some(ticket)).await? {
            return self.undo(&offer.pair).await;
        }
        let now = self.offer_to(ticket).await?.filter(|now| now.pair.game == offer.pair.game);
        match now {
            // He has declined before, or his time is over: he is out of the queue.
            Some(now) if now.has_accepted(ticket) == Some(false) => Ok(()),
            Some(now) if now.unwilling().is_empty() => Err(Error::TicketMatched),
            _ => Err(Error::NotOffered),
        }
    }

    /// The latest offer that was made to a ticket.
    pub(super) async fn offer_to(&self, ticket: TicketId) -> Result<Option<Offer>, Error> {
        Ok(store::offer::of_ticket(self.database.read(), ticket).await?)
    }

    /// Forgets offers, challenges and what was told of them of long ago.
    pub(super) async fn forget(&self) -> Result<(), Error> {
        let (on, now) = (self.database.write(), self.env.now());
        store::offer::forget(on, now).await?;
        store::challenge::forget(on, now).await?;
        store::arranged::forget(on, now).await?;
        Ok(store::lobby::forget(on, now).await?)
    }

    /// Undoes a pair whose offer was closed.
    pub(super) async fn undo(&self, pair: &Pair) -> Result<(), Error> {
        let closed = self.offers(std::slice::from_ref(pair)).await?;
        let unwilling = closed.get(&pair.game).map(Offer::unwilling).unwrap_or_default();
        Ok(self.dissolve(pair, &unwilling).await?)
    }

    async fn offers(&self, pairs: &[Pair]) -> Result<BTreeMap<GameId, Offer>, Error> {
        let games = pairs.iter().map(|pair| pair.game);
        let offers = store::offer::of_games(self.database.read(), games).await?;
        Ok(offers.into_iter().map(|offer| (offer.pair.game, offer)).collect())
    }

    /// Undoes a pair: the refused tickets are cancelled, the others wait on.
    pub(super) async fn dissolve(&self, pair: &Pair, refused: &[TicketId]) -> Result<(), LiveError> {
        let now = self.env.now();
        self.queue.dissolve(pair.game, refused, now, now + self.timings.hold).await?;
        self.call(pair).await;
        Ok(())
    }

    /// Has whoever listens to the tickets of a pair, or follows its players, look at them.
    async fn call(&self, pair: &Pair) {
        for player in &pair.players {
            self.queue.call(player.ticket).await;
        }
        self.touched(&pair.players.each_ref().map(|player| player.account)).await;
    }
}
