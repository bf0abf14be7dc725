//! The table `team_members`: who is in which team, in the order of boards.

use chassis::{
    database::StoreError,
    id::{MemberId, TeamId},
};
use sea_orm::{
    ActiveValue::Set, QueryOrder as _, QuerySelect as _, QueryTrait as _, entity::prelude::*,
    sea_query::SelectStatement,
};

use super::code;
use crate::core::team::{Part, Team};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "team_members")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub team_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: Uuid,
    pub place: i16,
    pub part: i16,
}

chassis::standalone!();

/// Who is in teams: the team, the member and his part, in the order of boards.
pub(super) async fn of(
    on: &impl ConnectionTrait,
    teams: &[Uuid],
) -> Result<Vec<(TeamId, MemberId, Part)>, StoreError> {
    let query = Entity::find().filter(Column::TeamId.is_in(teams.iter().copied()));
    let rows = query.order_by_asc(Column::Place).all(on).await?;
    let read = |row: Model| {
        let part = code::to_part(row.part).ok_or(StoreError::Corrupt("team_members"))?;
        Ok((row.team_id.into(), row.member_id.into(), part))
    };
    rows.into_iter().map(read).collect()
}

/// A query of the ids of the teams that a member is in.
pub(super) fn with(member: MemberId) -> SelectStatement {
    let query = Entity::find().select_only().column(Column::TeamId);
    query.filter(Column::MemberId.eq(member.uuid())).into_query()
}

/// Has these be in a team, and nobody else.
pub(super) async fn write(on: &impl ConnectionTrait, team: &Team) -> Result<(), StoreError> {
    Entity::delete_many().filter(Column::TeamId.eq(team.id.uuid())).exec(on).await?;
    let rows: Vec<ActiveModel> = (0..)
        .zip(&team.members)
        .map(|(place, (member, part))| ActiveModel {
            team_id: Set(team.id.uuid()),
            member_id: Set(member.uuid()),
            place: Set(place),
            part: Set(code::part(*part)),
        })
        .collect();
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(on).await?;
    }
    Ok(())
}
