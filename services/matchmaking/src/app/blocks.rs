//! Whom somebody does not want to meet: written down, and known to every replica that pairs.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use chassis::{auth::Caller, database::StoreError, id::AccountId, page::Page, time::to_micros};
use uuid::Uuid;

use super::Tickets;
use crate::{
    core::{Blocked, who},
    error::Error,
    store,
};

/// Where a list of blocked accounts goes on: behind the one that was blocked then.
pub(crate) type BlockPlace = (i64, Uuid);

impl Tickets {
    /// Has an account never meet another again.
    ///
    /// # Errors
    /// When it is its own, or there is no such account, or it has blocked too many, or a store or identity fails.
    pub(crate) async fn block(&self, caller: &Caller, account: AccountId) -> Result<(), Error> {
        if account == caller.id {
            return Err(Error::OwnAccount);
        }
        let name = self.account(account).await?.name;
        let blocked = Blocked { account, name, since: self.env.now() };
        if !store::block::insert(self.database.write(), caller.id, &blocked).await? {
            return Err(Error::TooManyBlocked);
        }
        self.mirror.lock().block_another(who(caller.id), who(account));
        self.queue.tell_block(caller.id, account).await;
        Ok(())
    }

    /// Takes that back.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn unblock(&self, caller: &Caller, account: AccountId) -> Result<(), Error> {
        // Those who wait learn of it when they wait anew.
        Ok(store::block::remove(self.database.write(), caller.id, account).await?)
    }

    /// The accounts that one has blocked, the latest first, and the token of the next page.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) async fn blocked(
        &self,
        account: AccountId,
        page: &Page<BlockPlace>,
    ) -> Result<(Vec<Blocked>, String), Error> {
        let found = store::block::list(self.database.read(), account, page.after, page.fetch()).await?;
        Ok(page.cut(found, |blocked| (to_micros(blocked.since), blocked.account.uuid())))
    }

    /// Learns whom those do not want to meet who are about to wait. It must be known before they do.
    pub(super) async fn learn_blocks(&self, owners: Vec<AccountId>) -> Result<(), StoreError> {
        if owners.is_empty() {
            return Ok(());
        }
        let mut blocked: HashMap<AccountId, HashSet<AccountId>> =
            store::block::of_owners(self.database.read(), &owners).await?;
        let mut mirror = self.mirror.lock();
        for owner in owners {
            let blocked = blocked.remove(&owner).unwrap_or_default();
            mirror.block(who(owner), blocked.into_iter().map(who).collect());
        }
        Ok(())
    }
}

/// Notes what another replica has told of.
pub(super) fn note(tickets: &Arc<Tickets>, message: &[u8]) {
    if let Some((owner, account)) = store::decode_block(message) {
        tickets.mirror.lock().block_another(who(owner), who(account));
    }
}
