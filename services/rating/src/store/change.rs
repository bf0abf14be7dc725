//! The table `rating_changes`: what each game did to each side's rating.

use std::collections::{BTreeMap, BTreeSet};

use chassis::{
    database::StoreError,
    id::{AccountId, GameId},
    time::{from_micros, to_micros},
};
use rules::{Side, Verdict};
use sea_orm::{
    ActiveValue::Set, ExprTrait as _, JoinType, PaginatorTrait as _, QueryOrder as _, QuerySelect as _,
    entity::prelude::*, sea_query::OnConflict,
};
use time::OffsetDateTime;

use super::code;
use crate::core::{
    book::{Change, Changes},
    category::{Category, Variant},
    game::Place,
    glicko2::Rating,
    player_rating::{Key, PlayerRating},
    tally::Tally,
};

/// Rows that are written in one statement: below SQLite's 32,766 parameters.
const CHUNK: usize = 1_000;

/// A row.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_changes")]
pub(crate) struct Model {
    /// The game.
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    /// The player's side; see [`code`].
    #[sea_orm(primary_key, auto_increment = false)]
    pub side: i16,
    /// Whose rating.
    pub account_id: Uuid,
    /// The variant's name.
    pub variant: String,
    /// The speed class; see [`code`].
    pub speed_class: i16,
    /// How many games the rating rested on afterwards: the game's number in the history.
    pub games: i64,
    /// How the game ended; see [`code`].
    pub verdict: i16,
    /// The opponent.
    pub opponent_id: Uuid,
    /// The opponent's rating before the game.
    pub opponent_before: f64,
    /// The rating before the game.
    pub rating_before: f64,
    /// The deviation before it.
    pub deviation_before: f64,
    /// The volatility before it.
    pub volatility_before: f64,
    /// When the rating had last changed before it, in microseconds since the epoch; `NULL` for the first game.
    pub updated_before_us: Option<i64>,
    /// The rating after it.
    pub rating: f64,
    /// The deviation after it.
    pub deviation: f64,
    /// The volatility after it.
    pub volatility: f64,
    /// The player's name as of the game.
    pub name: String,
    /// When the rating last changed as of this game, in microseconds since the epoch; `NULL` only when a void
    /// game is all there is.
    pub updated_us: Option<i64>,
    /// The game for whose sake this was reckoned anew; `NULL` if it was not.
    pub cause_id: Option<Uuid>,
}

chassis::standalone!();

/// What a game that is rated anew did: everything but which game and whose.
const REPLACED: [Column; 13] = [
    Column::Games,
    Column::Verdict,
    Column::OpponentBefore,
    Column::RatingBefore,
    Column::DeviationBefore,
    Column::VolatilityBefore,
    Column::UpdatedBeforeUs,
    Column::Rating,
    Column::Deviation,
    Column::Volatility,
    Column::Name,
    Column::UpdatedUs,
    Column::CauseId,
];

