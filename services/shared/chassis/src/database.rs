//! The database of a service: SQLite or PostgreSQL by URL, one code for both.

use std::time::Duration;

use sea_orm::{
    ConnectOptions, ConnectionTrait as _, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, SqlErr,
    SqliteTransactionMode, TransactionOptions, TransactionTrait as _,
};
use sea_orm_migration::MigratorTrait;

/// Connections for reading, on either database.
const READERS: u32 = 8;
/// Connections for writing to PostgreSQL. SQLite has one writer: more would only wait for each other.
const POSTGRES_WRITERS: u32 = 8;
/// How long to wait for a lock or a free connection before giving up.
const PATIENCE: Duration = Duration::from_secs(10);

/// The advisory lock of PostgreSQL that a migrating process holds: "shou" in ASCII.
const MIGRATION_LOCK: u32 = 0x7368_6f75;

/// A service's own database.
#[derive(Clone, Debug)]
pub struct Database {
    read: DatabaseConnection,
    write: DatabaseConnection,
}

impl Database {
    /// Opens `sqlite://FILE` (made when missing) or `postgres://…`.
    ///
    /// # Errors
    /// When it cannot be reached or the URL is of another kind.
    pub async fn open(url: &str) -> Result<Self, DbErr> {
        if url.starts_with("sqlite:") {
            // The writer first: it makes the file and turns the write-ahead log on.
            let write = sea_orm::Database::connect(sqlite(url, 1)).await?;
            let read = sea_orm::Database::connect(sqlite(url, READERS)).await?;
            Ok(Database { read, write })
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            let mut options = options(url, READERS + POSTGRES_WRITERS);
            options.min_connections(1);
            let pool = sea_orm::Database::connect(options).await?;
            Ok(Database { read: pool.clone(), write: pool })
        } else {
            Err(DbErr::Custom("a database URL starts with sqlite: or postgres:".to_owned()))
        }
    }

    /// A database behind a connection that somebody else has opened, for reading and writing alike: that of a
    /// simulation.
    pub fn over(connection: DatabaseConnection) -> Self {
        Database { read: connection.clone(), write: connection }
    }

    /// Brings the tables up to date. Replicas that start at the same moment take turns.
    ///
    /// # Errors
    /// When a migration fails; it is then rolled back.
    pub async fn migrate<M: MigratorTrait>(&self) -> Result<(), DbErr> {
        if self.backend() != DbBackend::Postgres {
            // A SQLite file belongs to one process.
            return M::up(&self.write, None).await;
        }
        let turn = self.write.begin().await?;
        turn.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")).await?;
        M::up(&self.write, None).await?;
        turn.commit().await
    }

    /// For reading outside a transaction.
    pub const fn read(&self) -> &DatabaseConnection {
        &self.read
    }

    /// For single statements that write.
    pub const fn write(&self) -> &DatabaseConnection {
        &self.write
    }

    /// Begins a transaction that will write. On SQLite it takes the write lock at once: a transaction that
    /// starts by reading would otherwise fail as soon as somebody else has written.
    ///
    /// # Errors
    /// When no connection or lock is to be had in time.
    pub async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let sqlite_transaction_mode =
            (self.backend() == DbBackend::Sqlite).then_some(SqliteTransactionMode::Immediate);
        self.write
            .begin_with_options(TransactionOptions { sqlite_transaction_mode, ..Default::default() })
            .await
    }

    /// Which database it is.
    pub fn backend(&self) -> DbBackend {
        self.write.get_database_backend()
    }

    /// Closes all connections.
    pub async fn close(self) {
        for connection in [self.read, self.write] {
            if let Err(error) = connection.close().await {
                tracing::debug!(%error, "closing the database failed");
            }
        }
    }
}

/// Whether a write failed because a unique key was taken: somebody else was first.
pub fn is_conflict(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

fn sqlite(url: &str, connections: u32) -> ConnectOptions {
    let mut options = options(url, connections);
    options.map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .create_if_missing(true)
            .foreign_keys(true)
            .busy_timeout(PATIENCE)
            .pragma("journal_mode", "WAL")
            // An acknowledged write survives the loss of power, not only of the process.
            .pragma("synchronous", "FULL")
    });
    options
}

fn options(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url.to_owned());
    options
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .connect_timeout(PATIENCE)
        .sqlx_logging(false)
        .test_before_acquire_if_idle_for(Duration::from_secs(30));
    options
}

#[cfg(test)]
mod tests {
    use futures::future::try_join_all;
    use sea_orm_migration::prelude::*;

    use super::Database;
    use crate::{outbox, testing::databases};

    struct Migrator;

    #[async_trait::async_trait]
    impl MigratorTrait for Migrator {
        fn migrations() -> Vec<Box<dyn MigrationTrait>> {
            vec![Box::new(CreateOutbox)]
        }
    }

    struct CreateOutbox;

    impl MigrationName for CreateOutbox {
        fn name(&self) -> &'static str {
            "m0001_create_outbox"
        }
    }

    #[expect(
        elided_lifetimes_in_paths,
        reason = "async_trait's signature must be that of the trait, letter by letter"
    )]
    #[async_trait::async_trait]
    impl MigrationTrait for CreateOutbox {
        async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
            outbox::create_table(manager).await
        }
    }

    #[tokio::test]
    async fn replicas_that_start_together_migrate_once() {
        for fresh in databases().await.into_iter().filter(|fresh| fresh.kind == "postgres") {
            let replicas = try_join_all((0..4).map(|_| Database::open(&fresh.url))).await.expect("they open");
            let migrations = replicas.iter().map(Database::migrate::<Migrator>);
            try_join_all(migrations).await.expect("nobody gets in another's way");
        }
    }
}
