//! The whole course of a game and its clock through the public API, on virtual time, in one process and in five.

mod claims;
mod clocks;
mod counting;
mod crowd;
mod forbidden;
mod incidents;
mod meetings;
mod presence;
mod roles;
mod rulings;
mod table;
mod wishes;
