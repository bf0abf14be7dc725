//! The table `season_members`: who is in which squad of a season, each in one.

use std::collections::BTreeMap;

use chassis::{
    database::StoreError,
    id::{MemberId, SeasonId},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*, sea_query::ExprTrait as _};

use crate::{
    core::{
        league::{EntrantId, Squad},
        team::Part,
    },
    store::code,
};

const TABLE: &str = "season_members";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "season_members")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub season_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: Uuid,
    pub entrant_id: Uuid,
    pub place: i16,
    pub part: i16,
}

chassis::standalone!();

/// Who is in squads, in the order of boards.
pub(super) async fn of(
    on: &impl ConnectionTrait,
    season: SeasonId,
    entrants: &[Uuid],
) -> Result<BTreeMap<Uuid, Vec<(MemberId, Part)>>, StoreError> {
    let mut found: BTreeMap<Uuid, Vec<(MemberId, Part)>> = BTreeMap::new();
    if entrants.is_empty() {
        return Ok(found);
    }
    let query = Entity::find()
        .filter(Column::SeasonId.eq(season.uuid()))
        .filter(Column::EntrantId.is_in(entrants.iter().copied()));
    for row in query.order_by_asc(Column::Place).all(on).await? {
        let part = code::to_part(row.part).ok_or(StoreError::Corrupt(TABLE))?;
        found.entry(row.entrant_id).or_default().push((row.member_id.into(), part));
    }
    Ok(found)
}

/// The first of these members who is in the squad of somebody else, and whose that is.
pub(crate) async fn elsewhere(
    on: &impl ConnectionTrait,
    squad: &Squad,
    members: impl Iterator<Item = MemberId>,
) -> Result<Option<(MemberId, EntrantId)>, StoreError> {
    let query = Entity::find()
        .filter(Column::SeasonId.eq(squad.season.uuid()))
        .filter(Column::MemberId.is_in(members.map(MemberId::uuid)))
        .filter(Column::EntrantId.ne(squad.entrant.0));
    let found = query.order_by_asc(Column::MemberId).one(on).await?;
    Ok(found.map(|row| (row.member_id.into(), EntrantId(row.entrant_id))))
}

/// The squads that a member is in or was in, by their seasons, and as what.
pub(crate) async fn of_member(
    on: &impl ConnectionTrait,
    member: MemberId,
) -> Result<Vec<(SeasonId, Uuid, Part)>, StoreError> {
    let rows = Entity::find().filter(Column::MemberId.eq(member.uuid())).order_by_asc(Column::SeasonId);
    let read = |row: Model| {
        let part = code::to_part(row.part).ok_or(StoreError::Corrupt(TABLE))?;
        Ok((row.season_id.into(), row.entrant_id, part))
    };
    rows.all(on).await?.into_iter().map(read).collect()
}

/// Has these be in a squad, and nobody else.
pub(super) async fn write(on: &impl ConnectionTrait, squad: &Squad) -> Result<(), StoreError> {
    let own = Column::SeasonId.eq(squad.season.uuid()).and(Column::EntrantId.eq(squad.entrant.0));
    Entity::delete_many().filter(own).exec(on).await?;
    let rows: Vec<ActiveModel> = (0..)
        .zip(&squad.members)
        .map(|(place, (member, part))| ActiveModel {
            season_id: Set(squad.season.uuid()),
            member_id: Set(member.uuid()),
            entrant_id: Set(squad.entrant.0),
            place: Set(place),
            part: Set(code::part(*part)),
        })
        .collect();
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(on).await?;
    }
    Ok(())
}
