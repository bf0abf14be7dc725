//! The table `requests`: what the changes of the last day made, so that a repeated one is answered and not repeated.

use std::time::Duration;

use chassis::{
    database::StoreError,
    id::{AccountId, RequestId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, entity::prelude::*};
use time::OffsetDateTime;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "requests")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub request_id: Uuid,
    /// Of the method and everything that was asked.
    pub digest: Vec<u8>,
    /// What it made or changed.
    pub made_id: Uuid,
    /// What else is answered, where that is more than how the thing is now.
    pub counts: String,
    pub made_us: i64,
}

chassis::standalone!();

/// What a request made, if it did.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    account: AccountId,
    request: RequestId,
) -> Result<Option<Model>, StoreError> {
    Ok(Entity::find_by_id((account.uuid(), request.uuid())).one(on).await?)
}

/// Notes what a request made.
pub(crate) async fn insert(on: &impl ConnectionTrait, made: Model) -> Result<(), StoreError> {
    let Model { account_id, request_id, digest, made_id, counts, made_us } = made;
    let row = ActiveModel {
        account_id: Set(account_id),
        request_id: Set(request_id),
        digest: Set(digest),
        made_id: Set(made_id),
        counts: Set(counts),
        made_us: Set(made_us),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Forgets what is older than this.
pub(crate) async fn prune(
    on: &impl ConnectionTrait,
    now: OffsetDateTime,
    kept: Duration,
) -> Result<(), StoreError> {
    Entity::delete_many().filter(Column::MadeUs.lt(to_micros(now - kept))).exec(on).await?;
    Ok(())
}
