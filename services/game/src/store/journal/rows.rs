//! The statements of the journal, each for many appends at once.

use std::fmt::Write as _;

use chassis::database::{Lane, Transaction};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait as _, Condition, ConnectionTrait as _, DbErr, EntityTrait as _, QueryFilter as _, Statement,
    Value,
    sea_query::{Expr, ExprTrait as _},
};
use uuid::Uuid;

use super::{
    super::entity::{events, games},
    DueTime, NewGame,
};

/// Writes events whose numbers are not taken, and tells which: those after the last of their game that there was before. In a log
/// that was packed not every number has a row, and who believes its game to be running adds nothing to it.
pub(super) async fn insert_events(
    transaction: &Transaction,
    rows: &[&events::Model],
) -> Result<Vec<(Uuid, i64)>, DbErr> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let values = rows.iter().flat_map(|row| -> [Value; COLUMNS] {
        [
            row.game_id.into(),
            row.sequence.into(),
            row.request_id.into(),
            row.payload.clone().into(),
            row.sealed.clone().into(),
        ]
    });
    let backend = transaction.get_database_backend();
    let insert = Statement::from_sql_and_values(backend, insertion(rows.len()), values);
    transaction
        .query_all_raw(insert)
        .await?
        .iter()
        .map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?)))
        .collect()
}

/// The text that writes some events. Both databases read it, and it is written here because every move waits for it: to put it
/// together from its parts by a builder takes more than a hundred allocations.
fn insertion(rows: usize) -> String {
    const ROW: usize = "($00001,$00002,$00003,$00004,$00005),".len();
    let mut text = String::with_capacity(BEFORE_VALUES.len() + rows * ROW + AFTER_VALUES.len());
    text.push_str(BEFORE_VALUES);
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ",(" });
        for column in 1..=COLUMNS {
            let comma = if column == 1 { "" } else { "," };
            let _infallible = write!(text, "{comma}${}", row * COLUMNS + column);
        }
        text.push(')');
    }
    text.push_str(AFTER_VALUES);
    text
}

/// How many values an event has.
const COLUMNS: usize = 5;
const BEFORE_VALUES: &str = "INSERT INTO events (game_id, sequence, request_id, payload, sealed) \
     SELECT column1, column2, column3, column4, column5 FROM (VALUES ";
const AFTER_VALUES: &str = ") AS new \
     WHERE NOT EXISTS (SELECT 1 FROM events WHERE game_id = column1 AND sequence >= column2) \
     ON CONFLICT DO NOTHING RETURNING game_id, sequence";

/// Takes back the events of an append of which only a part could be written.
pub(super) async fn withdraw(
    transaction: &Transaction,
    keys: impl Iterator<Item = (Uuid, i64)>,
) -> Result<(), DbErr> {
    for (game_id, sequence) in keys {
        events::Entity::delete_by_id((game_id, sequence)).exec(transaction).await?;
    }
    Ok(())
}

pub(super) async fn insert_games(transaction: &Transaction, new_games: Vec<NewGame>) -> Result<(), DbErr> {
    if new_games.is_empty() {
        return Ok(());
    }
    let rows = new_games.into_iter().map(|game| games::ActiveModel {
        id: Set(game.id),
        variant: Set(game.variant),
        first_account: Set(game.first_account),
        second_account: Set(game.second_account),
        finished: Set(game.finished),
        created_us: Set(game.created_us),
        due_us: Set(game.due_us),
        delay_us: Set(game.delay_us),
        ended_us: Set(game.ended_us),
        event_id: Set(game.event_id),
        federation_id: Set(game.federation_id),
        packed: Set(game.packed),
    });
    games::Entity::insert_many(rows).exec_without_returning(transaction).await.map(drop)
}

pub(super) async fn finish_games(transaction: &Transaction, finished: Vec<Uuid>) -> Result<(), DbErr> {
    if finished.is_empty() {
        return Ok(());
    }
    games::Entity::update_many()
        .col_expr(games::Column::Finished, Expr::value(true))
        .filter(games::Column::Id.is_in(finished))
        .exec(transaction)
        .await
        .map(drop)
}

/// Writes when a broadcast has ended, for the few games that are broadcast with a delay.
pub(super) async fn end_broadcasts(transaction: &Transaction, ended: Vec<(Uuid, i64)>) -> Result<(), DbErr> {
    for (game, ended_us) in ended {
        games::Entity::update_many()
            .col_expr(games::Column::EndedUs, Expr::value(ended_us))
            .filter(games::Column::Id.eq(game))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

/// Writes when something happens by itself, in the few games in which anything does.
pub(super) async fn set_due(transaction: &Transaction, due: Vec<(Uuid, DueTime)>) -> Result<(), DbErr> {
    for (game, time) in due {
        let due_us = match time {
            DueTime::Kept => continue,
            DueTime::At(due_us) => Some(due_us),
            DueTime::Never => None,
        };
        games::Entity::update_many()
            .col_expr(games::Column::DueUs, Expr::value(due_us))
            .filter(games::Column::Id.eq(game))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

/// The events of these numbers that are in the logs.
pub(super) async fn find_events(on: &Lane, keys: &[(Uuid, i64)]) -> Result<Vec<events::Model>, DbErr> {
    let mut any = Condition::any();
    for (game, sequence) in keys {
        any = any.add(events::Column::GameId.eq(*game).and(events::Column::Sequence.eq(*sequence)));
    }
    events::Entity::find().filter(any).all(on).await
}
