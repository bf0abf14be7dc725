//! Games that somebody asks for himself.
//!
//! Whoever accepts one uses it up by a game in the transaction that writes the match down, so that it has as many games as it may
//! have, whoever accepts it at the same moment; and the match has its game as every match has.

use std::{collections::HashSet, sync::Arc};

use chassis::{
    auth::Caller,
    database::{StoreError, Transaction, retry_contended},
    id::{AccountId, ChallengeId, GameId, TicketId},
    page::Page,
    time::to_micros,
};
use rand::RngExt;
use rules::Side;

use super::{
    LobbyWatch, Tickets,
    arranged::{Agreed, agree},
    create_games::GameCreator,
    peers::Federations,
    record::match_of,
};
use crate::{
    core::{
        Addressee, Arranged, Challenge, ChallengePlace, ChallengeState, DeclineReason, LIFE, Match, OPEN_MAX,
        Pair, Party, Player, START_MAX, START_MIN, Sought,
    },
    error::Error,
    store,
    wire::NewChallenge,
};

/// What came of accepting a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// The game.
    pub game: GameId,
    /// The side of who has accepted, if it is known yet.
    pub side: Option<Side>,
    /// When it begins, if it is arranged for a time.
    pub starts: Option<time::OffsetDateTime>,
}

impl Accepted {
    fn of_arranged(arranged: &Arranged) -> Self {
        Accepted { game: arranged.game, side: arranged.side.map(Side::other), starts: Some(arranged.starts) }
    }
}

/// Everything that calls about challenges need.
#[derive(Clone)]
pub(crate) struct Challenges {
    pub(crate) tickets: Arc<Tickets>,
    creator: GameCreator,
    pub(super) federations: Federations,
}

impl Challenges {
    /// The challenges of a service, whose games are made by this creator.
    pub(crate) fn new(tickets: Arc<Tickets>, creator: GameCreator, federations: Federations) -> Self {
        Challenges { tickets, creator, federations }
    }

    /// Asks for a game, or finds the challenge that was made before.
    ///
    /// # Errors
    /// When it is refused, or a store or another service fails; nothing was asked for then.
    pub(crate) async fn create(&self, caller: &Caller, new: NewChallenge) -> Result<Challenge, Error> {
        let now = self.tickets.env.now();
        let mut challenge = Challenge {
            id: new.id,
            from: Party { account: caller.id, name: caller.name.clone() },
            rating: 0,
            bot: caller.bot,
            allow_bots: new.allow_bots,
            to: new.to,
            settings: new.settings,
            side: new.side,
            message: new.message,
            created: now,
            expires: new.life.map_or_else(|| new.starts.unwrap_or(now + LIFE), |life| now + life),
            starts: new.starts,
            uses: new.uses,
            uses_left: new.uses,
            state: ChallengeState::Open,
            declined: None,
            game: None,
        };
        if let Some(known) = self.known(&challenge).await? {
            return Ok(known);
        }
        let can_start = |starts| (now + START_MIN..=now + START_MAX).contains(&starts);
        if !challenge.starts.is_none_or(|starts| can_start(starts) && challenge.expires <= starts) {
            return Err(Error::BadStartTime);
        }
        if challenge.settings.rated() && caller.guest {
            return Err(Error::GuestNotRated);
        }
        if let Addressee::Direct(party) = &challenge.to {
            let named = self.addressee(caller, party.account, challenge.settings.rated()).await?;
            challenge.to = Addressee::Direct(named);
        }
        challenge.rating = self.rating(caller.id, &challenge).await?;
        let written = retry_contended(|| async {
            let transaction = self.tickets.database.begin().await?;
            let written = write(&transaction, &challenge).await;
            transaction.finish(written).await
        });
        match written.await? {
            Written::New => {
                self.tickets.board.rung.notify_one();
                self.tickets.touched(&concerned(&challenge)).await;
                Ok(challenge)
            }
            Written::Known(known) => same(*known, &challenge),
            Written::NoRoom => Err(Error::TooManyChallenges),
            Written::Apart => Err(Error::ChallengeRefused),
        }
    }

