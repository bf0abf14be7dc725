//! Writing down that pairs were matched: the moment from which a ticket belongs to its game for good.

use std::collections::{BTreeMap, HashSet};

use chassis::{
    Database,
    database::{StoreError, Transaction, retry_contended},
    id::{AccountId, TicketId},
};
use time::OffsetDateTime;

use crate::{
    core::{Match, MatchState, Pair, Player},
    store::{self, history::Histories},
};

#[cfg(test)]
mod tests;

/// Pairs written in one transaction: few enough for the limits on parameters of both databases, many enough
/// that a flood of tickets costs few transactions.
pub(super) const BATCH: usize = 500;

/// What became of writing a pair down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Recorded {
    /// It is a match, by this call or an earlier one.
    Match(Box<Match>, MatchState),
    /// These of its tickets belong to other matches.
    TicketTaken(Vec<TicketId>),
    /// One of the two does not want to meet the other.
    Apart,
}

/// The match that a ticket became part of.
///
/// # Errors
/// When the database fails.
pub(super) async fn match_of(
    database: &Database,
    ticket: TicketId,
) -> Result<Option<(Match, MatchState)>, StoreError> {
    Ok(matches_of(database, [ticket].into_iter()).await?.remove(&ticket))
}

/// The same of some tickets; whichever is not in it became part of none.
///
/// # Errors
/// When the database fails.
pub(super) async fn matches_of(
    database: &Database,
    tickets: impl Iterator<Item = TicketId>,
) -> Result<BTreeMap<TicketId, (Match, MatchState)>, StoreError> {
    let on = database.read();
    let taken = store::ticket::taken(on, tickets).await?;
    if taken.is_empty() {
        return Ok(BTreeMap::new());
    }
    let games = store::matches::of_games(on, taken.values().copied()).await?;
    let of = |(ticket, game)| {
        let matched = games.get(&game).cloned().ok_or(StoreError::Corrupt("match_tickets"))?;
        Ok((ticket, matched))
    };
    taken.into_iter().map(of).collect()
}

/// Writes pairs down, each with a coin that decides between equals, and gives what became of each, in the
/// same order. All of [`BATCH`] are written or none; a pair that was written before keeps its sides.
///
/// # Errors
/// When the database fails.
pub(super) async fn record(
    database: &Database,
    pairs: &[(Pair, bool)],
    now: OffsetDateTime,
) -> Result<Vec<Recorded>, StoreError> {
    let mut recorded = Vec::with_capacity(pairs.len());
    for batch in pairs.chunks(BATCH) {
        let written = retry_contended(|| async {
            let transaction = database.begin().await?;
            let written = write(&transaction, batch, now).await;
            transaction.finish(written).await
        });
        recorded.extend(written.await?);
    }
    Ok(recorded)
}

async fn write(
    on: &Transaction,
    pairs: &[(Pair, bool)],
    now: OffsetDateTime,
) -> Result<Vec<Recorded>, StoreError> {
    let known = store::matches::of_games(on, pairs.iter().map(|(pair, _)| pair.game)).await?;
    let mut taken = store::ticket::taken(on, players(pairs).map(|player| player.ticket)).await?;
    let accounts = players(pairs).map(|player| player.account);
    let accounts: HashSet<AccountId> = accounts.collect();
    let apart = store::block::among(on, &accounts).await?;
    let mut histories = store::history::read(on, accounts.into_iter()).await?;
    let mut fresh = Vec::new();
    let mut recorded = Vec::with_capacity(pairs.len());
    for (pair, coin) in pairs {
        let tickets = pair.players.iter().map(|player| player.ticket);
        let gone: Vec<TicketId> = tickets.clone().filter(|ticket| taken.contains_key(ticket)).collect();
        if let Some((matched, state)) = known.get(&pair.game) {
            recorded.push(Recorded::Match(Box::new(matched.clone()), *state));
        } else if !gone.is_empty() {
            recorded.push(Recorded::TicketTaken(gone));
        } else if is_apart(pair, &apart) {
            recorded.push(Recorded::Apart);
        } else {
            taken.extend(tickets.map(|ticket| (ticket, pair.game)));
            let matched = seat(pair, *coin, &mut histories);
            fresh.push(matched.clone());
            recorded.push(Recorded::Match(Box::new(matched), MatchState::Pending));
        }
    }
    if !fresh.is_empty() {
        // In order of their keys: two transactions that write the same rows take their locks in the same order.
        let mut fresh: Vec<&Match> = fresh.iter().collect();
        fresh.sort_by_key(|matched| matched.game);
        store::matches::insert(on, &fresh, now).await?;
        store::ticket::insert(on, &fresh).await?;
        store::history::add(on, &fresh).await?;
    }
    Ok(recorded)
}

/// Whether one of a pair has blocked the other.
fn is_apart(pair: &Pair, apart: &HashSet<(AccountId, AccountId)>) -> bool {
    let [one, other] = pair.players.each_ref().map(|player| player.account);
    apart.contains(&(one, other)) || apart.contains(&(other, one))
}

fn players(pairs: &[(Pair, bool)]) -> impl Iterator<Item = &Player> {
    pairs.iter().flat_map(|(pair, _)| &pair.players)
}

/// Decides the sides, and notes them so that the next pair of the same batch knows.
fn seat(pair: &Pair, coin: bool, histories: &mut Histories) -> Match {
    let key = |account| (account, pair.settings.variant().to_owned());
    let keys = [key(pair.players[0].account), key(pair.players[1].account)];
    let history = |index: usize| histories.get(&keys[index]).copied().unwrap_or_default();
    let matched = pair.clone().seated([history(0), history(1)], coin);
    for (player, side) in [(&matched.first, rules::Side::First), (&matched.second, rules::Side::Second)] {
        let history = histories.entry(key(player.account)).or_default();
        *history = history.and(side);
    }
    matched
}
