//! What an operator does with the database at hand, whether or not the service is running.

use chassis::{Database, Vault, database::StoreError};

use crate::store::{Migrator, sealing_key};

/// Why secrets could not be sealed anew.
#[derive(Debug, thiserror::Error)]
#[error("the keys of sealed moves could not be sealed")]
pub struct ResealError(#[source] StoreError);

/// Seals with the vault's first key what is sealed with another, or not at all; how many secrets.
///
/// # Errors
/// When the database refuses, or a secret is sealed with a key that the vault does not have.
pub async fn reseal(database: &Database, vault: &Vault) -> Result<u64, ResealError> {
    let sealed = async {
        database.migrate::<Migrator>().await?;
        sealing_key::reseal(database, vault, |stored| !vault.is_current(stored)).await
    };
    sealed.await.map_err(ResealError)
}
