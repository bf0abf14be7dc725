//! The schema of a service's database, held to what this build of the service expects.

use futures::future::BoxFuture;
use sea_orm::{ConnectionTrait as _, DbBackend, DbErr, QueryResult, Statement};
use sea_orm_migration::{
    MigrationName, MigrationTrait, MigratorTrait, SchemaManager,
    prelude::{Index, IndexCreateStatement},
};

use crate::Database;

/// Which steps of a schema have been taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// Those that this build knows and that have been taken, in their order.
    pub applied: Vec<String>,
    /// Those that have not been taken; the service takes them when it starts.
    pub pending: Vec<String>,
    /// Those that were taken and that this build does not know: a newer one has been here.
    pub unknown: Vec<String>,
}

/// An index of a table by these columns, in their order.
pub fn index(name: &'static str, table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create().name(name).table(table).to_owned();
    for column in columns {
        index.col(*column);
    }
    index
}

/// What a step does.
type Up = for<'a> fn(&'a SchemaManager<'a>) -> BoxFuture<'a, Result<(), DbErr>>;

/// Says of the entity above that its rows are tied to no others by the schema, and change as they are told.
#[macro_export]
macro_rules! standalone {
    () => {
        $crate::standalone!(pub(crate));
    };
    ($visibility:vis) => {
        #[derive(Copy, Clone, Debug, ::sea_orm::EnumIter, ::sea_orm::DeriveRelation)]
        $visibility enum Relation {}

        impl ::sea_orm::ActiveModelBehavior for ActiveModel {}
    };
}

struct Migration {
    name: &'static str,
    up: Up,
}

/// A step of a schema, for the list of a service's migrator. Its name never changes.
pub fn migration(name: &'static str, up: Up) -> Box<dyn MigrationTrait> {
    Box::new(Migration { name, up })
}

impl MigrationName for Migration {
    fn name(&self) -> &str {
        self.name
    }
}

#[expect(
    elided_lifetimes_in_paths,
    reason = "async_trait's signature must be that of the trait, letter by letter"
)]
#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        (self.up)(manager).await
    }
}

impl Schema {
    /// Reads which steps have been taken. Nothing is written.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn read<M: MigratorTrait>(database: &Database) -> Result<Self, DbErr> {
        let table = M::migration_table_name().to_string();
        let taken =
            if has_table(database, &table).await? { taken(database, &table).await? } else { Vec::new() };
        let known: Vec<String> = M::migrations().iter().map(|step| step.name().to_owned()).collect();
        let (applied, pending): (Vec<_>, Vec<_>) =
            known.iter().cloned().partition(|step| taken.contains(step));
        let unknown = taken.into_iter().filter(|step| !known.contains(step)).collect();
        Ok(Schema { applied, pending, unknown })
    }
}

/// Takes the first steps of a schema, those that are named, and no other.
///
/// # Errors
/// When they are not the first of those that this build knows, or the database refuses.
pub async fn build<M: MigratorTrait>(database: &Database, steps: &[String]) -> Result<(), DbErr> {
    let known = M::migrations();
    let is_known =
        known.len() >= steps.len() && known.iter().zip(steps).all(|(known, step)| known.name() == step);
    if !is_known {
        return Err(DbErr::Custom(
            "this build does not know all steps of the schema: it is older".to_owned(),
        ));
    }
    let taken = Schema::read::<M>(database).await?.applied.len();
    let left = u32::try_from(steps.len().saturating_sub(taken)).unwrap_or(u32::MAX);
    database.take_steps::<M>(Some(left)).await
}

async fn has_table(database: &Database, table: &str) -> Result<bool, DbErr> {
    let names = match database.backend() {
        DbBackend::Sqlite => "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name",
        _ => "SELECT count(*) FROM pg_tables WHERE schemaname = ANY (current_schemas(false)) AND tablename",
    };
    let count = Statement::from_string(database.backend(), format!("{names} = '{table}'"));
    let row = database.read().query_one_raw(count).await?;
    row.map_or(Ok(false), |row| Ok(row.try_get_by_index::<i64>(0)? > 0))
}

async fn taken(database: &Database, table: &str) -> Result<Vec<String>, DbErr> {
    let versions = Statement::from_string(database.backend(), format!("SELECT version FROM {table}"));
    let rows = database.read().query_all_raw(versions).await?;
    rows.iter().map(|row: &QueryResult| row.try_get("", "version")).collect()
}
