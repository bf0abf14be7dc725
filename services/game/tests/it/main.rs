//! The game service through its own API, with doubles of the services it calls.

mod adjourn;
mod arbiter;
mod audience;
mod bench;
mod chat;
mod claims;
mod commands;
mod confirm;
mod counting;
mod delay;
mod delays;
mod doubles;
mod enums;
mod held;
mod house;
mod imports;
mod incidents;
mod late;
mod logs;
mod long;
mod meeting;
mod outages;
mod presence;
mod presence_laws;
mod probe;
mod proposals;
mod reads;
mod refereed;
mod results;
mod scene;
mod secret;
mod statements;
mod streams;
#[path = "../../../../tests/e2e/walk.rs"]
mod walk;
mod watching;
