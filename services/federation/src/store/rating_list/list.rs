//! The table `rating_lists`: what was published. Rows are added and never changed.

use chassis::{database::StoreError, id::RatingPolicyId, time::to_micros};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};

use super::{
    super::{day, moment},
    column, count, digest,
};
use crate::core::rating_list::Published;

const TABLE: &str = "rating_lists";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_lists")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    pub day: i32,
    pub published_us: i64,
    pub account_id: Uuid,
    pub version: i32,
    pub input_digest: Vec<u8>,
    pub list_digest: Vec<u8>,
    pub listed: i32,
    pub games: i32,
    pub events: i32,
    pub recomputed_from: i32,
}

chassis::standalone!();

/// A list of a policy; the last if no number is named.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    number: Option<u32>,
) -> Result<Option<Published>, StoreError> {
    let lists = Entity::find().filter(Column::PolicyId.eq(policy.uuid()));
    let query = match number {
        Some(number) => lists.filter(Column::Number.eq(column(number))),
        None => lists.order_by_desc(Column::Number).limit(1),
    };
    query.one(on).await?.map(Published::try_from).transpose()
}

/// Lists of a policy, the last first, before a number.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    policy: RatingPolicyId,
    before: Option<u32>,
    count: u64,
) -> Result<Vec<Published>, StoreError> {
    let mut query = Entity::find().filter(Column::PolicyId.eq(policy.uuid()));
    if let Some(before) = before {
        query = query.filter(Column::Number.lt(column(before)));
    }
    let rows = query.order_by_desc(Column::Number).limit(count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Adds a list. One of its number or day is there already: [`StoreError::Contended`].
pub(crate) async fn insert(on: &impl ConnectionTrait, list: &Published) -> Result<(), StoreError> {
    let row = ActiveModel {
        policy_id: Set(list.policy.uuid()),
        number: Set(column(list.number)),
        day: Set(list.day.to_julian_day()),
        published_us: Set(to_micros(list.at)),
        account_id: Set(list.by.uuid()),
        version: Set(column(list.version)),
        input_digest: Set(list.input.to_vec()),
        list_digest: Set(list.list.to_vec()),
        listed: Set(column(list.listed)),
        games: Set(column(list.games)),
        events: Set(column(list.events)),
        recomputed_from: Set(column(list.recomputed_from)),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

impl TryFrom<Model> for Published {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        Ok(Published {
            policy: row.policy_id.into(),
            number: count(row.number, TABLE)?,
            day: day(row.day, TABLE)?,
            at: moment(row.published_us, TABLE)?,
            by: row.account_id.into(),
            version: count(row.version, TABLE)?,
            input: digest(row.input_digest, TABLE)?,
            list: digest(row.list_digest, TABLE)?,
            listed: count(row.listed, TABLE)?,
            games: count(row.games, TABLE)?,
            events: count(row.events, TABLE)?,
            recomputed_from: count(row.recomputed_from, TABLE)?,
        })
    }
}
