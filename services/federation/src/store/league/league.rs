//! The table `leagues`.

use chassis::{
    database::StoreError,
    id::{FederationId, LeagueId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, PaginatorTrait as _, entity::prelude::*};

use crate::{
    core::{league::League, name::Name},
    store::{moment, page},
};

const TABLE: &str = "leagues";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "leagues")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub federation_id: Uuid,
    pub native: String,
    pub latin: String,
    /// The latest version of its rules.
    pub version: i32,
    pub made_us: i64,
    pub revision: i64,
}

chassis::standalone!();

/// The league of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: LeagueId) -> Result<Option<League>, StoreError> {
    Entity::find_by_id(id.uuid()).one(on).await?.map(League::try_from).transpose()
}

/// How many leagues a federation has.
pub(crate) async fn count(on: &impl ConnectionTrait, federation: FederationId) -> Result<u64, StoreError> {
    Ok(Entity::find().filter(Column::FederationId.eq(federation.uuid())).count(on).await?)
}

/// Leagues of a federation, the oldest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    federation: FederationId,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<League>, StoreError> {
    let query = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    let rows = page(query, Column::Id, after, count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Adds a league.
pub(crate) async fn insert(on: &impl ConnectionTrait, league: &League) -> Result<(), StoreError> {
    Entity::insert(row(league)).exec_without_returning(on).await?;
    Ok(())
}

/// Writes a league over what it was.
pub(crate) async fn update(on: &impl ConnectionTrait, league: &League) -> Result<(), StoreError> {
    Entity::update_many().set(row(league)).filter(Column::Id.eq(league.id.uuid())).exec(on).await?;
    Ok(())
}

fn row(league: &League) -> ActiveModel {
    ActiveModel {
        id: Set(league.id.uuid()),
        federation_id: Set(league.federation.uuid()),
        native: Set(league.name.native.clone()),
        latin: Set(league.name.latin.clone()),
        version: Set(league.version.cast_signed()),
        made_us: Set(to_micros(league.made)),
        revision: Set(league.revision),
    }
}

impl TryFrom<Model> for League {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(League {
            id: row.id.into(),
            federation: row.federation_id.into(),
            name: Name { native: row.native, latin: row.latin },
            version: row.version.cast_unsigned(),
            made: moment(row.made_us, TABLE)?,
            revision: row.revision,
        })
    }
}
