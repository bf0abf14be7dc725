//! The service through its API, on every database and live state.

mod clubs;
mod enums;
mod federations;
mod fixture;
mod identity;
mod imports;
mod joining;
mod members;
mod merging;
mod officials;
mod proxies;
mod requests;
mod teams;
