//! The keys to which moves are sealed. The rows hold their secret parts, sealed with a key that the database does not
//! have; no log line shows them.

use std::fmt;

use api::sealing::KEY_BYTES;
use chassis::{
    Database, Vault,
    database::{self, StoreError},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*, sea_query::OnConflict};
use secrecy::SecretSlice;

/// A row.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sealing_keys")]
pub(crate) struct Model {
    /// The newest key has the highest number.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    /// 32 bytes from which the key is derived, sealed for their place.
    pub seed: Vec<u8>,
    pub created_us: i64,
}

chassis::standalone!();

/// A key that was opened.
pub(crate) struct Opened {
    pub number: i64,
    pub seed: SecretSlice<u8>,
    pub created_us: i64,
}

fn place(number: i64) -> String {
    format!("sealing_keys:{number}")
}

/// Every key, oldest first.
///
/// # Errors
/// When the database does not answer, or a seed cannot be opened.
pub(crate) async fn all(database: &Database, vault: &Vault) -> Result<Vec<Opened>, StoreError> {
    let rows = Entity::find().order_by_asc(Column::Number).all(database.read()).await?;
    let opened = |row: Model| {
        let Model { number, seed, created_us } = row;
        // Those of before there was a vault; a sealed seed is longer.
        let seed = if seed.len() == KEY_BYTES { seed.into() } else { vault.open(&place(number), &seed)? };
        Ok(Opened { number, seed, created_us })
    };
    rows.into_iter().map(opened).collect()
}

/// Adds a key, unless there is one of its number already.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn insert(
    database: &Database,
    vault: &Vault,
    number: i64,
    seed: &[u8; KEY_BYTES],
    created_us: i64,
) -> Result<(), StoreError> {
    let sealed = vault.seal(&place(number), seed);
    let row = ActiveModel { number: Set(number), seed: Set(sealed), created_us: Set(created_us) };
    Entity::insert(row)
        .on_conflict(OnConflict::column(Column::Number).do_nothing().to_owned())
        .exec_without_returning(database.write())
        .await?;
    Ok(())
}

/// Seals anew the seeds of which `which` says so; how many. One of before there was a vault is sealed for the first
/// time.
///
/// # Errors
/// When the database does not answer, or a seed cannot be opened.
pub(crate) async fn reseal(
    database: &Database,
    vault: &Vault,
    which: impl Fn(&[u8]) -> bool + Send,
) -> Result<u64, StoreError> {
    let on = database.write();
    let rows = Entity::find().all(on).await?.into_iter().filter(|row| which(&row.seed));
    let rows = rows.map(|row| (row.number.into(), place(row.number), row.seed));
    database::reseal::<Entity>(on, vault, (Column::Number, Column::Seed), rows.collect()).await
}

/// Written by hand, because the derived one would show the seed.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("number", &self.number).finish_non_exhaustive()
    }
}
