//! The table `ratings`: where each player stands in each category.

use std::collections::{BTreeMap, BTreeSet};

use chassis::{
    database::StoreError,
    id::AccountId,
    time::{from_micros, to_micros},
};
use sea_orm::{
    ActiveValue::Set,
    DbBackend, PaginatorTrait as _, QueryOrder as _, QuerySelect as _,
    entity::prelude::*,
    sea_query::{ExprTrait as _, OnConflict},
};
use time::OffsetDateTime;

use super::{behind, code, id};
use crate::core::{
    category::{Category, Variant},
    glicko2::Rating,
    player_rating::{Key, PlayerRating},
};

/// The most ratings that a player is told of: more than all variants and speed classes together.
const RATINGS_MAX: u64 = 500;
/// Rows of one statement: below SQLite's 32,766 parameters.
const CHUNK: usize = 2_000;

/// A row.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "ratings")]
pub(crate) struct Model {
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

chassis::standalone!();

/// Where a player stands everywhere, in no order.
pub(crate) async fn of_account(
    on: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Vec<(Key, PlayerRating)>, StoreError> {
    let rows = Entity::find().filter(Column::AccountId.eq(account.uuid())).limit(RATINGS_MAX).all(on).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// Where these players stand everywhere, and the revision of each row.
pub(crate) async fn of_players(
    on: &impl ConnectionTrait,
    players: BTreeSet<AccountId>,
) -> Result<Vec<(Key, PlayerRating, i64)>, StoreError> {
    let players: Vec<AccountId> = players.into_iter().collect();
    let mut found = Vec::new();
    for players in players.chunks(CHUNK) {
        let accounts = players.iter().map(|player| player.uuid());
        for row in Entity::find().filter(Column::AccountId.is_in(accounts)).all(on).await? {
            let revision = row.revision;
            let (key, player) = row.try_into()?;
            found.push((key, player, revision));
        }
    }
    Ok(found)
}

/// Who leads a category, highest first: at most `count` of the players who are not provisional at `now`, or of those who are,
/// below the rating and account in `below`.
pub(crate) async fn leaders(
    on: &impl ConnectionTrait,
    category: &Category,
    (provisional, now): (bool, OffsetDateTime),
    below: Option<(f64, Uuid)>,
    count: u64,
) -> Result<Vec<(Key, PlayerRating)>, StoreError> {
    let mut query = of_category(category).filter(if provisional {
        Column::RankedUntilUs.lte(to_micros(now)).or(Column::RankedUntilUs.is_null())
    } else {
        Column::RankedUntilUs.gt(to_micros(now))
    });
    if let Some((rating, account)) = below {
        // Compared as a pair, so that the index is entered in the right place.
        let place = Expr::tuple([Column::Rating.into_expr(), Column::AccountId.into_expr()]);
        query = query.filter(place.lt(Expr::tuple([Expr::value(rating), Expr::value(account)])));
    }
    let query = query.order_by_desc(Column::Rating).order_by_desc(Column::AccountId).limit(count);
    query.all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

/// Where these players stand in a category, in no order.
pub(crate) async fn of_members(
    on: &impl ConnectionTrait,
    category: &Category,
    members: &[AccountId],
) -> Result<Vec<(AccountId, PlayerRating)>, StoreError> {
    let accounts = members.iter().map(|member| member.uuid());
    let rows = of_category(category).filter(Column::AccountId.is_in(accounts)).all(on).await?;
    let read = |row: Model| row.try_into().map(|(key, player): (Key, PlayerRating)| (key.account, player));
    rows.into_iter().map(read).collect()
}

/// By whole points, how many players of a category are not provisional at a moment.
pub(crate) async fn count(
    on: &impl ConnectionTrait,
    category: &Category,
    now: OffsetDateTime,
) -> Result<Vec<(u16, u32)>, StoreError> {
    // SQLite has no function for it, and PostgreSQL's cast rounds; ratings are not negative.
    let points = match on.get_database_backend() {
        DbBackend::Sqlite => Expr::cust("CAST(rating AS INTEGER)"),
        _ => Expr::cust("CAST(FLOOR(rating) AS BIGINT)"),
    };
    let rows: Vec<(i64, i64)> = of_category(category)
        .select_only()
        .column_as(points.clone(), "points")
        .column_as(Column::AccountId.count(), "players")
        .filter(Column::RankedUntilUs.gt(to_micros(now)))
        .group_by(points)
        .into_tuple()
        .all(on)
        .await?;
    let of_row = |(points, players)| Some((u16::try_from(points).ok()?, u32::try_from(players).ok()?));
    rows.into_iter().map(|row| of_row(row).ok_or(StoreError::Corrupt("ratings"))).collect()
}

/// How many who are not provisional at a moment have a rating above this one and below `limit`.
pub(crate) async fn count_between(
    on: &impl ConnectionTrait,
    category: &Category,
    (above, limit): (f64, f64),
    now: OffsetDateTime,
) -> Result<u32, StoreError> {
    let between = of_category(category)
        .filter(Column::Rating.gt(above))
        .filter(Column::Rating.lt(limit))
        .filter(Column::RankedUntilUs.gt(to_micros(now)));
    Ok(u32::try_from(between.count(on).await?).unwrap_or(u32::MAX))
}

fn of_category(category: &Category) -> Select<Entity> {
    Entity::find()
        .filter(Column::Variant.eq(category.variant.as_str()))
        .filter(Column::SpeedClass.eq(code::speed(category.speed)))
}

/// Writes ratings whose `updated` is known, each with its revision: over the row with the revision before, or
/// anew for revision 1.
///
/// # Errors
/// [`StoreError::Contended`] when another replica has written one of them meanwhile.
pub(crate) async fn write(
    on: &impl ConnectionTrait,
    ratings: impl Iterator<Item = (&Key, &PlayerRating, i64)>,
) -> Result<(), StoreError> {
    let new_revision = Expr::col(("excluded", Column::Revision));
    let compare_and_swap = OnConflict::columns([Column::AccountId, Column::Variant, Column::SpeedClass])
        .update_columns([
            Column::Rating,
            Column::Deviation,
            Column::Volatility,
            Column::Games,
            Column::Name,
            Column::UpdatedUs,
            Column::RankedUntilUs,
            Column::Revision,
        ])
        .action_and_where(Expr::col((Entity, Column::Revision)).eq(new_revision.sub(1)))
        .to_owned();
    let rows: Vec<_> = ratings.map(|(key, player, revision)| row(key, player, revision)).collect();
    for rows in rows.chunks(CHUNK) {
        let written = Entity::insert_many(rows.iter().cloned())
            .on_conflict(compare_and_swap.clone())
            .exec_without_returning(on)
            .await;
        match written {
            Ok(written) if written == rows.len() as u64 => {}
            Ok(_) | Err(DbErr::RecordNotInserted) => return Err(StoreError::Contended),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Removes the ratings of who has not played after all.
pub(crate) async fn remove(
    on: &impl ConnectionTrait,
    keys: impl Iterator<Item = &Key>,
) -> Result<(), StoreError> {
    for key in keys {
        Entity::delete_by_id(id(key)).exec(on).await?;
    }
    Ok(())
}

/// Ratings behind one, in the order of their keys as the database has it; at most so many.
pub(crate) async fn page(
    on: &impl ConnectionTrait,
    after: Option<&Key>,
    at_most: u64,
) -> Result<Vec<(Key, PlayerRating)>, StoreError> {
    let columns = [Column::AccountId, Column::Variant, Column::SpeedClass];
    let query = Entity::find()
        .filter(behind(after, columns))
        .order_by_asc(Column::AccountId)
        .order_by_asc(Column::Variant)
        .order_by_asc(Column::SpeedClass)
        .limit(at_most);
    query.all(on).await?.into_iter().map(TryFrom::try_from).collect()
}

/// What the ratings of a category are, in brief: it is another as soon as one of them has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// How many have one.
    pub players: i64,
    /// How often they were written, all together.
    revisions: i64,
}

/// The marks of all categories in which somebody has a rating.
pub(crate) async fn marks(on: &impl ConnectionTrait) -> Result<BTreeMap<Category, Mark>, StoreError> {
    let rows: Vec<(String, i16, i64, i64)> = Entity::find()
        .select_only()
        .columns([Column::Variant, Column::SpeedClass])
        .column_as(Column::AccountId.count(), "players")
        // PostgreSQL sums up to a decimal.
        .column_as(Column::Revision.sum().cast_as("bigint"), "revisions")
        .group_by(Column::Variant)
        .group_by(Column::SpeedClass)
        .into_tuple()
        .all(on)
        .await?;
    let mark = |(variant, speed, players, revisions): (String, i16, i64, i64)| {
        let category = Category { variant: Variant::parse(&variant)?, speed: code::to_speed(speed)? };
        Some((category, Mark { players, revisions }))
    };
    rows.into_iter().map(mark).collect::<Option<_>>().ok_or(StoreError::Corrupt("ratings"))
}

fn row(key: &Key, player: &PlayerRating, revision: i64) -> ActiveModel {
    ActiveModel {
        account_id: Set(key.account.uuid()),
        variant: Set(key.category.variant.to_string()),
        speed_class: Set(code::speed(key.category.speed)),
        rating: Set(player.rating.value()),
        deviation: Set(player.rating.deviation()),
        volatility: Set(player.rating.volatility()),
        games: Set(i64::from(player.games)),
        name: Set(player.name.clone()),
        updated_us: Set(player.updated.map_or(0, to_micros)),
        ranked_until_us: Set(player.ranked_until().map(to_micros)),
        revision: Set(revision),
    }
}

impl TryFrom<Model> for (Key, PlayerRating) {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let read = || {
            let category =
                Category { variant: Variant::parse(&row.variant)?, speed: code::to_speed(row.speed_class)? };
            let player = PlayerRating {
                rating: Rating::new(row.rating, row.deviation, row.volatility)?,
                games: u32::try_from(row.games).ok()?,
                name: row.name,
                updated: Some(from_micros(row.updated_us)?),
            };
            Some((Key { account: row.account_id.into(), category }, player))
        };
        read().ok_or(StoreError::Corrupt("ratings"))
    }
}
