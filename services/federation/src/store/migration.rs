//! The tables.

use sea_orm_migration::prelude::*;

/// The migrations of this service.
#[derive(Debug)]
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        Vec::new()
    }

    fn migration_table_name() -> DynIden {
        "federation_migrations".into_iden()
    }
}
