//! The table `event_notes`: what stands beside the log, under its salted hash.

use std::{collections::BTreeMap, fmt};

use chassis::{database::StoreError, id::EventId};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use sha2::{Digest as _, Sha256};

use crate::{core::event::Sealed, store::CHUNK};

/// A row.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_notes")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    /// SHA-256 of salt and text.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    /// The entry of the log that has the hash.
    pub sequence: i64,
    pub salt: Vec<u8>,
    pub text: String,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("event_id", &self.event_id).finish_non_exhaustive()
    }
}

chassis::standalone!();

/// A note that is to be kept.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Note {
    salt: [u8; 16],
    text: String,
}

impl Note {
    /// A note with its salt, without which a short text could be guessed from its hash.
    pub(crate) fn new(text: String, salt: [u8; 16]) -> Note {
        Note { salt, text }
    }

    /// What the log has of it.
    pub(crate) fn sealed(&self) -> Sealed {
        Sealed(Sha256::new_with_prefix(self.salt).chain_update(self.text.as_bytes()).finalize().into())
    }
}

/// Keeps notes, each with the number of the entry that has its hash.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    event: EventId,
    notes: &[(u64, Note)],
) -> Result<(), StoreError> {
    if notes.is_empty() {
        return Ok(());
    }
    let rows = notes.iter().map(|(sequence, note)| ActiveModel {
        event_id: Set(event.uuid()),
        digest: Set(note.sealed().0.to_vec()),
        sequence: Set(sequence.cast_signed()),
        salt: Set(note.salt.to_vec()),
        text: Set(note.text.clone()),
    });
    Entity::insert_many(rows).exec_without_returning(on).await?;
    Ok(())
}

/// The texts of some hashes, of those that are still there.
pub(crate) async fn texts(
    on: &impl ConnectionTrait,
    event: EventId,
    wanted: &[Sealed],
) -> Result<BTreeMap<[u8; 32], String>, StoreError> {
    let digests: Vec<Vec<u8>> = wanted.iter().map(|sealed| sealed.0.to_vec()).collect();
    let of_event = Entity::find().filter(Column::EventId.eq(event.uuid()));
    let rows = of_event.filter(Column::Digest.is_in(digests)).all(on).await?;
    let read = |row: Model| {
        let digest = row.digest.try_into().map_err(|_| StoreError::Corrupt("event_notes"))?;
        Ok((digest, row.text))
    };
    rows.into_iter().map(read).collect()
}

/// Forgets the notes of these hashes. The log stays as it is: it has the hashes, by which nobody guesses the texts.
pub(crate) async fn forget(
    on: &impl ConnectionTrait,
    event: EventId,
    these: &[Sealed],
) -> Result<(), StoreError> {
    for these in these.chunks(CHUNK) {
        let digests = these.iter().map(|sealed| sealed.0.to_vec());
        let gone = Entity::delete_many().filter(Column::EventId.eq(event.uuid()));
        gone.filter(Column::Digest.is_in(digests)).exec(on).await?;
    }
    Ok(())
}

/// Notes after an entry of the log, in its order.
pub(crate) async fn after(
    on: &impl ConnectionTrait,
    event: EventId,
    sequence: u64,
    at_most: u64,
) -> Result<Vec<Model>, StoreError> {
    let of_event = Entity::find().filter(Column::EventId.eq(event.uuid()));
    let later = of_event.filter(Column::Sequence.gt(sequence.cast_signed()));
    Ok(later.order_by_asc(Column::Sequence).limit(at_most).all(on).await?)
}

impl From<Model> for api::federation::v1::EventNote {
    fn from(row: Model) -> Self {
        Self { sequence: row.sequence.cast_unsigned(), text: row.text, salt: row.salt }
    }
}
