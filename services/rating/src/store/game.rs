//! The tables `rating_games` and `rating_corrections`: what ratings follow from. No row of either is ever changed.

use std::collections::{BTreeMap, HashMap};

use chassis::{
    database::StoreError,
    id::{EventId, FederationId, GameId},
    time::{from_micros, to_micros},
};
use sea_orm::{
    ActiveValue::Set, Condition, PaginatorTrait as _, QueryOrder as _, QuerySelect as _, entity::prelude::*,
    sea_query::ExprTrait as _,
};

use time::OffsetDateTime;

use super::{code, correction, moderation};
use crate::core::{
    category::{Category, Variant},
    game::{Game, Place, Player},
};

/// Games that are read at a time, in their order.
pub(crate) const PAGE: u64 = 2_000;

/// A row: a game as it was told first.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_games")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    /// The variant's name.
    pub variant: String,
    /// The speed class; see [`code`].
    pub speed_class: i16,
    /// The account of the first side.
    pub first_id: Uuid,
    /// What it was called.
    pub first_name: String,
    /// The account of the second side.
    pub second_id: Uuid,
    /// What it was called.
    pub second_name: String,
    /// How it ended; see [`code`].
    pub verdict: i16,
    /// When it ended, in microseconds since the epoch.
    pub ended_us: i64,
    /// Which telling it is.
    pub sequence: i64,
    /// The first side's handicap.
    pub handicap: i16,
    /// How many acts it had.
    pub acts: i64,
    /// How it ended; see [`code`]. `NULL` where that was not told.
    pub ending: Option<i16>,
    /// The event that it belongs to.
    pub event_id: Option<Uuid>,
    /// The federation that it belongs to.
    pub federation_id: Option<Uuid>,
}

chassis::standalone!();

/// Those of some games that are known, each as it was last corrected.
pub(crate) async fn known(
    on: &impl ConnectionTrait,
    games: impl Iterator<Item = GameId>,
) -> Result<HashMap<GameId, Game>, StoreError> {
    let rows = Entity::find().filter(Column::GameId.is_in(games.map(GameId::uuid))).all(on).await?;
    Ok(corrected(on, rows).await?.into_iter().map(|game| (game.id, game)).collect())
}

/// Games in their order, at most [`PAGE`]: behind a place, or from the first; of one category, or of all.
pub(crate) async fn page(
    on: &impl ConnectionTrait,
    category: Option<&Category>,
    after: Option<Place>,
) -> Result<Vec<Game>, StoreError> {
    let mut query = category.map_or_else(Entity::find, of);
    if let Some(Place { ended, game }) = after {
        // Compared as a pair, so that the index is entered in the right place.
        let place = Expr::tuple([Column::EndedUs.into_expr(), Column::GameId.into_expr()]);
        query =
            query.filter(place.gt(Expr::tuple([Expr::value(to_micros(ended)), Expr::value(game.uuid())])));
    }
    let rows = query.order_by_asc(Column::EndedUs).order_by_asc(Column::GameId).limit(PAGE).all(on).await?;
    corrected(on, rows).await
}

/// How many games of a category ended since a moment.
pub(crate) async fn count_since(
    on: &impl ConnectionTrait,
    category: &Category,
    since: OffsetDateTime,
) -> Result<u64, DbErr> {
    of(category).filter(Column::EndedUs.gte(to_micros(since))).count(on).await
}

/// The federation of an event, as its games have it; none where it has none, or no rated game was told of it.
pub(crate) async fn federation_of(
    on: &impl ConnectionTrait,
    event: EventId,
) -> Result<Option<FederationId>, DbErr> {
    let row = Entity::find().filter(Column::EventId.eq(event.uuid())).one(on).await?;
    Ok(row.and_then(|row| row.federation_id).map(FederationId::from))
}

fn of(category: &Category) -> Select<Entity> {
    Entity::find()
        .filter(Column::Variant.eq(category.variant.as_str()))
        .filter(Column::SpeedClass.eq(code::speed(category.speed)))
}

