//! What an operator does with the database at hand, whether or not the service is running.

use chassis::{Ambient, Database};

use crate::{error::IdentityError, flow, store};

/// Makes a new signing key, and the tables if there are none; the key's id. Running services sign with it
/// within seconds.
///
/// # Errors
/// When the database refuses, or keys were rotated too often.
pub async fn rotate(database: &Database, ambient: &Ambient) -> Result<String, IdentityError> {
    database.migrate::<store::Migrator>().await?;
    flow::rotate(database, ambient).await
}
