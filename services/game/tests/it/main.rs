//! The game service through its own API, with doubles of the services it calls.

mod adjourn;
mod audience;
mod chat;
mod commands;
mod counting;
mod delay;
mod doubles;
mod held;
mod house;
mod late;
mod logs;
mod meeting;
mod outages;
mod presence;
mod presence_laws;
mod probe;
mod proposals;
mod results;
mod scene;
mod secret;
mod streams;
#[path = "../../../../tests/e2e/walk.rs"]
mod walk;
mod watching;
