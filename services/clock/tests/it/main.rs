//! The clocks: what they decide, against worked examples and models; the service, through its clients.

mod called;
mod examples;
mod fake_games;
mod flags;
mod frail_live;
mod history;
mod internal;
mod laws;
mod listen;
mod listeners;
mod many;
mod public;
mod purse;
mod recovery;
mod replicas;
mod sums;
mod ticks;
mod world;
