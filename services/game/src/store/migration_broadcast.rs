//! Games learn to whom they belong, and how much later spectators see them.

use sea_orm_migration::prelude::*;

/// The migration.
pub(super) struct Broadcast;

impl MigrationName for Broadcast {
    fn name(&self) -> &'static str {
        "m20261121_000060_broadcast"
    }
}

#[expect(
    elided_lifetimes_in_paths,
    reason = "async_trait's signature must be that of the trait, letter by letter"
)]
#[async_trait::async_trait]
impl MigrationTrait for Broadcast {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for mut column in [
            ColumnDef::new("delay_us").big_integer().not_null().default(0).to_owned(),
            ColumnDef::new("ended_us").big_integer().to_owned(),
            ColumnDef::new("event_id").uuid().to_owned(),
            ColumnDef::new("federation_id").uuid().to_owned(),
        ] {
            manager.alter_table(Table::alter().table("games").add_column(&mut column).to_owned()).await?;
        }
        Ok(())
    }
}
