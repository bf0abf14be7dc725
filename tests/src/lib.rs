//! Tests of the whole platform: the real processes, driven through the public API only.
//!
//! This library is the harness: it starts platforms of one process or of six, kills and restarts what runs
//! in them, and plays games as clients do. The tests are in the folders beside it.

mod bots;
pub mod faults;
pub mod floor;
pub mod held;
mod platform;
mod ports;
mod process;
mod proxy;
mod record;
mod redis;
mod tools;
pub mod variants;

pub use bots::{
    Bot, Pairing, RETRY, ask, bot, bots, game_settings, guest, guest_token, ids, pair_anew, pair_up, point,
    time_left,
};
pub use platform::{Ground, LIFTED_LIMITS, Platform, Shape, Store, opposite_shapes, shapes};
pub use ports::free_ports;
pub use process::{binary, command, command_telling, command_with, run_binary, starts};
pub use proxy::Proxy;
pub use record::long_record;
pub use redis::Redis;
pub use tools::tool;
