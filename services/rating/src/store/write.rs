//! Games entered into the book, many in one transaction.
//!
//! Four statements between begin and commit whatever the number of games: read which are known, read where
//! the players stand, write where they stand now, write what the games did. Every transaction locks rows in the
//! same order (ratings before changes, each by key), so that two never wait for each other.

use std::collections::{BTreeSet, HashMap};

use chassis::{
    Database,
    database::{StoreError, Transaction, retry_contended},
};
use sea_orm::{
    ColumnTrait as _, DbErr, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    sea_query::{Expr, ExprTrait as _, OnConflict},
};
use uuid::Uuid;

use super::{change, rating as standing};
use crate::core::{
    book::{Book, Change, Changes, Contradiction, Key},
    game::Game,
    standing::Standing,
};

/// What became of each game.
pub type Answers = Vec<Result<Changes, Contradiction>>;

/// Enters games, in this order, all in one transaction; nothing is written unless all is.
///
/// # Errors
/// [`StoreError::Contended`] when other replicas keep writing the same ratings; the database's own.
pub async fn enter(database: &Database, games: &[Game]) -> Result<Answers, StoreError> {
    retry_contended(|| async {
        let transaction = database.begin().await?;
        let answers = enter_within(&transaction, games).await;
        transaction.finish(answers).await
    })
    .await
}

async fn enter_within(transaction: &Transaction, games: &[Game]) -> Result<Answers, StoreError> {
    let (standings, revisions) = standings_of(transaction, games).await?;
    let mut book = Book::open(rated(transaction, games).await?, standings);
    let answers = games.iter().map(|game| book.enter(game)).collect();

    let moved: Vec<_> = book
        .moved()
        .map(|(key, after)| standing::row(key, after, revisions.get(key).unwrap_or(&0) + 1))
        .collect();
    write_standings(transaction, moved).await?;
    write_changes(transaction, &book).await?;
    Ok(answers)
}

/// The changes of those games that were rated before.
async fn rated(transaction: &Transaction, games: &[Game]) -> Result<Vec<Changes>, StoreError> {
    use change::Column;
    let ids: BTreeSet<Uuid> = games.iter().map(|game| game.id.uuid()).collect();
    let rows = change::Entity::find()
        .filter(Column::GameId.is_in(ids))
        .order_by_asc(Column::GameId)
        .order_by_asc(Column::Side)
        .all(transaction)
        .await?;
    let changes = rows.into_iter().map(Change::try_from).collect::<Result<Vec<_>, _>>()?;
    let (pairs, rest) = changes.as_chunks::<2>();
    let paired = rest.is_empty() && pairs.iter().all(|[first, second]| first.game == second.game);
    if paired { Ok(pairs.to_vec()) } else { Err(StoreError::Corrupt("rating_changes")) }
}

/// Where the players of the games stand, and the revision of each.
async fn standings_of(
    transaction: &Transaction,
    games: &[Game],
) -> Result<(Vec<(Key, Standing)>, HashMap<Key, i64>), StoreError> {
    let accounts: BTreeSet<Uuid> =
        games.iter().flat_map(|game| &game.players).map(|player| player.id.uuid()).collect();
    let rows =
        standing::Entity::find().filter(standing::Column::AccountId.is_in(accounts)).all(transaction).await?;
    let mut revisions = HashMap::with_capacity(rows.len());
    let mut standings = Vec::with_capacity(rows.len());
    for row in rows {
        let revision = row.revision;
        let (key, standing) = row.try_into()?;
        revisions.insert(key.clone(), revision);
        standings.push((key, standing));
    }
    Ok((standings, revisions))
}

/// Writes rows over those with the revision before theirs, or anew for revision 1.
async fn write_standings(
    transaction: &Transaction,
    rows: Vec<standing::ActiveModel>,
) -> Result<(), StoreError> {
    use standing::Column;
    let count = rows.len() as u64;
    if count == 0 {
        return Ok(());
    }
    let new_revision = Expr::col(("excluded", Column::Revision));
    let compare_and_swap = OnConflict::columns([Column::AccountId, Column::Variant, Column::SpeedClass])
        .update_columns([
            Column::Rating,
            Column::Deviation,
            Column::Volatility,
            Column::Games,
            Column::Name,
            Column::UpdatedUs,
            Column::RankedUntilUs,
            Column::Revision,
        ])
        .action_and_where(Expr::col((standing::Entity, Column::Revision)).eq(new_revision.sub(1)))
        .to_owned();
    let written = standing::Entity::insert_many(rows)
        .on_conflict(compare_and_swap)
        .exec_without_returning(transaction)
        .await;
    match written {
        Ok(written) if written == count => Ok(()),
        Ok(_) | Err(DbErr::RecordNotInserted) => Err(StoreError::Contended),
        Err(error) => Err(error.into()),
    }
}

async fn write_changes(transaction: &Transaction, book: &Book) -> Result<(), StoreError> {
    let mut changes: Vec<&Change> = book.entered().collect();
    changes.sort_by_key(|change| change.game);
    let rows = changes.into_iter().map(change::ActiveModel::from);
    change::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    Ok(())
}
