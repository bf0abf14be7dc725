//! The whole course of a game and its clock through the public API, on virtual time, in one process and in five.

mod clocks;
mod counting;
mod crowd;
mod meetings;
mod presence;
mod table;
mod wishes;
