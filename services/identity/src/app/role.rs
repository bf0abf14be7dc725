//! Roles: granting, revoking and listing them.

use std::collections::HashMap;

use chassis::{Database, Env, database::StoreError, id::AccountId};
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use crate::{
    core::{
        account::{Account, Public},
        name::NameKey,
        role::{GrantRole, Held, ROLES_MAX, RevokeRole, RoleFilter, RoleRecord},
    },
    error::{Error, Result},
    store,
};

/// The roles of the database.
#[derive(Clone, Debug)]
pub(crate) struct Roles {
    env: Env,
    database: Database,
}

impl Roles {
    /// The roles of this database.
    pub(crate) fn new(env: Env, database: Database) -> Self {
        Roles { env, database }
    }

    /// Grants a role to an account, or finds that it has it; how it has it from now on.
    pub(crate) async fn grant(
        &self,
        GrantRole { account, grant, granted_by }: GrantRole,
    ) -> Result<RoleRecord> {
        let (id, granted) = (self.env.uuid(), self.env.now());
        let new = Held { id, account, grant, granted_by, granted };
        let transaction = self.database.begin().await?;
        // Calls for one account wait for each other, so that the count below stays true, and what is found too.
        store::account::lock(&transaction, account).await?;
        let outcome = match store::account::find(&transaction, account).await? {
            Some(account) => grant_to(&transaction, &account, new).await,
            None => Err(Error::UnknownAccount),
        };
        match outcome {
            Ok(listed) => {
                transaction.commit().await?;
                if listed.held.id == id {
                    tracing::info!(account.id = %account, role = %grant, "a role was granted");
                }
                Ok(listed)
            }
            Err(error) => {
                transaction.rollback().await?;
                Err(error)
            }
        }
    }

    /// Takes a role from an account; whether it had it.
    pub(crate) async fn revoke(&self, RevokeRole { account, grant }: RevokeRole) -> Result<bool> {
        let revoked = store::role::delete(self.database.write(), account, grant).await?;
        if revoked {
            tracing::info!(account.id = %account, role = %grant, "a role was revoked");
        } else if store::account::find(self.database.read(), account).await?.is_none() {
            return Err(Error::UnknownAccount);
        }
        Ok(revoked)
    }

    /// Roles, newest first: at most `count` of those granted before the one with the id `before`.
    pub(crate) async fn list(
        &self,
        of: RoleFilter,
        before: Option<Uuid>,
        count: u64,
    ) -> Result<Vec<RoleRecord>> {
        let on = self.database.read();
        let page = store::role::page(on, of, before, count).await?;
        if page.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<AccountId> = page.iter().map(|held| held.account).collect();
        let accounts = store::account::look_up(on, &ids, &[]).await?;
        let names: HashMap<AccountId, String> =
            accounts.into_iter().map(|Public { id, name, .. }| (id, name)).collect();
        let listed = |held: Held| {
            let name = names.get(&held.account).cloned();
            let name = name.ok_or(StoreError::Corrupt("role_grants"))?;
            Ok(RoleRecord { held, name })
        };
        page.into_iter().map(listed).collect()
    }

    /// The account of a name.
    pub(crate) async fn account_named(&self, name: &str) -> Result<AccountId> {
        let name = NameKey::of(name).ok_or(Error::UnknownAccount)?;
        let found = store::account::find_by_name(self.database.read(), &name).await?;
        found.map(|account| account.id).ok_or(Error::UnknownAccount)
    }
}

/// Grants a role to an account that nobody else changes meanwhile.
async fn grant_to(on: &impl ConnectionTrait, account: &Account, new: Held) -> Result<RoleRecord> {
    if account.guest {
        return Err(Error::Guest);
    }
    let listed = |held| RoleRecord { held, name: account.name.clone() };
    if let Some(held) = store::role::find(on, account.id, new.grant).await? {
        return Ok(listed(held));
    }
    if store::role::count(on, account.id).await? >= ROLES_MAX {
        return Err(Error::RolesFull);
    }
    store::role::insert(on, &new).await?;
    Ok(listed(new))
}
