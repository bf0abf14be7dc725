//! Between protos and what `core` and `app` speak of.

mod role;

pub use role::{grant, revocation, roles_of};

use api::{
    fault::Fault,
    identity::v1 as pb,
    reason,
    time::{span, timestamp},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chassis::{
    auth::peer_address,
    id::{AccountId, RequestId},
};
use tonic::Request;
use uuid::Uuid;

use crate::{
    app::{ExchangedToken, TokenPair},
    core::{
        access_token::{AccessToken, InvalidNewAccessToken, NewAccessToken},
        account::{Account, Public},
        key::KeyRing,
    },
    error::{IdentityError, fault},
    store::Address,
};

/// Where a call comes from.
pub fn address<T>(request: &Request<T>) -> Address {
    Address::of(peer_address(request.extensions()))
}

/// Reads the `request_id` of a call.
pub fn request_id(text: &str) -> Result<RequestId, Fault> {
    RequestId::parse(text, "request_id")
}

/// Reads the id of a personal access token.
pub fn access_token_id(text: &str) -> Result<Uuid, Fault> {
    Uuid::try_parse(text).map_err(|_| Fault::invalid(reason::BAD_ID, "id", "not a UUID"))
}

/// Reads ids of accounts.
pub fn account_ids(texts: &[String]) -> Result<Vec<AccountId>, Fault> {
    texts.iter().map(|text| AccountId::parse(text, "ids")).collect()
}

/// Reads what token somebody asks for.
pub fn order(request: &pb::CreateAccessTokenRequest) -> Result<NewAccessToken, Fault> {
    let lifetime = match &request.lifetime_duration {
        None => None,
        Some(lifetime) => {
            // A span that is none at all is no lifetime either.
            Some(
                span(lifetime)
                    .ok_or(InvalidNewAccessToken::Lifetime)
                    .map_err(|error| fault(&error.into()))?,
            )
        }
    };
    NewAccessToken::parse(&request.label, &request.scopes, lifetime)
        .map_err(|error| fault(&IdentityError::InvalidNewAccessToken(error)))
}

impl From<&Account> for pb::Account {
    fn from(account: &Account) -> Self {
        pb::Account {
            id: account.id.to_string(),
            name: account.name.clone(),
            guest: account.guest,
            create_time: Some(timestamp(account.created)),
        }
    }
}

impl From<Public> for pb::PublicAccount {
    fn from(account: Public) -> Self {
        pb::PublicAccount { id: account.id.to_string(), name: account.name, guest: account.guest }
    }
}

impl From<&TokenPair> for pb::Session {
    fn from(pair: &TokenPair) -> Self {
        pb::Session {
            access_token: pair.access().to_owned(),
            access_expire_time: Some(timestamp(pair.access_expires)),
            refresh_token: pair.refresh().to_owned(),
            refresh_expire_time: Some(timestamp(pair.refresh_expires)),
            device_mark: pair.mark().to_owned(),
        }
    }
}

impl From<&ExchangedToken> for pb::ExchangeAccessTokenResponse {
    fn from(exchanged: &ExchangedToken) -> Self {
        pb::ExchangeAccessTokenResponse {
            access_token: exchanged.access().to_owned(),
            access_expire_time: Some(timestamp(exchanged.access_expires)),
            account: Some((&exchanged.account).into()),
        }
    }
}

impl From<AccessToken> for pb::AccessToken {
    fn from(token: AccessToken) -> Self {
        pb::AccessToken {
            id: token.id.to_string(),
            label: token.label,
            scopes: token.scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
            create_time: Some(timestamp(token.created)),
            expire_time: Some(timestamp(token.expires)),
            last_use_time: token.last_use.map(timestamp),
            revoke_time: token.revoked.map(timestamp),
        }
    }
}

impl From<&KeyRing> for pb::ListKeysResponse {
    fn from(ring: &KeyRing) -> Self {
        let key = |(kid, public): &(String, [u8; 32])| pb::Key {
            kid: kid.clone(),
            x: URL_SAFE_NO_PAD.encode(public),
        };
        pb::ListKeysResponse { keys: ring.valid.iter().map(key).collect(), jwks_json: jwks_json(ring) }
    }
}

/// The keys as a JWKS document.
pub fn jwks_json(ring: &KeyRing) -> String {
    serde_json::to_string(&ring.verifying().jwks()).expect("a key set is plain JSON")
}
