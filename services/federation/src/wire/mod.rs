//! Between protos and the types of `core`.
