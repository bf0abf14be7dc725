//! The table `server_secrets`: what the service itself must know and nobody else may, sealed.

use std::fmt;

use chassis::{
    Vault,
    database::{self, StoreError},
};
use sea_orm::{ActiveValue::Set, ConnectionTrait, entity::prelude::*, sea_query::OnConflict};
use secrecy::SecretSlice;

/// A row.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "server_secrets")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub sealed: Vec<u8>,
}

chassis::standalone!();

fn place(name: &str) -> String {
    format!("server_secrets:{name}")
}

/// The secret of a name, if there is one.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    vault: &Vault,
    name: &str,
) -> Result<Option<SecretSlice<u8>>, StoreError> {
    let row = Entity::find_by_id(name.to_owned()).one(on).await?;
    Ok(row.map(|row| vault.open(&place(name), &row.sealed)).transpose()?)
}

/// Adds a secret, unless there is one of the name.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    vault: &Vault,
    name: &str,
    secret: &[u8],
) -> Result<(), StoreError> {
    let row = ActiveModel { name: Set(name.to_owned()), sealed: Set(vault.seal(&place(name), secret)) };
    Entity::insert(row)
        .on_conflict(OnConflict::column(Column::Name).do_nothing().to_owned())
        .exec_without_returning(on)
        .await?;
    Ok(())
}

/// Seals anew what is not sealed with the key of today; how many.
pub(crate) async fn reseal(on: &impl ConnectionTrait, vault: &Vault) -> Result<u64, StoreError> {
    let rows = Entity::find().all(on).await?.into_iter().filter(|row| !vault.is_current(&row.sealed));
    let rows = rows.map(|row| (row.name.clone().into(), place(&row.name), row.sealed));
    database::reseal::<Entity>(on, vault, (Column::Name, Column::Sealed), rows.collect()).await
}

/// Written by hand, because the derived one would show the secret's text, sealed as it is.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("name", &self.name).finish_non_exhaustive()
    }
}
