//! Who loses on purpose, by what results say.

use chassis::{Database, database::StoreError};
use sea_orm::DbErr;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    app::read_pool,
    core::{category::Variant, game::Place, report::Reported},
    store,
};

/// Looks at rated games, for an operator; it changes nothing.
#[derive(Clone, Debug)]
pub struct Scrutiny(Database);

impl Scrutiny {
    /// The scrutiny of a database, whose tables are made if there are none.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn open(database: &Database) -> Result<Self, DbErr> {
        database.migrate::<store::Migrator>().await?;
        Ok(Scrutiny(database.clone()))
    }

    /// Who is to be reported by the games that ended since a moment, of one variant or of all, by category and then the most
    /// suspicious first. `progress` is told now and then of how many more games were read.
    ///
    /// # Errors
    /// When the database does not answer, or holds what cannot be read.
    pub async fn reported(
        &self,
        variant: Option<&Variant>,
        since: OffsetDateTime,
        progress: impl Fn(u64) + Sync,
    ) -> Result<Vec<Reported>, StoreError> {
        let behind = Some(Place { ended: since, game: Uuid::nil().into() });
        let mut reported = Vec::new();
        for category in store::game::firsts(self.0.read()).await?.into_keys() {
            if variant.is_none_or(|variant| *variant == category.variant) {
                reported.extend(read_pool(&self.0, &category, behind, &progress).await?.reported(&category));
            }
        }
        Ok(reported)
    }
}
