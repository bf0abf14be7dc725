//! Leagues through their API: a year, and the next one.

mod refusals;
mod stage;
mod transfers;
mod year;
