//! Tokens: JWTs signed with Ed25519, and nothing else.
//!
//! The `jsonwebtoken` crate does the format; the cryptography is a provider of our own on ring, which knows
//! one algorithm and checks the length of every key, so that a hostile key set cannot choose another
//! algorithm or make the verifier panic.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::Once,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, EncodingKey, Header, Validation,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{Error, ErrorKind},
    jwk::{
        AlgorithmParameters, CommonParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm,
        OctetKeyPairParameters, OctetKeyPairType, PublicKeyUse,
    },
    signature::{self, Signer, Verifier},
};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::Env;

/// Who issues the tokens of players.
pub const ISSUER: &str = "shoutan";
/// A token longer than this is refused unread.
pub const TOKEN_BYTES_MAX: usize = 4096;
/// A key set with more keys than this is refused.
pub const KEYS_MAX: usize = 64;

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The account's id, or the name of a service.
    pub sub: String,
    /// The account's name.
    #[serde(default)]
    pub name: String,
    /// Whether it is a guest account.
    #[serde(default)]
    pub guest: bool,
    /// Whether a program plays with it.
    #[serde(default)]
    pub bot: bool,
    /// What it may do: the words of scopes and of roles, separated by spaces.
    #[serde(default)]
    pub scope: String,
    /// How it came about: `sign-in`, `access-token` or `service`.
    pub kind: String,
    /// Who issued it.
    pub iss: String,
    /// For whom.
    pub aud: String,
    /// When it was issued, in seconds since the epoch.
    pub iat: i64,
    /// When it expires, likewise.
    pub exp: i64,
    /// Its id.
    pub jti: String,
}

/// A key that signs.
pub struct SigningKey {
    kid: String,
    public: [u8; 32],
    encoding: EncodingKey,
}

/// Public keys by their id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyingKeys(HashMap<String, [u8; 32]>);

/// Why a token is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JwtError {
    /// It is no token of ours: malformed, signed by nobody we know, or for somebody else.
    #[error("not a valid token")]
    Invalid,
    /// Its key is not among the known ones; there may be newer ones.
    #[error("signed with an unknown key")]
    UnknownKey,
    /// It was valid once.
    #[error("the token has expired")]
    Expired,
}

/// Why a key is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an Ed25519 key of 32 bytes")]
pub struct BadKey;

impl SigningKey {
    /// A new key.
    pub fn generate(env: &Env) -> Self {
        Self::from_seed(&env.bytes())
    }

