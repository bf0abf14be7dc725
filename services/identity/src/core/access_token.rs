//! Personal access tokens: what their owner may ask for.

use std::{fmt, time::Duration};

use chassis::{auth::Scope, id::AccountId};
use secrecy::SecretString;
use time::OffsetDateTime;
use uuid::Uuid;

use super::account::Account;

/// Tokens of one account that may be valid at once.
pub const ACTIVE_MAX: u64 = 50;
/// How long a token is valid when nobody says.
pub const LIFETIME_DEFAULT: Duration = Duration::from_hours(90 * 24);
/// The shortest life of a token.
pub const LIFETIME_MIN: Duration = Duration::from_hours(1);
/// The longest: a year, whichever.
pub const LIFETIME_MAX: Duration = Duration::from_hours(366 * 24);
/// Making a token may be repeated with the same request id for this long.
pub const REPEAT_WINDOW: Duration = Duration::from_hours(24);
/// Tokens that are no longer valid are listed for this long.
pub const DEAD_KEPT: Duration = Duration::from_hours(90 * 24);
/// Of the tokens that are no longer valid, an account keeps this many.
pub const DEAD_MAX: u64 = 200;

/// Characters of a label at most.
const LABEL_CHARACTERS_MAX: usize = 60;

/// A personal access token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessToken {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub account: AccountId,
    /// What its owner calls it.
    pub label: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was made.
    pub created: OffsetDateTime,
    /// When it expires.
    pub expires: OffsetDateTime,
    /// When it was last exchanged.
    pub last_use: Option<OffsetDateTime>,
    /// When it was revoked.
    pub revoked: Option<OffsetDateTime>,
}

/// What a personal access token is exchanged for.
pub struct ExchangedToken {
    /// The access token.
    pub access: SecretString,
    /// When the access token expires.
    pub access_expires: OffsetDateTime,
    /// The account it stands for.
    pub account: Account,
}

/// What somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccessToken {
    label: String,
    scopes: Vec<Scope>,
    lifetime: Duration,
}

/// Why somebody does not get it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidNewAccessToken {
    /// The label.
    #[error("a label has 1 to 60 visible characters")]
    Label,
    /// The scopes.
    #[error(
        "a token has at least one of the scopes account, queue, play, record and arbitrate, and no other"
    )]
    Scope,
    /// The lifetime.
    #[error("a token is valid for an hour to 366 days")]
    Lifetime,
}

impl fmt::Debug for ExchangedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExchangedToken").field("account", &self.account.id).finish_non_exhaustive()
    }
}

impl NewAccessToken {
    /// Reads an order; no lifetime means the usual one.
    ///
    /// # Errors
    /// See [`InvalidNewAccessToken`].
    pub fn parse(
        label: &str,
        scopes: &[String],
        lifetime: Option<Duration>,
    ) -> Result<Self, InvalidNewAccessToken> {
        let label = label.trim();
        let characters = label.chars().take(LABEL_CHARACTERS_MAX + 1).count();
        if !(1..=LABEL_CHARACTERS_MAX).contains(&characters) || label.chars().any(char::is_control) {
            return Err(InvalidNewAccessToken::Label);
        }
        // Each at most once, so that nothing is stored that says nothing.
        if scopes.is_empty() || scopes.len() > Scope::ALL.len() {
            return Err(InvalidNewAccessToken::Scope);
        }
        let mut scopes = scopes
            .iter()
            .map(|name| Scope::parse(name))
            .collect::<Option<Vec<_>>>()
            .ok_or(InvalidNewAccessToken::Scope)?;
        scopes.sort_unstable();
        scopes.dedup();
        let lifetime = lifetime.unwrap_or(LIFETIME_DEFAULT);
        if !(LIFETIME_MIN..=LIFETIME_MAX).contains(&lifetime) {
            return Err(InvalidNewAccessToken::Lifetime);
        }
        Ok(NewAccessToken { label: label.to_owned(), scopes, lifetime })
    }

    /// The token that was asked for.
    pub fn made(self, id: Uuid, account: AccountId, now: OffsetDateTime) -> AccessToken {
        AccessToken {
            id,
            account,
            label: self.label,
            scopes: self.scopes,
            created: now,
            expires: now + self.lifetime,
            last_use: None,
            revoked: None,
        }
    }
}

/// Scopes as claims and tables have them.
pub fn scopes_text(scopes: &[Scope]) -> String {
    scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(label: &str, scopes: &[&str], lifetime_s: Option<u64>, expected: Option<InvalidNewAccessToken>) {
        let scopes: Vec<String> = scopes.iter().map(|&scope| scope.to_owned()).collect();
        let order = NewAccessToken::parse(label, &scopes, lifetime_s.map(Duration::from_secs));
        assert_eq!(order.err(), expected, "{label:?} {scopes:?} {lifetime_s:?}");
    }

    #[test]
    fn orders_have_limits() {
        check("bot", &["play", "queue", "play"], None, None);
        check(&"围".repeat(60), &["account", "queue", "play", "record", "arbitrate"], Some(3600), None);
        check("bot", &["play"], Some(366 * 86400), None);
        for label in ["", "  ", "a\nb", "a\0b", &"a".repeat(61)] {
            check(label, &["play"], None, Some(InvalidNewAccessToken::Label));
        }
        for scopes in [&[][..], &["fly"], &["play", "Play"], &["play", ""], &["play"; 6]] {
            check("bot", scopes, None, Some(InvalidNewAccessToken::Scope));
        }
        for lifetime_s in [0, 3599, 366 * 86400 + 1, u64::MAX] {
            check("bot", &["play"], Some(lifetime_s), Some(InvalidNewAccessToken::Lifetime));
        }
    }
}
