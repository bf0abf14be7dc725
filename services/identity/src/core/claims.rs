//! What access tokens say.

use std::time::Duration;

use chassis::{
    auth::{GrantType, PLAYERS, RoleGrant, Scope},
    jwt::{Claims, ISSUER},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{access_token::scopes_text, account::Account};

/// How long an access token is valid. Nobody can take one back, so it is short.
pub const LIFETIME: Duration = Duration::from_mins(15);

/// The claims of a token for an account with these roles, of which it speaks only if it allows to act in them;
/// it expires with `not_after` if that is sooner than usual.
pub fn claims(
    account: &Account,
    scopes: &[Scope],
    roles: &[RoleGrant],
    kind: GrantType,
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
        bot: account.bot,
        scope: scope(scopes, roles),
        kind: kind.as_str().to_owned(),
        iss: ISSUER.to_owned(),
        aud: PLAYERS.to_owned(),
        iat: now.unix_timestamp(),
        exp: expires.unix_timestamp(),
        jti: jti.to_string(),
    }
}

/// Scopes and roles in one claim.
fn scope(scopes: &[Scope], roles: &[RoleGrant]) -> String {
    let mut text = scopes_text(scopes);
    if scopes.contains(&Scope::Arbitrate) {
        for role in roles {
            text.push(' ');
            text.push_str(&role.to_string());
        }
    }
    text
}

/// When the token of these claims expires.
pub fn expires(claims: &Claims) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(claims.exp).expect("made from a moment")
}

#[cfg(test)]
mod tests {
    use chassis::{
        auth::{Caller, Role, RoleScope},
        jwt::{SigningKey, TOKEN_BYTES_MAX, VerifyingKeys, verify},
    };

    use super::*;
    use crate::core::{
        name::{CHARACTERS_MAX, Name},
        role::ROLES_MAX,
    };

    #[test]
    fn a_token_lives_a_quarter_of_an_hour_but_never_longer_than_what_it_is_for() {
        let now = OffsetDateTime::UNIX_EPOCH + Duration::from_millis(1_500);
        let name = Name::parse("anna").expect("a good name");
        let account = Account::guest(Uuid::from_u128(7).into(), &name, now);
        let lifetime_s = |not_after| {
            let claims =
                claims(&account, &Scope::ALL, &[], GrantType::SignIn, Uuid::from_u128(9), now, not_after);
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

    /// As many roles as an account may have, with the longest of texts.
    fn most_roles() -> Vec<RoleGrant> {
        let longest = Role::ALL.into_iter().max_by_key(|role| role.as_str().len()).expect("there are roles");
        let scope =
            |number: u64| RoleScope::Federation(Uuid::from_u128(u128::MAX - u128::from(number)).into());
        (0..ROLES_MAX).map(|number| RoleGrant { role: longest, scope: scope(number) }).collect()
    }

    #[test]
    fn the_longest_token_is_read() {
        chassis::install_crypto();
        let name = Name::parse(&"围".repeat(CHARACTERS_MAX)).expect("a good name");
        let now = OffsetDateTime::from_unix_timestamp(i64::from(u32::MAX)).expect("in range");
        let account = Account::guest(Uuid::from_u128(u128::MAX).into(), &name, now);
        let (roles, jti) = (most_roles(), Uuid::from_u128(u128::MAX));
        let claims = claims(&account, &Scope::ALL, &roles, GrantType::AccessToken, jti, now, None);
        let key = SigningKey::from_seed(&[7; 32]);
        let mut keys = VerifyingKeys::new();
        keys.insert(key.kid(), key.public_key());
        let token = key.sign(&claims);
        assert!(token.len() <= TOKEN_BYTES_MAX, "{} bytes", token.len());
        let read = verify(&token, &keys, PLAYERS, now).expect("verifies");
        assert_eq!(Caller::from_claims(&read).expect("an account's").roles, roles);
    }

    #[test]
    fn only_a_token_that_may_arbitrate_speaks_of_roles() {
        let roles = most_roles();
        for scopes in [&[Scope::Arbitrate][..], &Scope::ALL, &[Scope::Play], &Scope::ALL[..4], &[]] {
            let text = scope(scopes, &roles);
            let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
            let (said, roles_said) = words.split_at(scopes.len());
            assert_eq!(said, scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>());
            let expected = if scopes.contains(&Scope::Arbitrate) { &roles[..] } else { &[] };
            assert_eq!(roles_said, expected.iter().map(ToString::to_string).collect::<Vec<_>>());
        }
    }
}
