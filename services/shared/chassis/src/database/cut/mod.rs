//! One state of several databases, of one moment, while others go on writing: what a backup is made of.
//!
//! For that moment nobody writes to any of them, so what one has of another is there, too: it is as if every process had been killed
//! then, which everything that is kept survives. Then all write on, and the states are read for as long as it takes.

mod postgres;
mod sqlite;

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    time::Duration,
};

use sea_orm::SqlxError;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::{Settings, connect::Plan};
use crate::limit::{Amount, Limit};

/// How long writers are held off at once: much less than what counts as an outage.
const HELD_MAX: Duration = Duration::from_millis(500);
/// How long it is tried again where somebody else has been writing for longer than that.
const TRIED_MAX: Duration = Duration::from_mins(1);
/// The time between two tries.
const PAUSE: Duration = Duration::from_secs(1);
/// How much is written to a file at once.
const BUFFER_BYTES: usize = 256 * 1024;

/// The limits of a cut.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "time for which a backup holds writers off",
        amount: Amount::Time(HELD_MAX),
        setting: None,
        reason: "mostly some milliseconds; what a second takes would be an outage",
    },
    Limit {
        name: "time for which a backup waits for others to have written",
        amount: Amount::Time(TRIED_MAX),
        setting: None,
        reason: "no transaction of the platform takes as long",
    },
];

/// Why a database cannot be copied.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    /// It cannot be reached, or refuses.
    #[error("the database refuses")]
    Sqlite(#[from] rusqlite::Error),
    /// The same of a server.
    #[error("the database refuses")]
    Postgres(#[from] SqlxError),
    /// A file cannot be read or written.
    #[error("a file cannot be read or written")]
    File(#[from] io::Error),
    /// It is damaged.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// It is in memory, or its URL is none.
    #[error("{0}")]
    Url(String),
    /// Somebody else has been writing all the time.
    #[error("somebody has been writing to a database for too long, without an end")]
    Busy,
}

impl CutError {
    /// Whether it is only that somebody else is writing.
    fn is_busy(&self) -> bool {
        match self {
            CutError::Sqlite(error) => sqlite::is_busy(error),
            CutError::Postgres(error) => postgres::is_busy(error),
            CutError::Busy => true,
            CutError::File(_) | CutError::Damaged(_) | CutError::Url(_) => false,
        }
    }
}

/// What a copy of a database is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The name of the file: letters, digits, `_` and one dot.
    pub file: String,
    /// How long it is.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
    /// Of which table it has the rows; the whole database when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
}

/// A table whose rows are in a file, as PostgreSQL writes them in its text format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in the order in which they are written.
    pub columns: Vec<String>,
    /// How many rows it has.
    pub rows: u64,
}

/// A database at the moment of a cut.
#[derive(Debug)]
pub struct State(Kind);

#[derive(Debug)]
enum Kind {
    Sqlite(sqlite::State),
    Postgres(Box<postgres::State>),
}

/// A connection by which writers are held off.
enum Writer {
    Sqlite(rusqlite::Connection),
    Postgres(Box<sqlx::PgConnection>),
}

/// The state of each of these databases, by their URLs, of one moment.
///
/// # Errors
/// When one cannot be reached; [`CutError::Busy`] when somebody writes to one without an end.
pub async fn cut(urls: &[String]) -> Result<Vec<State>, CutError> {
    let plans = urls.iter().map(|url| Plan::new(url, Settings::default()));
    let plans: Vec<Plan> =
        plans.collect::<Result<_, _>>().map_err(|error| CutError::Url(error.to_string()))?;
    let until = Instant::now() + TRIED_MAX;
    loop {
        // Connecting takes longest, and nobody is held off meanwhile.
        let (mut states, mut writers) = (Vec::new(), Vec::new());
        for plan in &plans {
            states.push(State::open(plan).await?);
            // The state of a single database is always of one moment.
            if plans.len() > 1 {
                writers.push(Writer::open(plan).await?);
            }
        }
        let pinned = tokio::time::timeout(HELD_MAX, pin(&mut states, writers)).await;
        match pinned.unwrap_or(Err(CutError::Busy)) {
            Ok(()) => return Ok(states),
            Err(error) if error.is_busy() && Instant::now() < until => tokio::time::sleep(PAUSE).await,
            Err(error) if error.is_busy() => return Err(CutError::Busy),
            Err(error) => return Err(error),
        }
    }
}

