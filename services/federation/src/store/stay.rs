//! The table `stays`: who is in which club when.

use chassis::{database::StoreError, id::ClubId};
use sea_orm::{
    ActiveValue::Set, Condition, PaginatorTrait as _, QueryOrder as _, QuerySelect as _, QueryTrait as _,
    entity::prelude::*, sea_query::SelectStatement,
};
use time::Date;

use super::{CHUNK, day};
use crate::core::{member::Member, stay::Stay};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "stays")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: Uuid,
    /// The first day, as a Julian day.
    #[sea_orm(primary_key, auto_increment = false)]
    pub from_day: i32,
    /// The first day elsewhere.
    pub to_day: Option<i32>,
    pub club_id: Uuid,
}

chassis::standalone!();

/// The stays of members, the earliest first.
pub(crate) async fn of(on: &impl ConnectionTrait, members: &[Uuid]) -> Result<Vec<(Uuid, Stay)>, StoreError> {
    let query = Entity::find().filter(Column::MemberId.is_in(members.iter().copied()));
    let rows = query.order_by_asc(Column::FromDay).all(on).await?;
    let read = |row: Model| {
        let to = row.to_day.map(|to| day(to, "stays")).transpose()?;
        Ok((row.member_id, Stay { club: row.club_id.into(), from: day(row.from_day, "stays")?, to }))
    };
    rows.into_iter().map(read).collect()
}

/// Whether anybody is in a club on a day, or will be.
pub(crate) async fn has_anybody(
    on: &impl ConnectionTrait,
    club: ClubId,
    today: Date,
) -> Result<bool, StoreError> {
    let later = Condition::any().add(Column::ToDay.is_null()).add(Column::ToDay.gt(today.to_julian_day()));
    Ok(Entity::find().filter(Column::ClubId.eq(club.uuid())).filter(later).count(on).await? > 0)
}

/// In which clubs members are on a day; whoever is in none is left out.
pub(crate) async fn clubs_on(
    on: &impl ConnectionTrait,
    members: &[Uuid],
    day: Date,
) -> Result<Vec<(Uuid, ClubId)>, StoreError> {
    let day = day.to_julian_day();
    let mut found = Vec::new();
    for members in members.chunks(CHUNK) {
        let query = Entity::find()
            .filter(Column::MemberId.is_in(members.iter().copied()))
            .filter(Column::FromDay.lte(day))
            .filter(Condition::any().add(Column::ToDay.is_null()).add(Column::ToDay.gt(day)));
        found.extend(query.all(on).await?.into_iter().map(|row| (row.member_id, row.club_id.into())));
    }
    Ok(found)
}

/// A query of the ids of those who are in a club on a day.
pub(super) fn in_club(club: ClubId, on: Date) -> SelectStatement {
    let day = on.to_julian_day();
    Entity::find()
        .select_only()
        .column(Column::MemberId)
        .filter(Column::ClubId.eq(club.uuid()))
        .filter(Column::FromDay.lte(day))
        .filter(Condition::any().add(Column::ToDay.is_null()).add(Column::ToDay.gt(day)))
        .into_query()
}

/// Gives members these stays, and no others.
pub(super) async fn write(on: &impl ConnectionTrait, members: &[&Member]) -> Result<(), StoreError> {
    let ids = members.iter().map(|member| member.id.uuid());
    Entity::delete_many().filter(Column::MemberId.is_in(ids)).exec(on).await?;
    let rows: Vec<ActiveModel> = members
        .iter()
        .flat_map(|member| member.stays.iter().map(move |stay| (member, stay)))
        .map(|(member, stay)| ActiveModel {
            member_id: Set(member.id.uuid()),
            from_day: Set(stay.from.to_julian_day()),
            to_day: Set(stay.to.map(Date::to_julian_day)),
            club_id: Set(stay.club.uuid()),
        })
        .collect();
    for rows in rows.chunks(CHUNK) {
        Entity::insert_many(rows.to_vec()).exec_without_returning(on).await?;
    }
    Ok(())
}
