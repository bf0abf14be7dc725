//! Sessions: what a refresh token stands for, and what becomes of it with each use.
//!
//! A session has one token that is good. Every use replaces it by its successor, of which each token has one. A token
//! that is not the good one has been used before, by its owner or by somebody who copied it, and nobody can tell
//! which: the session ends. There are two exceptions: within seconds a second use is that of another window of the
//! same owner, who opened both at once; and within a minute an owner who never got the answer may ask again, with the
//! same request id. Both get the successor that the first use got.

use std::time::Duration;

use chassis::id::{AccountId, RequestId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::secret::Digest;

/// A session that is not used for this long ends.
pub const IDLE_MAX: Duration = Duration::from_hours(30 * 24);
/// A use may be repeated with the same request id for this long.
pub const REPEAT_WINDOW: Duration = Duration::from_mins(1);
/// A token may be used again, in whatever request, for this long after its first use: long enough for windows that
/// wake up together on a slow network, too short to be of use to whoever finds the token later.
pub const TABS_WINDOW: Duration = Duration::from_secs(10);
/// Sessions of one account at most; the one unused for longest makes room. Nobody has so many devices.
pub const SESSIONS_MAX: u64 = 100;

/// A session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub account: AccountId,
    /// The digest of the good token.
    pub good: Digest,
    /// The last use, if there was one.
    pub last_use: Option<Use>,
    /// When it ends if it is not used.
    pub expires: OffsetDateTime,
    /// Grows by one with every write.
    pub revision: i64,
}

/// A use of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The digest of the token that was used.
    pub token: Digest,
    /// With which request.
    pub request: RequestId,
    /// When.
    pub at: OffsetDateTime,
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// It was not used for too long.
    Expired,
    /// A token of it was used twice.
    Reused,
}

impl Session {
    /// A new session.
    pub fn begin(id: Uuid, account: AccountId, good: Digest, now: OffsetDateTime) -> Self {
        Session { id, account, good, last_use: None, expires: now + IDLE_MAX, revision: 0 }
    }

    /// The session after `token` was used in `request`; from then on its successor is good.
    ///
    /// # Errors
    /// When the session is over instead.
    pub fn used(
        self,
        token: Digest,
        request: RequestId,
        successor: Digest,
        now: OffsetDateTime,
    ) -> Result<Self, SessionEnd> {
        if self.expires <= now {
            return Err(SessionEnd::Expired);
        }
        let last_use = if token == self.good {
            Use { token, request, at: now }
        } else {
            // A repetition does not prolong the window in which to repeat.
            self.last_use
                .filter(|last| {
                    let window = if last.request == request { REPEAT_WINDOW } else { TABS_WINDOW };
                    last.token == token && now - last.at <= window
                })
                .ok_or(SessionEnd::Reused)?
        };
        let (expires, revision) = (now + IDLE_MAX, self.revision + 1);
        Ok(Session { good: successor, last_use: Some(last_use), expires, revision, ..self })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn digest(number: usize) -> Digest {
        Digest::of(&number.to_le_bytes())
    }

    fn request(number: u8) -> RequestId {
        Uuid::from_u128(u128::from(number) + 1).into()
    }

    fn begin() -> Session {
        Session::begin(Uuid::nil(), Uuid::from_u128(7).into(), digest(0), OffsetDateTime::UNIX_EPOCH)
    }

    #[test]
    fn a_session_ends_when_it_is_idle() {
        let last = OffsetDateTime::UNIX_EPOCH + IDLE_MAX;
        assert_eq!(begin().used(digest(0), request(1), digest(1), last), Err(SessionEnd::Expired));
        let soon = last - Duration::from_secs(1);
        let session = begin().used(digest(0), request(1), digest(1), soon).expect("not yet over");
        assert_eq!(session.expires, soon + IDLE_MAX);
    }

    /// A step of the model: which of the tokens given out so far is used, in which request, after how long.
    type Step = (usize, u8, u64);

    proptest! {
        /// The rule in its own words, over the whole history: a token is accepted if it is the last one given
        /// out, or if the last accepted first use was of this token, at most ten seconds ago, or at most a minute ago
        /// in this request; and it always has the same successor.
        #[test]
        fn only_the_last_token_or_a_prompt_repetition_is_accepted(
            steps in prop::collection::vec((0_usize..3, 0_u8..2, 0_u64..25), 1..20),
        ) {
            let mut session = begin();
            let mut now = OffsetDateTime::UNIX_EPOCH;
            let mut newest = 0_usize;
            let mut last_first_use: Option<(usize, u8, OffsetDateTime)> = None;
            for (back, asked, wait_s) in steps as Vec<Step> {
                now += Duration::from_secs(wait_s);
                let token = newest.saturating_sub(back);
                let repeats = last_first_use.is_some_and(|(used, by, at)| {
                    let window = if by == asked { 60 } else { 10 };
                    used == token && now - at <= Duration::from_secs(window)
                });
                let outcome = session.clone().used(digest(token), request(asked), digest(token + 1), now);
                if token != newest && !repeats {
                    prop_assert_eq!(outcome, Err(SessionEnd::Reused));
                    break;
                }
                session = outcome.expect("accepted");
                prop_assert_eq!(session.good, digest(token + 1));
                if token == newest {
                    last_first_use = Some((token, asked, now));
                    newest += 1;
                }
            }
        }
    }
}
