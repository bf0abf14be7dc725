//! When the platform is worked on is planned.

use sea_orm_migration::prelude::*;

pub(super) async fn maintenance(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let maintenance = Table::create()
        .table("maintenance")
        .col(ColumnDef::new("id").integer().not_null().primary_key())
        .col(ColumnDef::new("begin_us").big_integer().not_null())
        .col(ColumnDef::new("end_us").big_integer().not_null())
        .col(ColumnDef::new("reason").string().not_null())
        .to_owned();
    manager.create_table(maintenance).await
}
