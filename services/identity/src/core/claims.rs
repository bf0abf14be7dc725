//! What access tokens say.

use std::time::Duration;

use chassis::{
    auth::{Kind, PLAYERS, Scope},
    jwt::{Claims, ISSUER},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{access_token::scopes_text, account::Account};

/// How long an access token is valid. Nobody can take one back, so it is short.
pub const LIFETIME: Duration = Duration::from_mins(15);

/// The claims of a token for an account; it expires with `not_after` if that is sooner than usual.
pub fn claims(
    account: &Account,
    scopes: &[Scope],
    kind: Kind,
    jti: Uuid,
    now: OffsetDateTime,
    not_after: Option<OffsetDateTime>,
) -> Claims {
    let usual = now + LIFETIME;
    let expires = not_after.map_or(usual, |limit| usual.min(limit));
    Claims {
        sub: account.id.to_string(),
        name: account.name.clone(),
        guest: account.guest,
        scope: scopes_text(scopes),
        kind: kind.as_str().to_owned(),
        iss: ISSUER.to_owned(),
        aud: PLAYERS.to_owned(),
        iat: now.unix_timestamp(),
        exp: expires.unix_timestamp(),
        jti: jti.to_string(),
    }
}

/// When the token of these claims expires.
pub fn expires(claims: &Claims) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(claims.exp).expect("made from a moment")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::name::Name;

    #[test]
    fn a_token_lives_a_quarter_of_an_hour_but_never_longer_than_what_it_is_for() {
        let now = OffsetDateTime::UNIX_EPOCH + Duration::from_millis(1_500);
        let name = Name::parse("anna").expect("a good name");
        let account = Account::guest(Uuid::from_u128(7).into(), &name, now);
        let lifetime_s = |not_after| {
            let claims = claims(&account, &Scope::ALL, Kind::SignIn, Uuid::from_u128(9), now, not_after);
            assert_eq!(
                (claims.scope.as_str(), claims.kind.as_str()),
                ("account queue play record arbitrate", "sign-in")
            );
            assert_eq!((claims.sub, claims.guest), (account.id.to_string(), true));
            claims.exp - claims.iat
        };
        assert_eq!(lifetime_s(None), 900);
        assert_eq!(lifetime_s(Some(now + Duration::from_hours(1))), 900);
        assert_eq!(lifetime_s(Some(now + Duration::from_secs(10))), 10);
    }
}
