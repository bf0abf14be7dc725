//! The table `ratings`: where each player stands in each category.

use chassis::{
    database::StoreError,
    time::{from_micros, to_micros},
};
use sea_orm::{ActiveValue::Set, entity::prelude::*};

use super::code;
use crate::core::{
    book::Key,
    category::{Category, Variant},
    glicko2::Rating,
    standing::Standing,
};

/// A row.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "ratings")]
pub struct Model {
    /// Whose.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// The variant's name.
    #[sea_orm(primary_key, auto_increment = false)]
    pub variant: String,
    /// The speed class; see [`code`].
    #[sea_orm(primary_key, auto_increment = false)]
    pub speed_class: i16,
    /// The rating, in Glicko points.
    pub rating: f64,
    /// The deviation when it last changed, in Glicko points.
    pub deviation: f64,
    /// The volatility.
    pub volatility: f64,
    /// How many rated games it rests on.
    pub games: i64,
    /// The player's name when it last changed.
    pub name: String,
    /// When it last changed, in microseconds since the epoch.
    pub updated_us: i64,
    /// From when on it is provisional unless it changes before; `NULL` when it is already. It lets the
    /// leaderboard leave out who has been away too long, without arithmetic in the query.
    pub ranked_until_us: Option<i64>,
    /// Grows by one with every write: the value that a writer compares before it swaps.
    pub revision: i64,
}

/// A rating has no relations.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The row of a standing whose `updated` is known, written for the `revision`th time.
pub fn row((account, category): &Key, standing: &Standing, revision: i64) -> ActiveModel {
    ActiveModel {
        account_id: Set(account.uuid()),
        variant: Set(category.variant.to_string()),
        speed_class: Set(code::speed(category.speed)),
        rating: Set(standing.rating.value()),
        deviation: Set(standing.rating.deviation()),
        volatility: Set(standing.rating.volatility()),
        games: Set(i64::from(standing.games)),
        name: Set(standing.name.clone()),
        updated_us: Set(standing.updated.map_or(0, to_micros)),
        ranked_until_us: Set(standing.ranked_until().map(to_micros)),
        revision: Set(revision),
    }
}

impl TryFrom<Model> for (Key, Standing) {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let read = || {
            let category =
                Category { variant: Variant::parse(&row.variant)?, speed: code::to_speed(row.speed_class)? };
            let standing = Standing {
                rating: Rating::new(row.rating, row.deviation, row.volatility)?,
                games: u32::try_from(row.games).ok()?,
                name: row.name,
                updated: Some(from_micros(row.updated_us)?),
            };
            Some(((row.account_id.into(), category), standing))
        };
        read().ok_or(StoreError::Corrupt("ratings"))
    }
}
