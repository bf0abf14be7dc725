//! The journal: the one task of a replica that writes to the logs, many games in one transaction.

mod measure;
mod rows;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use chassis::{
    Database, Metrics, Throttle,
    batch::{self, Batcher, Batches},
    database::{Transaction, is_refusal},
    outbox::{self, OutboxMessage},
    trace,
};
use sea_orm::DbErr;
use tokio::time::Instant;
use uuid::Uuid;

use super::entity::{events, games};
use crate::error::JournalError;
pub(crate) use measure::METRICS;
use measure::Measures;

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
    pub outbox: Vec<OutboxMessage>,
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

/// What became of an append, or why that is not known to be written.
type Outcome = Result<Appended, JournalError>;

/// The way to the journal's task.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    appends: Batcher<Append, Outcome>,
    database: Database,
}

/// What the journal's task is made of, as often as it must be.
#[derive(Clone)]
pub(crate) struct Writer {
    pen: Arc<Pen>,
    appends: Batches<Append, Outcome>,
}

impl Journal {
    /// The journal and its writer.
    pub(crate) fn channel(database: Database, outbox: outbox::Outbox, metrics: &Metrics) -> (Self, Writer) {
        let (appends, batches) = batch::channel(QUEUE, BATCH);
        let pen = Pen { database: database.clone(), outbox, measures: Measures::new(metrics) };
        (Journal { appends, database }, Writer { pen: Arc::new(pen), appends: batches })
    }

    /// Writes an append; it is durable when this answers [`Appended::Written`].
    pub(crate) async fn append(&self, append: Append) -> Outcome {
        // While writing fails nobody waits for it in vain: the database proves by itself when it works again.
        if !self.database.is_writable() {
            return Err(JournalError::Unwritten);
        }
        let written = trace::during("journal", self.appends.ask(append)).await;
        written.unwrap_or(Err(JournalError::Failed))
    }
}

impl Writer {
    /// Writes until every handle of the journal is gone.
    pub(crate) async fn run(self) {
        let Writer { pen, appends } = self;
        appends.run(|appends| pen.write_and_call(appends)).await;
    }
}

/// What writes.
struct Pen {
    database: Database,
    outbox: outbox::Outbox,
    measures: Measures,
}

/// Why a batch is not known to be written.
enum Failed {
    /// Nothing of it is written.
    Before(DbErr),
    /// It may be: the answer to the commit was lost.
    Committing(DbErr),
}

impl Pen {
    async fn write_and_call(&self, appends: Vec<Append>) -> Vec<Outcome> {
        let outcomes = self.write(&appends).await;
        if appends.iter().any(|append| !append.outbox.is_empty()) {
            self.outbox.call();
        }
        outcomes
    }

    /// Writes what can be written of a batch, and says of each append what became of it. Where the batch is refused
    /// for the sake of one append, the others are written without it.
    async fn write(&self, appends: &[Append]) -> Vec<Outcome> {
        let failed = match self.commit(appends).await {
            Ok(outcomes) => return outcomes.into_iter().map(Ok).collect(),
            Err(failed) => failed,
        };
        let (Failed::Before(error) | Failed::Committing(error)) = &failed;
        complain(error, appends.len());
        match failed {
            Failed::Before(error) | Failed::Committing(error) if is_refusal(&error) => match appends.len() {
                1 => vec![Err(JournalError::Refused)],
                _ => self.one_by_one(appends).await,
            },
            Failed::Before(_) => vec![Err(JournalError::Unwritten); appends.len()],
            Failed::Committing(_) => self.look_up(appends).await,
        }
    }

    /// Writes each append in a transaction of its own, until the database itself fails.
    async fn one_by_one(&self, appends: &[Append]) -> Vec<Outcome> {
        let mut outcomes = Vec::with_capacity(appends.len());
        for append in appends {
            let append = std::slice::from_ref(append);
            let outcome = match self.commit(append).await {
                Ok(outcomes) => outcomes.into_iter().map(Ok).next().unwrap_or(Err(JournalError::Failed)),
                Err(Failed::Before(error) | Failed::Committing(error)) if is_refusal(&error) => {
                    complain(&error, 1);
                    Err(JournalError::Refused)
                }
                Err(Failed::Before(_)) => Err(JournalError::Unwritten),
                Err(Failed::Committing(_)) => {
                    self.look_up(append).await.pop().unwrap_or(Err(JournalError::Failed))
                }
            };
            outcomes.push(outcome);
            if matches!(outcome, Err(JournalError::Failed | JournalError::Unwritten)) {
                break;
            }
        }
        outcomes.resize(appends.len(), Err(JournalError::Unwritten));
        outcomes
    }

