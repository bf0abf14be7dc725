//! The tables `rating_leaderboards` and `rating_leaders`: who led a category at the end of each month, of everybody and of the members
//! of each federation. No row of either is ever changed.

use chassis::{
    database::StoreError,
    id::FederationId,
    time::{from_micros, to_micros},
};
use sea_orm::{
    ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*, sea_query::OnConflict,
};

use super::code;
use crate::core::{
    category::Category,
    glicko2::Rating,
    period::{Kept, Led, Period},
    player_rating::PlayerRating,
};

/// Rows of one statement: below SQLite's 32,766 parameters.
const CHUNK: usize = 1_000;

mod periods {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "rating_leaderboards")]
    pub(crate) struct Model {
        /// Of which federation; [`Uuid::nil`] of everybody.
        #[sea_orm(primary_key, auto_increment = false)]
        pub federation_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub variant: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub speed_class: i16,
        /// The month; see [`Period::number`].
        #[sea_orm(primary_key, auto_increment = false)]
        pub period: i16,
        /// How many were ranked.
        pub ranked: i64,
        /// When it was kept, in microseconds since the epoch.
        pub kept_us: i64,
    }

    chassis::standalone!();
}

mod boards {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "rating_leaders")]
    pub(crate) struct Model {
        /// Of which federation; [`Uuid::nil`] of everybody.
        #[sea_orm(primary_key, auto_increment = false)]
        pub federation_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub variant: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub speed_class: i16,
        /// The month; see [`Period::number`].
        #[sea_orm(primary_key, auto_increment = false)]
        pub period: i16,
        #[sea_orm(primary_key, auto_increment = false)]
        pub position: i64,
        pub rank: i64,
        pub account_id: Uuid,
        pub name: String,
        pub rating: f64,
        pub deviation: f64,
        pub volatility: f64,
        pub games: i64,
        pub updated_us: i64,
    }

    chassis::standalone!();
}

/// A leaderboard that is kept, or may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board<'a> {
    /// Of whose members; of everybody if of none.
    pub federation: Option<FederationId>,
    /// Of which category.
    pub category: &'a Category,
    /// Of which month.
    pub period: Period,
}

fn whose(federation: Option<FederationId>) -> Uuid {
    federation.map_or_else(Uuid::nil, FederationId::uuid)
}

/// Of which months leaderboards of a category were kept in which somebody was ranked, newest first: those before one, at most so many.
pub(crate) async fn kept(
    on: &impl ConnectionTrait,
    (federation, category): (Option<FederationId>, &Category),
    before: Option<Period>,
    at_most: u64,
) -> Result<Vec<Kept>, StoreError> {
    let mut query = periods::Entity::find()
        .filter(periods::Column::FederationId.eq(whose(federation)))
        .filter(periods::Column::Variant.eq(category.variant.as_str()))
        .filter(periods::Column::SpeedClass.eq(code::speed(category.speed)))
        .filter(periods::Column::Ranked.gt(0));
    if let Some(before) = before {
        query = query.filter(periods::Column::Period.lt(before.number()));
    }
    let rows = query.order_by_desc(periods::Column::Period).limit(at_most).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// A leaderboard, if it was kept.
pub(crate) async fn find(
    on: &impl ConnectionTrait,
    Board { federation, category, period }: Board<'_>,
) -> Result<Option<Kept>, StoreError> {
    let category = (category.variant.to_string(), code::speed(category.speed));
    let key = (whose(federation), category.0, category.1, period.number());
    periods::Entity::find_by_id(key).one(on).await?.map(TryFrom::try_from).transpose()
}

/// Who led, below a position, at most so many.
pub(crate) async fn page(
    on: &impl ConnectionTrait,
    Board { federation, category, period }: Board<'_>,
    (below, at_most): (u32, u64),
) -> Result<Vec<Led>, StoreError> {
    let rows = boards::Entity::find()
        .filter(boards::Column::FederationId.eq(whose(federation)))
        .filter(boards::Column::Variant.eq(category.variant.as_str()))
        .filter(boards::Column::SpeedClass.eq(code::speed(category.speed)))
        .filter(boards::Column::Period.eq(period.number()))
        .filter(boards::Column::Position.gt(i64::from(below)))
        .order_by_asc(boards::Column::Position)
        .limit(at_most)
        .all(on)
        .await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Keeps a leaderboard, unless it was kept; whether it was not.
pub(crate) async fn keep(
    on: &impl ConnectionTrait,
    Board { federation, category, period }: Board<'_>,
    kept: Kept,
    led: &[Led],
) -> Result<bool, StoreError> {
    let (federation, variant) = (whose(federation), category.variant.to_string());
    let (speed, period) = (code::speed(category.speed), period.number());
    let row = periods::ActiveModel {
        federation_id: Set(federation),
        variant: Set(variant.clone()),
        speed_class: Set(speed),
        period: Set(period),
        ranked: Set(kept.ranked.into()),
        kept_us: Set(to_micros(kept.at)),
    };
    let key = [
        periods::Column::FederationId,
        periods::Column::Variant,
        periods::Column::SpeedClass,
        periods::Column::Period,
    ];
    let once = OnConflict::columns(key).do_nothing().to_owned();
    match periods::Entity::insert(row).on_conflict(once).exec_without_returning(on).await {
        Ok(1) => {}
        // Another replica has.
        Ok(_) | Err(DbErr::RecordNotInserted) => return Ok(false),
        Err(error) => return Err(error.into()),
    }
    let row = |led: &Led| boards::ActiveModel {
        federation_id: Set(federation),
        variant: Set(variant.clone()),
        speed_class: Set(speed),
        period: Set(period),
        position: Set(led.position.into()),
        rank: Set(led.rank.into()),
        account_id: Set(led.account.uuid()),
        name: Set(led.player.name.clone()),
        rating: Set(led.player.rating.value()),
        deviation: Set(led.player.rating.deviation()),
        volatility: Set(led.player.rating.volatility()),
        games: Set(led.player.games.into()),
        updated_us: Set(led.player.updated.map_or(0, to_micros)),
    };
    for led in led.chunks(CHUNK) {
        boards::Entity::insert_many(led.iter().map(row)).exec_without_returning(on).await?;
    }
    Ok(true)
}

impl TryFrom<periods::Model> for Kept {
    type Error = StoreError;

    fn try_from(row: periods::Model) -> Result<Self, StoreError> {
        let read = || {
            Some(Kept {
                period: Period::numbered(row.period)?,
                ranked: u32::try_from(row.ranked).ok()?,
                at: from_micros(row.kept_us)?,
            })
        };
        read().ok_or(StoreError::Corrupt("rating_leaderboards"))
    }
}

impl TryFrom<boards::Model> for Led {
    type Error = StoreError;

    fn try_from(row: boards::Model) -> Result<Self, StoreError> {
        let read = || {
            Some(Led {
                position: u32::try_from(row.position).ok()?,
                rank: u32::try_from(row.rank).ok()?,
                account: row.account_id.into(),
                player: PlayerRating {
                    rating: Rating::new(row.rating, row.deviation, row.volatility)?,
                    games: u32::try_from(row.games).ok()?,
                    name: row.name,
                    updated: Some(from_micros(row.updated_us)?),
                },
            })
        };
        read().ok_or(StoreError::Corrupt("rating_leaders"))
    }
}
