//! The making of the tables.

use chassis::schema::migration;
use sea_orm_migration::prelude::*;

/// The migrations of this service.
#[derive(Debug)]
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            migration("m20261121_000001_games", |manager| Box::pin(games(manager))),
            migration("m20261121_000002_due", |manager| Box::pin(due(manager))),
            migration("m20261121_000050_sealing_keys", |manager| Box::pin(sealing_keys(manager))),
            migration("m20261121_000060_broadcast", |manager| {
                Box::pin(super::migration_broadcast::broadcast(manager))
            }),
            migration("m20261121_000061_chat", |manager| Box::pin(super::migration_chat::chat(manager))),
            migration("m20261122_000070_reads", |manager| Box::pin(super::migration_reads::reads(manager))),
            migration("m20261122_000070_dead", |manager| Box::pin(super::migration_dead::dead(manager))),
            migration("m20261128_000080_trace_what_is_owed", |manager| {
                Box::pin(chassis::outbox::add_trace(manager))
            }),
            migration("m20261129_000090_packed", |manager| {
                Box::pin(super::migration_packed::packed(manager))
            }),
            migration("m20261129_000091_maintenance", |manager| {
                Box::pin(super::migration_maintenance::maintenance(manager))
            }),
            migration("m20261129_000092_parts", |manager| Box::pin(super::migration_parts::parts(manager))),
        ]
    }

    fn migration_table_name() -> DynIden {
        "game_migrations".into_iden()
    }
}

async fn games(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let games = Table::create()
        .table("games")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("variant").string().not_null())
        .col(ColumnDef::new("first_account").uuid())
        .col(ColumnDef::new("second_account").uuid())
        .col(ColumnDef::new("finished").boolean().not_null())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .col(ColumnDef::new("house_us").big_integer())
        .to_owned();
    manager.create_table(games).await?;
    let events = Table::create()
        .table("events")
        .col(ColumnDef::new("game_id").uuid().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("request_id").uuid())
        .col(ColumnDef::new("payload").binary().not_null())
        .col(ColumnDef::new("sealed").string())
        .primary_key(Index::create().col("game_id").col("sequence"))
        .to_owned();
    manager.create_table(events).await?;
    let availability = Table::create()
        .table("availability")
        .col(ColumnDef::new("id").integer().not_null().primary_key())
        .col(ColumnDef::new("up_until_us").big_integer().not_null())
        .to_owned();
    manager.create_table(availability).await?;
    let outages = Table::create()
        .table("outages")
        .col(ColumnDef::new("until_us").big_integer().not_null().primary_key())
        .col(ColumnDef::new("from_us").big_integer().not_null())
        .to_owned();
    manager.create_table(outages).await?;
    for (name, table, columns, unique) in INDEXES {
        let mut index = Index::create().name(*name).table(*table).to_owned();
        for column in *columns {
            index.col(*column);
        }
        if *unique {
            index.unique();
        }
        manager.create_index(index).await?;
    }
    chassis::outbox::create_table(manager).await
}

/// The house is not the only one any more who acts when its time has come.
async fn due(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let rename = Table::alter().table("games").rename_column("house_us", "due_us").to_owned();
    manager.alter_table(rename).await
}

/// Moves are sealed to keys of this service.
async fn sealing_keys(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let keys = Table::create()
        .table("sealing_keys")
        .col(ColumnDef::new("number").big_integer().not_null().primary_key())
        .col(ColumnDef::new("seed").binary().not_null())
        .col(ColumnDef::new("created_us").big_integer().not_null())
        .to_owned();
    manager.create_table(keys).await
}

/// Name, table, columns, whether unique.
const INDEXES: &[(&str, &str, &[&str], bool)] = &[
    ("events_request", "events", &["game_id", "request_id"], true),
    ("games_house", "games", &["house_us"], false),
    ("games_finished", "games", &["finished", "created_us", "id"], false),
    ("games_variant", "games", &["variant", "created_us", "id"], false),
    ("games_first", "games", &["first_account", "created_us", "id"], false),
    ("games_second", "games", &["second_account", "created_us", "id"], false),
];
