//! The `shoutan.federation` packages.

/// Version 1 of the package.
#[expect(clippy::allow_attributes, reason = "which lints generated code trips over differs by package")]
#[allow(clippy::all, clippy::pedantic, reason = "generated code")]
pub mod v1 {
    tonic::include_proto!("shoutan.federation.v1");
}
