//! The tables.

use chassis::schema::migration;
use sea_orm_migration::prelude::*;

/// The migrations of this service.
#[derive(Debug)]
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![migration("m0001_create_ratings", |manager| Box::pin(create_ratings(manager)))]
    }

    fn migration_table_name() -> DynIden {
        "rating_migrations".into_iden()
    }
}

async fn create_ratings(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(ratings()).await?;
    manager.create_table(changes()).await?;
    // Leaders: walked from the highest rating of a category downwards.
    let leaders = ["variant", "speed_class", "rating", "account_id"];
    manager.create_index(index("ratings_leaders", "ratings", &leaders)).await?;
    // History: walked from the last game of a rating backwards.
    let history = ["account_id", "variant", "speed_class", "games"];
    manager.create_index(index("rating_changes_history", "rating_changes", &history)).await
}

fn ratings() -> TableCreateStatement {
    Table::create()
        .table("ratings")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("rating").double().not_null())
        .col(ColumnDef::new("deviation").double().not_null())
        .col(ColumnDef::new("volatility").double().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("updated_us").big_integer().not_null())
        .col(ColumnDef::new("ranked_until_us").big_integer())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .primary_key(Index::create().col("account_id").col("variant").col("speed_class"))
        .to_owned()
}

fn changes() -> TableCreateStatement {
    Table::create()
        .table("rating_changes")
        .col(ColumnDef::new("game_id").uuid().not_null())
        .col(ColumnDef::new("side").small_integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("variant").string_len(32).not_null())
        .col(ColumnDef::new("speed_class").small_integer().not_null())
        .col(ColumnDef::new("games").big_integer().not_null())
        .col(ColumnDef::new("verdict").small_integer().not_null())
        .col(ColumnDef::new("opponent_id").uuid().not_null())
        .col(ColumnDef::new("opponent_before").double().not_null())
        .col(ColumnDef::new("rating_before").double().not_null())
        .col(ColumnDef::new("rating").double().not_null())
        .col(ColumnDef::new("deviation").double().not_null())
        .col(ColumnDef::new("volatility").double().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .col(ColumnDef::new("updated_us").big_integer())
        .primary_key(Index::create().col("game_id").col("side"))
        .to_owned()
}

fn index(name: &'static str, table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create().name(name).table(table).to_owned();
    for column in columns {
        index.col(*column);
    }
    index
}
