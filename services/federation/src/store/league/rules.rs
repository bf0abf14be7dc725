//! The table `league_rules`: every version of the rules of leagues.

use api::federation::v1 as pb;
use chassis::{database::StoreError, id::LeagueId};
use prost::Message as _;
use sea_orm::{ActiveValue::Set, entity::prelude::*};

use crate::{core::league::Rules, wire::league::rules::stored};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "league_rules")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub league_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// `LeagueRules`.
    pub body: Vec<u8>,
}

chassis::standalone!();

/// A version of the rules of a league.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    league: LeagueId,
    version: u32,
) -> Result<Option<Rules>, StoreError> {
    let row = Entity::find_by_id((league.uuid(), version.cast_signed())).one(on).await?;
    let read = |row: Model| pb::LeagueRules::decode(&*row.body).ok().and_then(stored);
    row.map(|row| read(row).ok_or(StoreError::Corrupt("league_rules"))).transpose()
}

/// Adds a version.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    league: LeagueId,
    version: u32,
    rules: &Rules,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        league_id: Set(league.uuid()),
        version: Set(version.cast_signed()),
        body: Set(pb::LeagueRules::from(rules).encode_to_vec()),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}
