//! How the services are put together: into one process, or into one each behind a gateway.
//!
//! The command `shoutan`, which is here too, runs what is put together, and so does the simulation, on virtual time.

pub mod args;
pub mod cli;
pub mod data;
pub mod edge;
pub mod gateway;
pub mod instance;
pub mod limits;
pub mod measured;
pub mod own_redis;
pub mod platform;
pub mod probe;
pub mod reasons;
pub mod vault;

mod allocator;
mod backup;
mod commands;
mod config;
mod live_state;
mod process;
mod speech;
