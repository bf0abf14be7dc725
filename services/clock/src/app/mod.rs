//! What each call does, and what goes on between the calls.

mod announce;
mod flag_reporter;
mod follow;
mod remaining;
mod step;

pub mod history;
pub(crate) mod recovery;
pub(crate) mod watcher;

pub(crate) use follow::Follower;

use chassis::{Env, maintenance::PlannedMaintenance, time::to_micros};

use crate::{core::Moment, error::Result, store::Flags};

/// The clocks of all games. Cloning gives another handle to the same ones.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    env: Env,
    flags: Flags,
    /// The maintenance that is planned.
    pub(crate) maintenance: PlannedMaintenance,
}

impl Clocks {
    /// The clocks on this time, whose flags are watched there.
    pub(crate) fn new(env: Env, flags: Flags) -> Self {
        Clocks { maintenance: PlannedMaintenance::new(env.clone()), env, flags }
    }

    /// The time.
    pub(crate) fn now(&self) -> Moment {
        Moment(to_micros(self.env.now()))
    }

    /// Makes sure that flags can be watched.
    pub(crate) async fn prove(&self) -> Result<()> {
        Ok(self.flags.prove().await?)
    }
}
