//! How the connections to a database are made, and which of them are thrown away.

use std::{fmt, path::PathBuf, str::FromStr as _, time::Duration};

use sea_orm::{ConnectOptions, DatabaseConnection, DbErr, RuntimeErr, SqlxError};
use sqlx::{Connection as _, postgres::PgConnectOptions, sqlite::SqliteConnectOptions};

use super::{Settings, lane::Suspicion};
use crate::limit::{Amount, Limit};

/// How long one statement may take, the wait for a connection included. Who waits longer than this is better told to
/// come again; the connection, which may have died without a word, is closed.
pub const STATEMENT_MAX: Duration = Duration::from_secs(5);
/// The same, as PostgreSQL itself keeps to: a little less, so that it is mostly the server who says so.
const STATEMENT_MAX_SERVER: Duration = Duration::from_millis(4500);
/// How long a connection may be in a transaction and do nothing; then the server takes back its locks.
const IDLE_IN_TRANSACTION_MAX: Duration = Duration::from_secs(10);
/// A connection that was idle this long is asked for a sign of life before it is used.
const IDLE_UNTESTED_MAX: Duration = Duration::from_secs(5);

/// How long that sign of life may take.
const PING_MAX: Duration = Duration::from_secs(1);

/// Connections for reading, on either database.
pub const READERS: u32 = 6;
/// Connections for writing to PostgreSQL. SQLite has one writer: more would only wait for each other.
pub const WRITERS: u32 = 4;

/// The limits of every database.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "connections of a service to read its database",
        amount: Amount::Count(READERS as u64),
        setting: Some("--database-readers"),
        reason: "with the writers and the two of the game service's own at most 12 a process: two processes of each \
                 of the four services that have a database fit into PostgreSQL's default of 100",
    },
    Limit {
        name: "connections of a service to write to PostgreSQL",
        amount: Amount::Count(WRITERS as u64),
        setting: Some("--database-writers"),
        reason: "what is written often is written many in one transaction; SQLite has one writer",
    },
    Limit {
        name: "connections of the log of games",
        amount: Amount::Count(1),
        setting: None,
        reason: "its one task writes one transaction at a time, and nobody who reads can be before it",
    },
    Limit {
        name: "connections of the record of outages",
        amount: Amount::Count(1),
        setting: None,
        reason: "it must not take slow readers for an outage",
    },
    Limit {
        name: "time of one statement",
        amount: Amount::Time(STATEMENT_MAX),
        setting: None,
        reason: "a connection can die without a word; after this it is closed, and the caller may come again",
    },
];

