//! The API of the platform as Rust: what prost and tonic make of `proto/`, conversions between those types
//! and plain ones, and a small client kit.
//!
//! It decides nothing, and of the other crates it knows the plain types of `rules` alone.

pub mod board;
pub mod client;
pub mod clock;
pub mod clock_log;
mod conversions;
mod decode;
pub mod error;
pub mod federation;
pub mod game;
pub mod identity;
pub mod matchmaking;
mod proto_enum;
pub mod rating;
pub mod reason;
pub mod sealing;
pub mod time;
pub mod time_control;
pub mod transport;

pub use conversions::PointNames;
pub use decode::DecodeError;
pub use error::Error;
pub use proto_enum::{ProtoEnum, Unspecified};

/// Every proto file with its comments, for gRPC reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/shoutan.bin"));