    /// What became of appends whose commit was not answered: those whose events are in the log are written. Of the
    /// others that is not known, for the commit may still be under way.
    async fn look_up(&self, appends: &[Append]) -> Vec<Outcome> {
        let keys: Vec<_> = appends.iter().flat_map(Append::keys).collect();
        let mut found: HashMap<(Uuid, i64), events::Model> = HashMap::new();
        for chunk in keys.chunks(BATCH) {
            match rows::find_events(self.database.read(), chunk).await {
                Ok(rows) => found.extend(rows.into_iter().map(|row| ((row.game_id, row.sequence), row))),
                Err(error) => complain(&error, chunk.len()),
            }
        }
        let is_there = |event: &events::Model| found.get(&(event.game_id, event.sequence)) == Some(event);
        appends
            .iter()
            .map(|append| {
                if append.events.iter().all(is_there) {
                    Ok(Appended::Written)
                } else {
                    Err(JournalError::Failed)
                }
            })
            .collect()
    }

    /// Writes what can be written of a batch in one transaction, and says of each append whether it was.
    async fn commit(&self, appends: &[Append]) -> Result<Vec<Appended>, Failed> {
        let since = Instant::now();
        let transaction = self.database.begin().await.map_err(Failed::Before)?;
        let outcomes = self.fill(&transaction, appends).await.map_err(Failed::Before)?;
        transaction.commit().await.map_err(Failed::Committing)?;
        let events = appends.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == Appended::Written);
        self.measures.committed(since, appends.len(), events.map(|(append, _)| append.events.len()).sum());
        Ok(outcomes)
    }

    async fn fill(&self, transaction: &Transaction, appends: &[Append]) -> Result<Vec<Appended>, DbErr> {
        let order = order(appends);
        let rows: Vec<_> = order.iter().flat_map(|index| &appends[*index].events).collect();
        let mut written: HashSet<(Uuid, i64)> = HashSet::new();
        // A long import has more rows than one statement takes.
        for chunk in rows.chunks(BATCH) {
            written.extend(rows::insert_events(transaction, chunk).await?);
        }
        #[cfg(test)]
        tests::stumble_over(&rows);
        let mut outcomes = vec![Appended::Conflict; appends.len()];
        let (mut new_games, mut finished, mut messages) = (Vec::new(), Vec::new(), Vec::new());
        let (mut due, mut ended) = (Vec::new(), Vec::new());
        for index in order {
            let append = &appends[index];
            if !append.keys().all(|key| written.contains(&key)) {
                rows::withdraw(transaction, append.keys().filter(|key| written.contains(key))).await?;
                continue;
            }
            outcomes[index] = Appended::Written;
            let game = append.events.first().map(|event| event.game_id);
            new_games.extend(append.new_game.clone());
            finished.extend(game.filter(|_| append.finishes));
            due.extend(game.map(|game| (game, append.due)));
            ended.extend(game.zip(append.broadcast_end_us));
            messages.extend(append.outbox.iter().cloned());
        }
        rows::insert_games(transaction, new_games).await?;
        rows::finish_games(transaction, finished).await?;
        rows::set_due(transaction, due).await?;
        rows::end_broadcasts(transaction, ended).await?;
        self.outbox.insert(transaction, messages).await?;
        Ok(outcomes)
    }
}

impl Append {
    /// The numbers that it takes.
    fn keys(&self) -> impl Iterator<Item = (Uuid, i64)> {
        self.events.iter().map(|event| (event.game_id, event.sequence))
    }
}

/// The appends of a batch that are tried, by game: one order for all replicas, so that two transactions cannot wait
/// for each other. Of two that take the same number the later is in conflict with the earlier.
fn order(appends: &[Append]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..appends.len()).collect();
    order.sort_by_key(|index| appends[*index].events.first().map(|event| event.game_id));
    let mut taken = HashSet::new();
    order.retain(|index| {
        let free = appends[*index].keys().all(|key| !taken.contains(&key));
        if free {
            taken.extend(appends[*index].keys());
        }
        free
    });
    order
}

/// Many may fail in a second while a database is down.
fn complain(error: &DbErr, appends: usize) {
    static COMPLAINTS: Throttle = Throttle::new();
    if let Some(held_back) = COMPLAINTS.admit() {
        tracing::error!(%error, appends, held_back, "the log of games could not be written");
    }
}

#[cfg(test)]
mod tests;
