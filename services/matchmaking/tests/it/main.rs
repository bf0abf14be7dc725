//! The service through its API, on every database and every live state that is there, with doubles of the
//! game and rating services in the same process.

mod arranged;
mod blocks;
mod bots;
mod challenges;
mod colours;
mod crashes;
mod fakes;
mod faulty;
mod finished;
mod fixture;
mod follow;
mod followed;
mod lobby;
mod matching;
mod offers;
mod pauses;
mod races;
mod refusals;
mod tickets;
