//! The service through its API, on every database.

#![expect(clippy::float_cmp, reason = "what was stored comes back bit by bit")]

mod advantages;
mod by_history;
mod federations;
mod fixture;
mod history;
mod leaders;
mod members;
mod migration;
mod moderation;
mod once;
mod order;
mod periods;
mod refusals;
mod scrutiny;
mod seeds;