/// How many games there are: of one variant, or in all.
pub(crate) async fn count(on: &impl ConnectionTrait, variant: Option<&Variant>) -> Result<u64, DbErr> {
    let of = variant.map_or_else(Condition::all, |it| Condition::all().add(Column::Variant.eq(it.as_str())));
    Entity::find().filter(of).count(on).await
}

/// When the first game of each category ended.
pub(crate) async fn firsts(
    on: &impl ConnectionTrait,
) -> Result<BTreeMap<Category, OffsetDateTime>, StoreError> {
    let query = Entity::find()
        .select_only()
        .columns([Column::Variant, Column::SpeedClass])
        .column_as(Column::EndedUs.min(), "first")
        .group_by(Column::Variant)
        .group_by(Column::SpeedClass);
    let rows: Vec<(String, i16, i64)> = query.into_tuple().all(on).await?;
    let first = |(variant, speed, first): (String, i16, i64)| {
        let category = Category { variant: Variant::parse(&variant)?, speed: code::to_speed(speed)? };
        Some((category, from_micros(first)?))
    };
    rows.into_iter().map(first).collect::<Option<_>>().ok_or(StoreError::Corrupt("rating_games"))
}

async fn corrected(on: &impl ConnectionTrait, rows: Vec<Model>) -> Result<Vec<Game>, StoreError> {
    let corrections = correction::latest(on, rows.iter().map(|row| row.game_id)).await?;
    let annulled = moderation::annulled(on, rows.iter().map(|row| row.game_id)).await?;
    let game = |row: Model| {
        let correction = corrections.get(&row.game_id).copied();
        let mut game = Game::try_from(row)?;
        if let Some((sequence, verdict)) = correction {
            (game.sequence, game.told) = (sequence, verdict);
        }
        game.annulled = annulled.contains(&game.id);
        Ok(game)
    };
    rows.into_iter().map(game).collect()
}

/// Writes games that are told for the first time.
///
/// # Errors
/// [`StoreError::Contended`] when another replica was told of one meanwhile.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    games: impl Iterator<Item = &Game>,
) -> Result<(), StoreError> {
    let rows: Vec<ActiveModel> = games.map(row).collect();
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(on).await?;
    }
    Ok(())
}

fn row(game: &Game) -> ActiveModel {
    let [first, second] = &game.players;
    ActiveModel {
        game_id: Set(game.id.uuid()),
        variant: Set(game.category.variant.to_string()),
        speed_class: Set(code::speed(game.category.speed)),
        first_id: Set(first.id.uuid()),
        first_name: Set(first.name.clone()),
        second_id: Set(second.id.uuid()),
        second_name: Set(second.name.clone()),
        verdict: Set(code::verdict(game.told)),
        ended_us: Set(to_micros(game.ended)),
        sequence: Set(game.sequence.cast_signed()),
        handicap: Set(game.handicap.into()),
        acts: Set(game.acts.into()),
        ending: Set(game.ending.map(code::ending)),
        event_id: Set(game.event.map(EventId::uuid)),
        federation_id: Set(game.federation.map(FederationId::uuid)),
    }
}

impl TryFrom<Model> for Game {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let read = || {
            Some(Game {
                id: row.game_id.into(),
                category: Category {
                    variant: Variant::parse(&row.variant)?,
                    speed: code::to_speed(row.speed_class)?,
                },
                players: [
                    Player { id: row.first_id.into(), name: row.first_name },
                    Player { id: row.second_id.into(), name: row.second_name },
                ],
                told: code::to_verdict(row.verdict)?,
                annulled: false,
                event: row.event_id.map(EventId::from),
                federation: row.federation_id.map(FederationId::from),
                ended: from_micros(row.ended_us)?,
                sequence: row.sequence.cast_unsigned(),
                handicap: u8::try_from(row.handicap).ok()?,
                acts: u32::try_from(row.acts).ok()?,
                ending: match row.ending {
                    Some(ending) => Some(code::to_ending(ending)?),
                    None => None,
                },
            })
        };
        read().ok_or(StoreError::Corrupt("rating_games"))
    }
}
