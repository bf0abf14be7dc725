//! The table `rating_advantages`: what the first move and handicap stones are worth, and since when. No row is ever changed.

use chassis::{
    database::StoreError,
    time::{from_micros, to_micros},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*, sea_query::OnConflict};

use crate::core::{
    advantage::{Advantage, Edition},
    category::Variant,
};

/// A row.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_advantages")]
pub(crate) struct Model {
    /// The variant's name.
    #[sea_orm(primary_key, auto_increment = false)]
    pub variant: String,
    /// From when on, in microseconds since the epoch.
    #[sea_orm(primary_key, auto_increment = false)]
    pub from_us: i64,
    /// What the first move is worth, in points.
    pub first_move: f64,
    /// What a stone is worth, in points.
    pub stone: f64,
    /// From how many games that was estimated; 0 where somebody has set it.
    pub games: i64,
}

chassis::standalone!();

/// All that was ever said, by variant and then the oldest first. There are few: somebody sets each by hand.
pub(crate) async fn all(on: &impl ConnectionTrait) -> Result<Vec<Edition>, StoreError> {
    let rows = Entity::find().order_by_asc(Column::Variant).order_by_asc(Column::FromUs).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Writes what is said for the first time; whether it was.
pub(crate) async fn insert(on: &impl ConnectionTrait, edition: &Edition) -> Result<bool, StoreError> {
    let row = ActiveModel {
        variant: Set(edition.variant.to_string()),
        from_us: Set(to_micros(edition.from)),
        first_move: Set(edition.advantage.first_move()),
        stone: Set(edition.advantage.stone()),
        games: Set(edition.games.cast_signed()),
    };
    let once = OnConflict::columns([Column::Variant, Column::FromUs]).do_nothing().to_owned();
    match Entity::insert(row).on_conflict(once).exec_without_returning(on).await {
        Ok(written) => Ok(written == 1),
        Err(DbErr::RecordNotInserted) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

impl TryFrom<Model> for Edition {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let read = || {
            Some(Edition {
                variant: Variant::parse(&row.variant)?,
                from: from_micros(row.from_us)?,
                advantage: Advantage::new(row.first_move, row.stone)?,
                games: row.games.cast_unsigned(),
            })
        };
        read().ok_or(StoreError::Corrupt("rating_advantages"))
    }
}
