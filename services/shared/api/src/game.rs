//! The `shoutan.game` packages.

mod whole;

/// Version 1 of the package.
#[expect(clippy::allow_attributes, reason = "which lints generated code trips over differs by package")]
#[allow(clippy::all, clippy::pedantic, reason = "generated code")]
pub mod v1 {
    pub use super::whole::Game;

    tonic::include_proto!("shoutan.game.v1");
}
