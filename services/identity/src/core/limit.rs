//! How often things that cost or that guess may be tried.
//!
//! Attempts are counted before any work is done for them, not failures after it: many guesses at once would
//! otherwise all pass before the first has failed. A success forgives what was counted for its account and
//! address together; the wider limits are wide enough for the successes of a hall of players.
//!
//! The wider limits are for strangers. Whoever comes from an address from which the account was signed in to lately,
//! or shows the mark of a device on which it was, is counted by that alone: what others do elsewhere, or at the same
//! address with other accounts, cannot keep him out.

use std::{num::NonZeroU32, time::Duration};

use chassis::limit::{Amount, Limit};

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
    /// Attempts at all secrets from one address: a hall of players has one, and all sign in before the first round.
    pub guesses_by_address: Rate,
    /// Accounts, of guests and others, made from one address.
    pub accounts_by_address: Rate,
}

/// A person mistypes a few times; five then one each ten seconds leave a guesser 8,640 passwords a day.
const GUESSES: Rate = Rate { burst: 5, window: Duration::from_secs(50) };
const GUESSES_EVERYWHERE: Rate = Rate { burst: 100, window: Duration::from_secs(1000) };
const GUESSES_BY_ADDRESS: Rate = Rate { burst: 300, window: Duration::from_mins(5) };
const ACCOUNTS_BY_ADDRESS: Rate = Rate { burst: 60, window: Duration::from_hours(1) };

/// How long one call waits for the live state, for all that it counts. The live state answers within milliseconds; one
/// that does not is out, and the call counts in its process's own memory instead.
pub const LIVE_MAX: Duration = Duration::from_secs(2);

/// An address from which an account was signed in to is known for this long after.
pub const PLACE_KEPT: Duration = Duration::from_hours(90 * 24);
/// Known addresses of one account; the one seen least lately makes room.
pub const PLACES_MAX: u64 = 32;
/// Accounts that can be looked up at once: more than a tournament's table has players.
pub const LOOK_UP_MAX: usize = 200;
/// Passwords that are hashed at once at most, however many cores there are: what bounds the memory.
pub const HASHED_AT_ONCE_MAX: usize = 4;
/// Calls that may wait for a password to be hashed: a few seconds' worth.
pub const HASHES_WAITING_MAX: usize = 128;

/// What the service takes no more of.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "tries at one password from one address or device",
        amount: Amount::Within(GUESSES.burst as u64, GUESSES.window),
        setting: None,
        reason: "a person mistypes a few times; a guesser has 8,640 tries a day",
    },
    Limit {
        name: "tries at one password by strangers from everywhere",
        amount: Amount::Within(GUESSES_EVERYWHERE.burst as u64, GUESSES_EVERYWHERE.window),
        setting: None,
        reason: "many addresses together guess no faster than one; whoever signed in lately from an address or a device is not counted here",
    },
    Limit {
        name: "tries at all passwords by strangers from one address",
        amount: Amount::Within(GUESSES_BY_ADDRESS.burst as u64, GUESSES_BY_ADDRESS.window),
        setting: None,
        reason: "a hall of players behind one address signs in within minutes",
    },
    Limit {
        name: "accounts made from one address",
        amount: Amount::Within(ACCOUNTS_BY_ADDRESS.burst as u64, ACCOUNTS_BY_ADDRESS.window),
        setting: Some("--accounts-per-address"),
        reason: "a school's class signs up within an hour; names are not to be taken by the thousand",
    },
    Limit {
        name: "time that a call waits for the live state to count its tries",
        amount: Amount::Time(LIVE_MAX),
        setting: None,
        reason: "for all of them together; a live state that is silent for so long is out, and each process counts for itself",
    },
    Limit {
        name: "addresses at which an account is known",
        amount: Amount::Count(PLACES_MAX),
        setting: None,
        reason: "home, school, club and the hotels of a season",
    },
    Limit {
        name: "time for which an address is known",
        amount: Amount::Time(PLACE_KEPT),
        setting: None,
        reason: "addresses pass on to others within months",
    },
    Limit {
        name: "time in which a refresh token may be used twice",
        amount: Amount::Time(super::session::TABS_WINDOW),
        setting: None,
        reason: "windows that wake up together refresh together; who finds a token later is caught",
    },
    Limit {
        name: "sessions of an account",
        amount: Amount::Count(super::session::SESSIONS_MAX),
        setting: None,
        reason: "nobody has so many devices; the one unused for longest makes room",
    },
    Limit {
        name: "valid personal access tokens of an account",
        amount: Amount::Count(super::access_token::ACTIVE_MAX),
        setting: None,
        reason: "one for each bot, with room for those being replaced",
    },
    Limit {
        name: "accounts looked up at once",
        amount: Amount::Count(LOOK_UP_MAX as u64),
        setting: None,
        reason: "more than the table of a tournament has players",
    },
    Limit {
        name: "keys that tokens are verified with",
        amount: Amount::Count(super::key::KEYS_MAX as u64),
        setting: None,
        reason: "more rotations than this within twenty minutes are a mistake",
    },
    Limit {
        name: "passwords hashed at once",
        amount: Amount::Count(HASHED_AT_ONCE_MAX as u64),
        setting: None,
        reason: "each takes 19 MiB and a core, of which half are left to those who play; so all together take 76 MiB \
                 however many there are",
    },
    Limit {
        name: "calls that wait for a password to be hashed",
        amount: Amount::Count(HASHES_WAITING_MAX as u64),
        setting: None,
        reason: "some seconds' worth of work; who would wait longer is better told at once",
    },
];

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
