//! Events: their logs, and what stands beside them.

pub(crate) mod draft;
pub(crate) mod draft_request;
pub(crate) mod engagement;
pub(crate) mod head;
pub(crate) mod line_up;
pub(crate) mod log;
pub(crate) mod migration;
pub(crate) mod note;
pub(crate) mod person;
pub(crate) mod seed;
