//! The table `notice_boxes`: how far the notices of an account are numbered, and which it does not want.
//!
//! A number that a sequence gives is older than the commit that shows it: of two transactions the one with the higher number
//! may be seen first, and who has read as far as that would never see the other. So the number is a row of the account's,
//! raised in the transaction that writes the notices: whoever writes to the same account waits for its end, and numbers are
//! committed in their order. Rows are locked in the order of accounts, so that two rounds with the same players wait for each
//! other and never for each other's end; and as the last thing of a transaction, so that nobody who waits for them holds
//! anything that their holder still wants.

use api::ProtoEnum as _;
use chassis::{database::StoreError, id::AccountId};
use sea_orm::{
    ActiveValue::Set,
    ExprTrait as _, FromQueryResult, QueryOrder as _, QuerySelect as _,
    entity::prelude::*,
    sea_query::{OnConflict, Query},
};

use super::CHUNK;
use crate::core::notice::{Kind, Muted};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "notice_boxes")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// The number that was given last.
    pub last: i64,
    /// The number up to which those before were thrown away because they were too many.
    pub kept_after: i64,
    /// The numbers of the kinds that are not wanted.
    pub muted: String,
}

chassis::standalone!();

/// What an account's box says once numbers were taken from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub account: AccountId,
    /// The number before the first that was taken.
    pub before: u64,
    pub muted: Muted,
}

#[derive(FromQueryResult)]
struct Raised {
    account_id: Uuid,
    last: i64,
    muted: String,
}

/// Takes so many numbers for each account, which stand in order, and keeps everybody else from doing so until the
/// transaction ends.
pub(crate) async fn take(
    on: &impl ConnectionTrait,
    wanted: &[(AccountId, u32)],
) -> Result<Vec<Taken>, StoreError> {
    let mut taken = Vec::with_capacity(wanted.len());
    for chunk in wanted.chunks(CHUNK) {
        let mut insert = Query::insert();
        insert
            .into_table(Entity)
            .columns([Column::AccountId, Column::Last, Column::KeptAfter, Column::Muted])
            .on_conflict(
                OnConflict::column(Column::AccountId)
                    .value(
                        Column::Last,
                        Expr::col((Entity, Column::Last)).add(Expr::col(("excluded", Column::Last))),
                    )
                    .to_owned(),
            )
            .returning(Query::returning().columns([Column::AccountId, Column::Last, Column::Muted]));
        for (account, count) in chunk {
            insert.values_panic([account.uuid().into(), i64::from(*count).into(), 0_i64.into(), "".into()]);
        }
        let mut raised: Vec<Raised> = Vec::with_capacity(chunk.len());
        for row in on.query_all(&insert).await? {
            raised.push(Raised::from_query_result(&row, "")?);
        }
        // A database may tell the rows in any order.
        raised.sort_unstable_by_key(|row| row.account_id);
        if !raised.iter().map(|row| row.account_id).eq(chunk.iter().map(|(account, _)| account.uuid())) {
            return Err(corrupt());
        }
        for (row, (account, count)) in raised.into_iter().zip(chunk) {
            let before = (row.last - i64::from(*count)).cast_unsigned();
            taken.push(Taken { account: *account, before, muted: read(&row.muted)? });
        }
    }
    Ok(taken)
}

/// The number that an account was given last.
pub(crate) async fn last(on: &impl ConnectionTrait, account: AccountId) -> Result<u64, StoreError> {
    let row = Entity::find_by_id(account.uuid()).one(on).await?;
    Ok(row.map_or(0, |row| row.last.cast_unsigned()))
}

/// The kinds that an account does not want.
pub(crate) async fn muted(on: &impl ConnectionTrait, account: AccountId) -> Result<Muted, StoreError> {
    let row = Entity::find_by_id(account.uuid()).one(on).await?;
    row.map_or_else(|| Ok(Muted::new()), |row| read(&row.muted))
}

/// Sets the kinds that an account does not want.
pub(crate) async fn mute(
    on: &impl ConnectionTrait,
    account: AccountId,
    muted: &Muted,
) -> Result<(), StoreError> {
    let numbers: Vec<String> = muted.iter().map(|kind| kind.number().to_string()).collect();
    let row = ActiveModel {
        account_id: Set(account.uuid()),
        last: Set(0),
        kept_after: Set(0),
        muted: Set(numbers.join(",")),
    };
    Entity::insert(row)
        .on_conflict(OnConflict::column(Column::AccountId).update_column(Column::Muted).to_owned())
        .exec_without_returning(on)
        .await?;
    Ok(())
}

/// Boxes in which there may be more notices than are kept: each with the number up to which they go.
pub(crate) async fn overfull(
    on: &impl ConnectionTrait,
    kept: u64,
    at_most: u64,
) -> Result<Vec<(AccountId, u64)>, StoreError> {
    let kept = kept.cast_signed();
    let over = Expr::col(Column::Last).sub(Expr::col(Column::KeptAfter)).gt(kept);
    let rows = Entity::find().filter(over).order_by_asc(Column::AccountId).limit(at_most).all(on).await?;
    Ok(rows.into_iter().map(|row| (row.account_id.into(), (row.last - kept).cast_unsigned())).collect())
}

/// Notes up to which number notices were thrown away.
pub(crate) async fn note_kept(
    on: &impl ConnectionTrait,
    account: AccountId,
    after: u64,
) -> Result<(), StoreError> {
    let noted = Entity::update_many().col_expr(Column::KeptAfter, Expr::value(after.cast_signed()));
    noted.filter(Column::AccountId.eq(account.uuid())).exec(on).await?;
    Ok(())
}

/// Kinds as they are kept. One that a later server wrote is not known here, and stays wanted.
fn read(muted: &str) -> Result<Muted, StoreError> {
    let numbers = muted.split(',').filter(|it| !it.is_empty());
    let kinds = numbers.map(|number| number.parse::<i32>().map(Kind::of).map_err(|_| corrupt()));
    Ok(kinds.collect::<Result<Vec<Option<Kind>>, _>>()?.into_iter().flatten().collect())
}

const fn corrupt() -> StoreError {
    StoreError::Corrupt("notice_boxes")
}
