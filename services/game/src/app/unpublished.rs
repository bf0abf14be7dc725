//! Events that were written and could not be told to those who watch through other replicas: live state did not take
//! them. They learn that there are such by the way that is left, the database.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use chassis::{Database, Env};
use sea_orm::DbErr;
use tokio::sync::{Notify, futures::Notified};

use crate::store::{availability, from_micros, micros};

/// So long after an event could not be told those who watch look for such ones: longer than it takes all of them to look.
const FOR: Duration = Duration::from_secs(5);

/// Whether there may be such events, here or at another replica. Times are in microseconds since the epoch.
#[derive(Debug)]
pub(crate) struct Unpublished {
    env: Env,
    database: Database,
    /// When one was last written here.
    here_us: AtomicI64,
    /// Up to when the others know of those.
    said_us: AtomicI64,
    /// When one was last written at any replica, by its clock.
    anywhere_us: AtomicI64,
    /// When that was heard of.
    heard_us: AtomicI64,
    /// Rung when it was.
    bell: Notify,
}

impl Unpublished {
    pub(crate) fn new(env: Env, database: Database) -> Self {
        Unpublished {
            env,
            database,
            here_us: AtomicI64::default(),
            said_us: AtomicI64::default(),
            anywhere_us: AtomicI64::default(),
            heard_us: AtomicI64::default(),
            bell: Notify::new(),
        }
    }

    /// An event was written here that could not be told.
    pub(crate) fn note(&self) {
        self.here_us.fetch_max(micros(self.env.now()), Ordering::Relaxed);
    }

    /// Whether some replica may have written what it could not tell.
    pub(crate) fn is_any(&self) -> bool {
        self.env.now() - from_micros(self.heard_us.load(Ordering::Relaxed)) < FOR
    }

    /// What ends when that becomes so, once it is enabled: before it is asked whether it is.
    pub(crate) fn heard(&self) -> Notified<'_> {
        self.bell.notified()
    }

    /// Says what could not be told here, and hears what could not be elsewhere.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn exchange(&self) -> Result<(), DbErr> {
        let here = self.here_us.load(Ordering::Relaxed);
        if here > self.said_us.load(Ordering::Relaxed) {
            availability::unpublished(self.database.write(), from_micros(here)).await?;
            self.said_us.fetch_max(here, Ordering::Relaxed);
        }
        let Some(last) = availability::last_unpublished(self.database.read()).await? else { return Ok(()) };
        if self.anywhere_us.swap(micros(last), Ordering::Relaxed) != micros(last) {
            let was = self.is_any();
            self.heard_us.store(micros(self.env.now()), Ordering::Relaxed);
            if !was {
                tracing::warn!(
                    "events are written that not all replicas are told of; who watches reads the logs"
                );
                self.bell.notify_waiters();
            }
        }
        Ok(())
    }
}
