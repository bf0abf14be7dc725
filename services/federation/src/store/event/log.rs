//! The table `event_log`: what happened, as the bytes that were hashed.

use chassis::{
    database::StoreError,
    id::{EventId, RequestId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};

use crate::{
    core::event::{LogEntry, fact::Digest},
    wire::event::log as wire,
};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_log")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    pub body: Vec<u8>,
    pub hash: Vec<u8>,
    pub at_us: i64,
    pub request_id: Option<Uuid>,
    /// SHA-256 of what was asked for.
    pub request_digest: Option<Vec<u8>>,
}

chassis::standalone!();

/// Rows of one statement: few enough for the limits on parameters of both databases.
const ROWS_AT_ONCE: usize = 500;

/// An entry as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub entry: LogEntry,
    pub body: Vec<u8>,
    pub hash: Digest,
}

/// What entries become on disk: each has the hash of the one before it.
pub(crate) fn sealed(event: EventId, entries: Vec<LogEntry>, mut previous: Option<Digest>) -> Vec<Stored> {
    entries
        .into_iter()
        .map(|entry| {
            let body = wire::encode(event, &entry, previous.as_ref());
            let hash = wire::hash(&body);
            previous = Some(hash);
            Stored { entry, body, hash }
        })
        .collect()
}

/// Adds entries. Whoever was faster has written the same numbers: [`StoreError::Contended`].
pub(crate) async fn append(
    on: &impl ConnectionTrait,
    event: EventId,
    entries: &[Stored],
    digest: Option<&Digest>,
) -> Result<(), StoreError> {
    for chunk in entries.chunks(ROWS_AT_ONCE) {
        let rows = chunk.iter().map(|stored| ActiveModel {
            event_id: Set(event.uuid()),
            sequence: Set(stored.entry.sequence.cast_signed()),
            body: Set(stored.body.clone()),
            hash: Set(stored.hash.to_vec()),
            at_us: Set(to_micros(stored.entry.at)),
            request_id: Set(stored.entry.request.map(RequestId::uuid)),
            request_digest: Set(stored.entry.request.and(digest).map(|digest| digest.to_vec())),
        });
        Entity::insert_many(rows).exec_without_returning(on).await?;
    }
    Ok(())
}

/// Entries after a number, oldest first, at most so many.
pub(crate) async fn after(
    on: &impl ConnectionTrait,
    event: EventId,
    sequence: u64,
    at_most: u64,
) -> Result<Vec<Stored>, StoreError> {
    let rows = Entity::find()
        .filter(Column::EventId.eq(event.uuid()))
        .filter(Column::Sequence.gt(sequence.cast_signed()))
        .order_by_asc(Column::Sequence)
        .limit(at_most)
        .all(on)
        .await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// The same as they are stored, whatever they say, up to a number.
pub(crate) async fn between(
    on: &impl ConnectionTrait,
    event: EventId,
    (after, up_to): (u64, u64),
    at_most: u64,
) -> Result<Vec<api::federation::v1::EventLogEntry>, StoreError> {
    let rows = Entity::find()
        .filter(Column::EventId.eq(event.uuid()))
        .filter(Column::Sequence.gt(after.cast_signed()))
        .filter(Column::Sequence.lte(up_to.cast_signed()))
        .order_by_asc(Column::Sequence)
        .limit(at_most)
        .all(on)
        .await?;
    let entry = |row: Model| api::federation::v1::EventLogEntry {
        sequence: row.sequence.cast_unsigned(),
        body: row.body,
        hash: row.hash,
    };
    Ok(rows.into_iter().map(entry).collect())
}

/// What was asked for by a request that was carried out.
pub(crate) async fn request(
    on: &impl ConnectionTrait,
    event: EventId,
    request: RequestId,
) -> Result<Option<Digest>, StoreError> {
    let row = Entity::find()
        .filter(Column::EventId.eq(event.uuid()))
        .filter(Column::RequestId.eq(request.uuid()))
        .limit(1)
        .one(on)
        .await?;
    let digest = row.and_then(|row| row.request_digest);
    digest.map(|bytes| bytes.try_into().map_err(|_| StoreError::Corrupt("event_log"))).transpose()
}

/// The number of the last entry that was written at a moment or before.
pub(crate) async fn sequence_at(
    on: &impl ConnectionTrait,
    event: EventId,
    at: time::OffsetDateTime,
) -> Result<u64, StoreError> {
    let row = Entity::find()
        .filter(Column::EventId.eq(event.uuid()))
        .filter(Column::AtUs.lte(to_micros(at)))
        .order_by_desc(Column::Sequence)
        .limit(1)
        .one(on)
        .await?;
    Ok(row.map_or(0, |row| row.sequence.cast_unsigned()))
}

impl TryFrom<Model> for Stored {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Stored, StoreError> {
        let corrupt = StoreError::Corrupt("event_log");
        let (entry, _) = wire::decode(row.event_id.into(), &row.body).map_err(|_| corrupt.clone())?;
        let hash = row.hash.try_into().map_err(|_| corrupt.clone())?;
        // What is written under another number, or was changed, is not believed.
        if entry.sequence != row.sequence.cast_unsigned() || wire::hash(&row.body) != hash {
            return Err(corrupt);
        }
        Ok(Stored { entry, body: row.body, hash })
    }
}

impl From<Stored> for api::federation::v1::EventLogEntry {
    fn from(stored: Stored) -> Self {
        let Stored { entry, body, hash } = stored;
        api::federation::v1::EventLogEntry { sequence: entry.sequence, body, hash: hash.to_vec() }
    }
}
