//! The table of papers on notice boards.

use sea_orm_migration::prelude::*;

/// Makes the table.
pub(crate) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("documents")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("event_id").uuid())
        .col(ColumnDef::new("kind").small_integer().not_null())
        .col(ColumnDef::new("round").integer().not_null())
        .col(ColumnDef::new("title").text().not_null())
        .col(ColumnDef::new("languages").text().not_null())
        .col(ColumnDef::new("posted_by").uuid().not_null())
        .col(ColumnDef::new("posted_us").big_integer().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("digest").binary().not_null())
        .col(ColumnDef::new("size").integer().not_null())
        .col(ColumnDef::new("page").binary())
        .col(ColumnDef::new("withdrawn_by").uuid())
        .col(ColumnDef::new("withdrawn_us").big_integer())
        .col(ColumnDef::new("withdrawn_reason").text().not_null())
        .to_owned();
    manager.create_table(table).await?;
    let index = Index::create()
        .name("documents_by_board")
        .table("documents")
        .col("federation_id")
        .col("event_id")
        .col("id")
        .to_owned();
    manager.create_index(index).await
}

/// Has papers say when somebody was blacked out of them.
pub(crate) async fn redact(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = ColumnDef::new("redacted_us").big_integer().null().to_owned();
    manager.alter_table(Table::alter().table("documents").add_column(column).to_owned()).await
}

/// Has papers say of which season or rating list they are.
pub(crate) async fn post_tables(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for column in
        [ColumnDef::new("subject_id").uuid().null(), ColumnDef::new("subject_number").integer().null()]
    {
        let column = column.to_owned();
        manager.alter_table(Table::alter().table("documents").add_column(column).to_owned()).await?;
    }
    Ok(())
}
