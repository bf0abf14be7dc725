//! Tickets are handed in, watched and taken back.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use api::{clock::v1::SpeedClass, identity::v1::PublicAccount};
use chassis::{
    Database, Env,
    auth::Caller,
    database::StoreError,
    id::{AccountId, GameId, TicketId},
    maintenance::PlannedMaintenance,
    outbox::Outbox,
};
use futures::future::try_join_all;
use live::{Cancelled, Opened};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{
    Timings, Watch,
    arrivals::Arrivals,
    follow_queue::Followers,
    hold::Holder,
    lobby::Board,
    look_up::{Known, LookUp},
    matcher::Proposals,
    measure::Measures,
    note_told::ToldGames,
    peers::{Accounts, Ratings},
    record::match_of,
};
use crate::{
    core::{
        Choice, LastGame, Match, MatchState, Mirror, OfferState, Settings, Soon, Standing, Ticket, is_offered,
    },
    error::Error,
    store::{Queue, Queued},
    wire::Ask,
};

/// The most pools a list has.
const POOLS_LISTED_MAX: usize = 200;

/// Everything that calls need; shared by all of them.
pub(crate) struct Tickets {
    /// Time and chance.
    pub env: Env,
    /// The tickets that wait.
    pub queue: Queue,
    /// Where the matches are that were made.
    pub database: Database,
    /// The ratings of players.
    pub ratings: Ratings,
    /// Who there is.
    pub accounts: Accounts,
    /// Who waits, as far as is known here.
    pub mirror: Mutex<Mirror>,
    /// What is known of those who hand tickets in.
    pub look_up: LookUp,
    /// Who holds those that are watched here.
    pub holder: Holder,
    /// Who is told when a ticket arrives.
    pub arrivals: Arrivals,
    /// Rung when both have accepted a game that was offered to them.
    pub answered: Arc<Notify>,
    /// Rung when tickets were paired in this process.
    pub paired: Arc<Notify>,
    /// The open challenges, as far as they are known here.
    pub board: Board,
    /// Who plays soon.
    pub soon: Mutex<Soon>,
    /// When the platform is worked on.
    pub maintenance: PlannedMaintenance,
    /// What is owed to other services.
    pub outbox: Outbox,
    /// Who is told of his game.
    pub told: ToldGames,
    /// Who follows how he stands.
    pub followers: Arc<Followers>,
    /// What this replica has proposed.
    pub proposals: Proposals,
    /// What is counted for the metrics.
    pub measures: Measures,
    /// How often things happen.
    pub timings: Timings,
    /// Cancelled when the process is about to stop.
    pub stop: CancellationToken,
}

impl Tickets {
    /// Hands a ticket in, or finds the one that was handed in before, and watches it.
    ///
    /// # Errors
    /// When the ticket is refused or a store or the rating service fails; nothing waits then that did not
    /// wait before.
    pub(crate) async fn enqueue(self: &Arc<Self>, caller: &Caller, ask: Ask) -> Result<Watch, Error> {
        if caller.guest && ask.settings.iter().any(Settings::rated) {
            return Err(Error::GuestNotRated);
        }
        if self.stop.is_cancelled() {
            return Err(Error::Stopping);
        }
        // The database first: what it knows of a ticket is true whatever live state says.
        let mut known = self.look_up.ask(ask.ticket, caller.id).await?;
        if let Some((matched, _)) = known.matched.take() {
            let ticket = self.ticket(caller, ask, |_| Standing::default());
            if !is_of(&matched, &ticket) {
                return Err(Error::TicketDiffers);
            }
            return Ok(self.watch(ticket).await?.of_match());
        }
        let ticket = match self.standings(caller.id, &ask.settings, known).await {
            Ok(standings) => self.ticket(caller, ask, |at| standings.get(at).copied().unwrap_or_default()),
            Err(error) => {
                return self.find_again(self.ticket(caller, ask, |_| Standing::default()), error).await;
            }
        };
        self.refuse_if_near(&ticket)?;
        // Listen first, so that nothing happens between opening and listening.
        let watch = self.watch(ticket.clone()).await?;
        // Where live state was lost, a ticket to which a game is offered is not to wait for another beside it.
        if self.is_offered(&ticket).await? {
            return Ok(watch);
        }
        Ok(if self.open(&ticket).await? { watch.of_opened() } else { watch })
    }

