//! The tables of notices.

use sea_orm_migration::prelude::*;

/// Makes them.
pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(boxes()).await?;
    manager.create_table(notices()).await?;
    // Of one source an account is told once.
    let mut source = Index::create().name("notices_source").table("notices").to_owned();
    source.col("account_id").col("source").unique();
    manager.create_index(source).await?;
    // What is too old.
    let age = Index::create().name("notices_age").table("notices").col("at_us").to_owned();
    manager.create_index(age).await
}

fn boxes() -> TableCreateStatement {
    Table::create()
        .table("notice_boxes")
        .col(ColumnDef::new("account_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("last").big_integer().not_null())
        .col(ColumnDef::new("kept_after").big_integer().not_null())
        .col(ColumnDef::new("muted").text().not_null())
        .to_owned()
}

fn notices() -> TableCreateStatement {
    Table::create()
        .table("notices")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("number").big_integer().not_null())
        .col(ColumnDef::new("source").uuid().not_null())
        .col(ColumnDef::new("kind").integer().not_null())
        .col(ColumnDef::new("at_us").big_integer().not_null())
        .col(ColumnDef::new("is_read").boolean().not_null())
        .col(ColumnDef::new("federation_id").uuid())
        .col(ColumnDef::new("about").binary().not_null())
        .primary_key(Index::create().col("account_id").col("number"))
        .to_owned()
}
