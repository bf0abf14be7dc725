//! The plain types of `rules`, as they cross the wire.

mod board;
mod conduct;
mod enums;
mod variant;

pub use board::PointNames;
