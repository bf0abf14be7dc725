//! The table `rating_seeds`: with what players began who had a rating of something alike. What follows from the games of a category
//! follows from these, too; no row is ever changed.

use std::collections::BTreeSet;

use chassis::{
    database::StoreError,
    id::{AccountId, GameId},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};

use super::{behind, code, id};
use crate::core::{
    category::{Category, Variant},
    glicko2::Rating,
    player_rating::Key,
};

/// Rows of one statement.
const CHUNK: usize = 2_000;

/// A row.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_seeds")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub variant: String,
    /// The speed class; see [`code`].
    #[sea_orm(primary_key, auto_increment = false)]
    pub speed_class: i16,
    /// The rating, in Glicko points.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// Its volatility.
    pub volatility: f64,
    /// The game with which the player began.
    pub game_id: Uuid,
}

chassis::standalone!();

/// With what somebody began in a category; `None` for the initial rating, or for who has not begun.
pub(crate) async fn find(on: &impl ConnectionTrait, key: &Key) -> Result<Option<Rating>, StoreError> {
    let row = Entity::find_by_id(id(key)).one(on).await?;
    Ok(row.map(<(Key, Rating)>::try_from).transpose()?.map(|(_, rating)| rating))
}

/// With what these players began everywhere.
pub(crate) async fn of_players(
    on: &impl ConnectionTrait,
    players: BTreeSet<AccountId>,
) -> Result<Vec<(Key, Rating)>, StoreError> {
    let players: Vec<Uuid> = players.into_iter().map(AccountId::uuid).collect();
    let mut found = Vec::new();
    for players in players.chunks(CHUNK) {
        let rows = Entity::find().filter(Column::AccountId.is_in(players.iter().copied())).all(on).await?;
        for row in rows {
            found.push(row.try_into()?);
        }
    }
    Ok(found)
}

/// Writes with what players begin by a game.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    seeds: &[(Key, Rating, GameId)],
) -> Result<(), StoreError> {
    for seeds in seeds.chunks(CHUNK) {
        let rows = seeds.iter().map(|(key, rating, game)| ActiveModel {
            account_id: Set(key.account.uuid()),
            variant: Set(key.category.variant.to_string()),
            speed_class: Set(code::speed(key.category.speed)),
            rating: Set(rating.value()),
            deviation: Set(rating.deviation()),
            volatility: Set(rating.volatility()),
            game_id: Set(game.uuid()),
        });
        Entity::insert_many(rows).exec_without_returning(on).await?;
    }
    Ok(())
}

/// Seeds behind one, in the order of their keys as the database has it; at most so many.
pub(crate) async fn page(
    on: &impl ConnectionTrait,
    after: Option<&Key>,
    at_most: u64,
) -> Result<Vec<(Key, Rating)>, StoreError> {
    let columns = [Column::AccountId, Column::Variant, Column::SpeedClass];
    let query = Entity::find()
        .filter(behind(after, columns))
        .order_by_asc(Column::AccountId)
        .order_by_asc(Column::Variant)
        .order_by_asc(Column::SpeedClass)
        .limit(at_most);
    query.all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

impl TryFrom<Model> for (Key, Rating) {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let read = || {
            let category =
                Category { variant: Variant::parse(&row.variant)?, speed: code::to_speed(row.speed_class)? };
            let rating = Rating::new(row.rating, row.deviation, row.volatility)?;
            Some((Key { account: row.account_id.into(), category }, rating))
        };
        read().ok_or(StoreError::Corrupt("rating_seeds"))
    }
}
