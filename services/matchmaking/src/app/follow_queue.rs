//! How somebody stands in the queue and beside it, as long as he looks.
//!
//! What wakes a watch may be lost; so it looks for itself now and then, and when something is over by itself.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
    time::Duration,
};

use chassis::{
    follow::{Follower, Heard},
    id::AccountId,
    time::from_micros,
};
use parking_lot::Mutex;
use tokio::{
    sync::{Notify, Semaphore},
    time::Instant,
};

use super::Tickets;
use crate::{
    core::{OwnQueue, OwnTicket, OwnTicketState, Settings, Waiting, who},
    error::Error,
    store,
};

/// How long silence is trusted.
const LOOK: Duration = Duration::from_secs(30);
/// The shortest time between two looks: what happens together is told together.
const GATHERED: Duration = Duration::from_millis(100);
/// Challenges, and arranged games, that are told of.
const LISTED_MAX: u64 = 50;
/// Watches that read at once, so that thousands which missed something at the same time leave the stores to others.
const READS_AT_ONCE: usize = 4;

/// Those who look how somebody stands.
#[derive(Debug)]
pub(crate) struct Followers {
    /// By [`who`] it is.
    bells: Mutex<HashMap<u64, Vec<Weak<Notify>>>>,
    reads: Semaphore,
}

impl Default for Followers {
    fn default() -> Self {
        Followers { bells: Mutex::default(), reads: Semaphore::new(READS_AT_ONCE) }
    }
}

/// What wakes a watch, as long as it is there.
struct Bell {
    followers: Arc<Followers>,
    who: u64,
    rung: Arc<Notify>,
}

impl Followers {
    fn bell(self: &Arc<Self>, who: u64) -> Bell {
        let rung = Arc::new(Notify::new());
        self.bells.lock().entry(who).or_default().push(Arc::downgrade(&rung));
        Bell { followers: Arc::clone(self), who, rung }
    }

    /// Wakes those who look how these stand, each named by [`who`].
    pub(super) fn wake(&self, these: impl Iterator<Item = u64>) {
        let bells = self.bells.lock();
        if bells.is_empty() {
            return;
        }
        for bell in these.filter_map(|who| bells.get(&who)).flatten().filter_map(Weak::upgrade) {
            bell.notify_one();
        }
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        let mut bells = self.followers.bells.lock();
        if let Some(own) = bells.get_mut(&self.who) {
            let rung = Arc::downgrade(&self.rung);
            own.retain(|bell| !bell.ptr_eq(&rung));
            if own.is_empty() {
                bells.remove(&self.who);
            }
        }
    }
}

/// One who looks how an account stands.
pub(crate) struct QueueWatch {
    tickets: Arc<Tickets>,
    account: AccountId,
    topic: Follower,
    bell: Bell,
    look_at: Instant,
    told: Option<OwnQueue>,
}

impl QueueWatch {
    /// Looks how an account stands from now on.
    ///
    /// # Errors
    /// When the live state fails.
    pub(super) async fn new(tickets: Arc<Tickets>, account: AccountId) -> Result<QueueWatch, Error> {
        let topic = tickets.queue.follow_account(account, tickets.stop.clone()).await?;
        let bell = tickets.followers.bell(who(account));
        Ok(QueueWatch { tickets, account, topic, bell, look_at: Instant::now(), told: None })
    }

    /// How the account stands, at once and whenever it has changed.
    ///
    /// # Errors
    /// When a store fails or the process is about to stop.
    pub(crate) async fn next(&mut self) -> Result<OwnQueue, Error> {
        loop {
            self.wait().await?;
            let now = self.read().await?;
            let over = now.over_at().map(|at| at - self.tickets.env.now());
            let over = over.map_or(LOOK, |left| Duration::try_from(left).unwrap_or_default());
            self.look_at = Instant::now() + over.clamp(GATHERED, LOOK);
            if self.told.as_ref() != Some(&now) {
                self.told = Some(now.clone());
                return Ok(now);
            }
        }
    }

    /// Waits until it is time to look.
    async fn wait(&mut self) -> Result<(), Error> {
        while self.look_at > Instant::now() {
            let patience = self.look_at - Instant::now();
            let rung = tokio::select! {
                biased;
                heard = self.topic.next(patience) => match heard? {
                    Heard::Stopping => return Err(Error::Stopping),
                    Heard::Message(_) | Heard::Gap => true,
                    Heard::Unfollowed | Heard::Silence => false,
                },
                () = self.bell.rung.notified() => true,
            };
            if rung {
                self.look_at = self.look_at.min(Instant::now() + GATHERED);
            }
        }
        Ok(())
    }

    async fn read(&self) -> Result<OwnQueue, Error> {
        let Tickets { database, env, followers, .. } = &*self.tickets;
        let _turn = followers.reads.acquire().await.map_err(|_| Error::Stopping)?;
        let (on, now) = (database.read(), env.now());
        let challenges = store::challenge::of_account(on, self.account, Some(now), None, LISTED_MAX).await?;
        let mut arranged = store::arranged::of_account(on, self.account, true, None, LISTED_MAX).await?;
        arranged.reverse();
        let mut pauses = store::pause::in_force(on, std::iter::once(self.account), now).await?;
        Ok(OwnQueue {
            ticket: self.ticket().await?,
            challenges,
            arranged,
            pause: pauses.remove(&self.account),
        })
    }

    async fn ticket(&self) -> Result<Option<OwnTicket>, Error> {
        let Tickets { queue, database, .. } = &*self.tickets;
        if let Some(ticket) = queue.ticket_of(self.account).await?
            && let Some(waiting) = queue.still_waits(ticket).await?
        {
            return Ok(waits(&waiting));
        }
        let offered = store::offer::of_account(database.read(), self.account).await?;
        Ok(offered.and_then(|offer| {
            let of = |at: &usize| offer.pair.players[*at].account == self.account;
            let at = (0..2).find(of)?;
            let state = OwnTicketState::Offered { until: offer.until, accepted: offer.accepted[at] };
            let settings = vec![offer.pair.settings.clone()];
            Some(OwnTicket { ticket: offer.pair.players[at].ticket, settings, state })
        }))
    }
}

fn waits(waiting: &Waiting) -> Option<OwnTicket> {
    let since = waiting.choices.first().map(|(_, seeker)| seeker.since)?;
    let since = i64::try_from(since).ok().and_then(from_micros)?;
    let settings = waiting.choices.iter().filter_map(|(pool, _)| pool.parse::<Settings>().ok()).collect();
    Some(OwnTicket { ticket: waiting.ticket, settings, state: OwnTicketState::Waits { since } })
}

impl Tickets {
    /// Has those look again who look how these accounts stand.
    pub(super) async fn touched(&self, accounts: &[AccountId]) {
        for account in accounts {
            self.queue.call_account(*account).await;
        }
    }
}
