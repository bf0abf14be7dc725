//! Columns in which secrets are sealed.

use sea_orm::{ColumnTrait as _, ConnectionTrait, EntityTrait, QueryFilter as _, Value, sea_query::Expr};

use super::StoreError;
use crate::Vault;

/// Seals secrets with the key of today, one of before there was a vault for the first time; how many. A row is its key,
/// the place that its secret is sealed for, and what is stored; one that somebody else has changed meanwhile stays as
/// it is.
///
/// # Errors
/// When the database does not answer, or a secret cannot be opened.
pub async fn reseal<E: EntityTrait>(
    on: &impl ConnectionTrait,
    vault: &Vault,
    (key, secret): (E::Column, E::Column),
    rows: Vec<(Value, String, Vec<u8>)>,
) -> Result<u64, StoreError> {
    let mut sealed = 0;
    for (row, place, stored) in rows {
        let again = vault.seal_again(&place, &stored)?;
        let updated = E::update_many()
            .col_expr(secret, Expr::value(again))
            .filter(key.eq(row))
            .filter(secret.eq(stored))
            .exec(on)
            .await?;
        sealed += updated.rows_affected;
    }
    Ok(sealed)
}
