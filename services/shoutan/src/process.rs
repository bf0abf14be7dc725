//! What every process that serves can be told.

use clap::Args;

use crate::{
    args::{LimitArgs, LiveArgs, LogArgs},
    data::DatabaseArgs,
    edge::EdgeArgs,
    vault::KeyArgs,
};

/// Arguments of every process that serves.
#[derive(Debug, Args)]
pub(crate) struct ProcessArgs {
    #[command(flatten)]
    pub log: LogArgs,
    #[command(flatten)]
    pub databases: DatabaseArgs,
    #[command(flatten)]
    pub redis: LiveArgs,
    #[command(flatten)]
    pub keys: KeyArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub edge: EdgeArgs,
}
