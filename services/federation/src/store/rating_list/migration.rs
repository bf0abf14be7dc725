//! The tables of rating lists.

use chassis::schema::index;
use sea_orm_migration::prelude::*;

/// Makes them.
pub(crate) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in [policies(), versions(), lists(), steps(), events(), entries(), vouched()] {
        manager.create_table(table).await?;
    }
    let unique = |name, table, columns: &[&'static str]| index(name, table, columns).unique().to_owned();
    manager
        .create_index(unique("rating_policies_named", "rating_policies", &["federation_id", "name"]))
        .await?;
    manager
        .create_index(index("rating_policies_of_federation", "rating_policies", &["federation_id", "id"]))
        .await?;
    // No two lists of a policy are of one day.
    manager.create_index(unique("rating_lists_days", "rating_lists", &["policy_id", "day"])).await?;
    // A step as it was made last.
    manager
        .create_index(index("rating_steps_last", "rating_steps", &["policy_id", "step", "list_number"]))
        .await?;
    let by_place = ["policy_id", "number", "place", "member_id"];
    manager.create_index(index("rating_entries_by_place", "rating_entries", &by_place)).await?;
    let by_club = ["policy_id", "number", "club_id", "place", "member_id"];
    manager.create_index(index("rating_entries_by_club", "rating_entries", &by_club)).await?;
    let of_member = ["policy_id", "member_id", "number"];
    manager.create_index(index("rating_entries_of_member", "rating_entries", &of_member)).await
}

fn policies() -> TableCreateStatement {
    Table::create()
        .table("rating_policies")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("version").integer().not_null())
        .col(ColumnDef::new("name").text().not_null())
        .to_owned()
}

fn versions() -> TableCreateStatement {
    Table::create()
        .table("rating_policy_versions")
        .col(ColumnDef::new("policy_id").uuid().not_null())
        .col(ColumnDef::new("version").integer().not_null())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("body").binary().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .primary_key(Index::create().col("policy_id").col("version"))
        .to_owned()
}

fn lists() -> TableCreateStatement {
    Table::create()
        .table("rating_lists")
        .col(ColumnDef::new("policy_id").uuid().not_null())
        .col(ColumnDef::new("number").integer().not_null())
        .col(ColumnDef::new("day").integer().not_null())
        .col(ColumnDef::new("published_us").big_integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("version").integer().not_null())
        .col(ColumnDef::new("input_digest").binary().not_null())
        .col(ColumnDef::new("list_digest").binary().not_null())
        .col(ColumnDef::new("listed").integer().not_null())
        .col(ColumnDef::new("games").integer().not_null())
        .col(ColumnDef::new("events").integer().not_null())
        .col(ColumnDef::new("recomputed_from").integer().not_null())
        .primary_key(Index::create().col("policy_id").col("number"))
        .to_owned()
}

fn steps() -> TableCreateStatement {
    Table::create()
        .table("rating_steps")
        .col(ColumnDef::new("policy_id").uuid().not_null())
        .col(ColumnDef::new("list_number").integer().not_null())
        .col(ColumnDef::new("step").integer().not_null())
        .col(ColumnDef::new("input").binary().not_null())
        .col(ColumnDef::new("input_digest").binary().not_null())
        .col(ColumnDef::new("list").binary().not_null())
        .col(ColumnDef::new("list_digest").binary().not_null())
        .primary_key(Index::create().col("policy_id").col("list_number").col("step"))
        .to_owned()
}

fn events() -> TableCreateStatement {
    Table::create()
        .table("rating_events")
        .col(ColumnDef::new("policy_id").uuid().not_null())
        .col(ColumnDef::new("event_id").uuid().not_null())
        .col(ColumnDef::new("step").integer())
        .col(ColumnDef::new("version").integer().not_null())
        .col(ColumnDef::new("looked").integer().not_null())
        .col(ColumnDef::new("sequence").big_integer().not_null())
        .col(ColumnDef::new("digest").binary().not_null())
        .primary_key(Index::create().col("policy_id").col("event_id"))
        .to_owned()
}

fn entries() -> TableCreateStatement {
    Table::create()
        .table("rating_entries")
        .col(ColumnDef::new("policy_id").uuid().not_null())
        .col(ColumnDef::new("number").integer().not_null())
        .col(ColumnDef::new("member_id").uuid().not_null())
        .col(ColumnDef::new("place").integer())
        .col(ColumnDef::new("club_id").uuid())
        .col(ColumnDef::new("rating").integer().not_null())
        .col(ColumnDef::new("deviation").integer().not_null())
        .col(ColumnDef::new("change").integer().not_null())
        .col(ColumnDef::new("games").integer().not_null())
        .col(ColumnDef::new("new_games").integer().not_null())
        .col(ColumnDef::new("provisional").boolean().not_null())
        .primary_key(Index::create().col("policy_id").col("number").col("member_id"))
        .to_owned()
}

fn vouched() -> TableCreateStatement {
    Table::create()
        .table("rating_vouched")
        .col(ColumnDef::new("policy_id").uuid().not_null())
        .col(ColumnDef::new("member_id").uuid().not_null())
        .col(ColumnDef::new("rating").integer().not_null())
        .col(ColumnDef::new("games").integer().not_null())
        .col(ColumnDef::new("day").integer().not_null())
        .col(ColumnDef::new("vouched_by").text().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .col(ColumnDef::new("known_by").integer())
        .primary_key(Index::create().col("policy_id").col("member_id"))
        .to_owned()
}