    /// The account to which a challenge is, by its name.
    async fn addressee(&self, caller: &Caller, account: AccountId, rated: bool) -> Result<Party, Error> {
        if account == caller.id {
            return Err(Error::OwnAccount);
        }
        let found = self.tickets.account(account).await?;
        if rated && found.guest {
            return Err(Error::GuestNotRated);
        }
        Ok(Party { account, name: found.name })
    }

    /// A challenge as it was made before.
    async fn known(&self, challenge: &Challenge) -> Result<Option<Challenge>, Error> {
        let known = store::challenge::find(self.tickets.database.read(), challenge.id).await?;
        known.map(|known| same(known, challenge)).transpose()
    }

    async fn rating(&self, account: AccountId, of: &Challenge) -> Result<u32, Error> {
        let (rated_as, control) = (of.settings.rated_as(), of.settings.time_control());
        let rating = self.tickets.ratings.get(account, &rated_as, control.speed_class()).await;
        Ok(rating.map_err(Error::Rating)?.0)
    }

    /// Accepts a challenge for the owner of a ticket.
    ///
    /// # Errors
    /// When there is none that he may accept, or a store or the ratings fail.
    pub(crate) async fn accept(
        &self,
        caller: &Caller,
        id: ChallengeId,
        secret: Option<[u8; 32]>,
        ticket: TicketId,
    ) -> Result<Accepted, Error> {
        if let Some(accepted) = self.accepted(caller, id, ticket).await? {
            return Ok(accepted);
        }
        let challenge = self.shown(caller.id, id, secret).await?;
        if challenge.from.account == caller.id {
            return Err(Error::OwnAccount);
        }
        if challenge.settings.rated() && caller.guest {
            return Err(Error::GuestNotRated);
        }
        if caller.bot && challenge.is_for_people() {
            return Err(Error::BotsNotWanted);
        }
        let rating = self.rating(caller.id, &challenge).await?;
        if challenge.is_too_far(rating) {
            return Err(Error::TooFarApart);
        }
        let accepting = Player { account: caller.id, name: caller.name.clone(), rating, ticket };
        let env = &self.tickets.env;
        let (game, own, coin) = (env.uuid().into(), env.uuid().into(), env.with_rng(RngExt::random));
        let asked = Player {
            account: challenge.from.account,
            name: challenge.from.name.clone(),
            rating: challenge.rating,
            ticket: own,
        };
        if let Some(starts) = challenge.starts {
            let players = [asked, accepting];
            return self
                .arrange(caller, &challenge, challenge.arranged(game, players, starts, env.now()))
                .await;
        }
        let seated = retry_contended(|| async {
            let transaction = self.tickets.database.begin().await?;
            let pair = challenge.pair(game, asked.clone(), accepting.clone());
            let seated = seat(&transaction, &challenge, pair, coin, env.now()).await;
            transaction.finish(seated).await
        });
        match seated.await? {
            Seated::Match(matched) => {
                self.tickets.board.rung.notify_one();
                self.tickets.touched(&concerned(&challenge)).await;
                let side = matched.seat(ticket).map(|(side, _)| side);
                let accepted = Accepted { game: matched.game, side, starts: None };
                // It is made until it exists, also if nobody waits for it here.
                self.creator.clone().make(*matched).await;
                Ok(accepted)
            }
            Seated::Apart => Err(Error::ChallengeRefused),
            Seated::Over => self.accepted_or_over(caller, id, ticket).await,
        }
    }