    /// Whether a game is offered to a ticket now, or both have accepted it.
    async fn is_offered(&self, ticket: &Ticket) -> Result<bool, Error> {
        if !ticket.choices.iter().any(|choice| is_offered(&choice.settings)) {
            return Ok(false);
        }
        let offer = self.offer_to(ticket.id).await?;
        Ok(offer.is_some_and(|offer| offer.state != OfferState::Closed))
    }

    /// A ticket of somebody's that waits from now on, with how he stands in each of its choices by their places.
    fn ticket(&self, caller: &Caller, ask: Ask, standing: impl Fn(usize) -> Standing) -> Ticket {
        let choice = |(at, settings)| Choice { settings, standing: standing(at) };
        Ticket {
            id: ask.ticket,
            account: caller.id,
            name: caller.name.clone(),
            choices: ask.settings.into_iter().enumerate().map(choice).collect(),
            window: ask.window,
            bot: caller.bot,
            allow_bots: ask.allow_bots,
            since: self.env.now(),
        }
    }

    /// Watches a ticket whose owner could not hand it in now, if it waits already: then it stays.
    async fn find_again(self: &Arc<Self>, ticket: Ticket, error: Error) -> Result<Watch, Error> {
        match self.queue.find(&ticket).await {
            Ok(Some(Queued::Waiting(waiting))) => self.watch(*waiting).await,
            Ok(Some(Queued::Differs)) => Err(Error::TicketDiffers),
            Ok(Some(Queued::Matched(_) | Queued::Cancelled | Queued::Expired) | None) | Err(_) => Err(error),
        }
    }

    /// Puts a ticket into its pools unless it is there, waiting since it says; whether it was not.
    ///
    /// # Errors
    /// When it is refused or live state fails.
    pub(crate) async fn open(&self, ticket: &Ticket) -> Result<bool, Error> {
        match self.queue.open(ticket, self.env.now() + self.timings.hold).await? {
            Opened::Created => {
                self.arrivals.note(ticket.choices.iter().map(|choice| choice.settings.to_string()));
                Ok(true)
            }
            Opened::AlreadyExists(_) => Ok(false),
            Opened::Conflict => Err(Error::TicketDiffers),
            Opened::OwnerBusy(other) => Err(Error::TicketOpen(other.into())),
            Opened::PoolFull => Err(Error::PoolFull),
        }
    }

