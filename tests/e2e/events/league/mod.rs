//! A year of a league by script, through the public API, on the real processes: two divisions, two seasons, games that their
//! captains arrange, and some that nobody does. Everything that is expected of it is written by hand.

mod ratings;
mod script;
mod season;
mod stage;
mod told;
mod year;
