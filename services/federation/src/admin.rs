//! What an operator does with the database at hand, whether or not the service is running.

use chassis::{
    Database, Vault,
    database::StoreError,
    outbox::{self, Dead},
};
use sea_orm::DbErr;

use crate::{app, store};

/// Why secrets could not be sealed anew.
#[derive(Debug, thiserror::Error)]
#[error("the seeds of draws and the line-ups of teams could not be sealed")]
pub struct ResealError(#[source] StoreError);

/// Seals with the vault's first key what is sealed with another; how many secrets.
///
/// # Errors
/// When the database refuses, or a secret is sealed with a key that the vault does not have.
pub async fn reseal(database: &Database, vault: &Vault) -> Result<u64, ResealError> {
    let sealed = async {
        database.migrate::<store::Migrator>().await?;
        let seeds = store::event::seed::reseal(database.write(), vault).await?;
        let line_ups = store::event::line_up::reseal(database.write(), vault).await?;
        Ok(seeds + line_ups)
    };
    sealed.await.map_err(ResealError)
}

/// What the service owes to others and can never deliver, newest first, at most so many.
///
/// # Errors
/// When the database does not answer.
pub async fn dead(database: &Database, count: u64) -> Result<Vec<Dead>, DbErr> {
    let kinds = [app::KINDS, app::event::delivery::KINDS].concat();
    outbox::dead(database, &kinds, count).await
}
