//! The whole progress of a game and its clock through the public API, on virtual time, in one process and in six.

mod calls;
mod claims;
mod clocks;
mod controls;
mod counting;
mod crowd;
mod forbidden;
mod incidents;
mod lag;
mod meetings;
mod pauses;
mod presence;
mod roles;
mod rulings;
mod table;
mod wishes;
