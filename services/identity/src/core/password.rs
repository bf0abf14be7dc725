//! Passwords: their length, and Argon2id.
//!
//! A password is taken as the bytes it comes in. How much a hash costs is written into the hash itself (a PHC
//! string), so that the cost may be raised: older hashes go on to verify and are replaced when their owner next
//! signs in.

use std::fmt;

use argon2::{
    Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version,
    password_hash::{Error, phc},
};
use secrecy::{ExposeSecret as _, SecretString};

/// Characters of a password at least (NIST SP 800-63B, 5.1.1.2).
pub const CHARACTERS_MIN: usize = 8;
/// Characters of a password at most: room for any phrase, and no work for an attacker to give us.
pub const CHARACTERS_MAX: usize = 128;

/// A password of acceptable length.
#[derive(Clone)]
pub struct Password(SecretString);

/// The hash of a password, as a PHC string. A secret too: it can be searched offline.
#[derive(Clone)]
pub struct PasswordHash(SecretString);

/// Why a text is no password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a password has 8 to 128 characters")]
pub struct BadPassword;

/// What a hash costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashCost {
    /// Memory, in KiB; at least 8 for each lane.
    pub memory_kib: u32,
    /// Passes over the memory; at least 1.
    pub passes: u32,
    /// Lanes; at least 1.
    pub lanes: u32,
}

/// Why a password could not be hashed or compared.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
    /// The cost is out of the range of Argon2.
    #[error("the cost of password hashes is out of range")]
    Cost(#[source] argon2::Error),
    /// The stored hash cannot be read, or there was no memory.
    #[error("password hashing failed")]
    Failed(#[source] Error),
}

impl HashCost {
    /// The least there is, for tests.
    pub const LEAST: HashCost = HashCost { memory_kib: 8, passes: 1, lanes: 1 };

    fn params(self) -> Result<Params, HashError> {
        Params::new(self.memory_kib, self.passes, self.lanes, None).map_err(HashError::Cost)
    }
}

impl Default for HashCost {
    /// 19 MiB, two passes, one lane: the first choice of OWASP's password storage cheat sheet.
    fn default() -> Self {
        HashCost { memory_kib: 19 * 1024, passes: 2, lanes: 1 }
    }
}

impl Password {
    /// Takes a password.
    ///
    /// # Errors
    /// When it is too short or too long.
    pub fn parse(text: String) -> Result<Self, BadPassword> {
        let text = SecretString::from(text);
        let characters = text.expose_secret().chars().take(CHARACTERS_MAX + 1).count();
        if (CHARACTERS_MIN..=CHARACTERS_MAX).contains(&characters) {
            Ok(Password(text))
        } else {
            Err(BadPassword)
        }
    }

    /// Its hash with this salt.
    ///
    /// # Errors
    /// See [`HashError`].
    pub fn hash(&self, cost: HashCost, salt: &[u8; 16]) -> Result<PasswordHash, HashError> {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, cost.params()?);
        let hash = argon2
            .hash_password_with_salt(self.0.expose_secret().as_bytes(), salt)
            .map_err(HashError::Failed)?;
        Ok(PasswordHash(hash.to_string().into()))
    }

    /// Whether a hash is this password's. Costs what the hash says.
    ///
    /// # Errors
    /// When the hash cannot be read.
    pub fn matches(&self, hash: &PasswordHash) -> Result<bool, HashError> {
        let hash = hash.read()?;
        match Argon2::default().verify_password(self.0.expose_secret().as_bytes(), &hash) {
            Ok(()) => Ok(true),
            Err(Error::PasswordInvalid) => Ok(false),
            Err(error) => Err(HashError::Failed(error)),
        }
    }
}

impl PasswordHash {
    /// A hash as it was stored.
    pub fn from_stored(text: String) -> Self {
        PasswordHash(text.into())
    }

    /// The hash, to be stored.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Whether it was made at another cost than this.
    pub fn is_outdated(&self, cost: HashCost) -> bool {
        let made_at = self.read().ok().and_then(|hash| Params::try_from(&hash).ok());
        !made_at.is_some_and(|params| {
            (params.m_cost(), params.t_cost(), params.p_cost()) == (cost.memory_kib, cost.passes, cost.lanes)
        })
    }

    fn read(&self) -> Result<phc::PasswordHash, HashError> {
        phc::PasswordHash::new(self.0.expose_secret()).map_err(|error| HashError::Failed(error.into()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::parse(text.to_owned()).expect("long enough")
    }

    #[test]
    fn a_hash_matches_its_password_only() {
        let hash = password("correct horse").hash(HashCost::LEAST, &[1; 16]).expect("hashes");
        assert!(hash.expose().starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
        assert!(password("correct horse").matches(&hash).expect("reads"));
        assert!(!password("correct horsf").matches(&hash).expect("reads"));
        assert!(!hash.is_outdated(HashCost::LEAST));
        assert!(hash.is_outdated(HashCost::default()));
        let other = password("correct horse").hash(HashCost::LEAST, &[2; 16]).expect("hashes");
        assert_ne!(hash.expose(), other.expose());
    }

    #[test]
    fn length_counts_characters() {
        for (text, good) in
            [("1234567", false), ("12345678", true), ("手谈手谈手谈手谈", true), ("手谈手谈手谈手", false)]
        {
            assert_eq!(Password::parse(text.to_owned()).is_ok(), good, "{text}");
        }
        assert!(Password::parse("手".repeat(128)).is_ok());
        assert!(Password::parse("a".repeat(129)).is_err());
    }

    #[test]
    fn nothing_is_shown() {
        let password = password("correct horse");
        let hash = password.hash(HashCost::LEAST, &[1; 16]).expect("hashes");
        assert_eq!(format!("{password:?} {hash:?}"), "Password(..) PasswordHash(..)");
    }
}
