//! The rules of `rules` beside other libraries: what both binaries share.
//!
//! * `speed` measures how fast games are played, scored, listed and taken back, single thread;
//! * `memory` measures what positions and running games weigh, and whether playing allocates.
//!
//! It is no judge of right and wrong: the tests of `rules` are. But it refuses to compare engines that
//! disagree: all play the same games to the same number of moves and must come to the same boards.

pub mod area;
pub mod contest;
pub mod engine;
pub mod games;
pub mod goban;
pub mod jirige;
pub mod jiu;
pub mod libego;
pub mod measure;
pub mod ours;
pub mod phases;
pub mod playout;
pub mod random;
pub mod scripts;
