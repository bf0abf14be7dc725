//! The game service through its own API, with doubles of the services it calls.

mod adjourn;
mod arbiter;
mod bench;
mod claims;
mod commands;
mod confirm;
mod counting;
mod doubles;
mod held;
mod house;
mod incidents;
mod late;
mod logs;
mod meeting;
mod outages;
mod proposals;
mod refereed;
mod results;
mod scene;
mod secret;
mod watching;
