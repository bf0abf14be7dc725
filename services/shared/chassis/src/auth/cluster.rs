//! How services of one platform recognise each other: a secret they share.

use std::{fmt, sync::Arc};

use api::transport::{Transport, with_bearer};
use parking_lot::Mutex;
use secrecy::{ExposeSecret as _, SecretString};

use super::SERVICES;
use crate::{
    Env,
    jwt::{Claims, ISSUER, SigningKey, VerifyingKeys},
};

/// How long a service's token is valid, in seconds: short, because it is made anew at no cost.
const LIFETIME_S: i64 = 60;
/// A shared secret must be at least this long.
const SECRET_CHARACTERS_MIN: usize = 32;

/// The key that all services of one platform derive from their shared secret.
#[derive(Clone)]
pub struct ClusterKey(Arc<SigningKey>);

/// Why a shared secret is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret that services share must have at least 32 characters")]
pub struct SecretTooShort;

impl ClusterKey {
    /// The key of a shared secret.
    ///
    /// # Errors
    /// When the secret is too short to be one.
    pub fn from_secret(secret: &SecretString) -> Result<Self, SecretTooShort> {
        let secret = secret.expose_secret();
        if secret.chars().count() < SECRET_CHARACTERS_MIN {
            return Err(SecretTooShort);
        }
        let digest =
            ring::digest::digest(&ring::digest::SHA256, format!("shoutan cluster {secret}").as_bytes());
        let seed = <[u8; 32]>::try_from(digest.as_ref()).expect("SHA-256 has 32 bytes");
        Ok(ClusterKey(Arc::new(SigningKey::from_seed(&seed))))
    }

    /// A key that nobody else has, for a process that holds all services.
    pub fn random(env: &Env) -> Self {
        ClusterKey(Arc::new(SigningKey::generate(env)))
    }

    /// The id of the key in tokens.
    pub fn kid(&self) -> &str {
        self.0.kid()
    }

    /// The key with which to verify.
    pub fn verifying(&self) -> VerifyingKeys {
        let mut keys = VerifyingKeys::new();
        keys.insert(self.0.kid(), self.0.public_key());
        keys
    }

    fn token(&self, service: &str, now_s: i64) -> String {
        self.0.sign(&Claims {
            sub: service.to_owned(),
            name: String::new(),
            guest: false,
            bot: false,
            scope: String::new(),
            kind: "service".to_owned(),
            iss: ISSUER.to_owned(),
            aud: SERVICES.to_owned(),
            iat: now_s,
            exp: now_s + LIFETIME_S,
            jti: String::new(),
        })
    }
}

impl fmt::Debug for ClusterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ClusterKey").field(&self.0.kid()).finish()
    }
}

/// A transport on which every request says that `service` is calling.
pub fn as_service_over(transport: Transport, key: ClusterKey, service: &'static str, env: Env) -> Transport {
    let token = token_source(key, service, env);
    with_bearer(transport, move || Some(token()))
}

/// A source of tokens with which a gateway proves to be one.
pub fn gateway_token(key: ClusterKey, env: Env) -> impl Fn() -> String + Clone + Send + Sync {
    token_source(key, "gateway", env)
}

/// Tokens of a service, made anew when half their life is over.
fn token_source(
    key: ClusterKey,
    service: &'static str,
    env: Env,
) -> impl Fn() -> String + Clone + Send + Sync + 'static {
    let cached: Arc<Mutex<Option<(String, i64)>>> = Arc::default();
    move || {
        let now_s = env.now().unix_timestamp();
        let mut cached = cached.lock();
        let fresh = cached.as_ref().filter(|(_, made_s)| (0..LIFETIME_S / 2).contains(&(now_s - made_s)));
        let token = fresh.map_or_else(|| key.token(service, now_s), |(token, _)| token.clone());
        if fresh.is_none() {
            *cached = Some((token.clone(), now_s));
        }
        token
    }
}
