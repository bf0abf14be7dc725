//! What is written beside games, and what is reported of it.

use sea_orm_migration::prelude::*;

pub(super) async fn chat(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let messages = Table::create()
        .table("chat_messages")
        .col(ColumnDef::new("game_id").uuid().not_null())
        .col(ColumnDef::new("room").small_integer().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("request_id").uuid().not_null())
        .col(ColumnDef::new("name").string().not_null())
        .col(ColumnDef::new("text").text().not_null())
        .col(ColumnDef::new("sent_us").big_integer().not_null())
        .primary_key(Index::create().col("game_id").col("room").col("sequence"))
        .to_owned();
    manager.create_table(messages).await?;
    let request = Index::create()
        .name("chat_messages_request")
        .table("chat_messages")
        .col("account_id")
        .col("request_id")
        .unique()
        .to_owned();
    manager.create_index(request).await?;
    let reports = Table::create()
        .table("chat_reports")
        .col(ColumnDef::new("game_id").uuid().not_null())
        .col(ColumnDef::new("room").small_integer().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("reporter_id").uuid().not_null())
        .col(ColumnDef::new("reporter_name").string().not_null())
        .col(ColumnDef::new("reason").text().not_null())
        .col(ColumnDef::new("reported_us").big_integer().not_null())
        .col(ColumnDef::new("event_id").uuid())
        .col(ColumnDef::new("federation_id").uuid())
        .primary_key(Index::create().col("game_id").col("room").col("sequence").col("reporter_id"))
        .to_owned();
    manager.create_table(reports).await?;
    for column in ["event_id", "federation_id"] {
        let index = Index::create()
            .name(format!("chat_reports_{column}"))
            .table("chat_reports")
            .col(column)
            .col("reported_us")
            .to_owned();
        manager.create_index(index).await?;
    }
    Ok(())
}
