//! How much of everything an event may have; the settings have limits of their own.

/// Changes of a round that is not public yet. Each stands with its reason in the entry of the log that the round becomes.
pub const DRAFT_EDITS_MAX: usize = 500;
/// Officials of an event, as many as a federation has.
pub const EVENT_OFFICIALS_MAX: usize = 200;
