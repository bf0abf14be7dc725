//! Games that two have agreed to play at a time.
//!
//! What was agreed on is written down with the challenge that was accepted. At its time whichever replica is first makes a match of
//! it, in one transaction, so that it begins once; and the match has its game as every match has. Each replica knows who plays
//! soon, so that nobody is paired in the queue who has to leave.

use std::{convert::Infallible, sync::Arc};

use api::federation::v1::EventTime;
use chassis::{
    Throttle,
    auth::Caller,
    database::{StoreError, Transaction, retry_contended},
    id::{AccountId, GameId, TicketId},
    page::Page,
    time::to_micros,
};
use futures::future::try_join_all;
use rand::RngExt;
use time::{Duration, OffsetDateTime};

use super::{
    Challenges, Tickets,
    challenges::{are_apart, change_lobby, enter, take},
    create_games::GameCreator,
    peers::{Federations, Games},
};
use crate::{
    core::{
        Appointment, Appointments, Arranged, ArrangedPlace, ArrangedState, COMING_MAX, Challenge, Match,
        Occasion, Player, SAME_HOUR, Ticket,
    },
    error::Error,
    store,
    wire::{maintenance, notices},
};

/// How many times more seldom a replica learns who plays soon than it looks whether a game is to begin.
pub(super) const LEARNS_EVERY: u32 = 10;
/// The same of who plays in events, of which another service has to tell.
pub(super) const ASKS_EVERY: u32 = 60;
/// How soon that is: nothing is played in the queue that takes longer, but by correspondence.
const SOON: Duration = Duration::hours(12);
/// The most games that are known to begin soon: the next of them, of 100,000 players.
const SOON_MAX: u64 = 50_000;
/// How often who plays soon is read again where somebody arranges a game meanwhile.
const READS_MAX: usize = 5;
/// Games that are begun in one go.
const BATCH: u64 = 100;

/// What came of accepting a challenge to a game at a time.
pub(super) enum Agreed {
    /// It is arranged.
    Arranged,
    /// One of the two does not want to meet the other.
    Apart,
    /// One of the two has as many games before him as he may.
    NoRoom,
    /// It cannot be accepted any more, or not with this ticket.
    Over,
}

/// Writes a game down on which two have agreed by accepting a challenge, and that both are to be told.
pub(super) async fn agree(
    on: &Transaction,
    tickets: &Tickets,
    challenge: &Challenge,
    arranged: &Arranged,
) -> Result<Agreed, StoreError> {
    let mut accounts = arranged.players.each_ref().map(|player| player.account);
    // Of one account one is arranged after the other; and always in the same order.
    accounts.sort_unstable();
    for account in accounts {
        on.await_turn(account.uuid()).await?;
    }
    if are_apart(on, accounts[0], accounts[1]).await? {
        return Ok(Agreed::Apart);
    }
    for account in accounts {
        if store::arranged::count_coming(on, account).await? >= COMING_MAX {
            return Ok(Agreed::NoRoom);
        }
    }
    let ticket = arranged.players[1].ticket;
    if !take(on, challenge, arranged.game, ticket, arranged.since).await? {
        return Ok(Agreed::Over);
    }
    for account in accounts {
        store::arranged::trim(on, account).await?;
    }
    store::arranged::insert(on, arranged).await?;
    change_lobby(on, challenge, arranged.since).await?;
    tickets.outbox.insert(on, notices(arranged, None)).await?;
    Ok(Agreed::Arranged)
}