    /// The key of a secret seed. Its id follows from the public key.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        install();
        let pair = Ed25519KeyPair::from_seed_unchecked(seed).expect("any 32 bytes are a seed");
        let public = <[u8; 32]>::try_from(pair.public_key().as_ref()).expect("an Ed25519 key has 32 bytes");
        let digest = ring::digest::digest(&ring::digest::SHA256, &public);
        let kid = URL_SAFE_NO_PAD.encode(&digest.as_ref()[..12]);
        // The provider below takes the seed itself for the encoded key.
        SigningKey { kid, public, encoding: EncodingKey::from_ed_der(seed) }
    }

    /// The key's id.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The public key.
    pub const fn public_key(&self) -> [u8; 32] {
        self.public
    }

    /// Signs claims into a token.
    pub fn sign(&self, claims: &Claims) -> String {
        let header = Header { kid: Some(self.kid.clone()), ..Header::new(Algorithm::EdDSA) };
        jsonwebtoken::encode(&header, claims, &self.encoding)
            .expect("claims are plain JSON and the key is ours")
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

impl VerifyingKeys {
    /// No keys.
    pub fn new() -> Self {
        VerifyingKeys::default()
    }

    /// Adds a key.
    pub fn insert(&mut self, kid: &str, public: [u8; 32]) {
        self.0.insert(kid.to_owned(), public);
    }

    /// Adds a key as it travels, base64url of 32 bytes.
    ///
    /// # Errors
    /// When it is anything else, or there are too many already.
    pub fn insert_encoded(&mut self, kid: &str, x: &str) -> Result<(), BadKey> {
        let bytes = URL_SAFE_NO_PAD.decode(x).map_err(|_| BadKey)?;
        if self.0.len() >= KEYS_MAX {
            return Err(BadKey);
        }
        self.insert(kid, <[u8; 32]>::try_from(bytes.as_slice()).map_err(|_| BadKey)?);
        Ok(())
    }

    /// Whether there is a key of this id.
    pub fn contains(&self, kid: &str) -> bool {
        self.0.contains_key(kid)
    }

    /// The keys as a JWKS document (RFC 7517) of Ed25519 keys (RFC 8037), sorted by id.
    pub fn jwks(&self) -> JwkSet {
        let keys: BTreeMap<_, _> = self.0.iter().collect();
        JwkSet { keys: keys.into_iter().map(|(kid, public)| jwk(kid, public)).collect() }
    }
}

fn jwk(kid: &str, public: &[u8; 32]) -> Jwk {
    Jwk {
        common: CommonParameters {
            public_key_use: Some(PublicKeyUse::Signature),
            key_algorithm: Some(KeyAlgorithm::EdDSA),
            key_id: Some(kid.to_owned()),
            ..CommonParameters::default()
        },
        algorithm: AlgorithmParameters::OctetKeyPair(OctetKeyPairParameters {
            key_type: OctetKeyPairType::OctetKeyPair,
            curve: EllipticCurve::Ed25519,
            x: URL_SAFE_NO_PAD.encode(public),
        }),
    }
}

/// Verifies a token for an audience at a moment.
///
/// # Errors
/// See [`JwtError`].
pub fn verify(
    token: &str,
    keys: &VerifyingKeys,
    audience: &str,
    now: OffsetDateTime,
) -> Result<Claims, JwtError> {
    if token.len() > TOKEN_BYTES_MAX {
        return Err(JwtError::Invalid);
    }
    install();
    let header = jsonwebtoken::decode_header(token).map_err(|_| JwtError::Invalid)?;
    let kid = header.kid.ok_or(JwtError::Invalid)?;
    let public = keys.0.get(&kid).ok_or(JwtError::UnknownKey)?;
    let mut validation = Validation::new(Algorithm::EdDSA);
    // Expiry is checked below against the injected time.
    validation.validate_exp = false;
    validation.set_required_spec_claims(&["iss", "aud", "sub"]);
    validation.set_audience(&[audience]);
    validation.set_issuer(&[ISSUER]);
    let claims = jsonwebtoken::decode::<Claims>(token, &DecodingKey::from_ed_der(public), &validation)
        .map_err(|_| JwtError::Invalid)?
        .claims;
    if claims.exp <= now.unix_timestamp() { Err(JwtError::Expired) } else { Ok(claims) }
}

/// Installs the provider. Whatever signs or verifies does so first: a token that is touched before would fix
/// the process on a provider that panics.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _already_installed = PROVIDER.install_default();
    });
}

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

struct RingSigner(Ed25519KeyPair);

struct RingVerifier([u8; 32]);

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that the provider asks for")]
fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    if *algorithm != Algorithm::EdDSA || key.family() != AlgorithmFamily::Ed {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    let pair = Ed25519KeyPair::from_seed_unchecked(key.as_bytes())
        .map_err(|_| Error::from(ErrorKind::InvalidEddsaKey))?;
    Ok(Box::new(RingSigner(pair)))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that the provider asks for")]
fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    if *algorithm != Algorithm::EdDSA || key.family() != AlgorithmFamily::Ed {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    let public =
        <[u8; 32]>::try_from(key.try_get_as_bytes()?).map_err(|_| Error::from(ErrorKind::InvalidEddsaKey))?;
    Ok(Box::new(RingVerifier(public)))
}

impl Signer<Vec<u8>> for RingSigner {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Ok(self.0.sign(message).as_ref().to_vec())
    }
}

