//! The table `event_draft_requests`: what was asked for by each request that has paired or changed a draft. It outlives the
//! draft, so that what comes again after the round was published is answered, and not refused.

use chassis::{
    database::StoreError,
    id::{EventId, RequestId},
};
use sea_orm::{ActiveValue::Set, entity::prelude::*};

use crate::core::event::fact::Digest;

/// A row. No request changes the drafts of an event twice.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_draft_requests")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub request_id: Uuid,
    /// SHA-256 of what was asked for.
    pub digest: Vec<u8>,
}

chassis::standalone!();

/// What a request asked for that has changed a draft, if it has.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    event: EventId,
    request: RequestId,
) -> Result<Option<Digest>, StoreError> {
    let row = Entity::find_by_id((event.uuid(), request.uuid())).one(on).await?;
    let digest = row.map(|row| row.digest.try_into());
    digest.transpose().map_err(|_| StoreError::Corrupt("event_draft_requests"))
}

/// Notes what a request has asked for.
///
/// # Errors
/// [`StoreError::Contended`] when it was made meanwhile.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    event: EventId,
    request: RequestId,
    digest: &Digest,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        event_id: Set(event.uuid()),
        request_id: Set(request.uuid()),
        digest: Set(digest.to_vec()),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}
