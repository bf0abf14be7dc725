//! The table `blocked_accounts`: whom accounts do not want to meet.

use std::collections::{HashMap, HashSet};

use chassis::{
    database::StoreError,
    id::AccountId,
    time::{from_micros, to_micros},
};
use sea_orm::{
    ActiveValue::Set, PaginatorTrait as _, QueryOrder as _, QuerySelect as _, entity::prelude::*,
    sea_query::OnConflict,
};

use super::behind;
use crate::core::{BLOCKED_MAX, Blocked};

/// Owners that are asked about in one statement.
const CHUNK: usize = 1_000;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "blocked_accounts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// What the account was called then.
    pub name: String,
    /// Since when, in microseconds since the epoch.
    pub since_us: i64,
}

chassis::standalone!();

/// Writes down that an account is blocked, unless it is; whether there was room for it.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    owner: AccountId,
    blocked: &Blocked,
) -> Result<bool, StoreError> {
    let of_owner = Entity::find().filter(Column::OwnerId.eq(owner.uuid()));
    if of_owner.clone().filter(Column::AccountId.eq(blocked.account.uuid())).count(on).await? > 0 {
        return Ok(true);
    }
    if of_owner.count(on).await? >= BLOCKED_MAX {
        return Ok(false);
    }
    let row = ActiveModel {
        owner_id: Set(owner.uuid()),
        account_id: Set(blocked.account.uuid()),
        name: Set(blocked.name.clone()),
        since_us: Set(to_micros(blocked.since)),
    };
    let known = OnConflict::columns([Column::OwnerId, Column::AccountId]).do_nothing().to_owned();
    Entity::insert(row).on_conflict(known).exec_without_returning(on).await?;
    Ok(true)
}

/// Takes a block back, if there is one.
pub(crate) async fn remove(
    on: &impl ConnectionTrait,
    owner: AccountId,
    account: AccountId,
) -> Result<(), StoreError> {
    Entity::delete_by_id((owner.uuid(), account.uuid())).exec(on).await?;
    Ok(())
}

/// Whom an account has blocked, the latest first, from behind one that is named by its time and account; at most so many.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    owner: AccountId,
    after: Option<(i64, Uuid)>,
    at_most: u64,
) -> Result<Vec<Blocked>, StoreError> {
    let query = Entity::find().filter(Column::OwnerId.eq(owner.uuid())).filter(behind(
        after,
        Column::SinceUs,
        Column::AccountId,
    ));
    let query = query.order_by_desc(Column::SinceUs).order_by_desc(Column::AccountId).limit(at_most);
    let read = |row: Model| {
        let since = from_micros(row.since_us).ok_or(StoreError::Corrupt("blocked_accounts"))?;
        Ok(Blocked { account: row.account_id.into(), name: row.name, since })
    };
    query.all(on).await?.into_iter().map(read).collect()
}

/// Whom each of some accounts has blocked; those who have blocked nobody are left out.
pub(crate) async fn of_owners(
    on: &impl ConnectionTrait,
    owners: &[AccountId],
) -> Result<HashMap<AccountId, HashSet<AccountId>>, StoreError> {
    let mut blocked: HashMap<AccountId, HashSet<AccountId>> = HashMap::new();
    for owners in owners.chunks(CHUNK) {
        let owners = owners.iter().map(|owner| owner.uuid());
        let rows: Vec<(Uuid, Uuid)> = Entity::find()
            .select_only()
            .columns([Column::OwnerId, Column::AccountId])
            .filter(Column::OwnerId.is_in(owners))
            .into_tuple()
            .all(on)
            .await?;
        for (owner, account) in rows {
            blocked.entry(owner.into()).or_default().insert(account.into());
        }
    }
    Ok(blocked)
}

/// The pairs of accounts among these of which one has blocked the other, who has first.
pub(crate) async fn among(
    on: &impl ConnectionTrait,
    accounts: &HashSet<AccountId>,
) -> Result<HashSet<(AccountId, AccountId)>, StoreError> {
    let ids = || accounts.iter().map(|account| account.uuid());
    let rows = Entity::find()
        .filter(Column::OwnerId.is_in(ids()))
        .filter(Column::AccountId.is_in(ids()))
        .all(on)
        .await?;
    Ok(rows.into_iter().map(|row| (row.owner_id.into(), row.account_id.into())).collect())
}
