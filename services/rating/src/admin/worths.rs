//! What the first move and handicap stones are worth.

use std::collections::BTreeMap;

use chassis::{Database, Env, database::StoreError};
use sea_orm::DbErr;
use time::{Duration, OffsetDateTime};

use crate::{
    app::each_rated,
    core::{
        advantage::{Advantage, Advantages, Edition},
        book::Change,
        category::Variant,
        estimate::{Estimate, Evidence},
        game::Game,
    },
    store,
};

/// How long before it holds an advantage is to be said: until then every game that ends earlier can be told and rated, and every
/// replica knows of it.
pub const LEAD: Duration = Duration::HOUR;

/// What the first move and handicap stones are worth, for an operator who has it estimated and says from when it holds.
#[derive(Clone, Debug)]
pub struct Worths {
    database: Database,
    env: Env,
}

/// What games of a variant say, and what holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The variant.
    pub variant: Variant,
    /// What the games say.
    pub estimate: Estimate,
    /// What holds at the end of all that was said.
    pub holds: Advantage,
}

/// Why an advantage is not written down.
#[derive(Debug, thiserror::Error)]
pub enum NotSet {
    /// It would hold too soon.
    #[error(
        "it can hold from {0} on at the earliest: games that end before are rated already, or about to be"
    )]
    TooSoon(OffsetDateTime),
    /// Something else is said to hold from the same moment.
    #[error("something is said to hold from that moment already, and nothing that was said is changed")]
    Said,
    /// The database does not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Worths {
    /// The worths in a database, whose tables are made if there are none.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn open(database: &Database, env: &Env) -> Result<Self, DbErr> {
        database.migrate::<store::Migrator>().await?;
        Ok(Worths { database: database.clone(), env: env.clone() })
    }

    /// All that was ever said, by variant and then the oldest first.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn said(&self) -> Result<Vec<Edition>, StoreError> {
        store::advantage::all(self.database.read()).await
    }

    /// How many games were told: of one variant, or in all.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn games(&self, variant: Option<&Variant>) -> Result<u64, DbErr> {
        store::game::count(self.database.read(), variant).await
    }

    /// What the rated games say, by variant: of one, or of all. It reads every game; `progress` is told now and then of how many more.
    ///
    /// # Errors
    /// When the database does not answer, or holds what cannot be read.
    pub async fn estimate(
        &self,
        variant: Option<&Variant>,
        progress: impl Fn(u64) + Send + Sync,
    ) -> Result<Vec<Found>, StoreError> {
        let mut evidence: BTreeMap<Variant, Evidence> = BTreeMap::new();
        for category in store::game::firsts(self.database.read()).await?.into_keys() {
            if variant.is_some_and(|variant| *variant != category.variant) {
                continue;
            }
            let evidence = evidence.entry(category.variant.clone()).or_default();
            let add = |game: &Game, changes: [&Change; 2]| evidence.add(changes, game.handicap);
            each_rated(&self.database, &category, None, &progress, add).await?;
        }
        let said = Advantages::new(self.said().await?);
        let found = |(variant, evidence): (Variant, Evidence)| Found {
            holds: said.last(&variant),
            estimate: evidence.estimate(),
            variant,
        };
        Ok(evidence.into_iter().map(found).collect())
    }

    /// Says what holds from a moment on. Games that end before are rated as before, also when they are rated anew.
    ///
    /// # Errors
    /// See [`NotSet`].
    pub async fn set(&self, edition: &Edition) -> Result<(), NotSet> {
        let earliest = self.env.now() + LEAD;
        if edition.from < earliest {
            return Err(NotSet::TooSoon(earliest));
        }
        if store::advantage::insert(self.database.write(), edition).await? {
            Ok(())
        } else {
            Err(NotSet::Said)
        }
    }
}
