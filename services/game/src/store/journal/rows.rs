//! The statements of the journal, each for many appends at once.

use chassis::database::{Lane, Transaction};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait as _, Condition, ConnectionTrait as _, DbErr, EntityTrait as _, QueryFilter as _, Value,
    sea_query::{Expr, ExprTrait as _, Func, OnConflict, Query, ValueTuple},
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
    rows: &[events::Model],
) -> Result<Vec<(Uuid, i64)>, DbErr> {
    use events::Column::{GameId, Payload, RequestId, Sealed, Sequence};
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let columns = [GameId, Sequence, RequestId, Payload, Sealed];
    let value = |number: usize| Expr::col((NEW, format!("column{number}")));
    let values = rows.iter().map(|row| -> [Value; 5] {
        [
            row.game_id.into(),
            row.sequence.into(),
            row.request_id.into(),
            row.payload.clone().into(),
            row.sealed.clone().into(),
        ]
    });
    let last = Query::select()
        .expr(Expr::col(Sequence).max())
        .from(events::Entity)
        .and_where(Expr::col(GameId).eq(value(1)))
        .to_owned();
    let last = Func::coalesce([last.into(), Expr::value(0_i64)]);
    let select = Query::select()
        .exprs((1..=columns.len()).map(value))
        .from_values(values.map(|row| ValueTuple::Many(row.into())), NEW)
        .and_where(value(2).gt(last))
        .to_owned();
    let insert = Query::insert()
        .into_table(events::Entity)
        .columns(columns)
        .select_from(select)
        .map_err(|error| DbErr::Custom(error.to_string()))?
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .returning(Query::returning().columns([GameId, Sequence]))
        .to_owned();
    transaction
        .query_all(&insert)
        .await?
        .iter()
        .map(|row| Ok((row.try_get("", "game_id")?, row.try_get("", "sequence")?)))
        .collect()
}

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

/// What events that are to be written are called in a statement.
const NEW: &str = "new";

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
