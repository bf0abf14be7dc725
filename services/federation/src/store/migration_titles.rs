//! The tables of titles and of who has them.

use sea_orm_migration::prelude::*;

/// Makes them.
pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(titles()).await?;
    manager.create_table(awards()).await?;
    let mut catalogue = Index::create().name("titles_list").table("titles").to_owned();
    manager.create_index(catalogue.col("federation_id").col("kind").to_owned()).await?;
    let mut list = Index::create().name("awards_list").table("awards").to_owned();
    manager.create_index(list.col("federation_id").col("state").col("id").to_owned()).await?;
    let mut member = Index::create().name("awards_member").table("awards").to_owned();
    manager.create_index(member.col("member_id").col("state").to_owned()).await
}

fn titles() -> TableCreateStatement {
    Table::create()
        .table("titles")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("native").text().not_null())
        .col(ColumnDef::new("latin").text().not_null())
        .col(ColumnDef::new("kind").small_integer().not_null())
        .col(ColumnDef::new("rank").integer().not_null())
        .col(ColumnDef::new("retired_us").big_integer())
        .to_owned()
}

fn awards() -> TableCreateStatement {
    Table::create()
        .table("awards")
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("federation_id").uuid().not_null())
        .col(ColumnDef::new("title_id").uuid().not_null())
        .col(ColumnDef::new("member_id").uuid().not_null())
        .col(ColumnDef::new("state").small_integer().not_null())
        .col(ColumnDef::new("reason").text().not_null())
        .col(ColumnDef::new("events").binary().not_null())
        .col(ColumnDef::new("proposed_by").uuid().not_null())
        .col(ColumnDef::new("proposed_us").big_integer().not_null())
        .col(ColumnDef::new("decided_by").uuid())
        .col(ColumnDef::new("decided_us").big_integer())
        .col(ColumnDef::new("effective_day").integer())
        .col(ColumnDef::new("refusal").text().not_null())
        .col(ColumnDef::new("revoked_by").uuid())
        .col(ColumnDef::new("revoked_us").big_integer())
        .col(ColumnDef::new("revocation").text().not_null())
        .to_owned()
}
