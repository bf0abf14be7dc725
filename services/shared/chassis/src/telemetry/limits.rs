//! How much is kept for a collector of traces, and for how long it is waited for; also of builds that tell nobody.

use std::time::Duration;

use crate::limit::{Amount, Limit};

/// How long the collector may take for a batch.
pub(super) const BATCH_WITHIN: Duration = Duration::from_secs(5);
/// Spans that wait for it; those that come then are lost.
pub(super) const WAITING_MAX: usize = 4096;
/// How long what is left may take when the process stops.
pub(super) const LAST_WITHIN: Duration = Duration::from_secs(3);

/// The limits of traces.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "spans that wait for a collector of traces",
        amount: Amount::Count(WAITING_MAX as u64),
        setting: None,
        reason: "those that come then are lost: a collector that is silent costs a few MiB, and no call",
    },
    Limit {
        name: "how long a collector may take for a batch of spans",
        amount: Amount::Time(BATCH_WITHIN),
        setting: None,
        reason: "what it has not taken then is lost",
    },
    Limit {
        name: "how long the last spans of a process may take",
        amount: Amount::Time(LAST_WITHIN),
        setting: None,
        reason: "a process that stops waits for games, not for its traces",
    },
];
