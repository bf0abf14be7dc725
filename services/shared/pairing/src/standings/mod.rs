//! Standings (sections 1.6, 1.7, 1.10, 1.11).

mod tie_break;

pub use tie_break::TieBreak;
