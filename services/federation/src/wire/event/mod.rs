//! Events between protos and the types of `core`.

mod arranging;
pub(crate) mod board;
pub(crate) mod coming;
pub(crate) mod enums;
pub(crate) mod fair_play;
pub(crate) mod incident;
mod ladder;
pub(crate) mod leave;
pub(crate) mod log;
pub(crate) mod notice;
mod origin;
pub(crate) mod owed;
pub(crate) mod report;
pub(crate) mod request;
mod settings;
pub(crate) mod team;
mod timing;
pub(crate) mod view;
