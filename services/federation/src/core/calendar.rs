//! Calendars that are read at secret addresses.

use std::time::Duration;

use catalogue::{Arg, Catalogue, Language};
use chassis::{
    Env,
    id::{AccountId, EventId},
    limit::{Amount, Limit},
};
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

/// Calendars of an account: its own on several devices, and those of the events that it follows.
pub const FEEDS_MAX: usize = 8;
/// Events that are in the calendar of an account, the newest first: each is read whenever the calendar is.
pub const EVENTS_MAX: u64 = 40;
/// How long ago an event that is over began at most to be in it, and an appointment in a calendar.
pub const PAST_KEPT: Duration = Duration::from_hours(120 * 24);
/// Appointments of a calendar, the latest: more is a season that nobody reads in one.
pub const APPOINTMENTS_MAX: usize = 2_000;
/// The language of a calendar of which nobody says any.
pub const LANGUAGE: &str = "zh";
/// Bytes of a secret: 192 bits, which nobody tries out.
const SECRET_BYTES: usize = 24;

/// The limits of calendars.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "calendars of an account",
        amount: Amount::Count(FEEDS_MAX as u64),
        setting: None,
        reason: "its own on several devices, and those of the events that it follows",
    },
    Limit {
        name: "events in the calendar of an account",
        amount: Amount::Count(EVENTS_MAX),
        setting: None,
        reason: "the newest; each is read whenever the calendar is",
    },
    Limit {
        name: "appointments of a calendar",
        amount: Amount::Count(APPOINTMENTS_MAX as u64),
        setting: None,
        reason: "the latest; some 600 KiB, which programs fetch every few hours",
    },
    Limit {
        name: "how far back a calendar reaches",
        amount: Amount::Time(PAST_KEPT),
        setting: None,
        reason: "what is longer ago stands in the programs that have read it",
    },
];

/// A calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub account: AccountId,
    /// Of which event it is; none where it has what the account plays in and officiates at.
    pub event: Option<EventId>,
    /// The language of its words, a tag.
    pub language: Language,
    /// When it was made.
    pub made: OffsetDateTime,
}

/// Makes a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// Of which event; none for the caller's own.
    pub event: Option<EventId>,
    /// The language of its words.
    pub language: Language,
    /// Which it takes the place of.
    pub replaces: Option<Uuid>,
}

/// What opens a calendar: told once, and kept by nobody but its reader.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; SECRET_BYTES]);

/// What is kept of a secret. It is looked up, not compared: how long that takes says nothing of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretDigest(pub [u8; 32]);

impl Secret {
    /// A new one.
    pub fn new(env: &Env) -> Secret {
        Secret(env.bytes())
    }

    /// The one that is written so; none where nothing is.
    pub fn parse(text: &str) -> Option<Secret> {
        let digits = text.as_bytes();
        let known = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != 2 * SECRET_BYTES || !digits.iter().all(known) {
            return None;
        }
        let value = |digit: u8| if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 };
        let mut bytes = [0; SECRET_BYTES];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = value(pair[0]) << 4 | value(pair[1]);
        }
        Some(Secret(bytes))
    }

    /// As it is written.
    pub fn text(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(2 * SECRET_BYTES);
        for byte in self.0 {
            let _infallible = write!(text, "{byte:02x}");
        }
        text
    }

    /// What is kept of it.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest(Sha256::digest(self.0).into())
    }
}

/// A secret is never printed.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The words of a calendar.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// Where they are.
    pub catalogue: &'a Catalogue,
    /// In which language.
    pub language: &'a Language,
}

impl Words<'_> {
    /// Says something of the area of calendars.
    pub fn say(&self, name: &str, args: &[(&str, Arg<'_>)]) -> String {
        let said = self.catalogue.get(self.language, &format!("calendar.{name}"), args);
        said.map(|said| said.text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_as_it_is_written_and_in_no_other_way() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 7);
        let secret = Secret::new(&env);
        let text = secret.text();
        assert_eq!(Secret::parse(&text), Some(secret.clone()));
        assert_ne!(secret.digest(), Secret::new(&env).digest());
        for bad in [text.to_uppercase(), text[1..].to_owned(), format!("{text}0"), "g".repeat(48)] {
            assert!(Secret::parse(&bad).is_none(), "{bad}");
        }
        assert!(!format!("{secret:?}").contains(&text[..8]));
    }
}
