//! The table `access_tokens`.

use chassis::{
    auth::Scope,
    database::StoreError,
    id::{AccountId, RequestId},
    time::to_micros,
};
use sea_orm::{
    ActiveValue::Set,
    ConnectionTrait, QueryOrder as _, QuerySelect as _, Select,
    entity::prelude::*,
    sea_query::{Expr, ExprTrait as _, SimpleExpr},
};
use time::OffsetDateTime;

use super::{batch, moment};
use crate::core::{
    access_token::{AccessToken, scopes_text},
    secret::Digest,
};

const TABLE: &str = "access_tokens";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "access_tokens")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub account_id: Uuid,
    pub label: String,
    pub scopes: String,
    pub digest: Vec<u8>,
    pub created_us: i64,
    pub expires_us: i64,
    pub last_use_us: Option<i64>,
    pub revoked_us: Option<i64>,
    pub request_id: Uuid,
}

chassis::standalone!();

/// Adds a token that was asked for by `request`.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    token: &AccessToken,
    digest: Digest,
    request: RequestId,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        id: Set(token.id),
        account_id: Set(token.account.uuid()),
        label: Set(token.label.clone()),
        scopes: Set(scopes_text(&token.scopes)),
        digest: Set(digest.to_vec()),
        created_us: Set(to_micros(token.created)),
        expires_us: Set(to_micros(token.expires)),
        last_use_us: Set(token.last_use.map(to_micros)),
        revoked_us: Set(token.revoked.map(to_micros)),
        request_id: Set(request.uuid()),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// How many of an account's tokens are valid.
pub(crate) async fn count_active(
    on: &impl ConnectionTrait,
    account: AccountId,
    now: OffsetDateTime,
) -> Result<u64, StoreError> {
    Ok(of(account)
        .filter(Column::RevokedUs.is_null())
        .filter(Column::ExpiresUs.gt(to_micros(now)))
        .count(on)
        .await?)
}

/// Whether a token of this digest is valid.
pub(crate) async fn is_valid(
    on: &impl ConnectionTrait,
    digest: Digest,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let found = Entity::find().filter(Column::Digest.eq(digest.to_vec())).one(on).await?;
    Ok(found.is_some_and(|row| row.revoked_us.is_none() && row.expires_us > to_micros(now)))
}

/// An account's tokens, newest first: at most `count` of those made before the token `before`.
pub(crate) async fn page(
    on: &impl ConnectionTrait,
    account: AccountId,
    before: Option<Uuid>,
    count: u64,
) -> Result<Vec<AccessToken>, StoreError> {
    let mut query = of(account);
    if let Some(before) = before {
        query = query.filter(Column::Id.lt(before));
    }
    // Ids sort by the time of their making.
    let rows = query.order_by_desc(Column::Id).limit(count).all(on).await?;
    rows.into_iter().map(AccessToken::try_from).collect()
}

/// Revokes a token of an account; whether there is one. An already revoked one stays as it is.
pub(crate) async fn revoke(
    on: &impl ConnectionTrait,
    account: AccountId,
    id: Uuid,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let revoked = Entity::update_many()
        .col_expr(Column::RevokedUs, Expr::value(to_micros(now)))
        .filter(Column::Id.eq(id))
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::RevokedUs.is_null())
        .exec(on)
        .await?;
    Ok(revoked.rows_affected == 1 || of(account).filter(Column::Id.eq(id)).count(on).await? == 1)
}

/// Revokes the valid tokens of an account; how many.
pub(crate) async fn revoke_all(
    on: &impl ConnectionTrait,
    account: AccountId,
    now: OffsetDateTime,
) -> Result<u64, StoreError> {
    let revoked = Entity::update_many()
        .col_expr(Column::RevokedUs, Expr::value(to_micros(now)))
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::RevokedUs.is_null())
        .filter(Column::ExpiresUs.gt(to_micros(now)))
        .exec(on)
        .await?;
    Ok(revoked.rows_affected)
}

/// Revokes what a request made since a moment.
pub(crate) async fn revoke_made_by(
    on: &impl ConnectionTrait,
    account: AccountId,
    request: RequestId,
    since: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::RevokedUs, Expr::value(to_micros(now)))
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::RequestId.eq(request.uuid()))
        .filter(Column::CreatedUs.gte(to_micros(since)))
        .filter(Column::RevokedUs.is_null())
        .exec(on)
        .await?;
    Ok(())
}

/// The valid token with this digest, marked as used now; `None` when there is none.
pub(crate) async fn take(
    on: &impl ConnectionTrait,
    digest: Digest,
    now: OffsetDateTime,
) -> Result<Option<AccessToken>, StoreError> {
    let now_us = to_micros(now);
    // One statement: a token that is revoked at the same moment is either used before that or not at all.
    let used = Entity::update_many()
        .col_expr(Column::LastUseUs, Expr::value(now_us))
        .filter(Column::Digest.eq(digest.to_vec()))
        .filter(Column::RevokedUs.is_null())
        .filter(Column::ExpiresUs.gt(now_us))
        .exec(on)
        .await?;
    if used.rows_affected == 0 {
        return Ok(None);
    }
    let row = Entity::find().filter(Column::Digest.eq(digest.to_vec())).one(on).await?;
    row.map(AccessToken::try_from).transpose()
}

/// Forgets the oldest of an account's tokens that are no longer valid, above `max` of them.
pub(crate) async fn trim(
    on: &impl ConnectionTrait,
    account: AccountId,
    max: u64,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let dead = of(account).filter(dead_by(now)).order_by_desc(Column::Id);
    batch::delete_surplus(on, dead, Column::Id, max).await
}

/// Forgets the tokens that were no longer valid at a moment; how many.
pub(crate) async fn sweep(on: &impl ConnectionTrait, before: OffsetDateTime) -> Result<u64, StoreError> {
    batch::delete::<Entity>(on, Column::Id, dead_by(before)).await
}

fn dead_by(moment: OffsetDateTime) -> SimpleExpr {
    let moment_us = to_micros(moment);
    Column::ExpiresUs.lte(moment_us).or(Column::RevokedUs.lte(moment_us))
}

fn of(account: AccountId) -> Select<Entity> {
    Entity::find().filter(Column::AccountId.eq(account.uuid()))
}

impl TryFrom<Model> for AccessToken {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let moment = |us| moment(us, TABLE);
        let scopes = row.scopes.split(' ').map(Scope::parse).collect::<Option<Vec<_>>>();
        Ok(AccessToken {
            id: row.id,
            account: row.account_id.into(),
            label: row.label,
            scopes: scopes.ok_or(StoreError::Corrupt(TABLE))?,
            created: moment(row.created_us)?,
            expires: moment(row.expires_us)?,
            last_use: row.last_use_us.map(moment).transpose()?,
            revoked: row.revoked_us.map(moment).transpose()?,
        })
    }
}
