//! Leagues between protos and `core`.

pub(crate) mod entry;
pub(crate) mod outcome;
pub(crate) mod request;
pub(crate) mod rules;
pub(crate) mod season;
pub(crate) mod squad;
pub(crate) mod view;
