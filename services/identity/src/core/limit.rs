//! How often things that cost or that guess may be tried.
//!
//! Attempts are counted before any work is done for them, not failures after it: many guesses at once would
//! otherwise all pass before the first has failed. A success forgives what was counted for its account and
//! address together; the wider limits are wide enough for the successes of a full classroom.

use std::{num::NonZeroU32, time::Duration};

/// So many attempts at once, and then one each `window / burst`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Attempts at once.
    pub burst: u32,
    /// In how long they are earned back.
    pub window: Duration,
}

/// All limits of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Attempts at one secret (a password, a personal access token) from one address.
    pub guesses: Rate,
    /// Attempts at one secret from all addresses. Far above what its owner needs, or anybody could keep him
    /// out; far below what guessing needs.
    pub guesses_everywhere: Rate,
    /// Attempts at all secrets from one address: a school has one address and thirty pupils.
    pub guesses_by_address: Rate,
    /// Accounts, of guests and others, made from one address.
    pub accounts_by_address: Rate,
}

/// A person mistypes a few times; five then one each ten seconds leave a guesser 8,640 passwords a day.
const GUESSES: Rate = Rate { burst: 5, window: Duration::from_secs(50) };
const GUESSES_EVERYWHERE: Rate = Rate { burst: 100, window: Duration::from_secs(1000) };
const GUESSES_BY_ADDRESS: Rate = Rate { burst: 100, window: Duration::from_secs(200) };
const ACCOUNTS_BY_ADDRESS: Rate = Rate { burst: 60, window: Duration::from_hours(1) };

impl Limits {
    /// The usual limits, but so many accounts an hour from one address; a million are as good as no limit.
    #[must_use]
    pub fn with_accounts_per_address(per_hour: NonZeroU32) -> Self {
        let accounts_by_address = Rate { burst: per_hour.get().min(1_000_000), ..ACCOUNTS_BY_ADDRESS };
        Limits { accounts_by_address, ..Limits::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            guesses: GUESSES,
            guesses_everywhere: GUESSES_EVERYWHERE,
            guesses_by_address: GUESSES_BY_ADDRESS,
            accounts_by_address: ACCOUNTS_BY_ADDRESS,
        }
    }
}
