//! Forgets rows by the thousand, so that no statement takes longer than one may, however many there are.

use chassis::database::StoreError;
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _, Select, sea_query::SimpleExpr,
};

/// Rows that one statement forgets.
pub(super) const ROWS: u64 = 1000;
/// Rows beyond a limit that one statement forgets.
const SURPLUS_MAX: u64 = 100;

/// Forgets the rows of an order beyond the first `keep`, by their key. More than a few are there only after a race, and
/// some of many are left to the next call.
pub(super) async fn delete_surplus<E: EntityTrait>(
    on: &impl ConnectionTrait,
    ordered: Select<E>,
    key: E::Column,
    keep: u64,
) -> Result<(), StoreError> {
    let surplus = ordered.select_only().column(key).offset(keep).limit(SURPLUS_MAX);
    E::delete_many().filter(key.in_subquery(surplus.into_query())).exec(on).await?;
    Ok(())
}

/// Forgets every row for which a condition holds, by its key; how many there were.
pub(super) async fn delete<E: EntityTrait>(
    on: &impl ConnectionTrait,
    key: E::Column,
    condition: SimpleExpr,
) -> Result<u64, StoreError> {
    let mut deleted = 0;
    loop {
        let some =
            E::find().select_only().column(key).filter(condition.clone()).order_by_asc(key).limit(ROWS);
        let some = E::delete_many().filter(key.in_subquery(some.into_query())).exec(on).await?.rows_affected;
        deleted += some;
        if some < ROWS {
            return Ok(deleted);
        }
    }
}
