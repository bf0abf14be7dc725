//! The tables of federations, clubs, members and teams, and of how people come into them.

use chassis::{outbox, schema::index};
use sea_orm_migration::prelude::*;

/// Makes them.
pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in
        [federations(), clubs(), members(), numbers(), stays(), teams(), team_members(), names(), requests()]
    {
        manager.create_table(table).await?;
    }
    for table in [applications(), invitations(), officials(), proxies()] {
        manager.create_table(table).await?;
    }
    for (name, table, columns) in UNIQUE {
        manager.create_index(index(name, table, columns).unique().to_owned()).await?;
    }
    for (name, table, columns) in INDEXES {
        manager.create_index(index(name, table, columns)).await?;
    }
    outbox::create_table(manager).await?;
    outbox::create_dead_table(manager).await
}

/// Has what concerns one person be found by him.
pub(super) async fn find_persons(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (name, table, columns) in PERSONS {
        manager.create_index(index(name, table, columns)).await?;
    }
    Ok(())
}

type Index = (&'static str, &'static str, &'static [&'static str]);

const UNIQUE: &[Index] = &[
    ("federations_name", "federations", &["name_key"]),
    ("members_account", "members", &["federation_id", "account_id"]),
    ("invitations_code", "invitations", &["code_digest"]),
];

const INDEXES: &[Index] = &[
    ("federations_founder", "federations", &["founder_id"]),
    ("clubs_list", "clubs", &["federation_id", "id"]),
    ("members_list", "members", &["federation_id", "state", "id"]),
    ("members_mine", "members", &["account_id", "id"]),
    ("member_numbers_member", "member_numbers", &["member_id"]),
    ("stays_club", "stays", &["club_id", "from_day"]),
    ("teams_list", "teams", &["federation_id", "id"]),
    ("team_members_member", "team_members", &["member_id"]),
    ("organisation_names_thing", "organisation_names", &["thing_id"]),
    ("requests_age", "requests", &["made_us"]),
    ("applications_list", "applications", &["federation_id", "answer", "id"]),
    ("applications_mine", "applications", &["account_id", "answer", "id"]),
    ("invitations_list", "invitations", &["federation_id", "answer", "id"]),
    ("invitations_mine", "invitations", &["account_id", "answer", "id"]),
    ("officials_list", "officials", &["federation_id", "account_id", "id"]),
    ("proxies_list", "proxies", &["member_id", "id"]),
];

const PERSONS: &[Index] = &[
    ("officials_mine", "officials", &["account_id", "id"]),
    ("proxies_mine", "proxies", &["account_id", "id"]),
    ("season_members_member", "season_members", &["member_id", "season_id"]),
];

fn federations() -> TableCreateStatement {
    named("federations")
        .col(ColumnDef::new("name_key").binary().not_null())
        .col(ColumnDef::new("about").text().not_null())
        .col(ColumnDef::new("open").boolean().not_null())
        .col(ColumnDef::new("founder_id").uuid().not_null())
        .to_owned()
}

fn clubs() -> TableCreateStatement {
    named("clubs")
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("place").text().not_null())
        .to_owned()
}

fn teams() -> TableCreateStatement {
    named("teams")
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("club_id").uuid())
        .col(ColumnDef::new("captain_id").uuid())
        .to_owned()
}

/// What has a name, a beginning, an end and a revision.
fn named(table: &'static str) -> TableCreateStatement {
    Table::create()
        .table(table)
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("native").text().not_null())
        .col(ColumnDef::new("latin").text().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .col(ColumnDef::new("ended_us").big_integer())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .to_owned()
}

fn members() -> TableCreateStatement {
    Table::create()
        .table("members")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("native").text().not_null())
        .col(ColumnDef::new("latin").text().not_null())
        .col(ColumnDef::new("sex").small_integer())
        .col(ColumnDef::new("born_day").integer())
        .col(ColumnDef::new("grade").text().not_null())
        .col(ColumnDef::new("note").text().not_null())
        .col(ColumnDef::new("account_id").uuid())
        .col(ColumnDef::new("state").small_integer().not_null())
        .col(ColumnDef::new("left_day").integer())
        .col(ColumnDef::new("merged_into").uuid())
        .col(ColumnDef::new("joined_day").integer().not_null())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .to_owned()
}

