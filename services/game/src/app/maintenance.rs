//! Maintenance: what is planned, and games that rest while it is under way.

use std::{
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::Duration,
};

use chassis::{Database, Env, Throttle, maintenance::PlannedMaintenance};
use time::OffsetDateTime;

use super::{
    registry::{ATTEMPTS, Registry},
    room::Room,
};
use crate::{
    core::{Maintenance, MaintenanceChange, Origin, decide_maintenance},
    error::{Error, MaintenanceFailure, Result},
    store::maintenance as rows,
};

/// How often it is looked what is planned: so late it is known, and no clock runs for it.
pub(crate) const LOOK: Duration = Duration::from_secs(1);
/// How long after its end games are looked for that still rest.
const MEMORY: time::Duration = time::Duration::days(2);

/// What a replica knows of what is planned.
pub(crate) struct Planned {
    known: RwLock<Known>,
    /// What streams say of it.
    pub said: PlannedMaintenance,
    /// What all running games were told last.
    told: Mutex<Option<Told>>,
}

/// What was read last.
#[derive(Clone, Default)]
enum Known {
    /// Nothing yet.
    #[default]
    NotYet,
    /// What was planned then.
    Read(Option<Arc<Maintenance>>),
}

/// Which maintenance all running games have been told of, and whether it was under way.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    begin: OffsetDateTime,
    is_under_way: bool,
}

impl Planned {
    /// Nothing was read yet.
    pub(super) fn new(env: Env) -> Self {
        Planned { known: RwLock::default(), said: PlannedMaintenance::new(env), told: Mutex::default() }
    }

    async fn read(&self, database: &Database) -> Result<Option<Arc<Maintenance>>> {
        let planned = rows::planned(database.read()).await?.map(Arc::new);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Known::Read(planned.clone());
        Ok(planned)
    }
}

impl Registry {
    /// What is planned, or was last.
    async fn planned(&self) -> Result<Option<Arc<Maintenance>>> {
        let known = self.maintenance.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Known::Read(planned) => Ok(planned),
            Known::NotYet => self.maintenance.read(&self.database).await,
        }
    }

    /// The maintenance that is under way or comes next.
    ///
    /// # Errors
    /// When it is not known yet, and cannot be read.
    pub(crate) async fn next_maintenance(&self) -> Result<Option<Arc<Maintenance>>> {
        Ok(self.planned().await?.filter(|planned| self.env.now() < planned.end))
    }

    /// Reads what is planned. When a maintenance has begun or is over, every running game is told.
    pub(crate) async fn look_at_maintenance(&self) {
        let planned = match self.maintenance.read(&self.database).await {
            Ok(planned) => planned,
            Err(error) => {
                static COMPLAINTS: Throttle = Throttle::new();
                if let Some(held_back) = COMPLAINTS.admit() {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, held_back, "what maintenance is planned could not be read");
                }
                self.maintenance.said.look_at_time();
                return;
            }
        };
        self.maintenance.said.hear(planned.as_deref().map(Into::into));
        let now = self.env.now();
        let begun = planned.filter(|it| it.begin <= now && now - it.end <= MEMORY);
        let news = begun.map(|it| Told { begin: it.begin, is_under_way: it.holds(now) });
        let told = self.maintenance.told.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if news == told {
            return;
        }
        if news.as_ref().is_some_and(|news| news.is_under_way) {
            tracing::info!("a maintenance has begun: games rest");
        } else {
            tracing::info!("no maintenance is under way: games that rested go on");
        }
        if self.touch_all().await {
            *self.maintenance.told.lock().unwrap_or_else(PoisonError::into_inner) = news;
        }
    }
}

impl Room<'_> {
    /// Has the game rest while a maintenance is under way, and go on when none is.
    pub(super) async fn keep_maintenance(&mut self) -> Result<()> {
        for _ in 0..ATTEMPTS {
            if self.info.origin != Origin::Match {
                return Ok(());
            }
            let planned = self.registry.planned().await?;
            if decide_maintenance(self, planned.as_deref(), self.registry.env.now()).is_none() {
                return Ok(());
            }
            // Another replica may know more, and what it has written is not taken back.
            let planned = self.registry.maintenance.read(&self.registry.database).await?;
            self.refresh_if_shared().await?;
            let decided = decide_maintenance(self, planned.as_deref(), self.registry.env.now());
            let Some((pending, at)) = decided else { return Ok(()) };
            // Rare, and no part of every other call's size.
            Box::pin(self.commit(pending, at.into(), None)).await?;
        }
        Err(Error::Contended)
    }
}

/// What is planned, or was last, by the database at hand.
///
/// # Errors
/// When the database does not answer.
pub async fn planned(database: &Database) -> Result<Option<Maintenance>, MaintenanceFailure> {
    Ok(rows::planned(database.read()).await?)
}

/// Changes what is planned, whether or not the service is running; what is planned then.
///
/// # Errors
/// When it is refused, or the database does not answer; nothing changes then.
pub async fn change(
    now: OffsetDateTime,
    database: &Database,
    change: MaintenanceChange,
) -> Result<Option<Maintenance>, MaintenanceFailure> {
    rows::change(database, change, now).await
}
