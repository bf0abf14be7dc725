//! The tables `rating_policies` and `rating_policy_versions`.

use chassis::{
    database::StoreError,
    id::{FederationId, RatingPolicyId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, PaginatorTrait as _, QueryOrder as _, QuerySelect as _, entity::prelude::*};

use super::{super::moment, column, count};
use crate::{core::rating_list::Policy, wire::rating_list::policy as wire};

const TABLE: &str = "rating_policy_versions";

/// Which policies there are, and how many versions each has.
mod head {
    use sea_orm::entity::prelude::*;

    /// A row.
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "rating_policies")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub federation_id: Uuid,
        pub version: i32,
        /// No two of a federation are called alike.
        pub name: String,
    }

    chassis::standalone!();
}

/// A row: a version.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_policy_versions")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub policy_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    pub federation_id: Uuid,
    /// What it says, as a message.
    pub body: Vec<u8>,
    pub made_us: i64,
    pub account_id: Uuid,
}

chassis::standalone!();

/// A policy as it is, or one of its versions.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    id: RatingPolicyId,
    version: Option<u32>,
) -> Result<Option<Policy>, StoreError> {
    let versions = Entity::find().filter(Column::PolicyId.eq(id.uuid()));
    let query = match version {
        Some(version) => versions.filter(Column::Version.eq(column(version))),
        None => versions.order_by_desc(Column::Version).limit(1),
    };
    query.one(on).await?.map(Policy::try_from).transpose()
}

/// Whether another policy of the federation is called this.
pub(crate) async fn is_named(on: &impl ConnectionTrait, policy: &Policy) -> Result<bool, StoreError> {
    let named = head::Entity::find()
        .filter(head::Column::FederationId.eq(policy.federation.uuid()))
        .filter(head::Column::Name.eq(policy.name.as_str()))
        .filter(head::Column::Id.ne(policy.id.uuid()));
    Ok(named.count(on).await? > 0)
}

/// How many a federation has.
pub(crate) async fn count_of(on: &impl ConnectionTrait, federation: FederationId) -> Result<u64, StoreError> {
    let own = head::Entity::find().filter(head::Column::FederationId.eq(federation.uuid()));
    Ok(own.count(on).await?)
}

/// Policies of a federation, the oldest first: at most `count` after an id.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    federation: FederationId,
    after: Option<Uuid>,
    count: u64,
) -> Result<Vec<Policy>, StoreError> {
    let own = head::Entity::find().filter(head::Column::FederationId.eq(federation.uuid()));
    let heads = super::super::page(own, head::Column::Id, after, count).all(on).await?;
    let mut policies = Vec::with_capacity(heads.len());
    for head in heads {
        let version = super::count(head.version, TABLE)?;
        policies.extend(find(on, head.id.into(), Some(version)).await?);
    }
    Ok(policies)
}

/// Adds a policy.
pub(crate) async fn insert(on: &impl ConnectionTrait, policy: &Policy) -> Result<(), StoreError> {
    let row = head::ActiveModel {
        id: Set(policy.id.uuid()),
        federation_id: Set(policy.federation.uuid()),
        version: Set(column(policy.version)),
        name: Set(policy.name.clone()),
    };
    head::Entity::insert(row).exec_without_returning(on).await?;
    insert_version(on, policy).await
}

/// Adds the next version of a policy.
pub(crate) async fn update(on: &impl ConnectionTrait, policy: &Policy) -> Result<(), StoreError> {
    head::Entity::update_many()
        .col_expr(head::Column::Version, Expr::value(column(policy.version)))
        .col_expr(head::Column::Name, Expr::value(policy.name.as_str()))
        .filter(head::Column::Id.eq(policy.id.uuid()))
        .exec(on)
        .await?;
    insert_version(on, policy).await
}

async fn insert_version(on: &impl ConnectionTrait, policy: &Policy) -> Result<(), StoreError> {
    let row = ActiveModel {
        policy_id: Set(policy.id.uuid()),
        version: Set(column(policy.version)),
        federation_id: Set(policy.federation.uuid()),
        body: Set(wire::encode(policy)),
        made_us: Set(to_micros(policy.made)),
        account_id: Set(policy.by.uuid()),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

impl TryFrom<Model> for Policy {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let wire::Body { name, counted, rating } =
            wire::decode(&row.body).map_err(|_| StoreError::Corrupt(TABLE))?;
        Ok(Policy {
            id: row.policy_id.into(),
            federation: row.federation_id.into(),
            version: count(row.version, TABLE)?,
            name,
            counted,
            rating,
            made: moment(row.made_us, TABLE)?,
            by: row.account_id.into(),
        })
    }
}