/// How a rating moved, newest first: at most `count` games with numbers below `before`, void ones left out.
pub(crate) async fn history(
    on: &impl ConnectionTrait,
    key: &Key,
    before: Option<u32>,
    count: u64,
) -> Result<Vec<Change>, StoreError> {
    let mut query = of_key(key);
    if let Some(before) = before {
        query = query.filter(Column::Games.lt(i64::from(before)));
    }
    let rows = query.order_by_desc(Column::Games).limit(count).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// The last change of each of so many steps of equal length in which a rating moved, oldest first, void games left out.
pub(crate) async fn graph(
    on: &impl ConnectionTrait,
    key: &Key,
    (start, end): (Option<OffsetDateTime>, OffsetDateTime),
    steps: u32,
) -> Result<Vec<Change>, StoreError> {
    let end = to_micros(end);
    let start = match start.map(to_micros) {
        Some(start) => start,
        None => match of_key(key).order_by_asc(Column::Games).one(on).await? {
            Some(first) => first.updated_us.unwrap_or(end),
            None => return Ok(Vec::new()),
        },
    };
    let step = (end.saturating_sub(start) / i64::from(Ord::max(steps, 1))).saturating_add(1);
    let within = of_key(key).filter(Column::UpdatedUs.gte(start)).filter(Column::UpdatedUs.lt(end));
    let last: Vec<i64> = within
        .select_only()
        .column_as(Column::Games.max(), "last")
        .group_by(Expr::col(Column::UpdatedUs).sub(start).div(step))
        .into_tuple()
        .all(on)
        .await?;
    let rows = of_key(key).filter(Column::Games.is_in(last)).order_by_asc(Column::Games).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// What the games of two players came to, as the one sees it, by category.
pub(crate) async fn tallies(
    on: &impl ConnectionTrait,
    one: AccountId,
    other: AccountId,
) -> Result<BTreeMap<Category, Tally>, StoreError> {
    let mut tallies: BTreeMap<Category, Tally> = BTreeMap::new();
    for (side, first, second) in [(Side::First, one, other), (Side::Second, other, one)] {
        let rows: Vec<(String, i16, i16, i64, i64)> = Entity::find()
            .join(JoinType::InnerJoin, game())
            .select_only()
            .column(Column::Variant)
            .column(Column::SpeedClass)
            .column(Column::Verdict)
            .column_as(Column::GameId.count(), "counted")
            .column_as(Column::UpdatedUs.max(), "last")
            .filter(super::game::Column::FirstId.eq(first.uuid()))
            .filter(super::game::Column::SecondId.eq(second.uuid()))
            .filter(Column::Side.eq(code::side(side)))
            .filter(Column::Verdict.ne(code::verdict(Verdict::Void)))
            .group_by(Column::Variant)
            .group_by(Column::SpeedClass)
            .group_by(Column::Verdict)
            .into_tuple()
            .all(on)
            .await?;
        for (variant, speed, verdict, games, last) in rows {
            let read = || {
                let category = Category { variant: Variant::parse(&variant)?, speed: code::to_speed(speed)? };
                let verdict = code::to_verdict(verdict)?;
                Some((category, verdict, u32::try_from(games).ok()?, from_micros(last)?))
            };
            let (category, verdict, games, last) = read().ok_or(StoreError::Corrupt("rating_changes"))?;
            tallies.entry(category).or_default().add((side, verdict), games, last);
        }
    }
    Ok(tallies)
}

fn game() -> RelationDef {
    Entity::belongs_to(super::game::Entity).from(Column::GameId).to(super::game::Column::GameId).into()
}

/// What these games did to ratings, by game and side.
pub(crate) async fn of_games(
    on: &impl ConnectionTrait,
    games: BTreeSet<GameId>,
) -> Result<Vec<Change>, StoreError> {
    let rows = Entity::find()
        .filter(Column::GameId.is_in(games.into_iter().map(GameId::uuid)))
        .order_by_asc(Column::GameId)
        .order_by_asc(Column::Side)
        .all(on)
        .await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// The same of those among the games that were rated before, each whole.
pub(crate) async fn of_rated(
    on: &impl ConnectionTrait,
    games: BTreeSet<GameId>,
) -> Result<Vec<Changes>, StoreError> {
    let changes = of_games(on, games).await?;
    let (pairs, rest) = changes.as_chunks::<2>();
    let paired = rest.is_empty() && pairs.iter().all(|[first, second]| first.game == second.game);
    if paired { Ok(pairs.to_vec()) } else { Err(StoreError::Corrupt("rating_changes")) }
}

/// How many games there are.
pub(crate) async fn count_games(on: &impl ConnectionTrait) -> Result<u64, DbErr> {
    Entity::find().select_only().column(Column::GameId).distinct().count(on).await
}

/// Where a player stood before a game was in its turn: after the last that counted before it; `None` if none did.
pub(crate) async fn standing_before(
    on: &impl ConnectionTrait,
    key: &Key,
    place: Place,
) -> Result<Option<PlayerRating>, StoreError> {
    // What a game did is as old as the game.
    let before = Expr::tuple([Column::UpdatedUs.into_expr(), Column::GameId.into_expr()])
        .lt(Expr::tuple([Expr::value(to_micros(place.ended)), Expr::value(place.game.uuid())]));
    let row = of_key(key).filter(before).order_by_desc(Column::Games).one(on).await?;
    let change = row.map(Change::try_from).transpose()?;
    Ok(change.map(|change| change.after))
}

/// Where players of a category stood before a moment, in the order of their accounts: those behind one, at most so many.
pub(crate) async fn standings_before(
    on: &impl ConnectionTrait,
    category: &Category,
    moment: OffsetDateTime,
    (behind, at_most): (Option<AccountId>, u64),
) -> Result<Vec<(AccountId, PlayerRating)>, StoreError> {
    let counted = || {
        Entity::find()
            .filter(Column::Variant.eq(category.variant.as_str()))
            .filter(Column::SpeedClass.eq(code::speed(category.speed)))
            .filter(Column::Verdict.ne(code::verdict(Verdict::Void)))
    };
    let mut query = counted().filter(Column::UpdatedUs.lt(to_micros(moment)));
    if let Some(behind) = behind {
        query = query.filter(Column::AccountId.gt(behind.uuid()));
    }
    let last: Vec<(Uuid, i64)> = query
        .select_only()
        .column(Column::AccountId)
        .column_as(Column::Games.max(), "last")
        .group_by(Column::AccountId)
        .order_by_asc(Column::AccountId)
        .limit(at_most)
        .into_tuple()
        .all(on)
        .await?;
    let mut found = Vec::with_capacity(last.len());
    for last in last.chunks(CHUNK) {
        let keys =
            last.iter().map(|(account, games)| Expr::tuple([Expr::value(*account), Expr::value(*games)]));
        let key = Expr::tuple([Column::AccountId.into_expr(), Column::Games.into_expr()]);
        let rows = counted().filter(key.is_in(keys)).order_by_asc(Column::AccountId).all(on).await?;
        for row in rows {
            let change = Change::try_from(row)?;
            found.push((change.key.account, change.after));
        }
    }
    Ok(found)
}

/// Writes what games did, over what was written of them before.
pub(crate) async fn write(
    on: &impl ConnectionTrait,
    changes: impl Iterator<Item = &Change>,
) -> Result<(), StoreError> {
    let mut changes: Vec<&Change> = changes.collect();
    changes.sort_by_key(|change| (change.game, change.side.index()));
    for changes in changes.chunks(CHUNK) {
        let over = OnConflict::columns([Column::GameId, Column::Side]).update_columns(REPLACED).to_owned();
        let rows = changes.iter().map(|change| ActiveModel::from(*change));
        Entity::insert_many(rows).on_conflict(over).exec_without_returning(on).await?;
    }
    Ok(())
}

/// The games that moved a rating.
fn of_key(key: &Key) -> Select<Entity> {
    Entity::find()
        .filter(Column::AccountId.eq(key.account.uuid()))
        .filter(Column::Variant.eq(key.category.variant.as_str()))
        .filter(Column::SpeedClass.eq(code::speed(key.category.speed)))
        .filter(Column::Verdict.ne(code::verdict(Verdict::Void)))
}

impl From<&Change> for ActiveModel {
    fn from(change: &Change) -> Self {
        let Key { account, category } = &change.key;
        ActiveModel {
            game_id: Set(change.game.uuid()),
            side: Set(code::side(change.side)),
            account_id: Set(account.uuid()),
            variant: Set(category.variant.to_string()),
            speed_class: Set(code::speed(category.speed)),
            games: Set(i64::from(change.after.games)),
            verdict: Set(code::verdict(change.verdict)),
            opponent_id: Set(change.opponent.uuid()),
            opponent_before: Set(change.opponent_before),
            rating_before: Set(change.before.rating.value()),
            deviation_before: Set(change.before.rating.deviation()),
            volatility_before: Set(change.before.rating.volatility()),
            updated_before_us: Set(change.before.updated.map(to_micros)),
            rating: Set(change.after.rating.value()),
            deviation: Set(change.after.rating.deviation()),
            volatility: Set(change.after.rating.volatility()),
            name: Set(change.after.name.clone()),
            updated_us: Set(change.after.updated.map(to_micros)),
            cause_id: Set(change.cause.map(GameId::uuid)),
        }
    }
}

impl TryFrom<Model> for Change {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let read = || {
            let category =
                Category { variant: Variant::parse(&row.variant)?, speed: code::to_speed(row.speed_class)? };
            let moment = |micros: Option<i64>| match micros {
                Some(micros) => Some(Some(from_micros(micros)?)),
                None => Some(None),
            };
            let verdict = code::to_verdict(row.verdict)?;
            let games = u32::try_from(row.games).ok()?;
            let before = PlayerRating {
                rating: Rating::new(row.rating_before, row.deviation_before, row.volatility_before)?,
                games: if verdict == Verdict::Void { games } else { games.checked_sub(1)? },
                name: row.name.clone(),
                updated: moment(row.updated_before_us)?,
            };
            let after = PlayerRating {
                rating: Rating::new(row.rating, row.deviation, row.volatility)?,
                games,
                name: row.name,
                updated: moment(row.updated_us)?,
            };
            Some(Change {
                game: row.game_id.into(),
                side: code::to_side(row.side)?,
                key: Key { account: row.account_id.into(), category },
                opponent: row.opponent_id.into(),
                opponent_before: row.opponent_before,
                verdict,
                before,
                after,
                cause: row.cause_id.map(GameId::from),
            })
        };
        read().ok_or(StoreError::Corrupt("rating_changes"))
    }
}
