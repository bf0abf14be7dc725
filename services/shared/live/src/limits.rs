//! Every limit of the live state, each with its reason, and the checks both stores share.

use std::time::Duration;

use crate::LiveError;

/// Longest name of a pool, queue, topic, lease, throttle or presence key, in bytes. Names are made by services from
/// variant, control and ids; the longest of them stays under 200 bytes.
pub const NAME_LEN_MAX: usize = 200;
/// Largest payload of a ticket, in bytes: a player's preferences, not a document.
pub const TICKET_PAYLOAD_MAX: usize = 4 * 1024;
/// Most pools of a ticket: what somebody would play is a choice, not a catalogue, and each costs a place in a pool.
pub const TICKET_POOLS_MAX: usize = 16;
/// Largest standing of a ticket, in bytes: some numbers about its owner for each of its pools.
pub const TICKET_STANDING_MAX: usize = 1024;
/// Largest payload of a deadline, in bytes: who to tell, not what about.
pub const DEADLINE_PAYLOAD_MAX: usize = 4 * 1024;
/// Largest published message, in bytes: an event with the board it leads to, with room to spare.
pub const MESSAGE_MAX: usize = 256 * 1024;

/// Most entries one call hands out; a larger `max` means this: some megabytes of tickets.
pub const BATCH_MAX: u32 = 10_000;
/// Most tickets in one `renew_tickets`: a round trip that holds the store for some milliseconds, not longer.
pub const HELD_MAX: usize = 1_000;
/// Most pairs in one `take_pairs`: a round trip that holds the store for some milliseconds, not longer.
pub const PAIRS_MAX: usize = 1_000;
/// Most pools with waiting tickets: every variant with every usual control, many times over. A ticket waits in up to
/// [`TICKET_POOLS_MAX`] of them, so that it takes 2,500 accounts to fill them with games that nobody else wants.
pub const POOLS_MAX: u32 = 40_000;
/// Most topics one process listens to: one for each game watched through it.
pub const TOPICS_MAX: usize = 100_000;
/// Messages a subscriber may be behind before it loses the oldest: some seconds of the busiest game.
pub const TOPIC_DEPTH: usize = 64;
/// Most leases a memory store keeps: one for each periodic job, and there are dozens of those.
pub const LEASES_MAX: usize = 10_000;
/// Most members one call says are present: a round trip that holds the store for a millisecond.
pub const PRESENT_MAX: usize = 1_000;
/// Most presence keys a memory store knows: two for each game watched through it.
pub const PRESENCE_KEYS_MAX: usize = 100_000;
/// Most throttled keys a memory store keeps (about 100 MB); reached only under attack, and then new keys fail.
pub const THROTTLES_MAX: usize = 1_000_000;

/// How long an ended ticket can still be asked for, so that a stream that reconnects learns how it ended.
pub const RETENTION: Duration = Duration::from_hours(1);
/// Longest window of a throttle, in microseconds: thirty days, beyond which a limit belongs in a database.
pub const WINDOW_US_MAX: u64 = 30 * 24 * 3_600 * 1_000_000;

/// The limits that depend on how large the platform is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most tickets waiting in one pool. More than 100,000 people waiting for the same game is an attack.
    pub pool_tickets: u32,
    /// Most deadlines in one queue: one for each game being played.
    pub queue_deadlines: u32,
    /// Most entries of one presence key: one for each of its members and node that he is present through. It is counted
    /// through, so a crowd beyond this is not worth its price.
    pub presence_entries: u32,
    /// Changes of tickets that are kept at least for who reads on: some seconds of the busiest evening, in a few
    /// megabytes.
    pub changes: u32,
}

impl Limits {
    /// Those of a large platform.
    pub const fn new() -> Self {
        Self { pool_tickets: 100_000, queue_deadlines: 1_000_000, presence_entries: 20_000, changes: 16_384 }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

/// Checks a name: 1..=[`NAME_LEN_MAX`] bytes.
pub(crate) fn name(what: &'static str, name: &str) -> Result<(), LiveError> {
    if name.is_empty() {
        return Err(LiveError::Invalid { what, why: "must not be empty" });
    }
    size(what, name.len(), NAME_LEN_MAX)
}

/// Checks the name of a pool, which is no control character: they stand between names where these are kept.
pub(crate) fn pool(name: &str) -> Result<(), LiveError> {
    self::name("pool", name)?;
    if name.contains(char::is_control) {
        return Err(LiveError::Invalid { what: "pool", why: "must not contain control characters" });
    }
    Ok(())
}

/// Checks a length against its limit.
pub(crate) fn size(what: &'static str, len: usize, max: usize) -> Result<(), LiveError> {
    if len > max { Err(LiveError::TooLarge { what, len, max }) } else { Ok(()) }
}

/// The number of entries a call may hand out.
pub(crate) fn batch(max: u32) -> usize {
    max.min(BATCH_MAX) as usize
}
