//! The crate as its users see it.

mod berger;
mod brackets;
mod details;
mod events;
mod fuzzed;
mod knockouts;
mod ladder;
mod laws;
mod lineups;
mod lots;
mod macmahon;
mod play_offs;
mod readings;
mod regressions;
mod reports;
mod shared;
mod standings;
mod stored;
mod swiss;
mod tie_breaks;
mod trf;
mod verdicts;
