//! The table `titles`: what federations award.

use chassis::{database::StoreError, id::FederationId, time::to_micros};
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*};

use super::{code, moment};
use crate::core::{name::Name, title::Title};

const TABLE: &str = "titles";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "titles")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub native: String,
    pub latin: String,
    pub kind: i16,
    pub rank: i32,
    pub retired_us: Option<i64>,
}

chassis::standalone!();

/// The title of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Title>, StoreError> {
    Entity::find_by_id(id).one(on).await?.map(Title::try_from).transpose()
}

/// The titles of a federation, also retired ones: by kind, and those of one kind the highest first.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    federation: FederationId,
) -> Result<Vec<Title>, StoreError> {
    let found = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    let ordered = found.order_by_asc(Column::Kind).order_by_desc(Column::Rank).order_by_asc(Column::Id);
    ordered.all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

/// Adds a title.
pub(crate) async fn insert(on: &impl ConnectionTrait, title: &Title) -> Result<(), StoreError> {
    Entity::insert(row(title)).exec_without_returning(on).await?;
    Ok(())
}

/// Writes a title over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, title: &Title) -> Result<(), StoreError> {
    Entity::update_many().set(row(title)).filter(Column::Id.eq(title.id)).exec(on).await?;
    Ok(())
}

fn row(title: &Title) -> ActiveModel {
    ActiveModel {
        id: Set(title.id),
        federation_id: Set(title.federation.uuid()),
        native: Set(title.name.native.clone()),
        latin: Set(title.name.latin.clone()),
        kind: Set(code::title_kind(title.kind)),
        rank: Set(title.rank),
        retired_us: Set(title.retired.map(to_micros)),
    }
}

impl TryFrom<Model> for Title {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Title {
            id: row.id,
            federation: row.federation_id.into(),
            name: Name { native: row.native, latin: row.latin },
            kind: code::to_title_kind(row.kind).ok_or(StoreError::Corrupt(TABLE))?,
            rank: row.rank,
            retired: row.retired_us.map(|us| moment(us, TABLE)).transpose()?,
        })
    }
}