    /// How an account stands in each of these settings, if it may queue now.
    async fn standings(
        &self,
        account: AccountId,
        settings: &[Settings],
        known: Known,
    ) -> Result<Vec<Standing>, Error> {
        let Known { pause, record, .. } = known;
        if let Some(pause) = pause {
            return Err(Error::Paused(pause));
        }
        let now = self.env.now();
        let category = |settings: &Settings| (settings.rated_as(), settings.time_control().speed_class());
        let categories: BTreeSet<(Cow<'static, str>, SpeedClass)> = settings.iter().map(category).collect();
        let rating = async |(variant, speed): (Cow<'static, str>, SpeedClass)| {
            let rating = self.ratings.get(account, &variant, speed).await.map_err(Error::Rating)?;
            Ok::<_, Error>(((variant, speed), rating))
        };
        let ratings: HashMap<_, (u32, u32)> =
            try_join_all(categories.into_iter().map(rating)).await?.into_iter().collect();
        let standing = |settings: &Settings| {
            let (rating, deviation) = ratings.get(&category(settings)).copied().unwrap_or_default();
            let (history, last) = record.get(settings.variant()).copied().unwrap_or_default();
            let met = last.and_then(|last: LastGame| last.met(now));
            Standing { rating, deviation, surplus: history.owed(), met }
        };
        Ok(settings.iter().map(standing).collect())
    }

    /// An account as everybody sees it.
    ///
    /// # Errors
    /// When there is none, or identity does not tell.
    pub(super) async fn account(&self, account: AccountId) -> Result<PublicAccount, Error> {
        let found = self.accounts.find(account).await.map_err(Error::Accounts)?;
        found.ok_or(Error::UnknownAccount)
    }

    /// Withdraws a player's ticket.
    ///
    /// # Errors
    /// When it is not his, or has found an opponent, or a store fails.
    pub(crate) async fn cancel(&self, caller: &Caller, ticket: TicketId) -> Result<(), Error> {
        if let Some((matched, state)) = match_of(&self.database, ticket).await? {
            let player = matched.player(ticket).ok_or(Error::UnknownTicket)?;
            return match state {
                _ if player.account != caller.id => Err(Error::UnknownTicket),
                MatchState::Pending | MatchState::Created => Err(Error::TicketMatched),
                MatchState::Failed => Ok(()),
            };
        }
        match self.queue.cancel(ticket, caller.id, self.env.now()).await? {
            Cancelled::Done => {
                self.queue.call(ticket).await;
                Ok(())
            }
            Cancelled::Already => Ok(()),
            Cancelled::Matched { match_id } => self.cancel_offered(caller, ticket, match_id.into()).await,
            Cancelled::Unknown => Err(Error::UnknownTicket),
        }
    }

    /// Withdraws a ticket that was taken for a game: one that is only offered is declined.
    async fn cancel_offered(&self, caller: &Caller, ticket: TicketId, game: GameId) -> Result<(), Error> {
        // It may be one of before, after which the ticket has waited again.
        let offer = self.offer_to(ticket).await?.filter(|offer| offer.pair.game == game);
        let Some(offer) = offer else { return Err(self.taken(ticket).await?) };
        match self.decline(&offer, ticket).await {
            // The other has declined it: the ticket waits again, if only in a moment, and is withdrawn as any other.
            Err(Error::NotOffered) => {
                self.undo(&offer.pair).await?;
                match self.queue.cancel(ticket, caller.id, self.env.now()).await? {
                    Cancelled::Done | Cancelled::Already => Ok(()),
                    Cancelled::Matched { .. } | Cancelled::Unknown => Err(self.taken(ticket).await?),
                }
            }
            Err(Error::TicketMatched) => Err(self.taken(ticket).await?),
            declined => declined,
        }
    }

    /// Why a ticket that was taken for a game cannot be withdrawn: it has its match; or that is about to be decided, for it may
    /// come to an offer, which may be declined, or to nothing.
    async fn taken(&self, ticket: TicketId) -> Result<Error, Error> {
        let matched = match_of(&self.database, ticket).await?;
        Ok(match matched {
            Some((_, MatchState::Pending | MatchState::Created)) => Error::TicketMatched,
            Some((_, MatchState::Failed)) | None => StoreError::Contended.into(),
        })
    }

    /// The pools in which somebody waits, fullest first, at most 200.
    ///
    /// # Errors
    /// When live state fails.
    pub(crate) async fn pools(&self) -> Result<Vec<(Settings, u32)>, Error> {
        let mut pools = self.queue.pools().await?;
        pools.sort_by(|(one, size), (other, other_size)| other_size.cmp(size).then_with(|| one.cmp(other)));
        // A pool of another version of the platform, which has games that this one does not know, is left out.
        let known = pools.into_iter().filter_map(|(pool, size)| Some((pool.parse().ok()?, size)));
        Ok(known.take(POOLS_LISTED_MAX).collect())
    }

    async fn watch(self: &Arc<Self>, ticket: Ticket) -> Result<Watch, Error> {
        let topic = self.queue.follow(ticket.id, self.stop.clone()).await?;
        Ok(Watch::new(Arc::clone(self), ticket, topic))
    }
}

/// Whether a match is of a ticket, and not of another with its id.
fn is_of(matched: &Match, ticket: &Ticket) -> bool {
    matched.player(ticket.id).is_some_and(|player| player.account == ticket.account)
        && ticket.choices.iter().any(|choice| choice.settings == matched.settings)
}
