//! The laws that the fuzz targets try to break, as plain functions of bytes.
//!
//! The same functions run on stable in `tests/it/fuzzed.rs`, over the committed corpora and over what proptest makes up; a law
//! panics where it does not hold. A target is one call of one of them.

pub mod laws;
