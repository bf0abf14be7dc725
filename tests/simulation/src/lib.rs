//! The platform on virtual time: its real services in one process, over a network that loses, delays and cuts,
//! with replicas that die and come back, players that do what players do, and spectators. After each run it is
//! held to what it promises.
//!
//! One seed decides everything, and the same seed gives the same run to the letter. So a run is on one thread,
//! on a runtime with paused time; databases answer on that thread; nothing draws lots but from the seed.
//!
//! Scenarios tell one thing each, in which nothing goes wrong by chance: the whole platform is on a [`Stage`] then,
//! in one process or in six, and is reached as clients reach it.
//!
//! What it is not: a test of drivers, sockets or PostgreSQL; the tests end to end have those. Nor does a transaction
//! in here ever meet another half-way.

mod action;
mod check;
mod disk;
mod event;
mod federations;
mod history;
mod live_state;
mod matchmaking;
mod nemesis;
mod network;
mod officials;
mod player;
mod queue;
mod requester;
mod rng;
mod run;
mod spectator;
mod stage;
mod table;
mod topology;
mod trace;
mod wire;
mod world;
mod year;

pub use check::ClockHistory;
pub use run::{Report, With, run_with};
pub use stage::{Asked, Shape, Stage, in_every_shape, runtime};
pub use year::{Year, year_by_script, year_of_seed};
