//! What waits: the tickets in live state, in matchmaking's own words.

use std::{collections::HashSet, sync::Arc, time::Duration};

use bytes::Bytes;
use chassis::{
    follow::Follower,
    id::{AccountId, GameId, TicketId},
    time::to_micros,
};
use live::{
    Cancelled, Change, Changes, Cursor, Live, LiveError, Moment, NewTicket, Opened, PairProposal,
    TicketState, limits,
};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{names, payload};
use crate::core::{Match, Moved, Pair, Peers, Ticket, Waiting};

/// How many tickets or changes are read at once: a round trip of a few milliseconds.
const PAGE: u32 = 1_000;

/// The tickets in live state, and the voice of one replica in it.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    live: Arc<dyn Live>,
    replica: Uuid,
}

/// Where a ticket stands in live state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Queued {
    /// It waits, as it was handed in.
    Waiting(Box<Ticket>),
    /// It waits, and is another ticket than the one that was looked for.
    Differs,
    /// It was taken out together with another, for this game.
    Matched(GameId),
    /// It was withdrawn, or its game was refused.
    Cancelled,
    /// Nobody held it.
    Expired,
}

/// Two tickets that are to become a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proposal {
    /// Which, and which game.
    pub game: GameId,
    /// In which pool of theirs.
    pub pool: Arc<str>,
    /// The two.
    pub tickets: [TicketId; 2],
}

