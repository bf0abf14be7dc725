//! Tells other services whose accounts those of members are.

use std::collections::BTreeSet;

use chassis::{
    Database,
    id::{AccountId, FederationId},
};
use futures::{Stream, stream};
use time::Date;

use crate::{core::official::Role, error::Result, store};

/// The accounts of those who hold a role in a federation as a whole.
///
/// # Errors
/// When the database fails.
pub(crate) async fn official_accounts(
    database: &Database,
    federation: FederationId,
) -> Result<BTreeSet<AccountId>> {
    let holders = store::official::holders(database.read(), federation, &Role::ALL).await?;
    Ok(holders.into_iter().collect())
}

/// Accounts that are told together.
const TOGETHER: u64 = 1_000;

/// The accounts of those who were members of a federation on a day, or of all that are not dissolved.
pub(crate) fn member_accounts(
    database: Database,
    federation: Option<FederationId>,
    day: Date,
) -> impl Stream<Item = Result<Vec<(FederationId, AccountId)>>> {
    stream::try_unfold(Some(None), move |behind| {
        let database = database.clone();
        async move {
            let Some(after) = behind else { return Ok(None) };
            let on = database.read();
            let found = store::member::accounts_on(on, federation, day, after, TOGETHER).await?;
            let Some((last, ..)) = found.last() else { return Ok(None) };
            let is_more = found.len() as u64 == TOGETHER;
            let behind = is_more.then_some(Some(*last));
            let accounts = found.into_iter().map(|(_, federation, account)| (federation, account)).collect();
            Ok(Some((accounts, behind)))
        }
    })
}
