//! The `shoutan.identity` packages.

/// Version 1 of the package.
pub mod v1 {
    #![expect(clippy::all, clippy::pedantic, clippy::allow_attributes, reason = "generated code")]
    #![expect(clippy::str_to_string, reason = "generated code")]

    tonic::include_proto!("shoutan.identity.v1");
}
