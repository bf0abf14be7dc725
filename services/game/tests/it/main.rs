//! The game service through its own API, with doubles of the services it calls.

mod adjourn;
mod commands;
mod doubles;
mod held;
mod house;
mod late;
mod logs;
mod meeting;
mod outages;
mod proposals;
mod results;
mod scene;
mod secret;
mod watching;