/// How a database is reached. Debug does not print where it is: that may have a password in it.
#[derive(Clone)]
pub(super) struct Plan {
    url: String,
    pub(super) settings: Settings,
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Plan {
    /// The plan for a URL.
    ///
    /// # Errors
    /// When it is none of a database that can be used; the message has no part of it.
    pub(super) fn new(url: &str, settings: Settings) -> Result<Self, DbErr> {
        let readable = if url.starts_with("sqlite:") {
            SqliteConnectOptions::from_str(url).is_ok()
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            PgConnectOptions::from_str(url).is_ok()
        } else {
            return Err(DbErr::Custom("a database URL starts with sqlite: or postgres:".to_owned()));
        };
        if !readable {
            let message = "the URL of the database cannot be read (it is not shown: it may have a password in it); \
                           in a password / is %2F, @ is %40, : is %3A, # is %23, % is %25";
            return Err(DbErr::Custom(message.to_owned()));
        }
        // The scheme that sea-orm knows.
        let url = url.replacen("postgresql:", "postgres:", 1);
        Ok(Plan { url, settings })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn is_sqlite(&self) -> bool {
        self.url.starts_with("sqlite:")
    }

    /// The file of an SQLite database.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let place = self.url.strip_prefix("sqlite:")?;
        let in_memory =
            place.trim_start_matches('/').starts_with(":memory:") || place.contains("mode=memory");
        let options = SqliteConnectOptions::from_str(&self.url).ok().filter(|_| !in_memory)?;
        Some(options.get_filename().to_owned())
    }

    /// Opens connections that are looked after.
    pub(super) async fn pool(
        &self,
        connections: u32,
        suspicion: &Suspicion,
    ) -> Result<DatabaseConnection, DbErr> {
        let mut options = self.options(connections);
        if self.is_sqlite() {
            throw_away_sqlite(&mut options, suspicion);
        } else {
            throw_away_postgres(&mut options, suspicion);
            options.map_sqlx_postgres_opts(|postgres| {
                let ms = |time: Duration| time.as_millis().to_string();
                postgres.options([
                    ("statement_timeout", ms(STATEMENT_MAX_SERVER)),
                    ("idle_in_transaction_session_timeout", ms(IDLE_IN_TRANSACTION_MAX)),
                    // A client that has vanished must not keep its locks for hours.
                    ("tcp_keepalives_idle", "5".to_owned()),
                    ("tcp_keepalives_interval", "2".to_owned()),
                    ("tcp_keepalives_count", "3".to_owned()),
                    ("tcp_user_timeout", "10000".to_owned()),
                ])
            });
        }
        sea_orm::Database::connect(options).await.map_err(|error| self.told(error))
    }

    /// Opens connections on which a statement may take as long as it takes: those of migrations.
    pub(super) async fn patient_pool(&self) -> Result<DatabaseConnection, DbErr> {
        sea_orm::Database::connect(self.options(2)).await.map_err(|error| self.told(error))
    }

    fn options(&self, connections: u32) -> ConnectOptions {
        let mut options = ConnectOptions::new(self.url.clone());
        options
            .max_connections(connections)
            .acquire_timeout(STATEMENT_MAX)
            .connect_timeout(STATEMENT_MAX)
            .sqlx_logging(false)
            // What is tested, and for how long, is decided below.
            .test_before_acquire(false);
        if self.is_sqlite() {
            options.map_sqlx_sqlite_opts(|sqlite| {
                sqlite
                    .create_if_missing(true)
                    .foreign_keys(true)
                    .busy_timeout(STATEMENT_MAX)
                    .pragma("journal_mode", "WAL")
                    // An acknowledged write survives the loss of power, not only of the process.
                    .pragma("synchronous", "FULL")
                    // What is deleted is overwritten: of whoever is forgotten nothing is left in the file.
                    .pragma("secure_delete", "ON")
            });
        }
        options
    }

    /// An error that says what to do, where that is known, and nothing that is secret.
    fn told(&self, error: DbErr) -> DbErr {
        match distrust(&error) {
            Some(why) => DbErr::Conn(RuntimeErr::Internal(format!(
                "the certificate of the database is not believed ({why}): it must name the host of the URL, and be \
                 signed by an authority in the file sslrootcert of the URL, or by one that this machine believes"
            ))),
            None if lacks_a_file(&error) => DbErr::Conn(RuntimeErr::Internal(
                "a file that the URL of the database names is not there: sslrootcert, sslcert, sslkey, or its socket"
                    .to_owned(),
            )),
            None => self.without_secrets(error),
        }
    }

    /// An error in which nobody finds the URL or its password.
    fn without_secrets(&self, error: DbErr) -> DbErr {
        let text = error.to_string();
        let password = self.url.split_once("://").and_then(|(_, rest)| rest.rsplit_once('@'));
        let password = password.and_then(|(user, _)| user.split_once(':')).map(|(_, password)| password);
        let has_secret =
            text.contains(&self.url) || password.is_some_and(|it| !it.is_empty() && text.contains(it));
        if has_secret { DbErr::Conn(RuntimeErr::Internal("the database refuses".to_owned())) } else { error }
    }
}

/// Why the certificate of the database's server is not believed, if that is the matter.
fn distrust(error: &DbErr) -> Option<&rustls::Error> {
    let DbErr::Conn(RuntimeErr::SqlxError(error)) = error else { return None };
    let source = match &**error {
        SqlxError::Io(error) => error.get_ref()?.downcast_ref(),
        SqlxError::Tls(error) => error.downcast_ref(),
        _ => None,
    };
    source.filter(|error| matches!(error, rustls::Error::InvalidCertificate(_)))
}

/// Whether a file is missing on the way to the database.
fn lacks_a_file(error: &DbErr) -> bool {
    let DbErr::Conn(RuntimeErr::SqlxError(error)) = error else { return false };
    matches!(&**error, SqlxError::Io(error) if error.kind() == std::io::ErrorKind::NotFound)
}

/// A connection that is in a transaction when nobody uses it is closed: the driver believes something else of it
/// than SQLite does.
fn throw_away_sqlite(options: &mut ConnectOptions, suspicion: &Suspicion) {
    let (before, after) = (suspicion.clone(), suspicion.clone());
    options.map_sqlx_sqlite_before_acquire(move |connection, meta| {
        let good = !connection.is_in_transaction() && before.spares(meta.age);
        Box::pin(async move { Ok(good) })
    });
    options.map_sqlx_sqlite_pool_opts(move |pool| {
        let after = after.clone();
        pool.after_release(move |connection, meta| {
            let good = !connection.is_in_transaction() && after.spares(meta.age);
            Box::pin(async move { Ok(good) })
        })
    });
}

/// Closed without a farewell: on a dead link that would take as long as the link takes to be given up.
fn throw_away_postgres(options: &mut ConnectOptions, suspicion: &Suspicion) {
    let (before, after) = (suspicion.clone(), suspicion.clone());
    options.map_sqlx_postgres_before_acquire(move |connection, meta| {
        let before = before.clone();
        Box::pin(async move {
            if !before.spares(meta.age) {
                return Err(SqlxError::WorkerCrashed);
            }
            if meta.idle_for < IDLE_UNTESTED_MAX {
                return Ok(true);
            }
            let alive = tokio::time::timeout(PING_MAX, connection.ping()).await;
            if matches!(alive, Ok(Ok(()))) {
                return Ok(true);
            }
            // Its neighbours have most likely died with it, and shall not each be waited for.
            before.raise(false);
            Err(SqlxError::WorkerCrashed)
        })
    });
    options.map_sqlx_postgres_pool_opts(move |pool| {
        let after = after.clone();
        pool.after_release(move |_, meta| {
            let good = after.spares(meta.age);
            Box::pin(async move { if good { Ok(true) } else { Err(SqlxError::WorkerCrashed) } })
        })
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_database_is_found_however_its_url_is_written() {
        let file = |url: &str| Plan::new(url, Settings::default()).expect("a URL").file();
        for url in ["sqlite:x.db", "sqlite://x.db", "sqlite://x.db?mode=rwc", "sqlite:x.db?mode=ro"] {
            assert_eq!(file(url), Some(PathBuf::from("x.db")), "{url}");
        }
        assert_eq!(file("sqlite:///data/x%20y.db?mode=rwc"), Some(PathBuf::from("/data/x y.db")));
        for url in ["sqlite::memory:", "sqlite://:memory:", "sqlite://x?mode=memory", "postgres://host/x"] {
            assert_eq!(file(url), None, "{url}");
        }
    }
}
