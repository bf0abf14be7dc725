//! The table `rating_vouched`: ratings that somebody vouches for, one of a member.

use chassis::{
    database::StoreError,
    id::{AccountId, MemberId, RatingPolicyId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*, sea_query::OnConflict};
use strength::Points;
use time::OffsetDateTime;

use super::{
    super::{CHUNK, day},
    column, count,
};
use crate::core::rating_list::import::Vouched;

const TABLE: &str = "rating_vouched";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_vouched")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: Uuid,
    pub rating: i32,
    pub games: i32,
    pub day: i32,
    pub vouched_by: String,
    /// Who took it in.
    pub account_id: Uuid,
    pub made_us: i64,
    pub known_by: Option<i32>,
}

chassis::standalone!();

/// Those that no list knows yet, in the order of members.
pub(crate) async fn pending(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
) -> Result<Vec<Vouched>, StoreError> {
    let query = Entity::find().filter(Column::PolicyId.eq(policy.uuid())).filter(Column::KnownBy.is_null());
    let rows = query.order_by_asc(Column::MemberId).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Those of members.
pub(crate) async fn of(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    members: &[Uuid],
) -> Result<Vec<Vouched>, StoreError> {
    let mut found = Vec::new();
    for members in members.chunks(CHUNK) {
        let query = Entity::find().filter(Column::PolicyId.eq(policy.uuid()));
        found.extend(query.filter(Column::MemberId.is_in(members.iter().copied())).all(on).await?);
    }
    found.into_iter().map(TryFrom::try_from).collect()
}

/// All, in the order of members: at most `count` after one.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Vouched>, StoreError> {
    let query = Entity::find().filter(Column::PolicyId.eq(policy.uuid()));
    let rows = super::super::page(query, Column::MemberId, after, count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Adds ratings, or puts them in the place of those that were there.
pub(crate) async fn write(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    (account, now): (AccountId, OffsetDateTime),
    ratings: &[Vouched],
) -> Result<(), StoreError> {
    let replace = OnConflict::columns([Column::PolicyId, Column::MemberId])
        .update_columns([
            Column::Rating,
            Column::Games,
            Column::Day,
            Column::VouchedBy,
            Column::AccountId,
            Column::MadeUs,
        ])
        .to_owned();
    for ratings in ratings.chunks(CHUNK) {
        let rows = ratings.iter().map(|it| ActiveModel {
            policy_id: Set(policy.uuid()),
            member_id: Set(it.member.uuid()),
            rating: Set(it.rating.0),
            games: Set(column(it.games)),
            day: Set(it.day.to_julian_day()),
            vouched_by: Set(it.by.clone()),
            account_id: Set(account.uuid()),
            made_us: Set(to_micros(now)),
            known_by: Set(it.known_by.map(column)),
        });
        Entity::insert_many(rows).on_conflict(replace.clone()).exec_without_returning(on).await?;
    }
    Ok(())
}

/// Notes that a list knows all that none has known so far.
pub(crate) async fn mark(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    number: u32,
) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::KnownBy, Expr::value(column(number)))
        .filter(Column::PolicyId.eq(policy.uuid()))
        .filter(Column::KnownBy.is_null())
        .exec(on)
        .await?;
    Ok(())
}

impl TryFrom<Model> for Vouched {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Vouched {
            member: MemberId::from(row.member_id),
            rating: Points(row.rating),
            games: count(row.games, TABLE)?,
            day: day(row.day, TABLE)?,
            by: row.vouched_by,
            known_by: row.known_by.map(|number| count(number, TABLE)).transpose()?,
        })
    }
}
