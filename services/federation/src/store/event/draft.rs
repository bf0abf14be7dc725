//! The table `event_drafts`: the round that was paired and is not public yet. It is no part of the log: nobody but
//! officials knows of it.

use api::federation::v1 as pb;
use chassis::{
    database::StoreError,
    id::{EventId, RequestId},
};
use prost::Message as _;
use sea_orm::{ActiveValue::Set, entity::prelude::*};

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
    /// By which request it has become what it is: its revision, as no request changes a draft twice.
    pub request_id: Uuid,
}

chassis::standalone!();

/// A round that was paired and is not public yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Draft {
    /// As it would be published.
    pub round: PublishedRound,
    /// By which request it has become what it is. Nothing is written over a draft but by whoever has read this one.
    pub revision: RequestId,
}

/// The draft of an event.
pub(crate) async fn find(on: &impl ConnectionTrait, event: EventId) -> Result<Option<Draft>, StoreError> {
    let Some(row) = Entity::find_by_id(event.uuid()).one(on).await? else { return Ok(None) };
    let round = pb::Round::decode(&*row.body).ok().and_then(|round| round.try_into().ok());
    let round = round.ok_or(StoreError::Corrupt("event_drafts"))?;
    Ok(Some(Draft { round, revision: row.request_id.into() }))
}

/// Keeps a draft in place of the one that was read.
///
/// # Errors
/// [`StoreError::Contended`] when there is another by now.
pub(crate) async fn put(
    on: &impl ConnectionTrait,
    event: EventId,
    draft: &Draft,
    sequence: u64,
    read: Option<RequestId>,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        event_id: Set(event.uuid()),
        round: Set(draft.round.round.into()),
        body: Set(pb::Round::from(&draft.round).encode_to_vec()),
        sequence: Set(sequence.cast_signed()),
        request_id: Set(draft.revision.uuid()),
    };
    let Some(read) = read else {
        Entity::insert(row).exec_without_returning(on).await?;
        return Ok(());
    };
    let of_event = Entity::update_many().set(row).filter(Column::EventId.eq(event.uuid()));
    let updated = of_event.filter(Column::RequestId.eq(read.uuid())).exec(on).await?;
    if updated.rows_affected == 1 { Ok(()) } else { Err(StoreError::Contended) }
}

/// Forgets the draft of an event; false when it is not the one that was read any more.
pub(crate) async fn delete(
    on: &impl ConnectionTrait,
    event: EventId,
    read: RequestId,
) -> Result<bool, StoreError> {
    let of_event = Entity::delete_many().filter(Column::EventId.eq(event.uuid()));
    Ok(of_event.filter(Column::RequestId.eq(read.uuid())).exec(on).await?.rows_affected == 1)
}
