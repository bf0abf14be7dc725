//! The table `rating_steps`: from what a list followed, as canonical bytes. Rows are added and never changed: a step that is
//! made anew for a later list is another row.

use chassis::{database::StoreError, id::RatingPolicyId};
use miniz_oxide::{deflate::compress_to_vec_zlib, inflate::decompress_to_vec_zlib_with_limit};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use strength::Digest;

use super::{column, count, digest};
use crate::core::rating_list::limits::BYTES_MAX;

const TABLE: &str = "rating_steps";
/// How hard bytes are packed: ids of members do not get smaller, whatever is done.
const LEVEL: u8 = 6;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_steps")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    /// The list for which it was made.
    #[sea_orm(primary_key, auto_increment = false)]
    pub list_number: i32,
    /// The list to which it is a step.
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: i32,
    /// The input, packed by zlib.
    pub input: Vec<u8>,
    pub input_digest: Vec<u8>,
    /// The list, packed by zlib.
    pub list: Vec<u8>,
    pub list_digest: Vec<u8>,
}

chassis::standalone!();

/// A step as it is stored: its bytes are packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    /// Which.
    pub step: u32,
    /// Its input.
    pub input: Packed,
    /// The list.
    pub list: Packed,
}

/// Bytes that are packed, with the digest of what they are unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    bytes: Vec<u8>,
    pub digest: Digest,
}

impl Packed {
    /// Packs bytes. It takes a while.
    pub(crate) fn new(bytes: &[u8]) -> Packed {
        Packed { bytes: compress_to_vec_zlib(bytes, LEVEL), digest: strength::bytes::digest(bytes) }
    }

    /// The bytes.
    ///
    /// # Errors
    /// When they cannot be unpacked, or are more than any list has.
    pub(crate) fn open(&self) -> Result<Vec<u8>, StoreError> {
        decompress_to_vec_zlib_with_limit(&self.bytes, BYTES_MAX).map_err(|_| StoreError::Corrupt(TABLE))
    }
}

/// A step as it was made last for a list before this one, or for any if there is none.
pub(crate) async fn last(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    step: u32,
    before: Option<u32>,
) -> Result<Option<Stored>, StoreError> {
    let mut query = Entity::find()
        .filter(Column::PolicyId.eq(policy.uuid()))
        .filter(Column::Step.eq(column(step)))
        .order_by_desc(Column::ListNumber);
    if let Some(before) = before {
        query = query.filter(Column::ListNumber.lt(column(before)));
    }
    query.limit(1).one(on).await?.map(Stored::try_from).transpose()
}

/// A step that was made for a list.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    list: u32,
    step: u32,
) -> Result<Option<Stored>, StoreError> {
    let key = (policy.uuid(), column(list), column(step));
    Entity::find_by_id(key).one(on).await?.map(Stored::try_from).transpose()
}

/// Adds a step of a list.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    list: u32,
    stored: &Stored,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        policy_id: Set(policy.uuid()),
        list_number: Set(column(list)),
        step: Set(column(stored.step)),
        input: Set(stored.input.bytes.clone()),
        input_digest: Set(stored.input.digest.to_vec()),
        list: Set(stored.list.bytes.clone()),
        list_digest: Set(stored.list.digest.to_vec()),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

impl TryFrom<Model> for Stored {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Stored {
            step: count(row.step, TABLE)?,
            input: Packed { bytes: row.input, digest: digest(row.input_digest, TABLE)? },
            list: Packed { bytes: row.list, digest: digest(row.list_digest, TABLE)? },
        })
    }
}
