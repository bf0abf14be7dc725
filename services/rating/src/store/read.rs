//! What is read outside any transaction.

use chassis::{
    Database,
    database::StoreError,
    id::{AccountId, GameId},
    time::to_micros,
};
use sea_orm::{
    ColumnTrait as _, DbErr, EntityTrait as _, PaginatorTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
    sea_query::{Expr, ExprTrait as _},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{change, code, rating as standing};
use crate::core::{
    book::{Change, Key},
    category::Category,
    game::Verdict,
    standing::Standing,
};

/// The most ratings that a player is told of: more than all variants and speed classes together.
const RATINGS_MAX: u64 = 500;

/// Where a player stands in one category; `None` without games.
pub async fn one(database: &Database, key: &Key) -> Result<Option<Standing>, StoreError> {
    let (account, category) = key;
    let id = (account.uuid(), category.variant.to_string(), code::speed(category.speed));
    let row = standing::Entity::find_by_id(id).one(database.read()).await?;
    row.map(|row| <(Key, Standing)>::try_from(row).map(|(_, standing)| standing)).transpose()
}

/// Where a player stands everywhere, by variant and speed class.
pub async fn of_account(database: &Database, account: AccountId) -> Result<Vec<(Key, Standing)>, StoreError> {
    let rows = standing::Entity::find()
        .filter(standing::Column::AccountId.eq(account.uuid()))
        .limit(RATINGS_MAX)
        .all(database.read())
        .await?;
    let mut standings: Vec<(Key, Standing)> =
        rows.into_iter().map(TryFrom::try_from).collect::<Result<_, _>>()?;
    // Not left to the database: PostgreSQL's order of text depends on its locale.
    standings.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(standings)
}

/// How a rating moved, newest first: at most `count` games with numbers below `before`, void ones left out.
pub async fn history(
    database: &Database,
    key: &Key,
    before: Option<u32>,
    count: u64,
) -> Result<Vec<Change>, StoreError> {
    use change::Column;
    let (account, category) = key;
    let mut query = change::Entity::find()
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::Variant.eq(category.variant.as_str()))
        .filter(Column::SpeedClass.eq(code::speed(category.speed)))
        .filter(Column::Verdict.ne(code::verdict(Verdict::Void)));
    if let Some(before) = before {
        query = query.filter(Column::Games.lt(i64::from(before)));
    }
    let rows = query.order_by_desc(Column::Games).limit(count).all(database.read()).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// What these games did to ratings.
pub async fn changes_of(
    database: &Database,
    games: impl IntoIterator<Item = GameId>,
) -> Result<Vec<Change>, StoreError> {
    let games: Vec<Uuid> = games.into_iter().map(GameId::uuid).collect();
    let rows =
        change::Entity::find().filter(change::Column::GameId.is_in(games)).all(database.read()).await?;
    rows.into_iter().map(TryFrom::try_from).collect()
}

/// How many games there are.
pub async fn count_games(database: &Database) -> Result<u64, DbErr> {
    let games = change::Entity::find().select_only().column(change::Column::GameId).distinct();
    games.count(database.read()).await
}

/// Who leads a category, highest first: at most `count` players who are not provisional at `now`, below the
/// rating and account in `below`.
pub async fn ranked(
    database: &Database,
    category: &Category,
    now: OffsetDateTime,
    below: Option<(f64, Uuid)>,
    count: u64,
) -> Result<Vec<(Key, Standing)>, StoreError> {
    use standing::Column;
    let mut query = standing::Entity::find()
        .filter(Column::Variant.eq(category.variant.as_str()))
        .filter(Column::SpeedClass.eq(code::speed(category.speed)))
        .filter(Column::RankedUntilUs.gt(to_micros(now)));
    if let Some((rating, account)) = below {
        // Compared as a pair, so that the index is entered in the right place.
        let place = Expr::tuple([Column::Rating.into_expr(), Column::AccountId.into_expr()]);
        query = query.filter(place.lt(Expr::tuple([Expr::value(rating), Expr::value(account)])));
    }
    query
        .order_by_desc(Column::Rating)
        .order_by_desc(Column::AccountId)
        .limit(count)
        .all(database.read())
        .await?
        .into_iter()
        .map(TryFrom::try_from)
        .collect()
}
