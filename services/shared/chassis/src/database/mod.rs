//! The database of a service: SQLite or PostgreSQL by URL, one code for both.
//!
//! Connections stand in lanes: those that read, those that write, and one each for what nobody else may delay. No
//! statement is waited for longer than [`STATEMENT_MAX`], a connection that failed is not used again, and as soon as
//! writing fails that is known ([`Database::is_writable`]) until it is proved to work.

mod condition;
mod connect;
pub mod cut;
mod error;
mod hold;
mod instance;
mod lane;
mod measure;
mod proof;
mod sealed;
mod transaction;

use std::sync::Arc;

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, DbErr, SqlErr, TransactionTrait as _};
use sea_orm_migration::MigratorTrait;
use tokio::sync::Semaphore;

use crate::{Lifecycle, health::PartName};
use condition::{Condition, Gravity};
use connect::Plan;
use hold::Hold;
use lane::{Care, Suspicion};

pub use connect::{LIMITS, READERS, STATEMENT_MAX, WRITERS};
pub use error::{Contention, StoreError, retry_contended};
pub use lane::Lane;
pub use measure::METRICS;
pub use sealed::reseal;
pub use transaction::Transaction;

/// The advisory lock of PostgreSQL that a migrating process holds: "shou" in ASCII.
pub const MIGRATION_LOCK: u32 = 0x7368_6f75;

/// How many connections a service has to its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// For reading.
    pub readers: u32,
    /// For writing; SQLite has one whatever this says.
    pub writers: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { readers: READERS, writers: WRITERS }
    }
}

/// A service's own database.
#[derive(Clone, Debug)]
pub struct Database {
    read: Lane,
    write: Lane,
    condition: Condition,
    /// How more connections are made; a simulation makes none.
    plan: Option<Arc<Plan>>,
    /// The file, where this process serves from one.
    hold: Option<Arc<Hold>>,
}

impl Database {
    /// Opens `sqlite://FILE` (made when missing) or `postgres://…`.
    ///
    /// # Errors
    /// When it cannot be reached or the URL is of another kind.
    pub async fn open(url: &str) -> Result<Self, DbErr> {
        Database::open_with(url, Settings::default()).await
    }

