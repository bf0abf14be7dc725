//! The table `season_acts`: what was done in a season, and by whom. Rows are added, and none is changed.

use api::federation::v1 as pb;
use chassis::{database::StoreError, id::SeasonId};
use prost::Message as _;
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};

use crate::core::league::Entry;

const TABLE: &str = "season_acts";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "season_acts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub season_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    /// `SeasonLogEntry`.
    pub body: Vec<u8>,
}

chassis::standalone!();

/// The number of the last entry; 0 where there is none.
pub(crate) async fn last(on: &impl ConnectionTrait, season: SeasonId) -> Result<u64, StoreError> {
    let query = Entity::find().filter(Column::SeasonId.eq(season.uuid()));
    let last = query.order_by_desc(Column::Sequence).limit(1).one(on).await?;
    Ok(last.map_or(0, |row| row.sequence.cast_unsigned()))
}

/// Adds an entry.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    season: SeasonId,
    entry: &Entry,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        season_id: Set(season.uuid()),
        sequence: Set(entry.sequence.cast_signed()),
        body: Set(pb::SeasonLogEntry::from(entry).encode_to_vec()),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Entries in their order: at most `count` after one.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    season: SeasonId,
    after: Option<u64>,
    count: u64,
) -> Result<Vec<Entry>, StoreError> {
    let query = Entity::find()
        .filter(Column::SeasonId.eq(season.uuid()))
        .filter(Column::Sequence.gt(after.unwrap_or(0).cast_signed()));
    let rows = query.order_by_asc(Column::Sequence).limit(count).all(on).await?;
    let read = |row: Model| {
        let entry = pb::SeasonLogEntry::decode(&*row.body).ok().and_then(|it| it.try_into().ok());
        entry.ok_or(StoreError::Corrupt(TABLE))
    };
    rows.into_iter().map(read).collect()
}
