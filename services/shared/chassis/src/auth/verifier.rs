//! Verifies tokens locally, with keys fetched from identity.

use std::{collections::HashMap, fmt, path::PathBuf, sync::Arc, time::Duration};

use api::{
    identity::v1::{ListKeysRequest, identity_service_client::IdentityServiceClient},
    transport::Transport,
};
use parking_lot::{Mutex, MutexGuard, RwLock, RwLockReadGuard};
use time::OffsetDateTime;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    Caller, ClusterKey, Credential, PLAYERS, SERVICES,
    kept::{KeySet, Shelf},
};
use crate::{
    Env, Health,
    health::PartName,
    jwt::{self, Claims, JwtError, VerifyingKeys},
    limit::{Amount, Limit},
};

/// Tokens seen lately are remembered, so that a player's thousandth move costs no signature. When the
/// memory is full it is emptied: that costs a verification each, nothing else.
const REMEMBERED_MAX: usize = 20_000;
/// Keys are asked for at most this often, whether or not they were got, so that forged ids cannot flood identity
/// and nobody waits for an answer that another has just waited for in vain.
const FETCH_INTERVAL: Duration = Duration::from_secs(2);
/// How long identity may take to answer.
const FETCH_TIMEOUT: Duration = Duration::from_secs(3);
/// Keys are fetched anew after this long, so that retired ones are forgotten. The old ones serve until then.
const KEYS_AGE: Duration = Duration::from_mins(5);
/// Without a word from identity for this long, its keys are believed no more.
const KEYS_AGE_MAX: Duration = Duration::from_hours(24);

/// The limits of verifying.
pub const LIMITS: &[Limit] = &[
    Limit {
        name: "tokens that a process remembers",
        amount: Amount::Count(REMEMBERED_MAX as u64),
        setting: None,
        reason: "a token has about a KiB in memory; whoever is forgotten costs a signature",
    },
    Limit {
        name: "time for identity to list its keys",
        amount: Amount::Time(FETCH_TIMEOUT),
        setting: None,
        reason: "a call waits for it only when its token is signed with a key that is not known yet",
    },
    Limit {
        name: "time between two questions for keys",
        amount: Amount::Time(FETCH_INTERVAL),
        setting: None,
        reason: "forged key ids must not flood identity",
    },
    Limit {
        name: "age of keys of tokens at which they are fetched anew",
        amount: Amount::Time(KEYS_AGE),
        setting: None,
        reason: "so long a retired key may still be believed while identity answers",
    },
    Limit {
        name: "age of keys of tokens while identity is silent",
        amount: Amount::Time(KEYS_AGE_MAX),
        setting: None,
        reason: "running games go on through a day's outage of identity; kept on disk they outlive a restart",
    },
];

/// Tells what a token amounts to.
pub struct Verifier(Arc<Inner>);

/// What a verifier does beside verifying.
#[derive(Clone, Debug, Default)]
pub struct Keeping {
    /// The file in which keys are kept over a restart.
    pub file: Option<PathBuf>,
    /// Where it is said whether there are keys.
    pub health: Option<(Health, PartName)>,
}

struct Inner {
    env: Env,
    identity: IdentityServiceClient<Transport>,
    cluster: ClusterKey,
    cluster_keys: VerifyingKeys,
    shelf: Option<Shelf>,
    health: Option<(Health, PartName)>,
    known: RwLock<Known>,
    asked: tokio::sync::Mutex<Option<Asked>>,
    remembered: Mutex<Remembered>,
}

/// The keys of players.
#[derive(Default)]
struct Known {
    set: KeySet,
    keys: VerifyingKeys,
    /// How often they have been replaced.
    generation: u64,
    /// When they were fetched by this process.
    fetched: Option<Instant>,
}

/// When identity was last asked for its keys.
#[derive(Clone, Copy)]
struct Asked {
    at: Instant,
    answered: bool,
}

/// Tokens that were found good with the keys of one generation.
#[derive(Default)]
struct Remembered {
    generation: u64,
    tokens: HashMap<[u8; 32], (Credential, i64)>,
}

