//! What each call does, and what goes on between the calls.

mod announce;
mod flag_reporter;
mod follow;
mod remaining;
mod step;

pub mod history;
pub mod recovery;
pub mod watcher;

pub use follow::Follower;

use chassis::{Env, time::to_micros};

use crate::{core::Moment, error::Result, store::Flags};

/// The clocks of all games. Cloning gives another handle to the same ones.
#[derive(Clone, Debug)]
pub struct Clocks {
    env: Env,
    flags: Flags,
}

impl Clocks {
    /// The clocks on this time, whose flags are watched there.
    pub fn new(env: Env, flags: Flags) -> Self {
        Clocks { env, flags }
    }

    /// The time.
    pub fn now(&self) -> Moment {
        Moment(to_micros(self.env.now()))
    }

    /// Makes sure that flags can be watched.
    pub async fn prove(&self) -> Result<()> {
        Ok(self.flags.prove().await?)
    }
}
