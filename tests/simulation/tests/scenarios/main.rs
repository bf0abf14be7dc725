//! The whole course of a game and its clock through the public API, on virtual time, in one process and in five.

mod calls;
mod clocks;
mod controls;
mod lag;
mod meetings;
mod pauses;
mod table;
