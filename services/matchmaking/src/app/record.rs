//! Writing down that pairs were matched: the moment from which a ticket belongs to its game for good.

use std::collections::{BTreeMap, BTreeSet};

use chassis::{
    database::{StoreError, Transaction, retry_contended},
    id::TicketId,
};
use sea_orm::{ActiveValue::Set, DbErr, entity::prelude::*};
use time::OffsetDateTime;

use crate::{
    core::{Match, MatchState, Pair},
    store::{
        history::{self, Histories},
        matches::{self, Matches},
        ticket,
    },
};

#[cfg(test)]
mod tests;

/// Pairs written in one transaction: few enough for the limits on parameters of both databases, many enough
/// that a flood of tickets costs few transactions.
pub const BATCH: usize = 500;

/// What became of writing a pair down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is a match, by this call or an earlier one.
    Match(Box<Match>, MatchState),
    /// These of its tickets belong to other matches.
    TicketTaken(Vec<TicketId>),
}

impl Matches {
    /// Writes pairs down, each with a coin that decides between equals, and gives what became of each, in the
    /// same order. All of them are written or none; a pair that was written before keeps its sides.
    ///
    /// # Errors
    /// When the database fails; nothing is then written.
    pub async fn record(
        &self,
        pairs: &[(Pair, bool)],
        now: OffsetDateTime,
    ) -> Result<Vec<Recorded>, StoreError> {
        let mut recorded = Vec::with_capacity(pairs.len());
        for batch in pairs.chunks(BATCH) {
            recorded.extend(self.record_batch(batch, now).await?);
        }
        Ok(recorded)
    }

    async fn record_batch(
        &self,
        pairs: &[(Pair, bool)],
        now: OffsetDateTime,
    ) -> Result<Vec<Recorded>, StoreError> {
        retry_contended(|| async {
            let transaction = self.database.begin().await?;
            let recorded = write(&transaction, pairs, now).await;
            transaction.finish(recorded).await
        })
        .await
    }
}

async fn write(
    on: &Transaction,
    pairs: &[(Pair, bool)],
    now: OffsetDateTime,
) -> Result<Vec<Recorded>, StoreError> {
    let known = known(on, pairs).await?;
    let mut taken = taken(on, pairs).await?;
    let accounts = players(pairs).map(|player| player.account.uuid()).collect();
    let mut histories = history::read(on, accounts).await?;
    let mut fresh = Vec::new();
    let mut recorded = Vec::with_capacity(pairs.len());
    for (pair, coin) in pairs {
        let gone: Vec<TicketId> = pair
            .players
            .iter()
            .map(|player| player.ticket)
            .filter(|ticket| taken.contains(&ticket.uuid()))
            .collect();
        if let Some((matched, state)) = known.get(&pair.game.uuid()) {
            recorded.push(Recorded::Match(Box::new(matched.clone()), *state));
        } else if !gone.is_empty() {
            recorded.push(Recorded::TicketTaken(gone));
        } else {
            taken.extend(pair.players.iter().map(|player| player.ticket.uuid()));
            let matched = seat(pair, *coin, &mut histories);
            fresh.push(matched.clone());
            recorded.push(Recorded::Match(Box::new(matched), MatchState::Pending));
        }
    }
    insert(on, &fresh, now).await?;
    history::add(on, &fresh).await?;
    Ok(recorded)
}

/// The matches among the pairs that are written already.
async fn known(
    on: &Transaction,
    pairs: &[(Pair, bool)],
) -> Result<BTreeMap<Uuid, (Match, MatchState)>, StoreError> {
    let games = pairs.iter().map(|(pair, _)| pair.game.uuid());
    let rows = matches::Entity::find().filter(matches::Column::GameId.is_in(games)).all(on).await?;
    rows.iter().map(|row| Ok((row.game_id, (row.matched()?, row.match_state()?)))).collect()
}

/// The tickets of the pairs that belong to some match already.
async fn taken(on: &Transaction, pairs: &[(Pair, bool)]) -> Result<BTreeSet<Uuid>, DbErr> {
    let tickets = players(pairs).map(|player| player.ticket.uuid());
    let rows = ticket::Entity::find().filter(ticket::Column::TicketId.is_in(tickets)).all(on).await?;
    Ok(rows.into_iter().map(|row| row.ticket_id).collect())
}

fn players(pairs: &[(Pair, bool)]) -> impl Iterator<Item = &crate::core::Player> {
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

async fn insert(on: &Transaction, fresh: &[Match], now: OffsetDateTime) -> Result<(), DbErr> {
    if fresh.is_empty() {
        return Ok(());
    }
    // In order of their keys: two transactions that write the same rows take their locks in the same order.
    let mut fresh: Vec<&Match> = fresh.iter().collect();
    fresh.sort_by_key(|matched| matched.game.uuid());
    let rows = fresh.iter().map(|matched| matches::row(matched, now));
    matches::Entity::insert_many(rows).exec_without_returning(on).await?;
    let rows = fresh.iter().flat_map(|matched| {
        [&matched.first, &matched.second].map(|player| ticket::ActiveModel {
            ticket_id: Set(player.ticket.uuid()),
            game_id: Set(matched.game.uuid()),
            owner_id: Set(player.account.uuid()),
        })
    });
    let mut tickets: Vec<ticket::ActiveModel> = rows.collect();
    tickets.sort_by_key(|row| row.ticket_id.clone().take());
    ticket::Entity::insert_many(tickets).exec_without_returning(on).await?;
    Ok(())
}
