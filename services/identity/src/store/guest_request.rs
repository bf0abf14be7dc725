//! The table `guest_requests`: which request made which guest, so that a repetition makes no second one.

use chassis::{
    database::{StoreError, is_conflict},
    id::AccountId,
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, ConnectionTrait, entity::prelude::*};
use time::OffsetDateTime;

use super::{batch, moment};
use crate::core::secret::Digest;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "guest_requests")]
pub(crate) struct Model {
    /// The digest of the request's id and the address that it came from.
    #[sea_orm(primary_key, auto_increment = false)]
    pub request: Vec<u8>,
    pub account_id: Uuid,
    pub made_us: i64,
}

chassis::standalone!();

/// The guest that a request has made, and when.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    request: Digest,
) -> Result<Option<(AccountId, OffsetDateTime)>, StoreError> {
    let Some(row) = Entity::find_by_id(request.to_vec()).one(on).await? else { return Ok(None) };
    Ok(Some((row.account_id.into(), moment(row.made_us, "guest_requests")?)))
}

/// Notes which guest a request makes; false when it has made one already.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    request: Digest,
    account: AccountId,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let row = ActiveModel {
        request: Set(request.to_vec()),
        account_id: Set(account.uuid()),
        made_us: Set(to_micros(now)),
    };
    match Entity::insert(row).exec_without_returning(on).await {
        Ok(_) => Ok(true),
        Err(error) if is_conflict(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Forgets the requests up to a moment; how many.
pub(crate) async fn sweep(on: &impl ConnectionTrait, before: OffsetDateTime) -> Result<u64, StoreError> {
    let old = Column::MadeUs.lte(to_micros(before));
    batch::delete::<Entity>(on, Column::Request, old).await
}
