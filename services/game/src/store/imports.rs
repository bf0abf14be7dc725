//! Whose the imported records are, and how much of them each account keeps.

use chassis::{
    database::Transaction,
    id::{AccountId, GameId},
};
use sea_orm::{
    ActiveValue::Set,
    Condition, ConnectionTrait, DbBackend, ExprTrait as _, QueryOrder as _, QuerySelect as _,
    entity::prelude::*,
    sea_query::{Alias, Expr, OnConflict},
};

use super::{
    NewGame, chat,
    entity::{events, games},
    summary,
};
use crate::{core::ImportUsage, wire::Place};

/// A row: an imported record.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "imports")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    /// Who has imported it.
    pub account_id: Uuid,
    pub created_us: i64,
    /// SHA-256 of what was sent: variant and text.
    pub digest: Vec<u8>,
    /// How long the text was.
    pub bytes: i64,
    /// Whether lists of games show it.
    pub published: bool,
}

chassis::standalone!();

/// What became of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It is written.
    Written,
    /// Its id is taken by this import.
    There(Model),
    /// Its id is taken by one from before imports had owners.
    Ownerless,
    /// The account keeps so much already that it would be too much.
    Full(ImportUsage),
}

/// Writes an import with its log and its summary, if the quota allows.
pub(crate) async fn keep(
    transaction: &Transaction,
    import: Model,
    log: Vec<events::Model>,
    summary: Option<summary::Model>,
    quota: ImportUsage,
) -> Result<Kept, DbErr> {
    if let Some(kept) = kept_back(transaction, &import, quota).await? {
        return Ok(kept);
    }
    Entity::insert(active(import)).exec_without_returning(transaction).await?;
    if let Some(summary) = summary {
        summary::keep(transaction, summary).await?;
    }
    let rows = log.into_iter().map(|row| events::ActiveModel {
        game_id: Set(row.game_id),
        sequence: Set(row.sequence),
        request_id: Set(row.request_id),
        payload: Set(row.payload),
        sealed: Set(row.sealed),
    });
    events::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    Ok(Kept::Written)
}

/// The import that a game is, if it is one that has an owner.
pub(crate) async fn find(on: &impl ConnectionTrait, game: GameId) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(game.uuid()).one(on).await
}

/// The imports of an account, newest first, before a place in that order.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    account: AccountId,
    before: Option<Place>,
    limit: u64,
) -> Result<Vec<Model>, DbErr> {
    let mut find = Entity::find().filter(Column::AccountId.eq(account.uuid()));
    if let Some(Place(created_us, id)) = before {
        let tie = Condition::all().add(Column::CreatedUs.eq(created_us)).add(Column::GameId.lt(id));
        find = find.filter(Condition::any().add(Column::CreatedUs.lt(created_us)).add(tie));
    }
    find.order_by_desc(Column::CreatedUs).order_by_desc(Column::GameId).limit(limit).all(on).await
}

/// Has lists of games show an import: only games that have a row are in lists.
pub(crate) async fn publish(transaction: &Transaction, game: NewGame) -> Result<(), DbErr> {
    set_published(transaction, game.id, true).await?;
    let row = games::ActiveModel::from(game).reset_all();
    games::Entity::insert(row)
        .on_conflict(OnConflict::column(games::Column::Id).do_nothing().to_owned())
        .exec_without_returning(transaction)
        .await
        .map(drop)
}

/// Has lists of games not show an import any more.
pub(crate) async fn withdraw(transaction: &Transaction, game: GameId) -> Result<(), DbErr> {
    set_published(transaction, game.uuid(), false).await?;
    games::Entity::delete_by_id(game.uuid()).exec(transaction).await.map(drop)
}

/// Deletes an import and all that is kept of it.
pub(crate) async fn delete(transaction: &Transaction, game: GameId) -> Result<(), DbErr> {
    Entity::delete_by_id(game.uuid()).exec(transaction).await?;
    games::Entity::delete_by_id(game.uuid()).exec(transaction).await?;
    summary::Entity::delete_by_id(game.uuid()).exec(transaction).await?;
    chat::delete_of(transaction, game).await?;
    events::Entity::delete_many()
        .filter(events::Column::GameId.eq(game.uuid()))
        .exec(transaction)
        .await
        .map(drop)
}

/// Why an import is not written, if it is not.
async fn kept_back(
    transaction: &Transaction,
    import: &Model,
    quota: ImportUsage,
) -> Result<Option<Kept>, DbErr> {
    take_turns(transaction, import.account_id).await?;
    if let Some(there) = Entity::find_by_id(import.game_id).one(transaction).await? {
        return Ok(Some(Kept::There(there)));
    }
    if events::Entity::find_by_id((import.game_id, 1)).one(transaction).await?.is_some() {
        return Ok(Some(Kept::Ownerless));
    }
    let usage = usage(transaction, import.account_id).await?;
    let bytes = u64::try_from(import.bytes).unwrap_or_default();
    Ok((!usage.has_room(bytes, quota)).then_some(Kept::Full(usage)))
}

/// Has imports of one account take turns, so that two together cannot exceed its quota. On SQLite all writers do.
async fn take_turns(transaction: &Transaction, account: Uuid) -> Result<(), DbErr> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        let (_, low) = account.as_u64_pair();
        let lock = format!("SELECT pg_advisory_xact_lock({})", low.cast_signed());
        transaction.execute_unprepared(&lock).await?;
    }
    Ok(())
}

/// How much an account has imported.
pub(crate) async fn usage(on: &impl ConnectionTrait, account: Uuid) -> Result<ImportUsage, DbErr> {
    // Sums of PostgreSQL are of another type than what is summed up.
    let bytes = Expr::col(Column::Bytes).sum().cast_as(Alias::new("bigint"));
    let sums: Option<(i64, Option<i64>)> = Entity::find()
        .select_only()
        .column_as(Column::GameId.count(), "records")
        .column_as(bytes, "bytes")
        .filter(Column::AccountId.eq(account))
        .into_tuple()
        .one(on)
        .await?;
    let (records, bytes) = sums.unwrap_or_default();
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    Ok(ImportUsage { records: count(records), bytes: count(bytes.unwrap_or_default()) })
}

async fn set_published(transaction: &Transaction, game: Uuid, published: bool) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Published, Expr::value(published))
        .filter(Column::GameId.eq(game))
        .exec(transaction)
        .await
        .map(drop)
}

fn active(import: Model) -> ActiveModel {
    ActiveModel {
        game_id: Set(import.game_id),
        account_id: Set(import.account_id),
        created_us: Set(import.created_us),
        digest: Set(import.digest),
        bytes: Set(import.bytes),
        published: Set(import.published),
    }
}
