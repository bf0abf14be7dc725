//! Passwords: their length, and Argon2id.
//!
//! A password is taken as the bytes it comes in. How much a hash costs is written into the hash itself (a PHC
//! string), so that the cost may be raised: older hashes go on to verify and are replaced when their owner next
//! signs in.

use std::fmt;

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::{Error, phc},
};
use secrecy::{ExposeSecret as _, SecretString};
use zxcvbn::zxcvbn;

/// Characters of a password at least (NIST SP 800-63B, 5.1.1.2).
pub const CHARACTERS_MIN: usize = 8;
/// Characters of a password at most: room for any phrase, and no work for an attacker to give us.
pub const CHARACTERS_MAX: usize = 128;

/// A password that is guessed sooner than this is too common: a guesser who is let try 8,640 times a day needs months.
const GUESSES_MIN: u64 = 1_000_000;
/// Characters by which that is judged: looking at more takes long and changes little.
const JUDGED_MAX: usize = 32;

/// A password of acceptable length.
#[derive(Clone)]
pub struct Password(SecretString);

/// What hashing works on. It may be used again, for another password, too.
#[derive(Default)]
pub struct Memory(Vec<Block>);

/// The hash of a password, as a PHC string. A secret too: it can be searched offline.
#[derive(Clone)]
pub struct PasswordHash(SecretString);

/// Why a text is no password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a password has 8 to 128 characters")]
pub struct InvalidPassword;

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
    pub fn parse(text: String) -> Result<Self, InvalidPassword> {
        let text = SecretString::from(text);
        let characters = text.expose_secret().chars().take(CHARACTERS_MAX + 1).count();
        if (CHARACTERS_MIN..=CHARACTERS_MAX).contains(&characters) {
            Ok(Password(text))
        } else {
            Err(InvalidPassword)
        }
    }

    /// Whether it is one of those that everybody tries first, for an account of this name.
    pub fn is_common(&self, name: &str) -> bool {
        let judged: String = self.0.expose_secret().chars().take(JUDGED_MAX).collect();
        let judged = SecretString::from(judged);
        zxcvbn(judged.expose_secret(), &[name, "shoutan", "手谈"]).guesses() < GUESSES_MIN
    }

    /// Its hash with this salt.
    ///
    /// # Errors
    /// See [`HashError`].
    pub fn hash(
        &self,
        cost: HashCost,
        salt: &[u8; 16],
        memory: &mut Memory,
    ) -> Result<PasswordHash, HashError> {
        let failed = |error: phc::Error| HashError::Failed(error.into());
        let (algorithm, version, params) = (Algorithm::Argon2id, Version::V0x13, cost.params()?);
        let params_string = phc::ParamsString::try_from(&params).map_err(HashError::Failed)?;
        let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
        self.digest(&Argon2::new(algorithm, version, params), salt, &mut out, memory)?;
        let hash = phc::PasswordHash {
            algorithm: algorithm.ident(),
            version: Some(version.into()),
            params: params_string,
            salt: Some(phc::Salt::new(salt).map_err(failed)?),
            hash: Some(phc::Output::new(&out).map_err(failed)?),
        };
        Ok(PasswordHash(hash.to_string().into()))
    }

    /// Whether a hash is this password's. Costs what the hash says.
    ///
    /// # Errors
    /// When the hash cannot be read.
    pub fn matches(&self, hash: &PasswordHash, memory: &mut Memory) -> Result<bool, HashError> {
        let hash = hash.read()?;
        let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else { return Ok(false) };
        let algorithm = Algorithm::try_from(hash.algorithm.as_str()).map_err(HashError::Failed)?;
        let version =
            hash.version.map_or(Ok(Version::default()), Version::try_from).map_err(HashError::Cost)?;
        let params = Params::try_from(&hash).map_err(HashError::Failed)?;
        let mut out = vec![0; expected.len()];
        self.digest(&Argon2::new(algorithm, version, params), salt, &mut out, memory)?;
        // Outputs are compared in constant time.
        Ok(phc::Output::new(&out).is_ok_and(|found| found == *expected))
    }

    fn digest(
        &self,
        argon2: &Argon2<'_>,
        salt: &[u8],
        out: &mut [u8],
        Memory(blocks): &mut Memory,
    ) -> Result<(), HashError> {
        blocks.resize(argon2.params().block_count(), Block::new());
        let hashed =
            argon2.hash_password_into_with_memory(self.0.expose_secret().as_bytes(), salt, out, blocks);
        hashed.map_err(HashError::Cost)
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

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memory(..)")
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
        let hash = password("correct horse")
            .hash(HashCost::LEAST, &[1; 16], &mut Memory::default())
            .expect("hashes");
        assert!(hash.expose().starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
        assert!(password("correct horse").matches(&hash, &mut Memory::default()).expect("reads"));
        assert!(!password("correct horsf").matches(&hash, &mut Memory::default()).expect("reads"));
        assert!(!hash.is_outdated(HashCost::LEAST));
        assert!(hash.is_outdated(HashCost::default()));
        let other = password("correct horse")
            .hash(HashCost::LEAST, &[2; 16], &mut Memory::default())
            .expect("hashes");
        assert_ne!(hash.expose(), other.expose());
    }

    #[test]
    fn memory_that_was_used_before_changes_nothing() {
        let mut memory = Memory::default();
        let dearer = HashCost { memory_kib: 64, ..HashCost::LEAST };
        let first = password("correct horse").hash(dearer, &[1; 16], &mut memory).expect("hashes");
        assert!(!password("another horse").matches(&first, &mut memory).expect("reads"));
        assert!(password("correct horse").matches(&first, &mut memory).expect("reads"));
        let again = password("correct horse").hash(HashCost::LEAST, &[1; 16], &mut memory).expect("hashes");
        assert!(password("correct horse").matches(&again, &mut Memory::default()).expect("reads"));
    }

    /// Made by the reference implementation, through another library.
    #[test]
    fn hashes_that_others_made_are_read() {
        let made = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        let made = PasswordHash::from_stored(made.to_owned());
        assert!(password("password").matches(&made, &mut Memory::default()).expect("reads"));
        assert!(!password("passwore").matches(&made, &mut Memory::default()).expect("reads"));
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
    fn what_everybody_tries_first_is_common() {
        for common in [
            "password",
            "12345678",
            "123456789",
            "qwertyuiop",
            "iloveyou",
            "P@ssw0rd",
            "password1234",
            "11111111",
            "baseball",
            "shoutan1",
            "annamaria",
            "anna-maria",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert!(password(common).is_common("Anna-Maria"), "{common}");
        }
        for good in ["correct horse battery", "tesuji at the 3-3 point", "黑先白死一路爬", "kX9#qLw2"]
        {
            assert!(
                !Password::parse(good.to_owned()).is_ok_and(|password| password.is_common("anna")),
                "{good}"
            );
        }
    }

    #[test]
    fn nothing_is_shown() {
        let password = password("correct horse");
        let hash = password.hash(HashCost::LEAST, &[1; 16], &mut Memory::default()).expect("hashes");
        assert_eq!(format!("{password:?} {hash:?}"), "Password(..) PasswordHash(..)");
    }
}