/// From now on each of these states is as it is at one moment, in which nobody writes.
async fn pin(states: &mut [State], mut writers: Vec<Writer>) -> Result<(), CutError> {
    let until = Instant::now() + HELD_MAX;
    for writer in &mut writers {
        // Who is held off already waits for those who still write in the others.
        let left = until.saturating_duration_since(Instant::now());
        match writer {
            Writer::Sqlite(writer) => sqlite::hold(writer, left)?,
            Writer::Postgres(writer) => postgres::hold(writer, left).await?,
        }
    }
    for state in states {
        match &mut state.0 {
            Kind::Sqlite(state) => state.pin()?,
            Kind::Postgres(state) => state.pin().await?,
        }
    }
    for writer in writers {
        // A transaction of SQLite ends with its connection.
        if let Writer::Postgres(writer) = writer {
            postgres::release(*writer).await?;
        }
    }
    Ok(())
}

impl Writer {
    async fn open(plan: &Plan) -> Result<Self, CutError> {
        Ok(match plan.file() {
            Some(file) => Writer::Sqlite(sqlite::open(&file)?),
            None => Writer::Postgres(Box::new(postgres::connect(plan.url()).await?)),
        })
    }
}

impl State {
    async fn open(plan: &Plan) -> Result<Self, CutError> {
        Ok(State(match plan.file() {
            Some(file) => Kind::Sqlite(sqlite::State::open(&file)?),
            None if plan.is_sqlite() => {
                return Err(CutError::Url("a database in memory is not kept".to_owned()));
            }
            None => Kind::Postgres(Box::new(postgres::State::open(plan.url()).await?)),
        }))
    }

    /// Writes it into new files of a folder that is there, and says which. `written` is told how many bytes more are written, as they
    /// are.
    ///
    /// # Errors
    /// When it cannot be read or written to its end, or is damaged.
    pub async fn write(
        self,
        folder: &Path,
        written: impl Fn(u64) + Send + 'static,
    ) -> Result<Vec<Part>, CutError> {
        match self.0 {
            Kind::Sqlite(state) => {
                let folder = folder.to_owned();
                let copied = tokio::task::spawn_blocking(move || state.write(&folder, &written)).await;
                copied.unwrap_or_else(|error| Err(CutError::File(io::Error::other(error))))
            }
            Kind::Postgres(state) => state.write(folder, &written).await,
        }
    }
}

/// Puts rows into the tables of an empty database of a server, whose tables are there, all of them or none.
///
/// # Errors
/// When the server refuses, or a file is not there.
pub async fn fill(url: &str, folder: &Path, parts: &[Part]) -> Result<(), CutError> {
    let plan = Plan::new(url, Settings::default()).map_err(|error| CutError::Url(error.to_string()))?;
    postgres::fill(plan.url(), folder, parts).await
}

/// A file that is written to its end, and what is to be said of it.
struct Writing {
    file: io::BufWriter<File>,
    digest: Sha256,
    bytes: u64,
}

impl Writing {
    fn create(path: &Path) -> io::Result<Self> {
        let file = File::create_new(path)?;
        Ok(Writing {
            file: io::BufWriter::with_capacity(BUFFER_BYTES, file),
            digest: Sha256::new(),
            bytes: 0,
        })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.file.write_all(bytes)
    }

    fn finish(mut self, file: String, table: Option<Table>) -> io::Result<Part> {
        self.file.flush()?;
        Ok(Part { file, bytes: self.bytes, sha256: hex::encode(self.digest.finalize()), table })
    }
}

/// The SHA-256 of all that can be read, in hexadecimal digits, and how much it is.
///
/// # Errors
/// When it cannot be read to its end.
pub fn digest(mut from: impl io::Read) -> io::Result<(String, u64)> {
    let (mut digest, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; BUFFER_BYTES]);
    loop {
        let count = from.read(&mut buffer)?;
        let Some(read) = buffer.get(..count).filter(|read| !read.is_empty()) else {
            return Ok((hex::encode(digest.finalize()), bytes));
        };
        digest.update(read);
        bytes += u64::try_from(count).unwrap_or(u64::MAX);
    }
}

#[cfg(test)]
mod tests;
