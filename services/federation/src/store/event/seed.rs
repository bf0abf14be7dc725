//! The table `event_seeds`: the secret ends of the chains of seeds, sealed with a key that the database does not have.

use std::fmt;

use chassis::{
    Vault,
    database::{self, StoreError},
    id::EventId,
};
use pairing::lots::Seed;
use sea_orm::{ActiveValue::Set, entity::prelude::*};
use secrecy::ExposeSecret as _;

/// A row.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_seeds")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    /// 32 bytes, sealed for their place.
    pub seed: Vec<u8>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("event_id", &self.event_id).finish_non_exhaustive()
    }
}

chassis::standalone!();

/// What a secret is sealed for.
fn place(event: EventId) -> String {
    format!("event_seeds:{event}")
}

/// The secret of an event, if it has one.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    vault: &Vault,
    event: EventId,
) -> Result<Option<Seed>, StoreError> {
    let Some(row) = Entity::find_by_id(event.uuid()).one(on).await? else { return Ok(None) };
    let opened = vault.open(&place(event), &row.seed)?;
    opened.expose_secret().try_into().map(Some).map_err(|_| StoreError::Corrupt("event_seeds"))
}

/// Keeps the secret of an event.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    vault: &Vault,
    event: EventId,
    seed: &Seed,
) -> Result<(), StoreError> {
    let row = ActiveModel { event_id: Set(event.uuid()), seed: Set(vault.seal(&place(event), seed)) };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Seals with the key of today whatever is sealed with another; how much.
pub(crate) async fn reseal(on: &impl ConnectionTrait, vault: &Vault) -> Result<u64, StoreError> {
    let rows = Entity::find().all(on).await?.into_iter().filter(|row| !vault.is_current(&row.seed));
    let rows = rows.map(|row| (row.event_id.into(), place(row.event_id.into()), row.seed));
    database::reseal::<Entity>(on, vault, (Column::EventId, Column::Seed), rows.collect()).await
}
