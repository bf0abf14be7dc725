//! The game service through its own API, with doubles of the services it calls.

mod commands;
mod doubles;
mod house;
mod logs;
mod outages;
mod proposals;
mod results;
mod scene;
mod watching;