    /// Arranges a game for a time by accepting a challenge.
    async fn arrange(
        &self,
        caller: &Caller,
        challenge: &Challenge,
        arranged: Arranged,
    ) -> Result<Accepted, Error> {
        let tickets = &self.tickets;
        let agreed = retry_contended(|| async {
            let transaction = tickets.database.begin().await?;
            let agreed = agree(&transaction, tickets, challenge, &arranged).await;
            transaction.finish(agreed).await
        });
        match agreed.await? {
            Agreed::Arranged => {
                tickets.note_arranged(&arranged);
                tickets.board.rung.notify_one();
                tickets.outbox.call();
                tickets.touched(&arranged.accounts()).await;
                Ok(Accepted::of_arranged(&arranged))
            }
            Agreed::Apart => Err(Error::ChallengeRefused),
            Agreed::NoRoom => Err(Error::TooManyArranged),
            Agreed::Over => self.accepted_or_over(caller, challenge.id, arranged.players[1].ticket).await,
        }
    }

    /// What came of accepting a challenge that cannot be accepted any more, perhaps by the same call, made twice at the same moment.
    async fn accepted_or_over(
        &self,
        caller: &Caller,
        id: ChallengeId,
        ticket: TicketId,
    ) -> Result<Accepted, Error> {
        match self.accepted(caller, id, ticket).await? {
            Some(accepted) => Ok(accepted),
            None => Err(self.over(id).await?),
        }
    }

    /// What came of a challenge that was accepted with a ticket before.
    async fn accepted(
        &self,
        caller: &Caller,
        id: ChallengeId,
        ticket: TicketId,
    ) -> Result<Option<Accepted>, Error> {
        if let Some((matched, _)) = match_of(&self.tickets.database, ticket).await? {
            let is_his = matched.player(ticket).is_some_and(|player| player.account == caller.id);
            let seat = matched.seat(ticket).filter(|_| is_his && matched.challenge == Some(id));
            let (side, _) = seat.ok_or(Error::TicketDiffers)?;
            return Ok(Some(Accepted { game: matched.game, side: Some(side), starts: None }));
        }
        match store::arranged::of_ticket(self.tickets.database.read(), ticket).await? {
            Some(it) if it.challenge == id && it.players[1].account == caller.id => {
                Ok(Some(Accepted::of_arranged(&it)))
            }
            Some(_) => Err(Error::TicketDiffers),
            None => Ok(None),
        }
    }

    /// Declines a challenge to the caller.
    ///
    /// # Errors
    /// When there is none, or it is over, or the database fails.
    pub(crate) async fn decline(
        &self,
        caller: &Caller,
        id: ChallengeId,
        reason: Option<DeclineReason>,
    ) -> Result<(), Error> {
        let challenge = self.shown(caller.id, id, None).await?;
        let is_to_him = matches!(&challenge.to, Addressee::Direct(party) if party.account == caller.id);
        if !is_to_him {
            return Err(Error::UnknownChallenge);
        }
        self.end(&challenge, ChallengeState::Declined, reason).await
    }

    /// Takes a challenge of the caller's back.
    ///
    /// # Errors
    /// When there is none, or it is over, or the database fails.
    pub(crate) async fn withdraw(&self, caller: &Caller, id: ChallengeId) -> Result<(), Error> {
        let challenge = self.shown(caller.id, id, None).await?;
        if challenge.from.account != caller.id {
            return Err(Error::UnknownChallenge);
        }
        self.end(&challenge, ChallengeState::Withdrawn, None).await
    }

    async fn end(
        &self,
        challenge: &Challenge,
        state: ChallengeState,
        declined: Option<DeclineReason>,
    ) -> Result<(), Error> {
        let now = self.tickets.env.now();
        let ended = retry_contended(|| async {
            let transaction = self.tickets.database.begin().await?;
            let ended = end(&transaction, challenge, state, declined, now).await;
            transaction.finish(ended).await
        });
        if ended.await? {
            self.tickets.board.rung.notify_one();
            self.tickets.touched(&concerned(challenge)).await;
            return Ok(());
        }
        match self.over(challenge.id).await? {
            Error::ChallengeOver(was) if was == state => Ok(()),
            over => Err(over),
        }
    }

