//! The table `signing_keys`.

use std::fmt;

use chassis::{
    Vault,
    database::{self, StoreError, is_conflict},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, ConnectionTrait, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use secrecy::{ExposeSecret as _, SecretBox};

use super::moment;
use crate::core::key::{KEYS_MAX, StoredKey};

const TABLE: &str = "signing_keys";

/// A row.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "signing_keys")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    /// Sealed for its place.
    pub seed: Vec<u8>,
    pub created_us: i64,
}

chassis::standalone!();

fn place(number: i64) -> String {
    format!("{TABLE}:{number}")
}

/// The newest keys, newest first: as many as may be valid.
pub(crate) async fn newest(on: &impl ConnectionTrait, vault: &Vault) -> Result<Vec<StoredKey>, StoreError> {
    let rows = Entity::find().order_by_desc(Column::Number).limit(KEYS_MAX as u64).all(on).await?;
    rows.iter().map(|row| opened(row, vault)).collect()
}

/// Adds a key; false when its number is taken.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    vault: &Vault,
    key: &StoredKey,
) -> Result<bool, StoreError> {
    let row = ActiveModel {
        number: Set(key.number),
        seed: Set(vault.seal(&place(key.number), key.seed.expose_secret())),
        created_us: Set(to_micros(key.created)),
    };
    match Entity::insert(row).exec_without_returning(on).await {
        Ok(_) => Ok(true),
        Err(error) if is_conflict(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Forgets the keys up to a number; how many.
pub(crate) async fn delete_up_to(on: &impl ConnectionTrait, number: i64) -> Result<u64, StoreError> {
    Ok(Entity::delete_many().filter(Column::Number.lte(number)).exec(on).await?.rows_affected)
}

/// Seals anew the seeds of which `which` says so; how many. One of before there was a vault is sealed for the first
/// time.
pub(crate) async fn reseal(
    on: &impl ConnectionTrait,
    vault: &Vault,
    which: impl Fn(&[u8]) -> bool + Send,
) -> Result<u64, StoreError> {
    let rows = Entity::find().all(on).await?.into_iter().filter(|row| which(&row.seed));
    let rows = rows.map(|row| (row.number.into(), place(row.number), row.seed));
    database::reseal::<Entity>(on, vault, (Column::Number, Column::Seed), rows.collect()).await
}

fn opened(row: &Model, vault: &Vault) -> Result<StoredKey, StoreError> {
    let seed = vault.open(&place(row.number), &row.seed)?;
    let seed = <[u8; 32]>::try_from(seed.expose_secret()).map_err(|_| StoreError::Corrupt(TABLE))?;
    Ok(StoredKey {
        number: row.number,
        seed: SecretBox::new(Box::new(seed)),
        created: moment(row.created_us, TABLE)?,
    })
}

/// Written by hand, because the derived one would show the seed.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("number", &self.number).finish_non_exhaustive()
    }
}
