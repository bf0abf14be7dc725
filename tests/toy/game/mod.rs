//! Three in a Row: the smallest game that a board can have, made as the guide to adding a game says.
//!
//! Two sides put stones on nine points in turn; who has three in a row wins, and a full board is a draw.

mod conduct;
mod game;
mod point;
mod record;
mod variant;

pub use variant::VARIANT;
