//! The service through its API, on every database and live state.

mod boards;
mod clubs;
mod delays;
mod enums;
mod event_enums;
mod event_lists;
mod events;
mod federations;
mod fixture;
mod games;
mod held;
mod identity;
mod imports;
mod incidents;
mod joining;
mod ladders;
mod members;
mod merging;
mod officials;
mod play_offs;
mod proxies;
mod requests;
mod schedules;
mod statements;
mod team_events;
mod teams;
