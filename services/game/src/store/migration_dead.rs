//! What is owed and can never be delivered is put aside.

use sea_orm_migration::prelude::*;

pub(super) async fn dead(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    chassis::outbox::create_dead_table(manager).await
}
