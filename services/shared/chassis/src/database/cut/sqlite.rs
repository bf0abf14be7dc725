//! The state of a SQLite file.

use std::{fs::File, path::Path, time::Duration};

use rusqlite::{
    Connection, ErrorCode, OpenFlags,
    backup::{Backup, StepResult},
};

use super::{CutError, Part};

/// The name of the copy.
const FILE: &str = "database.sqlite";
/// Pages that are copied at once.
const PAGES: i32 = 1024;
/// How long it is waited for whoever takes the log over, who holds off readers for a moment.
const PATIENCE: Duration = Duration::from_secs(5);

/// The state of a file that its connection sees.
pub(super) struct State(Connection);

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("State").finish_non_exhaustive()
    }
}

/// Whether somebody else is writing.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Holds off whoever would write, as long as the connection is there; somebody who writes now is waited for so long.
pub(super) fn hold(writer: &Connection, patience: Duration) -> Result<(), CutError> {
    writer.busy_timeout(patience)?;
    Ok(writer.execute_batch("BEGIN IMMEDIATE")?)
}

pub(super) fn open(file: &Path) -> Result<Connection, CutError> {
    // Not made when it is missing; for writing, since the log of a database is written by its readers, too.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

impl State {
    pub(super) fn open(file: &Path) -> Result<Self, CutError> {
        open(file).map(State)
    }

    /// What it sees from now on is what there is now.
    pub(super) fn pin(&mut self) -> Result<(), CutError> {
        self.0.execute_batch("BEGIN")?;
        // A transaction begins with what it reads first.
        let _tables: i64 = self.0.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(())
    }

    /// Writes it into a file of its own.
    pub(super) fn write(self, folder: &Path, written: &impl Fn(u64)) -> Result<Vec<Part>, CutError> {
        let path = folder.join(FILE);
        File::create_new(&path)?;
        let mut copy = Connection::open(&path)?;
        let page: u32 = self.0.query_row("PRAGMA page_size", [], |row| row.get(0))?;
        let backup = Backup::new(&self.0, &mut copy)?;
        let mut left = None;
        loop {
            let step = backup.step(PAGES)?;
            let progress = backup.progress();
            let before = left.replace(progress.remaining).unwrap_or(progress.pagecount);
            written(u64::try_from(before - progress.remaining).unwrap_or_default() * u64::from(page));
            match step {
                StepResult::Done => break,
                StepResult::Busy | StepResult::Locked => std::thread::sleep(Duration::from_millis(50)),
                _ => {}
            }
        }
        drop(backup);
        // One file, to which nothing belongs that is beside it.
        copy.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
        let found: String = copy.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if found != "ok" {
            return Err(CutError::Damaged(found));
        }
        drop(copy);
        let (sha256, bytes) = super::digest(File::open(&path)?)?;
        Ok(vec![Part { file: FILE.to_owned(), bytes, sha256, table: None }])
    }
}
