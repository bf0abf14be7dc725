//! Tickets are handed in, watched and taken back.

use std::sync::Arc;

use chassis::{
    Database, Env,
    auth::Caller,
    id::{AccountId, TicketId},
    page::Page,
    time::to_micros,
};
use live::{Cancelled, Opened};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Timings, Watch, note_told::Told, peers::Ratings, record::match_of};
use crate::{
    core::{History, LastGame, Match, MatchState, Mirror, Pause, Player, Settings, Standing, Ticket},
    error::Error,
    store::{self, Queue, Queued},
    wire::Ask,
};

/// The most pools a list has.
const POOLS_LISTED_MAX: usize = 200;

/// Where a list of pauses goes on: behind the one that begins then, of this game.
pub(crate) type PausePlace = (i64, Uuid);

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
    /// Who waits, as far as is known here.
    pub mirror: Mutex<Mirror>,
    /// Rung when a ticket arrives.
    pub arrived: Arc<Notify>,
    /// Rung when tickets were paired in this process.
    pub paired: Arc<Notify>,
    /// Who is told of his game.
    pub told: Told,
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
        if ask.settings.rated() && caller.guest {
            return Err(Error::GuestNotRated);
        }
        if self.stop.is_cancelled() {
            return Err(Error::Stopping);
        }
        let player = Player { account: caller.id, name: caller.name.clone(), rating: 0, ticket: ask.ticket };
        let mut ticket = Ticket {
            player,
            standing: Standing::default(),
            settings: ask.settings,
            window: ask.window,
            since: self.env.now(),
        };
        // The database first: what it knows of a ticket is true whatever live state says.
        if let Some((matched, _)) = match_of(&self.database, ask.ticket).await? {
            check_same(&matched, &ticket)?;
            return Ok(self.watch(ticket).await?.of_match());
        }
        // A ticket that waits is found again without asking for ratings.
        match self.queue.find(&ticket).await? {
            Some(Queued::Waiting(waiting)) => return self.watch(*waiting).await,
            Some(Queued::Differs) => return Err(Error::TicketDiffers),
            Some(Queued::Matched | Queued::Cancelled | Queued::Expired) | None => {}
        }
        let (variant, control) = (ticket.settings.variant(), ticket.settings.time_control());
        let (history, last) = self.may_queue(caller.id, variant).await?;
        let rating = self.ratings.get(caller.id, variant, control.speed_class()).await;
        let (rating, deviation) = rating.map_err(Error::Rating)?;
        let met = last.and_then(|last| last.met(ticket.since));
        ticket.player.rating = rating;
        ticket.standing = Standing { deviation, surplus: history.owed(), met };
        // Listen first, so that nothing happens between opening and listening.
        let watch = self.watch(ticket.clone()).await?;
        self.open(&ticket).await?;
        Ok(watch)
    }

    /// Puts a ticket into its pool unless it is there, waiting since it says.
    ///
    /// # Errors
    /// When it is refused or live state fails.
    pub(crate) async fn open(&self, ticket: &Ticket) -> Result<(), Error> {
        match self.queue.open(ticket, self.env.now() + self.timings.hold).await? {
            Opened::Created => {
                self.arrived.notify_one();
                self.queue.announce().await;
                Ok(())
            }
            Opened::AlreadyExists(_) => Ok(()),
            Opened::Conflict => Err(Error::TicketDiffers),
            Opened::OwnerBusy(other) => Err(Error::TicketOpen(other.into())),
            Opened::PoolFull => Err(Error::PoolFull),
        }
    }

    /// Makes sure that an account may queue now, and gives its history in a variant and its last game of it.
    async fn may_queue(
        &self,
        account: AccountId,
        variant: &str,
    ) -> Result<(History, Option<LastGame>), Error> {
        let on = self.database.read();
        let (pause, history) =
            tokio::try_join!(store::pause::latest(on, account), store::history::of(on, account, variant))?;
        match pause.filter(|pause| pause.ends > self.env.now()) {
            Some(pause) => Err(Error::Paused(pause)),
            None => Ok(history),
        }
    }

    /// The pauses of an account, the latest first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn pauses(
        &self,
        account: AccountId,
        page: &Page<PausePlace>,
    ) -> Result<(Vec<Pause>, String), Error> {
        let found = store::pause::list(self.database.read(), account, page.after, page.fetch()).await?;
        Ok(page.cut(found, |pause| (to_micros(pause.begins), pause.game.uuid())))
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
            Cancelled::Matched { .. } => Err(Error::TicketMatched),
            Cancelled::Unknown => Err(Error::UnknownTicket),
        }
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
        let topic = self.queue.follow(ticket.player.ticket, self.stop.clone()).await?;
        Ok(Watch::new(Arc::clone(self), ticket, topic))
    }
}

fn check_same(matched: &Match, asked: &Ticket) -> Result<(), Error> {
    let owner = matched.player(asked.player.ticket).map(|player| player.account);
    let same = owner == Some(asked.player.account) && matched.settings == asked.settings;
    if same { Ok(()) } else { Err(Error::TicketDiffers) }
}
