//! Whether a database can be written to, as far as was tried; and what an error says about it.

use std::{sync::Arc, time::Duration};

use parking_lot::{Mutex, MutexGuard};
use sea_orm::{DbErr, RuntimeErr, SqlxError, SqlxPostgresError, SqlxSqliteError};
use tokio::sync::Notify;

use crate::{Health, health::PartName};

/// Whether a database takes what is written. Every clone is the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Condition(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    failing: bool,
    /// Whether anything was written since this was last asked.
    written: bool,
    report: Option<(Health, PartName)>,
}

/// What an error says about the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gravity {
    /// The database works; it refuses this.
    Refusal,
    /// It does not work, or not for this connection.
    Failure,
}

impl Condition {
    /// From now on tells this part of the process how it does.
    pub(super) fn report_to(&self, health: Health, part: PartName) {
        health.working(part);
        self.state().report = Some((health, part));
    }

    /// Writing has failed.
    pub(super) fn fails(&self, why: &str) {
        let mut state = self.state();
        state.failing = true;
        if let Some((health, part)) = &state.report {
            health.failing(*part, why);
        }
        drop(state);
        self.0.changed.notify_one();
    }

    /// Something was written. That does not prove that more can be: see [`Condition::works`].
    pub(super) fn wrote(&self) {
        self.state().written = true;
    }

    /// It was proved that writing works.
    pub(super) fn works(&self) {
        let mut state = self.state();
        state.failing = false;
        if let Some((health, part)) = &state.report {
            health.working(*part);
        }
    }

    pub(super) fn is_failing(&self) -> bool {
        self.state().failing
    }

    /// Whether anything was written since this was last asked.
    pub(super) fn take_written(&self) -> bool {
        std::mem::take(&mut self.state().written)
    }

    /// Ends when writing has failed, or after this long.
    pub(super) async fn failure_within(&self, time: Duration) {
        let _either = tokio::time::timeout(time, self.0.changed.notified()).await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock()
    }
}

impl Gravity {
    pub(super) fn of(error: &DbErr) -> Self {
        match error {
            DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => Gravity::Failure,
            DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
                Gravity::of_driver(error)
            }
            _ => Gravity::Refusal,
        }
    }

    fn of_driver(error: &SqlxError) -> Self {
        let database = match error {
            SqlxError::Database(database) => database,
            SqlxError::Io(_)
            | SqlxError::Tls(_)
            | SqlxError::Protocol(_)
            | SqlxError::PoolTimedOut
            | SqlxError::PoolClosed
            | SqlxError::WorkerCrashed
            | SqlxError::BeginFailed => return Gravity::Failure,
            _ => return Gravity::Refusal,
        };
        let code = database.code().unwrap_or_default();
        let failed = if database.try_downcast_ref::<SqlxSqliteError>().is_some() {
            // BUSY after all patience, READONLY, INTERRUPT, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB: the
            // low byte of an extended code.
            matches!(code.parse::<u32>().unwrap_or_default() & 0xff, 5 | 8..=11 | 13..=15 | 26)
        } else if database.try_downcast_ref::<SqlxPostgresError>().is_some() {
            // A read-only session, a folder that it may not write to, a connection's end, no resources, an operator (a
            // deadline too), the system, the server itself.
            ["25006", "42501"].contains(&&*code)
                || ["08", "53", "57", "58", "XX"].iter().any(|class| code.starts_with(class))
        } else {
            false
        };
        if failed { Gravity::Failure } else { Gravity::Refusal }
    }
}