impl Challenges {
    /// The arranged games of an account, those that begin last first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn list_arranged(
        &self,
        account: AccountId,
        only_coming: bool,
        page: &Page<ArrangedPlace>,
    ) -> Result<(Vec<Arranged>, String), Error> {
        let on = self.tickets.database.read();
        let found = store::arranged::of_account(on, account, only_coming, page.after, page.fetch()).await?;
        Ok(page.cut(found, |arranged| (to_micros(arranged.starts), arranged.game.uuid())))
    }

    /// The games that an account has arranged and that begin within an hour of a moment, but for one; and where it plays in events
    /// then, as far as federations say so.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn conflicts(
        &self,
        account: AccountId,
        starts: OffsetDateTime,
        but: Option<GameId>,
    ) -> Result<(Vec<Arranged>, Vec<EventTime>), Error> {
        let on = self.tickets.database.read();
        let arranged = store::arranged::beside(on, account, starts, but).await?;
        let within = [starts - SAME_HOUR + Duration::MICROSECOND, starts + SAME_HOUR];
        Ok((arranged, self.federations.times_of(account, within).await))
    }

    /// Calls an arranged game of the caller's off.
    ///
    /// # Errors
    /// When there is none, or it is over, or the database fails.
    pub(crate) async fn call_off(&self, caller: &Caller, game: GameId) -> Result<(), Error> {
        let tickets = &self.tickets;
        let called_off = retry_contended(|| async {
            let transaction = tickets.database.begin().await?;
            let called_off = call_off(&transaction, tickets, caller.id, game).await;
            transaction.finish(called_off).await
        });
        let found = called_off.await?.ok_or(Error::UnknownGame)?;
        match (found.state, found.called_off_by) {
            (ArrangedState::CalledOff, Some(by)) if by == caller.id => {
                tickets.outbox.call();
                tickets.touched(&found.accounts()).await;
                tickets.note_called_off(found.players.iter().map(|player| player.account)).await
            }
            (state, _) => Err(Error::ArrangementOver(state)),
        }
    }
}

/// Calls a game off if it is coming and an account plays it; what has become of it.
async fn call_off(
    on: &Transaction,
    tickets: &Tickets,
    account: AccountId,
    game: GameId,
) -> Result<Option<Arranged>, StoreError> {
    let found = store::arranged::find(on, game).await?;
    let Some(arranged) = found.filter(|arranged| arranged.is_of(account)) else { return Ok(None) };
    let (state, called_off_by) = (ArrangedState::CalledOff, Some(account));
    if !store::arranged::end(on, game, state, called_off_by).await? {
        // It is over already, perhaps for a moment only.
        return store::arranged::find(on, game).await;
    }
    let arranged = Arranged { state, called_off_by, ..arranged };
    tickets.outbox.insert(on, notices(&arranged, called_off_by)).await?;
    Ok(Some(arranged))
}

impl GameCreator {
    /// Begins the arranged games whose time has come.
    pub(super) async fn begin_arranged(self) -> Result<(), Error> {
        let tickets = Arc::clone(self.tickets());
        loop {
            let due = store::arranged::due(tickets.database.read(), tickets.env.now(), BATCH).await?;
            if due.is_empty() {
                return Ok(());
            }
            let is_last = (due.len() as u64) < BATCH;
            let mut begun = Vec::new();
            for arranged in due {
                match tickets.begin(&arranged).await {
                    Ok(matched) => begun.extend(matched),
                    Err(error) => {
                        static COMPLAINTS: Throttle = Throttle::new();
                        if let Some(held_back) = COMPLAINTS.admit() {
                            tracing::warn!(game.id = %arranged.game, %error, held_back, "an arranged game does not begin; it is tried again");
                        }
                    }
                }
            }
            tickets.outbox.call();
            let made = begun.len();
            self.deliver(begun).await;
            if is_last || made == 0 || tickets.stop.is_cancelled() {
                return Ok(());
            }
        }
    }
}

