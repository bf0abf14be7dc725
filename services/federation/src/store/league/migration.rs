//! The tables of leagues.

use sea_orm_migration::prelude::*;

/// Makes them.
pub(crate) async fn create_leagues(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in [leagues(), rules(), seasons(), squads(), members(), acts()] {
        manager.create_table(table).await?;
    }
    for (name, table, columns) in INDEXES {
        let mut index = Index::create().name(*name).table(*table).to_owned();
        for column in *columns {
            index.col(*column);
        }
        if *table == "league_seasons" {
            index.unique();
        }
        manager.create_index(index).await?;
    }
    Ok(())
}

type Named = (&'static str, &'static str, &'static [&'static str]);

const INDEXES: &[Named] = &[
    ("leagues_list", "leagues", &["federation_id", "id"]),
    ("league_seasons_list", "league_seasons", &["league_id", "number"]),
    ("season_squads_list", "season_squads", &["season_id", "division", "seed", "entrant_id"]),
    ("season_members_squad", "season_members", &["season_id", "entrant_id"]),
];

fn leagues() -> TableCreateStatement {
    Table::create()
        .table("leagues")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("native").text().not_null())
        .col(ColumnDef::new("latin").text().not_null())
        .col(ColumnDef::new("version").integer().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .to_owned()
}

fn rules() -> TableCreateStatement {
    Table::create()
        .table("league_rules")
        .col(ColumnDef::new("league_id").uuid().not_null())
        .col(ColumnDef::new("version").integer().not_null())
        .col(ColumnDef::new("body").binary().not_null())
        .primary_key(Index::create().col("league_id").col("version"))
        .to_owned()
}

fn seasons() -> TableCreateStatement {
    Table::create()
        .table("league_seasons")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("league_id").uuid().not_null())
        .col(ColumnDef::new("number").integer().not_null())
        .col(ColumnDef::new("state").small_integer().not_null())
        .col(ColumnDef::new("body").binary().not_null())
        .col(ColumnDef::new("outcome").binary())
        .col(ColumnDef::new("digest").binary())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .to_owned()
}

fn squads() -> TableCreateStatement {
    Table::create()
        .table("season_squads")
        .col(ColumnDef::new("season_id").uuid().not_null())
        .col(ColumnDef::new("entrant_id").uuid().not_null())
        .col(ColumnDef::new("division").integer().not_null())
        .col(ColumnDef::new("seed").integer().not_null())
        .col(ColumnDef::new("registered").boolean().not_null())
        .col(ColumnDef::new("stays_down").boolean().not_null())
        .col(ColumnDef::new("updated_us").big_integer().not_null())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .primary_key(Index::create().col("season_id").col("entrant_id"))
        .to_owned()
}

/// A member is in one squad of a season: its key says so.
fn members() -> TableCreateStatement {
    Table::create()
        .table("season_members")
        .col(ColumnDef::new("season_id").uuid().not_null())
        .col(ColumnDef::new("member_id").uuid().not_null())
        .col(ColumnDef::new("entrant_id").uuid().not_null())
        .col(ColumnDef::new("place").small_integer().not_null())
        .col(ColumnDef::new("part").small_integer().not_null())
        .primary_key(Index::create().col("season_id").col("member_id"))
        .to_owned()
}

fn acts() -> TableCreateStatement {
    Table::create()
        .table("season_acts")
        .col(ColumnDef::new("season_id").uuid().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("body").binary().not_null())
        .primary_key(Index::create().col("season_id").col("sequence"))
        .to_owned()
}
