//! The table `known_places`: from where an account was signed in to lately. Addresses are kept as digests only.

use chassis::{database::StoreError, id::AccountId, time::to_micros};
use sea_orm::{
    ActiveValue::Set, ConnectionTrait, QueryOrder as _, entity::prelude::*, sea_query::OnConflict,
};
use time::OffsetDateTime;

use super::batch;
use crate::core::secret::Digest;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "known_places")]
pub(crate) struct Model {
    /// The digest of the account's name and the address together.
    #[sea_orm(primary_key, auto_increment = false)]
    pub place: Vec<u8>,
    pub account_id: Uuid,
    pub seen_us: i64,
}

chassis::standalone!();

/// Whether a place has been seen after a moment.
pub(crate) async fn is_known(
    on: &impl ConnectionTrait,
    place: Digest,
    after: OffsetDateTime,
) -> Result<bool, StoreError> {
    let found = Entity::find_by_id(place.to_vec()).one(on).await?;
    Ok(found.is_some_and(|row| row.seen_us > to_micros(after)))
}

/// Notes that an account was signed in to from a place, and drops the places of the same account that were seen
/// least lately above `max`.
pub(crate) async fn remember(
    on: &impl ConnectionTrait,
    account: AccountId,
    place: Digest,
    now: OffsetDateTime,
    max: u64,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        place: Set(place.to_vec()),
        account_id: Set(account.uuid()),
        seen_us: Set(to_micros(now)),
    };
    Entity::insert(row)
        .on_conflict(
            OnConflict::column(Column::Place).update_columns([Column::AccountId, Column::SeenUs]).to_owned(),
        )
        .exec_without_returning(on)
        .await?;
    let places = Entity::find()
        .filter(Column::AccountId.eq(account.uuid()))
        .order_by_desc(Column::SeenUs)
        .order_by_desc(Column::Place);
    batch::delete_surplus(on, places, Column::Place, max).await
}

/// Forgets the places that have not been seen since a moment; how many.
pub(crate) async fn sweep(on: &impl ConnectionTrait, before: OffsetDateTime) -> Result<u64, StoreError> {
    let old = Column::SeenUs.lte(to_micros(before));
    batch::delete::<Entity>(on, Column::Place, old).await
}