fn numbers() -> TableCreateStatement {
    Table::create()
        .table("member_numbers")
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("list").string_len(16).not_null())
        .col(ColumnDef::new("number").string_len(32).not_null())
        .col(ColumnDef::new("member_id").uuid().not_null())
        .primary_key(&mut key(&["federation_id", "list", "number"]))
        .to_owned()
}

fn stays() -> TableCreateStatement {
    Table::create()
        .table("stays")
        .col(ColumnDef::new("member_id").uuid().not_null())
        .col(ColumnDef::new("from_day").integer().not_null())
        .col(ColumnDef::new("to_day").integer())
        .col(ColumnDef::new("club_id").uuid().not_null())
        .primary_key(&mut key(&["member_id", "from_day"]))
        .to_owned()
}

fn team_members() -> TableCreateStatement {
    Table::create()
        .table("team_members")
        .col(ColumnDef::new("team_id").uuid().not_null())
        .col(ColumnDef::new("member_id").uuid().not_null())
        .col(ColumnDef::new("place").small_integer().not_null())
        .col(ColumnDef::new("part").small_integer().not_null())
        .primary_key(&mut key(&["team_id", "member_id"]))
        .to_owned()
}

fn names() -> TableCreateStatement {
    Table::create()
        .table("organisation_names")
        .col(ColumnDef::new("kind").small_integer().not_null())
        .col(ColumnDef::new("scope_id").uuid().not_null())
        .col(ColumnDef::new("name_key").binary().not_null())
        .col(ColumnDef::new("thing_id").uuid().not_null())
        .col(ColumnDef::new("native").boolean().not_null())
        .primary_key(&mut key(&["kind", "scope_id", "name_key", "thing_id"]))
        .to_owned()
}

fn requests() -> TableCreateStatement {
    Table::create()
        .table("requests")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("request_id").uuid().not_null())
        .col(ColumnDef::new("digest").binary().not_null())
        .col(ColumnDef::new("made_id").uuid().not_null())
        .col(ColumnDef::new("counts").text().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .primary_key(&mut key(&["account_id", "request_id"]))
        .to_owned()
}

fn applications() -> TableCreateStatement {
    Table::create()
        .table("applications")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("native").text().not_null())
        .col(ColumnDef::new("latin").text().not_null())
        .col(ColumnDef::new("club_id").uuid())
        .col(ColumnDef::new("note").text().not_null())
        .col(ColumnDef::new("answer").small_integer().not_null())
        .col(ColumnDef::new("reply").text().not_null())
        .col(ColumnDef::new("answered_by").uuid())
        .col(ColumnDef::new("answered_us").big_integer())
        .col(ColumnDef::new("member_id").uuid())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .to_owned()
}

fn invitations() -> TableCreateStatement {
    Table::create()
        .table("invitations")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("account_id").uuid())
        .col(ColumnDef::new("code_digest").binary())
        .col(ColumnDef::new("member_id").uuid())
        .col(ColumnDef::new("answer").small_integer().not_null())
        .col(ColumnDef::new("made_by").uuid().not_null())
        .col(ColumnDef::new("made_us").big_integer().not_null())
        .col(ColumnDef::new("expires_us").big_integer().not_null())
        .col(ColumnDef::new("answered_by").uuid())
        .to_owned()
}

fn officials() -> TableCreateStatement {
    Table::create()
        .table("officials")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("role").small_integer().not_null())
        .col(ColumnDef::new("conveyance").small_integer().not_null())
        .col(ColumnDef::new("refusal").text().not_null())
        .col(ColumnDef::new("granted_by").uuid().not_null())
        .col(ColumnDef::new("granted_us").big_integer().not_null())
        .col(ColumnDef::new("revoked_by").uuid())
        .col(ColumnDef::new("revoked_us").big_integer())
        .to_owned()
}

fn proxies() -> TableCreateStatement {
    Table::create()
        .table("proxies")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("member_id").uuid().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("himself").boolean().not_null())
        .col(ColumnDef::new("given_by").uuid().not_null())
        .col(ColumnDef::new("reason").text().not_null())
        .col(ColumnDef::new("given_us").big_integer().not_null())
        .col(ColumnDef::new("withdrawn_by").uuid())
        .col(ColumnDef::new("withdrawn_us").big_integer())
        .to_owned()
}

fn key(columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = sea_orm_migration::prelude::Index::create();
    for column in columns {
        index.col(*column);
    }
    index
}
