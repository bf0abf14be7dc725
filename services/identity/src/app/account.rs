//! Reading accounts.

use chassis::{auth::Caller, id::AccountId};

use super::Identity;
use crate::{
    core::{
        account::{Account, Public},
        name::NameKey,
        role::{ROLES_MAX, RoleFilter, RoleRecord},
    },
    error::IdentityError,
    store,
};

/// Accounts that can be looked up at once: more than a tournament's table has players.
pub const LOOK_UP_MAX: usize = 200;

impl Identity {
    /// The caller's own account and the roles that it has now, newest first.
    pub async fn mine(&self, caller: &Caller) -> Result<(Account, Vec<RoleRecord>), IdentityError> {
        let account = self.account_of(caller).await?;
        let roles = self.roles.list(RoleFilter::Account(account.id), None, ROLES_MAX).await?;
        Ok((account, roles))
    }

    /// The accounts of these ids and names that exist, each once.
    pub async fn look_up(&self, ids: &[AccountId], names: &[String]) -> Result<Vec<Public>, IdentityError> {
        if ids.len() + names.len() > LOOK_UP_MAX {
            return Err(IdentityError::TooManyIds);
        }
        let names: Vec<NameKey> = names.iter().filter_map(|name| NameKey::of(name)).collect();
        if ids.is_empty() && names.is_empty() {
            return Ok(Vec::new());
        }
        Ok(store::account::look_up(self.database.read(), ids, &names).await?)
    }
}
