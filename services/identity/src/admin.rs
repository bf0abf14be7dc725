//! What an operator does with the database at hand, whether or not the service is running.

use chassis::{Database, Env, Vault, auth::RoleGrant, id::AccountId};
use uuid::Uuid;

use crate::{
    app,
    core::role::{GrantRole, RevokeRole, RoleFilter, RoleRecord},
    error::Result,
    store,
};

/// Roles of a page.
const PAGE: u64 = 200;

/// The roles of officials, for an operator who knows accounts by their names.
#[derive(Debug)]
pub struct Roles(app::Roles);

/// Makes a new signing key, and the tables if there are none; the key's id. Running services sign with it
/// within seconds.
///
/// # Errors
/// When the database refuses, or keys were rotated too often.
pub async fn rotate(database: &Database, vault: &Vault, env: &Env) -> Result<String> {
    database.migrate::<store::Migrator>().await?;
    app::rotate(database, vault, env).await
}

/// Seals with the vault's first key what is sealed with another, or not at all; how many secrets.
///
/// # Errors
/// When the database refuses, or a secret is sealed with a key that the vault does not have.
pub async fn reseal(database: &Database, vault: &Vault) -> Result<u64> {
    database.migrate::<store::Migrator>().await?;
    app::reseal(database, vault).await
}

impl Roles {
    /// The roles of a database, whose tables are made if there are none.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn open(database: &Database, env: &Env) -> Result<Self> {
        database.migrate::<store::Migrator>().await?;
        Ok(Roles(app::Roles::new(env.clone(), database.clone())))
    }

    /// The account of a name, without regard to case.
    ///
    /// # Errors
    /// When there is none, or the database refuses.
    pub async fn account(&self, name: &str) -> Result<AccountId> {
        self.0.account_named(name).await
    }

    /// Grants a role, or finds that the account has it; how it has it from now on. The account's next token
    /// has it.
    ///
    /// # Errors
    /// When the account is a guest's or has 32 roles, or the database refuses.
    pub async fn grant(&self, account: AccountId, grant: RoleGrant) -> Result<RoleRecord> {
        self.0.grant(GrantRole { account, grant, granted_by: None }).await
    }

    /// Takes a role from an account; whether it had it. Tokens issued before are believed until they expire.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn revoke(&self, account: AccountId, grant: RoleGrant) -> Result<bool> {
        self.0.revoke(RevokeRole { account, grant }).await
    }

    /// A page of roles, newest first: those granted before the one with the id `before`; empty after the last.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn page(&self, of: RoleFilter, before: Option<Uuid>) -> Result<Vec<RoleRecord>> {
        self.0.list(of, before, PAGE).await
    }
}
