//! A lane: connections for one purpose, on which nothing is waited for longer than it may take.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait as _,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    Transaction,
    condition::{Condition, Gravity},
};
use crate::trace;

/// Connections for one purpose. Each statement has a deadline; a connection that missed it or failed is never used
/// again.
#[derive(Clone, Debug)]
pub struct Lane {
    pub(super) pool: DatabaseConnection,
    /// Whose turn it is to write, where only one can: who waits in line is not passed by, as he would be if all
    /// tried the file's lock.
    pub(super) turn: Option<Arc<Semaphore>>,
    pub(super) care: Option<Care>,
}

/// How the connections of a lane are looked after. A simulation has none: its database answers at once.
#[derive(Clone, Debug)]
pub(super) struct Care {
    pub(super) deadline: Duration,
    pub(super) suspicion: Suspicion,
    pub(super) condition: Condition,
    /// Whether it is for writing: then a failure tells of the whole database.
    pub(super) writes: bool,
}

/// Which connections are not to be used again: those that were open when something failed. A failed link or server
/// fails all of them, and a good one that is thrown away with them costs a reconnection.
#[derive(Clone, Debug, Default)]
pub(super) struct Suspicion {
    lane: Arc<Mutex<Option<Instant>>>,
    database: Arc<Mutex<Option<Instant>>>,
}

impl Suspicion {
    /// Of another lane of the same database.
    pub(super) fn beside(&self) -> Self {
        Suspicion { lane: Arc::default(), database: Arc::clone(&self.database) }
    }

    pub(super) fn raise(&self, everywhere: bool) {
        let raised = if everywhere { &self.database } else { &self.lane };
        *raised.lock() = Some(now());
    }

    /// Whether a connection of this age may be used.
    pub(super) fn spares(&self, age: Duration) -> bool {
        let born = now().checked_sub(age);
        [&self.lane, &self.database].into_iter().all(|raised| {
            let raised = *raised.lock();
            raised.is_none_or(|raised| born.is_some_and(|born| born > raised))
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "the pools count the age of their connections by it")]
fn now() -> Instant {
    Instant::now()
}

impl Lane {
    /// Begins a transaction that will write. On SQLite it takes the write lock at once: a transaction that starts by
    /// reading would otherwise fail as soon as somebody else has written. And that BEGIN proves that the connection
    /// is in no other transaction, so that the COMMIT at the end is one.
    pub(super) async fn begin(&self) -> Result<Transaction, DbErr> {
        let sqlite_transaction_mode = (self.pool.get_database_backend() == DbBackend::Sqlite)
            .then_some(SqliteTransactionMode::Immediate);
        let options = TransactionOptions { sqlite_transaction_mode, ..Default::default() };
        let begin = async {
            let turn = self.turn().await?;
            Ok((self.pool.begin_with_options(options).await?, turn))
        };
        let (inner, turn) = self.watch(begin).await?;
        Ok(Transaction::new(inner, self.clone(), turn))
    }

    /// Waits for a statement until its deadline, and takes note of how it did.
    pub(super) async fn watch<T>(&self, work: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        let Some(care) = &self.care else { return work.await };
        let answered = trace::during("database", tokio::time::timeout(care.deadline, work)).await;
        let result = answered.unwrap_or_else(|_| {
            Err(DbErr::Conn(RuntimeErr::Internal("the database did not answer in time".to_owned())))
        });
        if let Err(error) = &result
            && Gravity::of(error) == Gravity::Failure
        {
            care.suspicion.raise(care.writes);
            if care.writes {
                care.condition.fails(&error.to_string());
            }
        }
        result
    }

    /// Waits for the turn to write, where writers take turns.
    async fn turn(&self) -> Result<Option<OwnedSemaphorePermit>, DbErr> {
        match &self.turn {
            Some(turn) => {
                let closed = |_| DbErr::Conn(RuntimeErr::Internal("the database is closed".to_owned()));
                Arc::clone(turn).acquire_owned().await.map(Some).map_err(closed)
            }
            None => Ok(None),
        }
    }

    async fn statement<T>(&self, work: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        let done = self
            .watch(async {
                let _until_it_is_done = self.turn().await?;
                work.await
            })
            .await?;
        if let Some(care) = self.care.as_ref().filter(|care| care.writes) {
            care.condition.wrote();
        }
        Ok(done)
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Lane {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.statement(self.pool.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.statement(self.pool.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.statement(self.pool.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.statement(self.pool.query_all_raw(statement)).await
    }

    fn is_mock_connection(&self) -> bool {
        self.pool.is_mock_connection()
    }
}