    /// Why a challenge cannot be accepted or ended any more.
    async fn over(&self, id: ChallengeId) -> Result<Error, Error> {
        let challenge = store::challenge::find(self.tickets.database.read(), id).await?;
        let state = challenge.map(|challenge| challenge.state_at(self.tickets.env.now()));
        Ok(state.map_or(Error::UnknownChallenge, Error::ChallengeOver))
    }

    /// A challenge that an account may see, which perhaps has a secret with this SHA-256.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub(crate) async fn shown(
        &self,
        account: AccountId,
        id: ChallengeId,
        secret: Option<[u8; 32]>,
    ) -> Result<Challenge, Error> {
        let challenge = store::challenge::find(self.tickets.database.read(), id).await?;
        challenge.filter(|it| it.is_shown_to(account, secret)).ok_or(Error::UnknownChallenge)
    }

    /// The challenges of an account and those to it, the latest first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn list(
        &self,
        account: AccountId,
        only_open: bool,
        page: &Page<ChallengePlace>,
    ) -> Result<(Vec<Challenge>, String), Error> {
        let (on, now) = (self.tickets.database.read(), self.tickets.env.now());
        let open_at = only_open.then_some(now);
        let found = store::challenge::of_account(on, account, open_at, page.after, page.fetch()).await?;
        Ok(page.cut(found, place))
    }

    /// The challenges that anybody may accept, the latest first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn list_open(
        &self,
        variant: Option<&str>,
        page: &Page<ChallengePlace>,
    ) -> Result<(Vec<Challenge>, String), Error> {
        let (on, now) = (self.tickets.database.read(), self.tickets.env.now());
        let found = store::challenge::open(on, variant, now, page.after, page.fetch()).await?;
        Ok(page.cut(found, place))
    }

    /// Looks on as open challenges come and go.
    ///
    /// # Errors
    /// When the process is about to stop, or the database fails.
    pub(crate) async fn watch(&self, sought: Sought, number: Option<u64>) -> Result<LobbyWatch, Error> {
        self.tickets.watch_lobby(sought, number).await
    }

    /// The moment by which what has become of a challenge is told.
    pub(crate) fn now(&self) -> time::OffsetDateTime {
        self.tickets.env.now()
    }
}

/// Those in whose lists a challenge is: who asks, and whom, if he is named.
fn concerned(challenge: &Challenge) -> Vec<AccountId> {
    let named = match &challenge.to {
        Addressee::Direct(party) => Some(party.account),
        Addressee::Link(_) | Addressee::Open(_) => None,
    };
    std::iter::once(challenge.from.account).chain(named).collect()
}

/// Where a list of challenges goes on.
fn place(challenge: &Challenge) -> ChallengePlace {
    (to_micros(challenge.created), challenge.id.uuid())
}

/// A challenge that was made before, if it is this one made again.
fn same(known: Challenge, challenge: &Challenge) -> Result<Challenge, Error> {
    if known.is_same(challenge) { Ok(known) } else { Err(Error::ChallengeDiffers) }
}

/// What became of writing a challenge down.
enum Written {
    /// It is there now.
    New,
    /// There was one of its id.
    Known(Box<Challenge>),
    /// Its maker may have no more.
    NoRoom,
    /// One of the two does not want to meet the other.
    Apart,
}

/// Writes a challenge down if its maker may have one more.
async fn write(on: &Transaction, challenge: &Challenge) -> Result<Written, StoreError> {
    let from = challenge.from.account;
    let to = match &challenge.to {
        Addressee::Direct(party) => Some(party.account),
        Addressee::Link(_) | Addressee::Open(_) => None,
    };
    // Of one account one is made after the other: else two would each find room for the last.
    on.await_turn(from.uuid()).await?;
    if let Some(known) = store::challenge::find(on, challenge.id).await? {
        return Ok(Written::Known(Box::new(known)));
    }
    if let Some(to) = to
        && are_apart(on, from, to).await?
    {
        return Ok(Written::Apart);
    }
    let (all, same) = store::challenge::count_open(on, from, to, challenge.created).await?;
    if all >= OPEN_MAX || same > 0 {
        return Ok(Written::NoRoom);
    }
    store::challenge::trim(on, from, challenge.created).await?;
    store::challenge::insert(on, challenge).await?;
    change_lobby(on, challenge, challenge.created).await?;
    Ok(Written::New)
}

