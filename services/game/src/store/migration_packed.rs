//! Games learn whether their logs are packed.

use sea_orm_migration::prelude::*;

pub(super) async fn packed(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut column = ColumnDef::new("packed").boolean().not_null().default(false).to_owned();
    manager.alter_table(Table::alter().table("games").add_column(&mut column).to_owned()).await?;
    // The log of an imported record is packed from the beginning.
    let imports = Query::select().column("game_id").from("imports").to_owned();
    let known = Query::update()
        .table("games")
        .value("packed", true)
        .and_where(Expr::col("id").in_subquery(imports))
        .to_owned();
    manager.execute(known).await?;
    // Those that are still to be packed are few, and found without the others.
    let index = Index::create()
        .name("games_unpacked")
        .table("games")
        .col("created_us")
        .col("id")
        .and_where(Expr::col("finished").eq(true))
        .and_where(Expr::col("packed").eq(false))
        .to_owned();
    manager.create_index(index).await
}
