//! Which database it is: an id that is kept in it, by which an emptied or exchanged one is known.

use sea_orm::{ConnectionTrait as _, DbErr, Statement};
use sea_orm_migration::SchemaManager;
use uuid::Uuid;

use super::Database;

/// The one row.
const TABLE: &str = "database_instance";

impl Database {
    /// Its id, if it has been given one.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn instance(&self) -> Result<Option<Uuid>, DbErr> {
        if !self.has_table(TABLE).await? {
            return Ok(None);
        }
        let sql = format!("SELECT instance FROM {TABLE}");
        let row = self.write.query_one_raw(Statement::from_string(self.backend(), sql)).await?;
        let text: Option<String> = row.map(|row| row.try_get("", "instance")).transpose()?;
        text.map(|text| {
            text.parse().map_err(|_| DbErr::Custom("the id of the database is damaged".to_owned()))
        })
        .transpose()
    }

    /// Gives it an id unless it has one, and says which it has.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn name_instance(&self, id: Uuid) -> Result<Uuid, DbErr> {
        self.make_instance_table().await?;
        let insert = format!("INSERT INTO {TABLE} (id, instance) VALUES (1, '{id}') ON CONFLICT DO NOTHING");
        self.write.execute_unprepared(&insert).await?;
        Ok(self.instance().await?.unwrap_or(id))
    }

    /// Makes the table that has its id, for whoever gives it the id that it had.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn make_instance_table(&self) -> Result<(), DbErr> {
        let make =
            format!("CREATE TABLE IF NOT EXISTS {TABLE} (id integer PRIMARY KEY, instance text NOT NULL)");
        match self.write.execute_unprepared(&make).await {
            // Two that make the same table at once are told by PostgreSQL that it is there.
            Err(error) if super::is_conflict(&error) => Ok(()),
            other => other.map(drop),
        }
    }

    /// Whether it has a table of this name.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn has_table(&self, name: &str) -> Result<bool, DbErr> {
        SchemaManager::new(&self.write.pool).has_table(name).await
    }
}