    /// The same with so many connections.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub async fn open_with(url: &str, settings: Settings) -> Result<Self, DbErr> {
        let plan = Plan::new(url, settings)?;
        if let Some(file) = plan.file()
            && let Err(error) = hold::make_private(&file)
        {
            // Whether it can be opened at all, SQLite says better.
            tracing::debug!(%error, "the file of the database was not made private");
        }
        let (writers, turn) =
            if plan.is_sqlite() { (1, Some(Arc::new(Semaphore::new(1)))) } else { (settings.writers, None) };
        let condition = Condition::default();
        let writing = Suspicion::default();
        let reading = writing.beside();
        // The writer first: it makes the file and turns the write-ahead log on.
        let write = plan.pool(writers, &writing).await?;
        let read = plan.pool(settings.readers, &reading).await?;
        let care = |suspicion, writes| Care {
            deadline: STATEMENT_MAX,
            suspicion,
            condition: condition.clone(),
            writes,
        };
        Ok(Database {
            read: Lane { pool: read, turn: None, care: Some(care(reading, false)) },
            write: Lane { pool: write, turn, care: Some(care(writing, true)) },
            condition,
            plan: Some(Arc::new(plan)),
            hold: None,
        })
    }

    /// The file of an SQLite database; `None` where there is none.
    ///
    /// # Errors
    /// When the URL is none of a database that can be used.
    pub fn file(url: &str) -> Result<Option<std::path::PathBuf>, DbErr> {
        Ok(Plan::new(url, Settings::default())?.file())
    }

    /// The same for a process that serves: a SQLite file is its own for as long as it lives. Commands that look after
    /// a database may open it beside.
    ///
    /// # Errors
    /// As [`Database::open`]; and when another process serves from the file, with that one's id.
    pub async fn open_to_serve(url: &str, settings: Settings) -> Result<Self, DbErr> {
        let hold = match Plan::new(url, settings)?.file() {
            Some(file) => {
                let refused = |error: hold::HoldError| DbErr::Custom(error.to_string());
                hold::make_private(&file).map_err(|error| refused(hold::HoldError::of(&file, error)))?;
                Some(hold::hold(&file).map_err(refused)?)
            }
            None => None,
        };
        Ok(Database { hold, ..Database::open_with(url, settings).await? })
    }

    /// A database behind a connection that somebody else has opened, for reading and writing alike: that of a
    /// simulation. It answers at once, so nothing in it has a deadline.
    pub fn over(connection: DatabaseConnection) -> Self {
        let lane = Lane { pool: connection, turn: None, care: None };
        Database { read: lane.clone(), write: lane, condition: Condition::default(), plan: None, hold: None }
    }

    /// The same database over one connection of its own, for reading and writing, which nobody else can keep busy.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn apart(&self) -> Result<Self, DbErr> {
        let (Some(plan), Some(care)) = (&self.plan, &self.write.care) else { return Ok(self.clone()) };
        let suspicion = care.suspicion.beside();
        let pool = plan.pool(1, &suspicion).await?;
        let care = |writes| Some(Care { suspicion: suspicion.clone(), writes, ..care.clone() });
        Ok(Database {
            read: Lane { pool: pool.clone(), turn: None, care: care(false) },
            write: Lane { pool, turn: self.write.turn.clone(), care: care(true) },
            condition: self.condition.clone(),
            plan: self.plan.clone(),
            hold: self.hold.clone(),
        })
    }

    /// Brings the tables up to date. Replicas that start at the same moment take turns.
    ///
    /// # Errors
    /// When a migration fails; it is then rolled back.
    pub async fn migrate<M: MigratorTrait>(&self) -> Result<(), DbErr> {
        self.take_steps::<M>(None).await
    }

    /// Takes so many of the steps that are left, or all.
    pub(crate) async fn take_steps<M: MigratorTrait>(&self, steps: Option<u32>) -> Result<(), DbErr> {
        let Some(plan) = self.plan.as_ref().filter(|plan| !plan.is_sqlite()) else {
            // A SQLite file belongs to one process.
            return M::up(&self.write.pool, steps).await;
        };
        let patient = plan.patient_pool().await?;
        let turn = patient.begin().await?;
        turn.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")).await?;
        M::up(&patient, steps).await?;
        turn.commit().await?;
        patient.close().await
    }

    /// For reading outside a transaction.
    pub const fn read(&self) -> &Lane {
        &self.read
    }

    /// For single statements that write.
    pub const fn write(&self) -> &Lane {
        &self.write
    }

    /// Begins a transaction that will write.
    ///
    /// # Errors
    /// When no connection or lock is to be had in time.
    pub async fn begin(&self) -> Result<Transaction, DbErr> {
        self.write.begin().await
    }

    /// Has what was deleted or overwritten so far stand in no file of an SQLite database any more: its write-ahead log is
    /// taken over and emptied, as far as nobody reads an older state. A server looks after that itself.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn settle(&self) -> Result<(), DbErr> {
        if self.plan.as_ref().is_some_and(|plan| plan.is_sqlite()) {
            self.write.execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await?;
        }
        Ok(())
    }

    /// Whether writing works, as far as was tried. When it does not, nothing that must be durable can be accepted.
    pub fn is_writable(&self) -> bool {
        !self.condition.is_failing()
    }

    /// Says from now on how it does, and once writing has failed proves until the end of the process whether it works
    /// again. A simulation's does as it is told.
    pub fn keep(&self, lifecycle: &Lifecycle, part: PartName) {
        if self.plan.is_some() {
            self.condition.report_to(lifecycle.health().clone(), part);
            self.measure(lifecycle.metrics(), part.0);
            let (database, stop) = (self.clone(), lifecycle.stopping());
            lifecycle.supervise((part.0, "proof of the database"), move || {
                proof::keep(database.clone(), stop.clone())
            });
        }
    }

    /// No connection that is open now is used again.
    fn forget_connections(&self) {
        if let Some(care) = &self.write.care {
            care.suspicion.raise(true);
        }
    }

    /// Which database it is.
    pub fn backend(&self) -> DbBackend {
        self.write.get_database_backend()
    }

    /// Closes all connections.
    pub async fn close(self) {
        for lane in [self.read, self.write] {
            if let Err(error) = lane.pool.close().await {
                tracing::debug!(%error, "closing the database failed");
            }
        }
    }
}

/// Whether the database works and refuses this one thing: asked again, it would refuse it again.
pub fn is_refusal(error: &DbErr) -> bool {
    Gravity::of(error) == Gravity::Refusal
}

/// Whether a write failed because a unique key was taken: somebody else was first.
pub fn is_conflict(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

#[cfg(test)]
mod tests;
