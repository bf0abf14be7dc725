//! The table `rating_events`: what was looked at of events, and which list counted them. It says what has changed since.

use std::collections::BTreeMap;

use chassis::{
    database::StoreError,
    id::{EventId, RatingPolicyId},
};
use sea_orm::{ActiveValue::Set, entity::prelude::*, sea_query::OnConflict};
use strength::Digest;

use super::{super::CHUNK, column, count, digest};

const TABLE: &str = "rating_events";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_events")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    pub step: Option<i32>,
    pub version: i32,
    pub looked: i32,
    pub sequence: i64,
    pub digest: Vec<u8>,
}

chassis::standalone!();

/// How an event was looked at last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LookedAt {
    /// The list that counted it first; none where none of its games counted.
    pub step: Option<u32>,
    /// By which version of the policy it was counted.
    pub version: u32,
    /// Which version the policy had when it was looked at.
    pub looked: u32,
    /// Up to which entry of its log.
    pub sequence: u64,
    /// The digest of the games that counted.
    pub digest: Digest,
}

/// All events that were looked at for a policy.
pub(crate) async fn of(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
) -> Result<BTreeMap<EventId, LookedAt>, StoreError> {
    let rows = Entity::find().filter(Column::PolicyId.eq(policy.uuid())).all(on).await?;
    let read = |row: Model| {
        let looked_at = LookedAt {
            step: row.step.map(|step| count(step, TABLE)).transpose()?,
            version: count(row.version, TABLE)?,
            looked: count(row.looked, TABLE)?,
            sequence: row.sequence.cast_unsigned(),
            digest: digest(row.digest, TABLE)?,
        };
        Ok((row.event_id.into(), looked_at))
    };
    rows.into_iter().map(read).collect()
}

/// Notes how events were looked at.
pub(crate) async fn write(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    events: &BTreeMap<EventId, LookedAt>,
) -> Result<(), StoreError> {
    let rows: Vec<ActiveModel> = events
        .iter()
        .map(|(event, it)| ActiveModel {
            policy_id: Set(policy.uuid()),
            event_id: Set(event.uuid()),
            step: Set(it.step.map(column)),
            version: Set(column(it.version)),
            looked: Set(column(it.looked)),
            sequence: Set(it.sequence.cast_signed()),
            digest: Set(it.digest.to_vec()),
        })
        .collect();
    let replace = OnConflict::columns([Column::PolicyId, Column::EventId])
        .update_columns([Column::Step, Column::Version, Column::Looked, Column::Sequence, Column::Digest])
        .to_owned();
    for rows in rows.chunks(CHUNK) {
        Entity::insert_many(rows.to_vec()).on_conflict(replace.clone()).exec_without_returning(on).await?;
    }
    Ok(())
}