/// Why a token is not accepted.
enum Unaccepted {
    Refused(JwtError),
    /// Its key may be one that could not be fetched.
    Unverified,
}

impl From<JwtError> for Unaccepted {
    fn from(error: JwtError) -> Self {
        Unaccepted::Refused(error)
    }
}

impl Verifier {
    /// A verifier that fetches the keys of players from identity when it first needs them.
    pub fn new(identity: Transport, cluster: ClusterKey, env: Env) -> Self {
        Verifier::keeping(identity, cluster, env, Keeping::default())
    }

    /// The same, which keeps its keys over a restart and says whether there are any.
    pub fn keeping(identity: Transport, cluster: ClusterKey, env: Env, keeping: Keeping) -> Self {
        let shelf = keeping.file.as_deref().map(Shelf::new);
        let set = shelf.as_ref().and_then(Shelf::load).unwrap_or_default();
        let known = Known { keys: set.verifying(), set, generation: 0, fetched: None };
        Verifier(Arc::new(Inner {
            env,
            identity: IdentityServiceClient::new(identity),
            cluster_keys: cluster.verifying(),
            cluster,
            shelf,
            health: keeping.health,
            known: RwLock::new(known),
            asked: tokio::sync::Mutex::default(),
            remembered: Mutex::default(),
        }))
    }

    /// What a token amounts to now.
    pub async fn credential(&self, token: &str) -> Credential {
        let now = self.0.env.now();
        let digest = ring::digest::digest(&ring::digest::SHA256, token.as_bytes());
        let digest = <[u8; 32]>::try_from(digest.as_ref()).expect("SHA-256 has 32 bytes");
        if let Some((credential, expires_s)) = self.0.memory().tokens.get(&digest) {
            return if *expires_s > now.unix_timestamp() {
                credential.clone()
            } else {
                Credential::Refused(JwtError::Expired)
            };
        }
        match self.0.verify(token, now).await {
            Ok((credential, expires_s, generation)) => {
                self.0.memory().remember(generation, digest, (credential.clone(), expires_s));
                credential
            }
            Err(Unaccepted::Refused(error)) => Credential::Refused(error),
            Err(Unaccepted::Unverified) => Credential::Unverified,
        }
    }

    /// Fetches the keys now and then until `stop`, so that there are some before the first token comes.
    pub async fn keep(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if self.0.known().fetched.is_none_or(|at| at.elapsed() >= KEYS_AGE) {
                self.0.fetch().await;
            }
            let _stopped = stop.run_until_cancelled(tokio::time::sleep(FETCH_INTERVAL)).await;
        }
    }
}

impl Inner {
    /// The credential, when it expires, and the generation of keys that it was verified with.
    async fn verify(
        self: &Arc<Self>,
        token: &str,
        now: OffsetDateTime,
    ) -> Result<(Credential, i64, u64), Unaccepted> {
        match jwt::verify(token, &self.cluster_keys, SERVICES, now) {
            Ok(claims) => {
                let generation = self.known().generation;
                return Ok((Credential::Service(claims.sub), claims.exp, generation));
            }
            Err(JwtError::UnknownKey) => {}
            Err(error) => return Err(error.into()),
        }
        let (claims, generation) = match self.verify_player(token, now) {
            Err(JwtError::UnknownKey) => {
                // A call that is given up must not leave the question unrecorded: forged ids would flood identity.
                let inner = Arc::clone(self);
                let answered = tokio::spawn(async move { inner.fetch().await }).await.unwrap_or(false);
                match self.verify_player(token, now) {
                    Err(JwtError::UnknownKey) if !answered => return Err(Unaccepted::Unverified),
                    verdict => verdict?,
                }
            }
            verdict => {
                self.refresh();
                verdict?
            }
        };
        let caller = Caller::from_claims(&claims).ok_or(JwtError::Invalid)?;
        Ok((Credential::Account(caller), claims.exp, generation))
    }

    fn verify_player(&self, token: &str, now: OffsetDateTime) -> Result<(Claims, u64), JwtError> {
        let known = self.known();
        if now.unix_timestamp().saturating_sub(known.set.fetched_s) > KEYS_AGE_MAX.as_secs().cast_signed() {
            return Err(JwtError::UnknownKey);
        }
        Ok((jwt::verify(token, &known.keys, PLAYERS, now)?, known.generation))
    }

