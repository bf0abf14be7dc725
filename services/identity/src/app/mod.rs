//! What each call does, step by step: it reads, asks `core`, writes, and makes tokens.
//!
//! An order is kept to throughout: whatever may fail without harm (reading a key to sign with, hashing) comes
//! before the transaction, and nothing that may fail comes after its commit.

mod access_token;
mod account;
mod hasher;
mod key;
mod password;
mod register;
mod role;
mod session;
mod sweep;

pub(crate) use hasher::Hasher;
pub(crate) use key::{Keys, derivation, first_key, reseal, rotate};
pub(crate) use role::Roles;
pub(crate) use sweep::SWEEP_INTERVAL;

use chassis::{
    Database, Env, Vault,
    auth::{Caller, GrantType},
};

use crate::{
    core::{account::Account, secret::Derivation},
    error::{Error, Result},
    store,
    store::Throttle,
};

/// The service.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    pub env: Env,
    pub database: Database,
    pub throttle: Throttle,
    pub hasher: Hasher,
    pub keys: Keys,
    pub derivation: Derivation,
    pub vault: Vault,
    pub roles: Roles,
}

impl Identity {
    /// The account that is calling.
    async fn account_of(&self, caller: &Caller) -> Result<Account> {
        let account = store::account::find(self.database.read(), caller.id).await?;
        account.ok_or(Error::UnknownCaller)
    }
}

/// Refuses personal access tokens: whoever has one must not get hold of more than it allows.
fn require_sign_in(caller: &Caller) -> Result<()> {
    match caller.kind {
        GrantType::SignIn => Ok(()),
        GrantType::AccessToken => Err(Error::SignInNeeded),
    }
}
