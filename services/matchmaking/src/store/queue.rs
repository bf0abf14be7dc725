//! What waits: the tickets in live state, in matchmaking's own words.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use chassis::{
    follow::Follower,
    id::{AccountId, GameId, TicketId},
    time::to_micros,
};
use live::{Cancelled, Live, LiveError, Moment, NewTicket, Opened, PairProposal, TicketState, limits};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{names, payload};
use crate::core::{Match, Pair, Settings, Ticket};

/// The tickets in live state, and the voice of one replica in it.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    live: Arc<dyn Live>,
    replica: Uuid,
}

/// Where a ticket stands in live state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Queued {
    /// It waits.
    Waiting {
        /// Since when.
        since: OffsetDateTime,
        /// Its owner's rating when it was handed in.
        rating: u32,
    },
    /// It waits, and is another ticket than the one that was looked for.
    Differs,
    /// It was taken out together with another.
    Matched,
    /// It was withdrawn, or its game was refused.
    Cancelled,
    /// Nobody held it.
    Expired,
}

impl Queue {
    /// The queue in this live state, spoken to by this replica.
    pub(crate) fn new(live: Arc<dyn Live>, replica: Uuid) -> Self {
        Queue { live, replica }
    }

    /// Hands a ticket in, waiting since it says.
    ///
    /// # Errors
    /// As every method here: when live state fails.
    pub(crate) async fn open(
        &self,
        ticket: &Ticket,
        held_until: OffsetDateTime,
    ) -> Result<Opened, LiveError> {
        let new = NewTicket {
            id: ticket.player.ticket.uuid(),
            owner: ticket.player.account.uuid(),
            pool: ticket.settings.to_string(),
            rating: ticket.player.rating.into(),
            payload: payload::of_ticket(ticket),
            expires_at: moment(held_until),
        };
        self.live.open_ticket(new, moment(ticket.since)).await
    }

    /// Holds a ticket, and tells where it stands then; `None` when it is not known.
    pub(crate) async fn hold(
        &self,
        ticket: &Ticket,
        held_until: OffsetDateTime,
    ) -> Result<Option<Queued>, LiveError> {
        let state = self.live.renew_ticket(ticket.player.ticket.uuid(), moment(held_until)).await?;
        state.map(|state| queued(state, ticket)).transpose()
    }

    /// Where a ticket stands; `None` when it is not known.
    pub(crate) async fn find(&self, ticket: &Ticket) -> Result<Option<Queued>, LiveError> {
        let state = self.live.ticket(ticket.player.ticket.uuid()).await?;
        state.map(|state| queued(state, ticket)).transpose()
    }

    /// Withdraws a ticket of this owner.
    pub(crate) async fn cancel(
        &self,
        ticket: TicketId,
        owner: AccountId,
        now: OffsetDateTime,
    ) -> Result<Cancelled, LiveError> {
        self.live.cancel_ticket(ticket.uuid(), owner.uuid(), moment(now)).await
    }

    /// The pools in which somebody waits, by name, and how many.
    pub(crate) async fn pools(&self) -> Result<Vec<(String, u32)>, LiveError> {
        self.live.pools().await
    }

    /// The tickets of a pool that somebody holds, longest waiting first, at most ten thousand.
    pub(crate) async fn waiting(
        &self,
        pool: &Settings,
        now: OffsetDateTime,
    ) -> Result<Vec<Ticket>, LiveError> {
        let tickets = self.live.waiting(&pool.to_string(), limits::BATCH_MAX).await?;
        let held = tickets.into_iter().filter(|ticket| ticket.expires_at > moment(now));
        let readable = |ticket: live::Ticket| {
            let read = payload::ticket(&ticket, pool);
            read.inspect_err(|error| tracing::warn!(ticket.id = %ticket.id, %error, "a ticket is left alone"))
                .ok()
        };
        Ok(held.filter_map(readable).collect())
    }

    /// Takes pairs out of their pool; gives those whose tickets both still waited.
    pub(crate) async fn take(
        &self,
        pool: &Settings,
        pairs: Vec<Pair>,
        now: OffsetDateTime,
    ) -> Result<Vec<Pair>, LiveError> {
        let name = pool.to_string();
        let mut taken = Vec::with_capacity(pairs.len());
        for batch in pairs.chunks(limits::PAIRS_MAX) {
            let proposals: Vec<PairProposal> = batch
                .iter()
                .map(|pair| PairProposal {
                    first: pair.players[0].ticket.uuid(),
                    second: pair.players[1].ticket.uuid(),
                    match_id: pair.game.uuid(),
                    payload: payload::of_pair(pair),
                })
                .collect();
            let answers = self.live.take_pairs(&name, &proposals, moment(now)).await?;
            taken.extend(batch.iter().zip(answers).filter(|(_, taken)| *taken).map(|(pair, _)| pair.clone()));
        }
        Ok(taken)
    }

