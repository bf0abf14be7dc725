//! What each call does: it reads or writes, and asks `core`.

mod results;

pub use results::Writer;
