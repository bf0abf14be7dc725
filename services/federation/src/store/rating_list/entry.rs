//! The table `rating_entries`: what lists say of members, by place, by club and by member. It follows from the lists, and from
//! who was in which club on their day.

use chassis::{
    database::StoreError,
    id::{ClubId, MemberId, RatingPolicyId},
};
use sea_orm::{
    ActiveValue::Set, Condition, QueryOrder as _, QuerySelect as _, entity::prelude::*,
    sea_query::ExprTrait as _,
};
use strength::Points;

use super::{super::CHUNK, column, count};

const TABLE: &str = "rating_entries";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_entries")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: Uuid,
    pub place: Option<i32>,
    pub club_id: Option<Uuid>,
    pub rating: i32,
    pub deviation: i32,
    pub change: i32,
    pub games: i32,
    pub new_games: i32,
    pub provisional: bool,
}

chassis::standalone!();

/// What a list says of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Which list.
    pub number: u32,
    /// Who.
    pub member: MemberId,
    /// His place.
    pub place: Option<u32>,
    /// His club on the day of the list.
    pub club: Option<ClubId>,
    /// The rating.
    pub rating: Points,
    /// Its deviation, in hundredths of a point.
    pub deviation: u32,
    /// By how much it has changed.
    pub change: Points,
    /// Games in all.
    pub games: u32,
    /// Games since the list before.
    pub new_games: u32,
    /// Whether the rating is provisional.
    pub provisional: bool,
}

/// A place of a list, and whose it is.
pub(crate) type Place = (i32, Uuid);

/// Who is listed with a place, in their order, after one of them; all, or those of a club.
pub(crate) async fn ranked(
    on: &impl ConnectionTrait,
    (policy, number): (RatingPolicyId, u32),
    club: Option<ClubId>,
    after: Option<Place>,
    count: u64,
) -> Result<Vec<Row>, StoreError> {
    let mut query = Entity::find()
        .filter(Column::PolicyId.eq(policy.uuid()))
        .filter(Column::Number.eq(column(number)))
        .filter(Column::Place.is_not_null());
    if let Some(club) = club {
        query = query.filter(Column::ClubId.eq(club.uuid()));
    }
    if let Some((place, member)) = after {
        let same = Column::Place.eq(place).and(Column::MemberId.gt(member));
        query = query.filter(Condition::any().add(Column::Place.gt(place)).add(same));
    }
    let rows = query.order_by_asc(Column::Place).order_by_asc(Column::MemberId).limit(count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// What lists say of a member, the last first, before a number.
pub(crate) async fn of_member(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    member: MemberId,
    before: Option<u32>,
    count: u64,
) -> Result<Vec<Row>, StoreError> {
    let mut query =
        Entity::find().filter(Column::PolicyId.eq(policy.uuid())).filter(Column::MemberId.eq(member.uuid()));
    if let Some(before) = before {
        query = query.filter(Column::Number.lt(column(before)));
    }
    let rows = query.order_by_desc(Column::Number).limit(count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Who of these members is rated by a list.
pub(crate) async fn among(
    on: &impl ConnectionTrait,
    (policy, number): (RatingPolicyId, u32),
    members: &[Uuid],
) -> Result<Vec<MemberId>, StoreError> {
    let mut found = Vec::new();
    for members in members.chunks(CHUNK) {
        let query = Entity::find()
            .filter(Column::PolicyId.eq(policy.uuid()))
            .filter(Column::Number.eq(column(number)))
            .filter(Column::MemberId.is_in(members.iter().copied()));
        let ids: Vec<Uuid> = query.select_only().column(Column::MemberId).into_tuple().all(on).await?;
        found.extend(ids.into_iter().map(MemberId::from));
    }
    Ok(found)
}

/// Adds what a list says.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    rows: &[Row],
) -> Result<(), StoreError> {
    for rows in rows.chunks(CHUNK) {
        let rows = rows.iter().map(|row| ActiveModel {
            policy_id: Set(policy.uuid()),
            number: Set(column(row.number)),
            member_id: Set(row.member.uuid()),
            place: Set(row.place.map(column)),
            club_id: Set(row.club.map(ClubId::uuid)),
            rating: Set(row.rating.0),
            deviation: Set(column(row.deviation)),
            change: Set(row.change.0),
            games: Set(column(row.games)),
            new_games: Set(column(row.new_games)),
            provisional: Set(row.provisional),
        });
        Entity::insert_many(rows).exec_without_returning(on).await?;
    }
    Ok(())
}

impl TryFrom<Model> for Row {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Row {
            number: count(row.number, TABLE)?,
            member: row.member_id.into(),
            place: row.place.map(|place| count(place, TABLE)).transpose()?,
            club: row.club_id.map(ClubId::from),
            rating: Points(row.rating),
            deviation: count(row.deviation, TABLE)?,
            change: Points(row.change),
            games: count(row.games, TABLE)?,
            new_games: count(row.new_games, TABLE)?,
            provisional: row.provisional,
        })
    }
}