    /// Pairs that were taken and are not games yet, leased to this replica for a while; at most so many.
    pub(crate) async fn pending(
        &self,
        now: OffsetDateTime,
        lease: Duration,
        at_most: usize,
    ) -> Result<Vec<Pair>, LiveError> {
        let at_most = u32::try_from(at_most).unwrap_or(u32::MAX);
        let pending = self.live.pending_matches(moment(now), moment(now + lease), at_most).await?;
        let mut pairs = Vec::with_capacity(pending.len());
        for entry in pending {
            match payload::pair(&entry.payload, entry.match_id) {
                Ok(pair) => pairs.push(pair),
                Err(error) => {
                    tracing::error!(%error, game.id = %entry.match_id, "a pair that cannot be read is given up");
                    self.live.fail_match(entry.match_id, &entry.tickets, moment(now)).await?;
                }
            }
        }
        Ok(pairs)
    }

    /// Notes that the game of a match exists. Whether live state knew of the match.
    pub(crate) async fn settle(&self, game: GameId) -> Result<bool, LiveError> {
        self.live.complete_match(game.uuid()).await
    }

    /// Gives a pair up: the refused tickets are cancelled, the others wait again.
    pub(crate) async fn dissolve(
        &self,
        game: GameId,
        refused: &[TicketId],
        now: OffsetDateTime,
    ) -> Result<(), LiveError> {
        let refused: Vec<Uuid> = refused.iter().map(|ticket| ticket.uuid()).collect();
        self.live.fail_match(game.uuid(), &refused, moment(now)).await.map(drop)
    }

    /// Ends tickets that nobody holds, and gives their ids.
    pub(crate) async fn expire(&self, now: OffsetDateTime) -> Result<Vec<TicketId>, LiveError> {
        let expired = self.live.expire_tickets(moment(now), limits::BATCH_MAX).await?;
        Ok(expired.into_iter().map(TicketId::from).collect())
    }

    /// Takes or renews this replica's turn at a pool; whether it is its turn.
    pub(crate) async fn lease_pool(
        &self,
        pool: &Settings,
        now: OffsetDateTime,
        lease: Duration,
    ) -> Result<bool, LiveError> {
        self.live.lease(&names::pool(pool), self.replica, moment(now), moment(now + lease)).await
    }

    /// Takes or renews this replica's turn at looking for matches without a game; whether it is its turn.
    pub(crate) async fn lease_recovery(
        &self,
        now: OffsetDateTime,
        lease: Duration,
    ) -> Result<bool, LiveError> {
        self.live.lease(names::RECOVERY, self.replica, moment(now), moment(now + lease)).await
    }

    /// Follows what becomes of a ticket.
    pub(crate) async fn follow(
        &self,
        ticket: TicketId,
        stop: CancellationToken,
    ) -> Result<Follower, LiveError> {
        Follower::new(Arc::clone(&self.live), names::ticket(ticket), stop).await
    }

    /// Tells whoever listens to a ticket of a match that the game exists. That it is not heard only means
    /// that it is seen later.
    pub(crate) async fn tell(&self, matched: &Match) {
        let message = payload::of_match(matched);
        for player in [&matched.first, &matched.second] {
            self.publish(&names::ticket(player.ticket), message.clone()).await;
        }
    }

    /// Tells whoever listens to a ticket to look at it.
    pub(crate) async fn call(&self, ticket: TicketId) {
        self.publish(&names::ticket(ticket), Bytes::new()).await;
    }

    /// Tells other replicas that somebody has arrived.
    pub(crate) async fn announce(&self) {
        if self.live.shared() {
            self.publish(names::ARRIVALS, Bytes::new()).await;
        }
    }

    /// Listens to arrivals at other replicas; `None` if there are none.
    pub(crate) async fn arrivals(&self) -> Result<Option<live::Subscription>, LiveError> {
        if self.live.shared() { self.live.subscribe(names::ARRIVALS).await.map(Some) } else { Ok(None) }
    }

    async fn publish(&self, topic: &str, message: Bytes) {
        if let Err(error) = self.live.publish(topic, message).await {
            tracing::debug!(%error, topic, "a message was not sent");
        }
    }
}

fn moment(moment: OffsetDateTime) -> Moment {
    Moment::from_micros(to_micros(moment))
}

fn queued(state: TicketState, asked: &Ticket) -> Result<Queued, LiveError> {
    Ok(match state {
        TicketState::Waiting(ticket) if ticket.pool != asked.settings.to_string() => Queued::Differs,
        TicketState::Waiting(ticket) => {
            let Ticket { player, window, since, .. } = payload::ticket(&ticket, &asked.settings)?;
            let same = player.account == asked.player.account && window == asked.window;
            if same { Queued::Waiting { since, rating: player.rating } } else { Queued::Differs }
        }
        TicketState::Matched { .. } => Queued::Matched,
        TicketState::Cancelled => Queued::Cancelled,
        TicketState::Expired => Queued::Expired,
    })
}
