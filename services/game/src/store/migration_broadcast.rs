//! Games learn to whom they belong, and how much later spectators see them.

use sea_orm_migration::prelude::*;

pub(super) async fn broadcast(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
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
