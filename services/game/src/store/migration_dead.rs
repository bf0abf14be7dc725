//! What is owed and can never be delivered is put aside.

use sea_orm_migration::prelude::*;

/// The migration.
pub(super) struct Dead;

impl MigrationName for Dead {
    fn name(&self) -> &'static str {
        "m20261122_000070_dead"
    }
}

#[expect(
    elided_lifetimes_in_paths,
    reason = "async_trait's signature must be that of the trait, letter by letter"
)]
#[async_trait::async_trait]
impl MigrationTrait for Dead {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        chassis::outbox::create_dead_table(manager).await
    }
}
