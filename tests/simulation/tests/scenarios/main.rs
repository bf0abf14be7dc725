//! The whole course of a game and its clock through the public API, on virtual time, in one process and in five.

mod clocks;
mod meetings;
mod table;
mod wishes;
