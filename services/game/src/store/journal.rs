//! The journal: the one task of a replica that writes to the logs, many games in one transaction.

use std::collections::HashSet;

use chassis::{Database, outbox};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait as _, ConnectionTrait as _, DbErr, EntityTrait as _, QueryFilter as _,
    sea_query::{OnConflict, Query},
};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use super::entity::{events, games};

/// Appends waiting for the next transaction. A full queue slows the callers down.
const QUEUE: usize = 4096;
/// Appends in one transaction. Each event binds five values, and SQLite takes 32,766.
const BATCH: usize = 512;

/// What one command adds to the log of one game: all of it or nothing.
#[derive(Debug)]
pub(crate) struct Append {
    /// The events, in order.
    pub events: Vec<events::Model>,
    /// The game itself, when these are its first events.
    pub new_game: Option<NewGame>,
    /// Whether the game ends with the last of them.
    pub finishes: bool,
    /// When a game that is broadcast with a delay has ended, if it does by this.
    pub broadcast_end_us: Option<i64>,
    /// When something happens by itself from now on.
    pub due: DueTime,
    /// What is owed to others when they are written.
    pub owed: Vec<outbox::Draft>,
}

/// When something happens by itself after an append, in microseconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DueTime {
    /// As before.
    Kept,
    /// At this time.
    At(i64),
    /// Not at all.
    Never,
}

/// A row of the table of games.
pub(crate) type NewGame = games::Model;

/// What became of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Appended {
    /// It is written, for good.
    Written,
    /// Somebody else wrote an event of the same number or request before; nothing is written.
    Conflict,
}

/// The database could not be written to. Whether the events are in the log is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log could not be written")]
pub(crate) struct JournalError;

/// The way to the journal's task.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    queue: mpsc::Sender<(Append, oneshot::Sender<Result<Appended, JournalError>>)>,
}

impl Journal {
    /// The journal and the task that writes; it ends when every handle is gone.
    pub(crate) fn channel(
        database: Database,
        outbox: outbox::Outbox,
    ) -> (Self, impl Future<Output = ()> + Send) {
        let (queue, waiting) = mpsc::channel(QUEUE);
        (Journal { queue }, write(database, outbox, waiting))
    }

    /// Writes an append; it is durable when this answers [`Appended::Written`].
    pub(crate) async fn append(&self, append: Append) -> Result<Appended, JournalError> {
        let (reply, answer) = oneshot::channel();
        self.queue.send((append, reply)).await.map_err(|_| JournalError)?;
        answer.await.map_err(|_| JournalError)?
    }
}

async fn write(
    database: Database,
    outbox: outbox::Outbox,
    mut waiting: mpsc::Receiver<(Append, oneshot::Sender<Result<Appended, JournalError>>)>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        let (mut appends, replies): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        // One order for all replicas, so that two transactions cannot wait for each other.
        let mut order: Vec<usize> = (0..appends.len()).collect();
        order.sort_by_key(|index| appends[*index].events.first().map(|event| event.game_id));
        let owing = appends.iter().any(|append| !append.owed.is_empty());
        let outcomes = match commit(&database, &outbox, &mut appends, &order).await {
            Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
            Err(error) => {
                tracing::error!(%error, appends = appends.len(), "the log of games could not be written");
                vec![Err(JournalError); appends.len()]
            }
        };
        for (reply, outcome) in replies.into_iter().zip(outcomes) {
            let _the_caller_may_be_gone = reply.send(outcome);
        }
        if owing {
            outbox.call();
        }
    }
}

