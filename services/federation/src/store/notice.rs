//! The table `notices`: what accounts are told.

use api::{ProtoEnum as _, federation::v1 as pb};
use chassis::{
    database::StoreError,
    id::{AccountId, FederationId},
    time::to_micros,
};
use prost::Message as _;
use sea_orm::{
    ActiveValue::Set,
    Condition, ExprTrait as _, FromQueryResult, PaginatorTrait as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _,
    entity::prelude::*,
    sea_query::{OnConflict, Query},
};
use time::OffsetDateTime;

use super::{CHUNK, moment};
use crate::core::notice::{Kind, Notice};

const TABLE: &str = "notices";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "notices")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    /// What it follows from.
    pub source: Uuid,
    pub kind: i32,
    pub at_us: i64,
    pub is_read: bool,
    /// The federation that it is about, so that it is forgotten with the person there.
    pub federation_id: Option<Uuid>,
    /// What it is about, encoded.
    pub about: Vec<u8>,
}

chassis::standalone!();

/// A notice that is to be written.
#[derive(Clone, Debug)]
pub(crate) struct New {
    pub account: AccountId,
    pub source: Uuid,
    pub notice: Notice,
}

#[derive(FromQueryResult)]
struct Written {
    account_id: Uuid,
    number: i64,
}

/// Adds notices, each unless its account was told of its source before. Which were added, by account and number.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    notices: &[New],
) -> Result<Vec<(AccountId, u64)>, StoreError> {
    let mut written = Vec::with_capacity(notices.len());
    for chunk in notices.chunks(CHUNK) {
        let known = OnConflict::columns([Column::AccountId, Column::Source]).do_nothing().to_owned();
        let mut insert = Entity::insert_many(chunk.iter().map(row)).on_conflict(known).into_query();
        insert.returning(Query::returning().columns([Column::AccountId, Column::Number]));
        for row in on.query_all(&insert).await? {
            let Written { account_id, number } = Written::from_query_result(&row, "")?;
            written.push((account_id.into(), number.cast_unsigned()));
        }
    }
    Ok(written)
}

/// The notices of an account after a number, the oldest first.
pub(crate) async fn after(
    on: &impl ConnectionTrait,
    account: AccountId,
    number: u64,
    at_most: u64,
) -> Result<Vec<Notice>, StoreError> {
    let found = of(account).filter(Column::Number.gt(number.cast_signed()));
    let rows = found.order_by_asc(Column::Number).limit(at_most).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// The notices of an account before a number, the newest first.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    account: AccountId,
    unread: bool,
    before: Option<u64>,
    at_most: u64,
) -> Result<Vec<Notice>, StoreError> {
    let mut found = of(account);
    if let Some(before) = before {
        found = found.filter(Column::Number.lt(before.cast_signed()));
    }
    if unread {
        found = found.filter(Column::IsRead.eq(false));
    }
    let rows = found.order_by_desc(Column::Number).limit(at_most).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// How many of an account are not read.
pub(crate) async fn unread(on: &impl ConnectionTrait, account: AccountId) -> Result<u64, StoreError> {
    Ok(of(account).filter(Column::IsRead.eq(false)).count(on).await?)
}

/// Marks notices of an account as read.
pub(crate) async fn mark(
    on: &impl ConnectionTrait,
    account: AccountId,
    up_to: u64,
    numbers: &[u64],
) -> Result<(), StoreError> {
    // A number that is none of ours marks nothing.
    let up_to = i64::try_from(up_to).unwrap_or(i64::MAX);
    let these = numbers.iter().filter_map(|number| i64::try_from(*number).ok());
    let which = Condition::any().add(Column::Number.lte(up_to)).add(Column::Number.is_in(these));
    Entity::update_many()
        .col_expr(Column::IsRead, Expr::value(true))
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::IsRead.eq(false))
        .filter(which)
        .exec(on)
        .await?;
    Ok(())
}

/// Throws away what is older than a moment, at most so many at once; how many it were.
pub(crate) async fn prune(
    on: &impl ConnectionTrait,
    before: OffsetDateTime,
    at_most: u64,
) -> Result<u64, StoreError> {
    let mut old = Query::select();
    old.columns([Column::AccountId, Column::Number])
        .from(Entity)
        .and_where(Column::AtUs.lt(to_micros(before)))
        .limit(at_most);
    let key = Expr::tuple([Expr::col(Column::AccountId), Expr::col(Column::Number)]);
    let gone = Entity::delete_many().filter(key.in_subquery(old)).exec(on).await?;
    Ok(gone.rows_affected)
}

/// Throws away the notices of an account up to a number.
pub(crate) async fn drop_up_to(
    on: &impl ConnectionTrait,
    account: AccountId,
    number: u64,
) -> Result<(), StoreError> {
    let gone = Entity::delete_many().filter(Column::AccountId.eq(account.uuid()));
    gone.filter(Column::Number.lte(number.cast_signed())).exec(on).await?;
    Ok(())
}

/// Forgets what an account was told of a federation.
pub(crate) async fn forget(
    on: &impl ConnectionTrait,
    account: AccountId,
    federation: FederationId,
) -> Result<(), StoreError> {
    let gone = Entity::delete_many().filter(Column::AccountId.eq(account.uuid()));
    gone.filter(Column::FederationId.eq(federation.uuid())).exec(on).await?;
    Ok(())
}

fn of(account: AccountId) -> Select<Entity> {
    Entity::find().filter(Column::AccountId.eq(account.uuid()))
}

fn row(new: &New) -> ActiveModel {
    let Notice { number, kind, at, about, is_read } = &new.notice;
    ActiveModel {
        account_id: Set(new.account.uuid()),
        number: Set(number.cast_signed()),
        source: Set(new.source),
        kind: Set(kind.number()),
        at_us: Set(to_micros(*at)),
        is_read: Set(*is_read),
        federation_id: Set(about.federation.map(FederationId::uuid)),
        about: Set(pb::NoticeAbout::from(about).encode_to_vec()),
    }
}

impl TryFrom<Model> for Notice {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt(TABLE);
        let about = pb::NoticeAbout::decode(&*row.about).map_err(|_| corrupt())?;
        Ok(Notice {
            number: row.number.cast_unsigned(),
            kind: Kind::of(row.kind).ok_or_else(corrupt)?,
            at: moment(row.at_us, TABLE)?,
            about: about.try_into().map_err(|_| corrupt())?,
            is_read: row.is_read,
        })
    }
}
