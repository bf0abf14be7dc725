//! The tables of events.

use chassis::schema::index;
use sea_orm_migration::prelude::*;

/// Makes them.
pub(crate) async fn create_events(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in [heads(), log(), notes(), drafts(), seeds()] {
        manager.create_table(table).await?;
    }
    // The events of a federation, newest first.
    let of_federation = ["federation_id", "created_us", "event_id"];
    manager.create_index(index("events_of_federation", "event_heads", &of_federation)).await?;
    // Those of which something happens by itself, the soonest first.
    manager.create_index(index("events_due", "event_heads", &["due_us"])).await?;
    // Whether a request was carried out.
    manager.create_index(index("event_log_requests", "event_log", &["event_id", "request_id"])).await
}

/// Makes the table of line-ups that are not public yet.
pub(crate) async fn create_line_ups(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("event_line_ups")
        .col(ColumnDef::new("event_id").uuid().not_null())
        .col(ColumnDef::new("round").integer().not_null())
        .col(ColumnDef::new("team").integer().not_null())
        .col(ColumnDef::new("opening").binary().not_null())
        .primary_key(Index::create().col("event_id").col("round").col("team"))
        .to_owned();
    manager.create_table(table).await
}

/// Has every request be known with what it asked for, also when the draft is no more. The column `requests` of drafts is left
/// to servers of before, which may still run beside this one.
pub(crate) async fn know_draft_requests(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("event_draft_requests")
        .col(ColumnDef::new("event_id").uuid().not_null())
        .col(ColumnDef::new("request_id").uuid().not_null())
        .col(ColumnDef::new("digest").binary().not_null())
        .primary_key(Index::create().col("event_id").col("request_id"))
        .to_owned();
    manager.create_table(table).await
}

/// Has drafts keep every request by which they have become what they are.
pub(crate) async fn keep_draft_requests(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::alter()
        .table("event_drafts")
        .add_column(ColumnDef::new("requests").binary().null())
        .to_owned();
    manager.alter_table(table).await
}

fn heads() -> TableCreateStatement {
    Table::create()
        .table("event_heads")
        .col(ColumnDef::new("event_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("stage").small_integer().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .col(ColumnDef::new("due_us").big_integer())
        .to_owned()
}

fn log() -> TableCreateStatement {
    Table::create()
        .table("event_log")
        .col(ColumnDef::new("event_id").uuid().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("body").binary().not_null())
        .col(ColumnDef::new("hash").binary().not_null())
        .col(ColumnDef::new("at_us").big_integer().not_null())
        .col(ColumnDef::new("request_id").uuid())
        .col(ColumnDef::new("request_digest").binary())
        .primary_key(Index::create().col("event_id").col("sequence"))
        .to_owned()
}

fn notes() -> TableCreateStatement {
    Table::create()
        .table("event_notes")
        .col(ColumnDef::new("event_id").uuid().not_null())
        .col(ColumnDef::new("digest").binary().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("salt").binary().not_null())
        .col(ColumnDef::new("text").text().not_null())
        .primary_key(Index::create().col("event_id").col("digest"))
        .to_owned()
}

fn drafts() -> TableCreateStatement {
    Table::create()
        .table("event_drafts")
        .col(ColumnDef::new("event_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("round").integer().not_null())
        .col(ColumnDef::new("body").binary().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("request_id").uuid().not_null())
        .to_owned()
}

fn seeds() -> TableCreateStatement {
    Table::create()
        .table("event_seeds")
        .col(ColumnDef::new("event_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("seed").binary().not_null())
        .to_owned()
}