/// Writes what can be written of a batch in one transaction, and says of each append whether it was.
async fn commit(
    database: &Database,
    outbox: &outbox::Outbox,
    appends: &mut [Append],
    order: &[usize],
) -> Result<Vec<Appended>, DbErr> {
    let transaction = database.begin().await?;
    let mut written: HashSet<(Uuid, i64)> = HashSet::new();
    let mut rows = Vec::new();
    for index in order {
        rows.extend(appends[*index].events.iter().cloned());
    }
    // A long import has more rows than one statement takes.
    for chunk in rows.chunks(BATCH) {
        written.extend(insert_events(&transaction, chunk).await?);
    }
    let mut outcomes = vec![Appended::Conflict; appends.len()];
    let (mut new_games, mut finished, mut owed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut due, mut ended) = (Vec::new(), Vec::new());
    for index in order {
        let append = &mut appends[*index];
        let keys: Vec<_> = append.events.iter().map(|event| (event.game_id, event.sequence)).collect();
        if keys.iter().all(|key| written.contains(key)) {
            outcomes[*index] = Appended::Written;
            new_games.extend(append.new_game.take());
            finished.extend(append.events.first().filter(|_| append.finishes).map(|event| event.game_id));
            due.extend(append.events.first().map(|event| (event.game_id, append.due)));
            let end = append.events.first().map(|event| event.game_id).zip(append.broadcast_end_us);
            ended.extend(end);
            owed.append(&mut append.owed);
        } else {
            withdraw(&transaction, keys.iter().filter(|key| written.contains(key))).await?;
        }
    }
    insert_games(&transaction, new_games).await?;
    finish_games(&transaction, finished).await?;
    set_due(&transaction, due).await?;
    end_broadcasts(&transaction, ended).await?;
    outbox.insert(&transaction, owed).await?;
    transaction.commit().await?;
    Ok(outcomes)
}

async fn insert_events(
    transaction: &sea_orm::DatabaseTransaction,
    rows: &[events::Model],
) -> Result<Vec<(Uuid, i64)>, DbErr> {
    use events::Column::{GameId, Payload, RequestId, Sealed, Sequence};
    let mut insert = Query::insert();
    insert
        .into_table(events::Entity)
        .columns([GameId, Sequence, RequestId, Payload, Sealed])
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .returning(Query::returning().columns([GameId, Sequence]));
    for row in rows {
        insert.values_panic([
            row.game_id.into(),
            row.sequence.into(),
            row.request_id.into(),
            row.payload.clone().into(),
            row.sealed.clone().into(),
        ]);
    }
    transaction
        .query_all(&insert)
        .await?
        .iter()
        .map(|row| Ok((row.try_get("", "game_id")?, row.try_get("", "sequence")?)))
        .collect()
}

/// Takes back the events of an append of which only a part could be written.
async fn withdraw(
    transaction: &sea_orm::DatabaseTransaction,
    keys: impl Iterator<Item = &(Uuid, i64)>,
) -> Result<(), DbErr> {
    for (game_id, sequence) in keys {
        events::Entity::delete_by_id((*game_id, *sequence)).exec(transaction).await?;
    }
    Ok(())
}

async fn insert_games(
    transaction: &sea_orm::DatabaseTransaction,
    new_games: Vec<NewGame>,
) -> Result<(), DbErr> {
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
    });
    games::Entity::insert_many(rows).exec_without_returning(transaction).await.map(drop)
}

async fn finish_games(transaction: &sea_orm::DatabaseTransaction, finished: Vec<Uuid>) -> Result<(), DbErr> {
    if finished.is_empty() {
        return Ok(());
    }
    games::Entity::update_many()
        .col_expr(games::Column::Finished, sea_orm::sea_query::Expr::value(true))
        .filter(games::Column::Id.is_in(finished))
        .exec(transaction)
        .await
        .map(drop)
}

/// Writes when a broadcast has ended, for the few games that are broadcast with a delay.
async fn end_broadcasts(
    transaction: &sea_orm::DatabaseTransaction,
    ended: Vec<(Uuid, i64)>,
) -> Result<(), DbErr> {
    for (game, ended_us) in ended {
        games::Entity::update_many()
            .col_expr(games::Column::EndedUs, sea_orm::sea_query::Expr::value(ended_us))
            .filter(games::Column::Id.eq(game))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

/// Writes when something happens by itself, in the few games in which anything does.
async fn set_due(transaction: &sea_orm::DatabaseTransaction, due: Vec<(Uuid, DueTime)>) -> Result<(), DbErr> {
    for (game, time) in due {
        let due_us = match time {
            DueTime::Kept => continue,
            DueTime::At(due_us) => Some(due_us),
            DueTime::Never => None,
        };
        games::Entity::update_many()
            .col_expr(games::Column::DueUs, sea_orm::sea_query::Expr::value(due_us))
            .filter(games::Column::Id.eq(game))
            .exec(transaction)
            .await?;
    }
    Ok(())
}