impl Tickets {
    /// Makes a match of an arranged game; nothing if it has begun already, or cannot because one of the two has blocked the other.
    async fn begin(&self, arranged: &Arranged) -> Result<Option<Match>, StoreError> {
        let env = &self.env;
        let ids: [TicketId; 2] = [env.uuid().into(), env.uuid().into()];
        let (coin, now) = (env.with_rng(RngExt::random), env.now());
        retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let begun = begin(&transaction, self, arranged, ids, coin, now).await;
            transaction.finish(begun).await
        })
        .await
    }

    /// Learns who plays soon.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn learn_soon(&self) -> Result<(), Error> {
        for _ in 0..READS_MAX {
            let (until, changes) = (self.env.now() + SOON, self.soon.lock().changes);
            let all = store::arranged::appointments(self.database.read(), until, SOON_MAX).await?;
            let mut soon = self.soon.lock();
            soon.arranged = Appointments::of(all.into_iter());
            if soon.changes == changes {
                break;
            }
        }
        Ok(())
    }

    /// Learns who plays in events soon. While that is not told, what was told last holds.
    pub(super) async fn learn_soon_of_events(&self, federations: Federations) -> Result<(), Error> {
        match federations.coming(self.env.now() + SOON).await {
            Ok(coming) => self.soon.lock().of_events = Appointments::of(coming.into_iter()),
            Err(status) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    tracing::warn!(%status, held_back, "it is not told who plays in events soon; it is asked for again");
                }
                // Whether what was to begin has is not known, and nobody is kept from playing by it.
                self.soon.lock().of_events.forget_before(self.env.now());
            }
        }
        Ok(())
    }

    /// Learns when the platform is worked on.
    pub(super) async fn learn_maintenance(&self, games: Games) -> Result<(), Infallible> {
        games.look_at_maintenance(&self.maintenance).await;
        self.soon.lock().maintenance = self.maintenance.next().as_ref().and_then(maintenance);
        Ok(())
    }

    /// Takes note of a game that was just arranged.
    pub(super) fn note_arranged(&self, arranged: &Arranged) {
        let occasion = Occasion::Arranged(arranged.game);
        let appointment = Appointment { starts: arranged.starts, occasion };
        if arranged.starts - self.env.now() <= SOON {
            let mut soon = self.soon.lock();
            soon.changes += 1;
            for Player { account, .. } in &arranged.players {
                soon.arranged.add(*account, appointment);
            }
        }
    }

    /// Takes note that a game of these accounts was called off: they play the one after it next, if there is one soon.
    async fn note_called_off(&self, players: impl Iterator<Item = AccountId> + Clone) -> Result<(), Error> {
        for _ in 0..READS_MAX {
            let (until, changes) = (self.env.now() + SOON, self.soon.lock().changes);
            let next = async |account| {
                let next = store::arranged::next_of(self.database.read(), account, until).await?;
                Ok::<_, Error>((account, next))
            };
            let found = try_join_all(players.clone().map(next)).await?;
            let mut soon = self.soon.lock();
            // Something else was changed meanwhile, perhaps of theirs; who does not come to it here learns it as others do.
            if soon.changes == changes {
                soon.changes += 1;
                for (account, next) in found {
                    soon.arranged.put(account, next);
                }
                break;
            }
        }
        Ok(())
    }

    /// What the owner of a ticket leaves the queue for, and when, if anything begins soon.
    pub(super) fn leaves(&self, ticket: &Ticket) -> Option<(OffsetDateTime, Appointment)> {
        self.soon.lock().leaves(ticket.account, &ticket.choices.iter().map(|choice| &choice.settings))
    }

    /// Refuses a ticket whose owner has to leave now.
    pub(super) fn refuse_if_near(&self, ticket: &Ticket) -> Result<(), Error> {
        match self.leaves(ticket) {
            Some((leaves, next)) if leaves <= self.env.now() => Err(Error::Near(next)),
            _ => Ok(()),
        }
    }
}

async fn begin(
    on: &Transaction,
    tickets: &Tickets,
    arranged: &Arranged,
    ids: [TicketId; 2],
    coin: bool,
    now: OffsetDateTime,
) -> Result<Option<Match>, StoreError> {
    let pair = arranged.pair(ids);
    let [one, other] = pair.players.each_ref().map(|player| player.account);
    let are_apart = are_apart(on, one, other).await?;
    let state = if are_apart { ArrangedState::CalledOff } else { ArrangedState::Begun };
    if !store::arranged::end(on, arranged.game, state, None).await? {
        return Ok(None);
    }
    tickets.outbox.insert(on, notices(&Arranged { state, ..arranged.clone() }, None)).await?;
    if are_apart {
        return Ok(None);
    }
    enter(on, arranged.challenge, arranged.side, pair, coin, now).await.map(Some)
}