/// Whether one of two accounts does not want to meet the other.
pub(super) async fn are_apart(
    on: &Transaction,
    one: AccountId,
    other: AccountId,
) -> Result<bool, StoreError> {
    Ok(!store::block::among(on, &HashSet::from([one, other])).await?.is_empty())
}

/// Ends an open challenge without a game; whether it was open.
async fn end(
    on: &Transaction,
    challenge: &Challenge,
    state: ChallengeState,
    declined: Option<DeclineReason>,
    now: time::OffsetDateTime,
) -> Result<bool, StoreError> {
    let ended = store::challenge::end(on, challenge.id, state, declined, now).await?;
    if ended {
        change_lobby(on, challenge, now).await?;
    }
    Ok(ended)
}

/// What became of accepting a challenge.
enum Seated {
    /// It has this match.
    Match(Box<Match>),
    /// One of the two does not want to meet the other.
    Apart,
    /// It cannot be accepted any more, or not with this ticket.
    Over,
}

/// Uses a challenge up by a game of these two, the second of whom accepts it, and writes the match down.
async fn seat(
    on: &Transaction,
    challenge: &Challenge,
    pair: Pair,
    coin: bool,
    now: time::OffsetDateTime,
) -> Result<Seated, StoreError> {
    let [asked, accepted] = &pair.players;
    if are_apart(on, asked.account, accepted.account).await? {
        return Ok(Seated::Apart);
    }
    if !take(on, challenge, pair.game, accepted.ticket, now).await? {
        return Ok(Seated::Over);
    }
    let matched = enter(on, challenge.id, challenge.side, pair, coin, now).await?;
    change_lobby(on, challenge, now).await?;
    Ok(Seated::Match(Box::new(matched)))
}

/// Uses a challenge up by a game of who accepts it with a ticket; whether it could be, and the ticket has no other game.
pub(super) async fn take(
    on: &Transaction,
    challenge: &Challenge,
    game: GameId,
    ticket: TicketId,
    now: time::OffsetDateTime,
) -> Result<bool, StoreError> {
    let is_used = !store::ticket::taken(on, [ticket].into_iter()).await?.is_empty()
        || store::arranged::of_ticket(on, ticket).await?.is_some();
    Ok(!is_used && store::challenge::take(on, challenge.id, game, now).await?)
}

/// Seats two who asked each other for a game, who asked where he has chosen, and writes the match down.
pub(super) async fn enter(
    on: &Transaction,
    challenge: ChallengeId,
    side: Option<Side>,
    pair: Pair,
    coin: bool,
    now: time::OffsetDateTime,
) -> Result<Match, StoreError> {
    let matched = if let Some(side) = side {
        pair.seated_at(side)
    } else {
        let accounts = pair.players.each_ref().map(|player| player.account);
        let histories = store::history::read(on, accounts.into_iter()).await?;
        let variant = pair.settings.variant().to_owned();
        let of = |account| histories.get(&(account, variant.clone())).copied().unwrap_or_default();
        pair.seated(accounts.map(of), coin)
    };
    let matched = Match { challenge: Some(challenge), ..matched };
    store::matches::insert(on, &[&matched], now).await?;
    store::ticket::insert(on, &[&matched]).await?;
    store::history::add(on, &[&matched]).await?;
    Ok(matched)
}

/// Has whoever looks on see what has become of a challenge, if it is to anybody.
pub(super) async fn change_lobby(
    on: &Transaction,
    challenge: &Challenge,
    now: time::OffsetDateTime,
) -> Result<(), StoreError> {
    let is_open = matches!(challenge.to, Addressee::Open(_));
    let changed = is_open.then_some(challenge.id);
    store::lobby::add(on, changed.as_slice(), now).await
}
