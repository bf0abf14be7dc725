//! A transaction whose statements have deadlines, and whose end is believed only when the database says so.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use super::Lane;

/// A transaction that writes. Dropped before its end it is rolled back.
///
/// On SQLite a connection whose transaction ended with anything but an acknowledged COMMIT or ROLLBACK is closed
/// when it comes back to its pool: after a full disk SQLite has rolled back by itself, the driver's ROLLBACK fails,
/// and the driver would take every later transaction for one within that first one, which nobody commits.
#[derive(Debug)]
pub struct Transaction {
    inner: DatabaseTransaction,
    lane: Lane,
    /// Given back after the transaction, which is dropped first.
    _turn: Option<OwnedSemaphorePermit>,
}

impl Transaction {
    pub(super) fn new(inner: DatabaseTransaction, lane: Lane, turn: Option<OwnedSemaphorePermit>) -> Self {
        Transaction { inner, lane, _turn: turn }
    }

    /// Commits it.
    ///
    /// # Errors
    /// When the database does not acknowledge it. Whether it is committed is then not known.
    pub async fn commit(self) -> Result<(), DbErr> {
        let Transaction { inner, lane, _turn } = self;
        lane.watch(inner.commit()).await?;
        if let Some(care) = &lane.care {
            care.condition.wrote();
        }
        Ok(())
    }

    /// Takes it back.
    ///
    /// # Errors
    /// When the database does not acknowledge it. It is taken back all the same.
    pub async fn rollback(self) -> Result<(), DbErr> {
        let Transaction { inner, lane, _turn } = self;
        lane.watch(inner.rollback()).await
    }

    /// Makes others that await the same key wait for the end of this one: for what no row stands for yet. Of SQLite's
    /// transactions that write there is one at a time whatever they await.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn await_turn(&self, key: Uuid) -> Result<(), DbErr> {
        if self.get_database_backend() == DbBackend::Postgres {
            let (high, low) = key.as_u64_pair();
            let lock = (high ^ low).cast_signed();
            self.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({lock})")).await?;
        }
        Ok(())
    }

    /// Commits what went well, and takes back what did not.
    ///
    /// # Errors
    /// What went wrong, and what can go wrong with the end of either.
    pub async fn finish<T, E: From<DbErr>>(self, outcome: Result<T, E>) -> Result<T, E> {
        if outcome.is_ok() {
            self.commit().await?;
        } else {
            self.rollback().await?;
        }
        outcome
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        self.inner.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.lane.watch(self.inner.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.lane.watch(self.inner.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.lane.watch(self.inner.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.lane.watch(self.inner.query_all_raw(statement)).await
    }

    fn is_mock_connection(&self) -> bool {
        self.inner.is_mock_connection()
    }
}
