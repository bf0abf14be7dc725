//! Between protos and what `core` and `app` speak of.

mod role;

use api::{
    identity::v1 as pb,
    reason,
    time::{span, timestamp},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chassis::{auth::peer_address, id::AccountId};
use secrecy::ExposeSecret as _;
use tonic::Request;
use uuid::Uuid;

use crate::{
    core::{
        access_token::{AccessToken, ExchangedToken, InvalidNewAccessToken, NewAccessToken},
        account::{Account, Public},
        attempt::Address,
        key::KeyRing,
        token_pair::TokenPair,
    },
    error::{Error, Result},
};

/// Where a call comes from.
pub(crate) fn address<T>(request: &Request<T>) -> Address {
    Address::of(peer_address(request.extensions()))
}

/// Reads the id of a personal access token.
pub(crate) fn access_token_id(text: &str) -> Result<Uuid> {
    Ok(Uuid::try_parse(text).map_err(|_| api::Error::invalid(reason::BAD_ID, "id", "not a UUID"))?)
}

/// Reads ids of accounts.
pub(crate) fn account_ids(texts: &[String]) -> Result<Vec<AccountId>> {
    texts.iter().map(|text| Ok(AccountId::parse(text, "ids")?)).collect()
}

impl TryFrom<&pb::CreateAccessTokenRequest> for NewAccessToken {
    type Error = Error;

    fn try_from(request: &pb::CreateAccessTokenRequest) -> Result<Self> {
        // A span that is none at all is no lifetime either.
        let lifetime = |asked| span(asked).ok_or(InvalidNewAccessToken::Lifetime);
        let lifetime = request.lifetime_duration.as_ref().map(lifetime).transpose()?;
        Ok(NewAccessToken::parse(&request.label, &request.scopes, lifetime)?)
    }
}

impl From<&Account> for pb::Account {
    fn from(account: &Account) -> Self {
        pb::Account {
            id: account.id.to_string(),
            name: account.name.clone(),
            guest: account.guest,
            bot: account.bot,
            create_time: Some(timestamp(account.created)),
        }
    }
}

impl From<Public> for pb::PublicAccount {
    fn from(account: Public) -> Self {
        let Public { id, name, guest, bot } = account;
        pb::PublicAccount { id: id.to_string(), name, guest, bot }
    }
}

impl From<&TokenPair> for pb::Session {
    fn from(pair: &TokenPair) -> Self {
        pb::Session {
            access_token: pair.access.expose_secret().to_owned(),
            access_expire_time: Some(timestamp(pair.access_expires)),
            refresh_token: pair.refresh.expose().to_owned(),
            refresh_expire_time: Some(timestamp(pair.refresh_expires)),
            device_mark: pair.mark.as_ref().map_or_else(String::new, |mark| mark.expose().to_owned()),
        }
    }
}

impl From<&ExchangedToken> for pb::ExchangeAccessTokenResponse {
    fn from(exchanged: &ExchangedToken) -> Self {
        pb::ExchangeAccessTokenResponse {
            access_token: exchanged.access.expose_secret().to_owned(),
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
pub(crate) fn jwks_json(ring: &KeyRing) -> String {
    serde_json::to_string(&ring.verifying().jwks()).expect("a key set is plain JSON")
}
