//! Forgets rows by the thousand, so that no statement takes longer than one may, however many there are.

use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _, sea_query::SimpleExpr,
};

use super::StoreError;

/// Rows that one statement forgets.
pub const ROWS: u64 = 1000;

/// Forgets every row for which a condition holds, by its key; how many there were.
pub async fn delete<E: EntityTrait>(
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
