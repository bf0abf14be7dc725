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

pub use access_token::ExchangedToken;
pub use account::LOOK_UP_MAX;
pub use hasher::{AT_ONCE_MAX, Hasher, WAITING_MAX};
pub use key::{Keys, derivation, first_key, reseal, rotate};
pub use role::Roles;
pub use session::TokenPair;

use chassis::{
    Ambient, Database, Vault,
    auth::{Caller, Kind},
};

use crate::{
    core::{account::Account, secret::Derivation},
    error::IdentityError,
    store,
    store::Throttle,
};

/// Attempts at a write that others may get in the way of. Each failure means that somebody else got through.
const ATTEMPTS_MAX: u32 = 16;

/// The service.
#[derive(Clone, Debug)]
pub struct Identity {
    pub ambient: Ambient,
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
    async fn account_of(&self, caller: &Caller) -> Result<Account, IdentityError> {
        let account = store::account::find(self.database.read(), caller.id).await?;
        account.ok_or(IdentityError::UnknownCaller)
    }
}

/// Refuses personal access tokens: whoever has one must not get hold of more than it allows.
fn require_sign_in(caller: &Caller) -> Result<(), IdentityError> {
    match caller.kind {
        Kind::SignIn => Ok(()),
        Kind::AccessToken => Err(IdentityError::SignInNeeded),
    }
}
