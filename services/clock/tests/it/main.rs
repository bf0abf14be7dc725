//! The clocks: what they decide, against worked examples and models; the service, through its clients.

mod announcements;
mod audience;
mod examples;
mod fake_games;
mod fixture;
mod flags;
mod follow;
mod frail_live;
mod history;
mod internal;
mod laws;
mod many;
mod public;
mod purse;
mod recovery;
mod replicas;
mod sums;
mod ticks;