/// What happened to tickets of all pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// This, and the place to read on from; whether there is more.
    Known(Vec<Moved>, Cursor, bool),
    /// It is not known any more: who waits must be read anew, and then read on from this place.
    Lost(Cursor),
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
            id: ticket.id.uuid(),
            owner: ticket.account.uuid(),
            pools: ticket.choices.iter().map(|choice| choice.settings.to_string()).collect(),
            standing: payload::of_standing(ticket),
            payload: payload::of_ticket(ticket),
            expires_at: moment(held_until),
        };
        self.live.open_ticket(new, moment(ticket.since)).await
    }

    /// Holds tickets, and tells which of them wait, in their order.
    pub(crate) async fn hold(
        &self,
        tickets: &[TicketId],
        held_until: OffsetDateTime,
    ) -> Result<Vec<bool>, LiveError> {
        let ids: Vec<Uuid> = tickets.iter().map(|ticket| ticket.uuid()).collect();
        let gone: HashSet<Uuid> =
            self.live.renew_tickets(&ids, moment(held_until)).await?.into_iter().collect();
        Ok(ids.iter().map(|id| !gone.contains(id)).collect())
    }

    /// Where a ticket stands; `None` when it is not known.
    pub(crate) async fn find(&self, ticket: &Ticket) -> Result<Option<Queued>, LiveError> {
        let state = self.live.ticket(ticket.id.uuid()).await?;
        state.map(|state| queued(state, ticket)).transpose()
    }

    /// The ticket with which somebody waits.
    pub(crate) async fn ticket_of(&self, owner: AccountId) -> Result<Option<TicketId>, LiveError> {
        Ok(self.live.ticket_of(owner.uuid()).await?.map(TicketId::from))
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

    /// Everybody who waits, in all pools.
    pub(crate) async fn waiting(&self) -> Result<Vec<Waiting>, LiveError> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let tickets = self.live.waiting(after, PAGE).await?;
            after = tickets.last().map(|ticket| (ticket.since, ticket.id));
            all.extend(tickets.iter().filter_map(readable));
            if tickets.len() < PAGE as usize {
                return Ok(all);
            }
        }
    }

    /// What happened to tickets since a place.
    pub(crate) async fn news(&self, since: Cursor) -> Result<News, LiveError> {
        Ok(match self.live.changes(since, PAGE).await? {
            Changes::Lost(place) => News::Lost(place),
            Changes::Known(changes, place) => {
                let has_more = changes.len() == PAGE as usize;
                let moved = |change| match change {
                    Change::Waits(ticket) => readable(&ticket).map(Moved::Waits),
                    Change::Left { id, at, is_matched } => {
                        let at = u64::try_from(at.as_micros()).unwrap_or_default();
                        Some(Moved::Left { ticket: id.into(), matched_at: is_matched.then_some(at) })
                    }
                };
                News::Known(changes.into_iter().filter_map(moved).collect(), place, has_more)
            }
        })
    }

    /// Takes pairs out of their pools, each as the match with its id; whether each could be, in order: both tickets had to
    /// wait, and somebody to hold them.
    pub(crate) async fn take(
        &self,
        proposals: &[Proposal],
        now: OffsetDateTime,
    ) -> Result<Vec<bool>, LiveError> {
        let proposal = |Proposal { game, pool, tickets: [first, second] }: &Proposal| PairProposal {
            pool: pool.to_string(),
            first: first.uuid(),
            second: second.uuid(),
            match_id: game.uuid(),
        };
        let mut taken = Vec::with_capacity(proposals.len());
        for batch in proposals.chunks(limits::PAIRS_MAX) {
            let proposals: Vec<PairProposal> = batch.iter().map(proposal).collect();
            taken.extend(self.live.take_pairs(&proposals, moment(now)).await?);
        }
        Ok(taken)
    }

    /// A ticket as far as it matters to pairing, if it waits.
    pub(crate) async fn still_waits(&self, ticket: TicketId) -> Result<Option<Waiting>, LiveError> {
        Ok(match self.live.ticket(ticket.uuid()).await? {
            Some(TicketState::Waiting(ticket)) => readable(&ticket),
            _ => None,
        })
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
            match payload::pair(&entry) {
                Ok(pair) => pairs.push(pair),
                Err(error) => {
                    tracing::error!(%error, game.id = %entry.match_id, "a pair that cannot be read is given up");
                    let tickets = entry.tickets.map(|ticket| ticket.id);
                    self.live.fail_match(entry.match_id, &tickets, moment(now), moment(now)).await?;
                }
            }
        }
        Ok(pairs)
    }

    /// Notes that the game of a match exists. Whether live state knew of the match.
    pub(crate) async fn settle(&self, game: GameId) -> Result<bool, LiveError> {
        self.live.complete_match(game.uuid()).await
    }

    /// Gives a pair up: the refused tickets are cancelled, the others wait again, held until a moment at least.
    pub(crate) async fn dissolve(
        &self,
        game: GameId,
        refused: &[TicketId],
        now: OffsetDateTime,
        held_until: OffsetDateTime,
    ) -> Result<(), LiveError> {
        let refused: Vec<Uuid> = refused.iter().map(|ticket| ticket.uuid()).collect();
        self.live.fail_match(game.uuid(), &refused, moment(now), moment(held_until)).await.map(drop)
    }

    /// Ends tickets that nobody holds, and gives their ids.
    pub(crate) async fn expire(&self, now: OffsetDateTime) -> Result<Vec<TicketId>, LiveError> {
        let expired = self.live.expire_tickets(moment(now), limits::BATCH_MAX).await?;
        Ok(expired.into_iter().map(TicketId::from).collect())
    }

    /// Says until when this replica pairs, and gives all that do.
    pub(crate) async fn meet(&self, now: OffsetDateTime, until: OffsetDateTime) -> Result<Peers, LiveError> {
        if !self.live.shared() {
            return Ok(Peers::new(self.replica, []));
        }
        let (now, own) = (moment(now), [self.replica]);
        self.live.renew_presence(names::PEERS, self.replica, &own, now, moment(until)).await?;
        Ok(Peers::new(self.replica, self.live.present(names::PEERS, now).await?))
    }

    /// Says that this replica pairs no more.
    pub(crate) async fn part(&self) -> Result<(), LiveError> {
        if self.live.shared() {
            self.live.end_presence(names::PEERS, self.replica, self.replica).await?;
        }
        Ok(())
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

    /// Listens to what changes about an account beside its ticket, until the process stops.
    pub(crate) async fn follow_account(
        &self,
        account: AccountId,
        stop: CancellationToken,
    ) -> Result<Follower, LiveError> {
        Follower::new(Arc::clone(&self.live), names::account(account), stop).await
    }

    /// Tells whoever follows an account to look how it stands.
    pub(crate) async fn call_account(&self, account: AccountId) {
        self.publish(&names::account(account), Bytes::new()).await;
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

    /// Tells another replica that somebody has arrived whom it pairs.
    pub(crate) async fn announce_to(&self, replica: Uuid) {
        self.publish(&names::arrivals(replica), Bytes::new()).await;
    }

    /// Tells other replicas that somebody has blocked somebody else. Who does not hear it learns it when he reads anew.
    pub(crate) async fn tell_block(&self, owner: AccountId, account: AccountId) {
        if self.live.shared() {
            self.publish(names::BLOCKS, payload::of_block(owner, account)).await;
        }
    }

    /// Listens to arrivals at other replicas of whom this one pairs; `None` if there can be no others.
    pub(crate) async fn arrivals(&self) -> Result<Option<live::Subscription>, LiveError> {
        self.told_by_others(&names::arrivals(self.replica)).await
    }

    /// Listens to what other replicas tell of blocks; `None` if there can be no others.
    pub(crate) async fn blocks(&self) -> Result<Option<live::Subscription>, LiveError> {
        self.told_by_others(names::BLOCKS).await
    }

    async fn told_by_others(&self, topic: &str) -> Result<Option<live::Subscription>, LiveError> {
        if self.live.shared() { self.live.subscribe(topic).await.map(Some) } else { Ok(None) }
    }

    async fn publish(&self, topic: &str, message: Bytes) {
        if let Err(error) = self.live.publish(topic, message).await {
            tracing::debug!(%error, topic, "a message was not sent");
        }
    }
}

/// A ticket as far as it matters to pairing. One that cannot be read is left alone, and said.
fn readable(ticket: &live::Ticket) -> Option<Waiting> {
    payload::waiting(ticket)
        .inspect_err(|error| tracing::warn!(ticket.id = %ticket.id, %error, "a ticket is left alone"))
        .ok()
}

fn moment(moment: OffsetDateTime) -> Moment {
    Moment::from_micros(to_micros(moment))
}

fn queued(state: TicketState, asked: &Ticket) -> Result<Queued, LiveError> {
    Ok(match state {
        TicketState::Waiting(ticket) => {
            let waiting = payload::ticket(&ticket)?;
            if waiting.is_same(asked) { Queued::Waiting(Box::new(waiting)) } else { Queued::Differs }
        }
        TicketState::Matched { match_id } => Queued::Matched(match_id.into()),
        TicketState::Cancelled => Queued::Cancelled,
        TicketState::Expired => Queued::Expired,
    })
}