impl JwtSigner for RingSigner {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        UnparsedPublicKey::new(&ED25519, self.0)
            .verify(message, signature)
            .map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> Claims {
        Claims {
            sub: "a".to_owned(),
            name: "n".to_owned(),
            guest: false,
            bot: false,
            scope: "play".to_owned(),
            kind: "sign-in".to_owned(),
            iss: ISSUER.to_owned(),
            aud: "players".to_owned(),
            iat: 0,
            exp: 100,
            jti: "j".to_owned(),
        }
    }

    fn key() -> (SigningKey, VerifyingKeys) {
        install();
        let key = SigningKey::from_seed(&[7; 32]);
        let mut keys = VerifyingKeys::new();
        keys.insert(key.kid(), key.public_key());
        (key, keys)
    }

    fn at(seconds: i64) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp(seconds).expect("in range")
    }

    #[test]
    fn a_token_holds_until_it_expires() {
        let (key, keys) = key();
        let token = key.sign(&claims());
        assert_eq!(verify(&token, &keys, "players", at(99)), Ok(claims()));
        assert_eq!(verify(&token, &keys, "players", at(100)), Err(JwtError::Expired));
        assert_eq!(verify(&token, &keys, "services", at(99)), Err(JwtError::Invalid));
        assert_eq!(verify(&token, &VerifyingKeys::new(), "players", at(99)), Err(JwtError::UnknownKey));
    }

    #[test]
    fn a_touched_token_is_refused() {
        let (key, keys) = key();
        let token = key.sign(&claims());
        for at_byte in (0..token.len()).filter(|i| token.as_bytes()[*i] != b'.') {
            let mut bytes = token.clone().into_bytes();
            bytes[at_byte] = if bytes[at_byte] == b'A' { b'B' } else { b'A' };
            let touched = String::from_utf8(bytes).expect("still ASCII");
            // The last character of a part may hold bits that are not used; those change nothing.
            let verdict = verify(&touched, &keys, "players", at(1));
            assert!(verdict.is_err() || verdict == Ok(claims()), "byte {at_byte}");
        }
    }

    #[test]
    fn another_algorithm_is_refused() {
        let (key, keys) = key();
        let token = key.sign(&claims());
        let payload = token.split('.').nth(1).expect("three parts");
        for alg in ["none", "HS256", "ES256"] {
            let header = URL_SAFE_NO_PAD.encode(format!(r#"{{"alg":"{alg}","kid":"{}"}}"#, key.kid()));
            assert_eq!(
                verify(&format!("{header}.{payload}."), &keys, "players", at(1)),
                Err(JwtError::Invalid)
            );
        }
    }

    #[test]
    fn a_key_of_the_wrong_length_is_refused() {
        let mut keys = VerifyingKeys::new();
        for x in ["AAAA", "", "!", &URL_SAFE_NO_PAD.encode([0; 33])] {
            assert_eq!(keys.insert_encoded("k", x), Err(BadKey));
        }
    }

    #[test]
    fn the_document_of_keys_is_what_others_verify_with() {
        let (key, keys) = key();
        let document = keys.jwks();
        let jwk = document.find(key.kid()).expect("the key");
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.validate_exp = false;
        validation.set_audience(&["players"]);
        let with = DecodingKey::from_jwk(jwk).expect("a good key");
        let read = jsonwebtoken::decode::<Claims>(key.sign(&claims()), &with, &validation).expect("verifies");
        assert_eq!(read.claims, claims());
        let json = serde_json::to_value(&document).expect("plain JSON");
        let x = URL_SAFE_NO_PAD.encode(key.public_key());
        let expected = serde_json::json!({ "keys": [
            { "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": key.kid(), "x": x },
        ] });
        assert_eq!(json, expected);
    }
}
