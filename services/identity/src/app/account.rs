//! Reading accounts.

use chassis::{auth::Caller, id::AccountId};

use super::Identity;
use crate::{
    core::{
        account::{Account, Public},
        limit::LOOK_UP_MAX,
        name::NameKey,
        role::{ROLES_MAX, RoleFilter, RoleRecord},
    },
    error::{Error, Result},
    store,
};

impl Identity {
    /// The caller's own account and the roles that it has now, newest first.
    pub(crate) async fn mine(&self, caller: &Caller) -> Result<(Account, Vec<RoleRecord>)> {
        let account = self.account_of(caller).await?;
        let roles = self.roles.list(RoleFilter::Account(account.id), None, ROLES_MAX).await?;
        Ok((account, roles))
    }

    /// The accounts of these ids and names that exist, each once.
    pub(crate) async fn look_up(&self, ids: &[AccountId], names: &[String]) -> Result<Vec<Public>> {
        if ids.len() + names.len() > LOOK_UP_MAX {
            return Err(Error::TooManyIds);
        }
        let names: Vec<NameKey> = names.iter().filter_map(|name| NameKey::of(name)).collect();
        if ids.is_empty() && names.is_empty() {
            return Ok(Vec::new());
        }
        Ok(store::account::look_up(self.database.read(), ids, &names).await?)
    }
}
