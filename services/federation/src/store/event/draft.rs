//! The table `event_drafts`: the round that was paired and is not public yet. It is no part of the log: nobody but
//! officials knows of it.

use api::federation::v1 as pb;
use chassis::{
    database::StoreError,
    id::{EventId, RequestId},
};
use prost::Message as _;
use sea_orm::{ActiveValue::Set, entity::prelude::*, sea_query::OnConflict};

use crate::core::event::PublishedRound;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_drafts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    pub round: i32,
    /// A `Round`.
    pub body: Vec<u8>,
    /// The last entry of the log that it reflects.
    pub sequence: i64,
    /// By which request it came about.
    pub request_id: Uuid,
}

chassis::standalone!();

/// A draft and the request by which it came about.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    event: EventId,
) -> Result<Option<(PublishedRound, RequestId)>, StoreError> {
    let Some(row) = Entity::find_by_id(event.uuid()).one(on).await? else { return Ok(None) };
    let round = pb::Round::decode(&*row.body).ok().and_then(|round| round.try_into().ok());
    let round = round.ok_or(StoreError::Corrupt("event_drafts"))?;
    Ok(Some((round, row.request_id.into())))
}

/// Keeps a draft in place of whichever there was.
pub(crate) async fn put(
    on: &impl ConnectionTrait,
    event: EventId,
    draft: &PublishedRound,
    sequence: u64,
    request: RequestId,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        event_id: Set(event.uuid()),
        round: Set(draft.round.into()),
        body: Set(pb::Round::from(draft).encode_to_vec()),
        sequence: Set(sequence.cast_signed()),
        request_id: Set(request.uuid()),
    };
    let columns = [Column::Round, Column::Body, Column::Sequence, Column::RequestId];
    Entity::insert(row)
        .on_conflict(OnConflict::column(Column::EventId).update_columns(columns).to_owned())
        .exec_without_returning(on)
        .await?;
    Ok(())
}

/// Forgets the draft of an event.
pub(crate) async fn delete(on: &impl ConnectionTrait, event: EventId) -> Result<(), StoreError> {
    Entity::delete_by_id(event.uuid()).exec(on).await?;
    Ok(())
}
