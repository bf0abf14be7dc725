//! What makes reading cheap: summaries of finished games. And whose the imported records are.

use sea_orm_migration::prelude::*;

pub(super) async fn reads(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let summaries = Table::create()
        .table("summaries")
        .col(ColumnDef::new("game_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("payload").binary().not_null())
        .to_owned();
    manager.create_table(summaries).await?;
    let imports = Table::create()
        .table("imports")
        .col(ColumnDef::new("game_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .col(ColumnDef::new("digest").binary().not_null())
        .col(ColumnDef::new("bytes").big_integer().not_null())
        .col(ColumnDef::new("published").boolean().not_null())
        .to_owned();
    manager.create_table(imports).await?;
    let index = Index::create()
        .name("imports_account")
        .table("imports")
        .col("account_id")
        .col("created_us")
        .col("game_id")
        .to_owned();
    manager.create_index(index).await
}