    /// Has keys of some age fetched anew, for which nobody waits.
    fn refresh(self: &Arc<Self>) {
        if self.known().fetched.is_some_and(|at| at.elapsed() < KEYS_AGE) {
            return;
        }
        // Somebody is asking already, or has asked just now.
        let Ok(asked) = self.asked.try_lock() else { return };
        if asked.is_some_and(|asked| asked.at.elapsed() < FETCH_INTERVAL) {
            return;
        }
        drop(asked);
        let inner = Arc::clone(self);
        drop(tokio::spawn(async move { inner.fetch().await }));
    }

    /// Fetches the keys, unless that was tried just now; whether identity answered. A failure keeps the old ones.
    async fn fetch(&self) -> bool {
        let mut asked = self.asked.lock().await;
        if let Some(asked) = *asked
            && asked.at.elapsed() < FETCH_INTERVAL
        {
            return asked.answered;
        }
        let mut identity = self.identity.clone();
        let answer = tokio::time::timeout(FETCH_TIMEOUT, identity.list_keys(ListKeysRequest {})).await;
        let before = asked.replace(Asked { at: Instant::now(), answered: matches!(answer, Ok(Ok(_))) });
        let why = match answer {
            Ok(Ok(answer)) => {
                let keys = answer.into_inner().keys.into_iter().map(|key| (key.kid, key.x)).collect();
                let set = KeySet { fetched_s: self.env.now().unix_timestamp(), keys };
                self.replace(set).await;
                return true;
            }
            Ok(Err(status)) => status.message().to_owned(),
            Err(_) => "identity does not answer in time".to_owned(),
        };
        if before.is_none_or(|before| before.answered) {
            tracing::warn!("the keys of tokens cannot be fetched from identity: {why}");
        }
        let age_s = self.env.now().unix_timestamp().saturating_sub(self.known().set.fetched_s);
        if age_s > KEYS_AGE_MAX.as_secs().cast_signed()
            && let Some((health, part)) = &self.health
        {
            health.failing(*part, format!("no token can be verified: {why}"));
        }
        false
    }

    async fn replace(&self, set: KeySet) {
        let keys = set.verifying();
        let changed = {
            let mut known = self.known.write();
            let changed = known.set.keys != set.keys;
            let generation = known.generation + u64::from(changed);
            *known = Known { set: set.clone(), keys, generation, fetched: Some(Instant::now()) };
            changed.then_some(generation)
        };
        if let Some(generation) = changed {
            // Tokens of forgotten keys must not live on in memory; nor come in later, from before.
            *self.memory() = Remembered { generation, tokens: HashMap::new() };
        }
        if let Some((health, part)) = &self.health {
            health.working(*part);
        }
        if let Some(shelf) = self.shelf.clone() {
            let saved = crate::background::spawn(move || shelf.save(&set)).await;
            if let Ok(Err(error)) = saved {
                tracing::warn!(%error, "the keys of tokens are not kept over a restart");
            }
        }
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read()
    }

    fn memory(&self) -> MutexGuard<'_, Remembered> {
        self.remembered.lock()
    }
}

impl Remembered {
    /// Remembers a token, unless the keys that it was verified with have been replaced since.
    fn remember(&mut self, generation: u64, digest: [u8; 32], token: (Credential, i64)) {
        if generation != self.generation {
            return;
        }
        if self.tokens.len() >= REMEMBERED_MAX {
            self.tokens.clear();
        }
        self.tokens.insert(digest, token);
    }
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").field("cluster", &self.0.cluster).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_checked_while_keys_are_replaced_is_not_remembered() {
        let mut memory = Remembered::default();
        let token = || (Credential::Service("game".to_owned()), 0);
        memory.remember(0, [1; 32], token());
        assert!(memory.tokens.contains_key(&[1; 32]));
        memory = Remembered { generation: 1, tokens: HashMap::new() };
        memory.remember(0, [1; 32], token());
        assert!(memory.tokens.is_empty(), "it was verified with keys that are known no more");
    }
}
