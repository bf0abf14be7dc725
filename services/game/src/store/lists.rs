//! Lists of games.

use std::collections::{BTreeMap, HashMap};

use chassis::id::{AccountId, EventId, GameId};
use sea_orm::{
    ColumnTrait as _, Condition, ConnectionTrait, EntityTrait as _, Order, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, QueryTrait as _,
    sea_query::{Expr, ExprTrait as _, SubQueryStatement},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    Visibility,
    entity::{events, games},
    log::decode,
    micros,
};
use crate::{
    core::{GameFilter, Header},
    error::Result,
    wire::Place,
};

/// Games whose ends are read in one statement: a condition each, of which SQLite nests a thousand at most.
const ENDS: usize = 200;

/// Games of one player in one event that are looked at: the one that he plays, and what was adjourned.
const UNFINISHED: u64 = 16;

/// A game of a list: its place, and the number of its last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub place: Place,
    pub last: u64,
}

/// The headers of games from the ends of their logs, by game.
pub(crate) async fn headers(on: &impl ConnectionTrait, games: &[Entry]) -> Result<HashMap<GameId, Header>> {
    let mut headers = HashMap::with_capacity(games.len());
    for games in games.chunks(ENDS) {
        let wanted = games.iter().fold(Condition::any(), |any, entry| {
            let last = i64::try_from(entry.last).unwrap_or(i64::MAX);
            any.add(
                Condition::all()
                    .add(events::Column::GameId.eq(entry.place.1))
                    .add(events::Column::Sequence.is_in([1, last])),
            )
        });
        let rows = events::Entity::find()
            .filter(wanted)
            .order_by_asc(events::Column::GameId)
            .order_by_asc(events::Column::Sequence)
            .all(on)
            .await?;
        for ends in rows.chunk_by(|a, b| a.game_id == b.game_id) {
            let (Some(first), Some(last)) = (ends.first(), ends.last()) else { continue };
            let (first, last) = (decode(first)?, decode(last)?);
            let header = first.first().zip(last.into_iter().last());
            if let Some(header) = header.and_then(|(first, last)| Header::between(first, last)) {
                headers.insert(header.info.id, header);
            }
        }
    }
    Ok(headers)
}

/// The same games with the numbers of their last events, but for those that are not there.
pub(crate) async fn ends(on: &impl ConnectionTrait, places: Vec<Place>) -> Result<Vec<Entry>> {
    let rows: Vec<(Uuid, Option<i64>)> = events::Entity::find()
        .select_only()
        .column(events::Column::GameId)
        .column_as(events::Column::Sequence.max(), "last")
        .filter(events::Column::GameId.is_in(places.iter().map(|place| place.1)))
        .group_by(events::Column::GameId)
        .into_tuple()
        .all(on)
        .await?;
    let ends: HashMap<Uuid, Option<i64>> = rows.into_iter().collect();
    let entry = |place: Place| {
        let last = ends.get(&place.1).copied().flatten()?;
        Some(Entry { place, last: u64::try_from(last).ok()? })
    };
    Ok(places.into_iter().filter_map(entry).collect())
}

/// The accounts that have a seat in a game that has a place in lists.
pub(crate) async fn seated(on: &impl ConnectionTrait, game: GameId) -> Result<Vec<AccountId>> {
    use games::Column::{FirstAccount, SecondAccount};
    let seats: Option<(Option<Uuid>, Option<Uuid>)> = games::Entity::find_by_id(game.uuid())
        .select_only()
        .columns([FirstAccount, SecondAccount])
        .into_tuple()
        .one(on)
        .await?;
    let (first, second) = seats.unwrap_or_default();
    Ok([first, second].into_iter().flatten().map(AccountId::from).collect())
}

/// The games of an event that are not over in which an account has a seat: a few at most, as nobody plays at many boards.
pub(crate) async fn unfinished_in(
    on: &impl ConnectionTrait,
    event: EventId,
    account: AccountId,
) -> Result<Vec<GameId>> {
    use games::Column::{EventId as OfEvent, Finished, FirstAccount, Id, SecondAccount};
    let account = account.uuid();
    let either = Condition::any().add(FirstAccount.eq(account)).add(SecondAccount.eq(account));
    let running = games::Entity::find().select_only().column(Id).filter(either).filter(Finished.eq(false));
    let ids: Vec<Uuid> = running
        .filter(OfEvent.eq(event.uuid()))
        .order_by_desc(Id)
        .limit(UNFINISHED)
        .into_tuple()
        .all(on)
        .await?;
    Ok(ids.into_iter().map(GameId::from).collect())
}

/// The games of an account that are not over, the latest first.
pub(crate) async fn under_way_of(
    on: &impl ConnectionTrait,
    account: AccountId,
    limit: u64,
) -> Result<Vec<GameId>> {
    let filter = GameFilter { account: Some(account), finished: Some(false), ..GameFilter::default() };
    let found = entries(on, &filter, None, None, Order::Desc, limit).await?;
    Ok(found.into_iter().map(|entry| entry.place.game()).collect())
}

/// Games, newest first, before a place in that order.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    filter: &GameFilter,
    visibility: &Visibility,
    before: Option<Place>,
    limit: u64,
) -> Result<Vec<Entry>> {
    entries(on, filter, Some(visibility), before, Order::Desc, limit).await
}

/// Games in which something happens by itself by now.
pub(crate) async fn due_by(
    on: &impl ConnectionTrait,
    now: OffsetDateTime,
    limit: u64,
) -> Result<Vec<GameId>> {
    let ids: Vec<Uuid> = games::Entity::find()
        .select_only()
        .column(games::Column::Id)
        .filter(games::Column::DueUs.lte(micros(now)))
        .order_by_asc(games::Column::DueUs)
        .limit(limit)
        .into_tuple()
        .all(on)
        .await?;
    Ok(ids.into_iter().map(GameId::from).collect())
}

/// Running games, oldest first, after a place in that order.
pub(crate) async fn running(
    on: &impl ConnectionTrait,
    after: Option<Place>,
    limit: u64,
) -> Result<Vec<Entry>> {
    let filter = GameFilter { finished: Some(false), ..GameFilter::default() };
    entries(on, &filter, None, after, Order::Asc, limit).await
}

/// How many games are running of each variant of which there are any. What has ended is not looked at.
pub(crate) async fn count_running(on: &impl ConnectionTrait) -> Result<BTreeMap<String, u64>> {
    use games::Column::{Finished, Id, Variant};
    let counts: Vec<(String, i64)> = games::Entity::find()
        .select_only()
        .column(Variant)
        .column_as(Id.count(), "number")
        .filter(Finished.eq(false))
        .group_by(Variant)
        .into_tuple()
        .all(on)
        .await?;
    Ok(counts
        .into_iter()
        .map(|(variant, count)| (variant, u64::try_from(count).unwrap_or_default()))
        .collect())
}

async fn entries(
    on: &impl ConnectionTrait,
    filter: &GameFilter,
    visibility: Option<&Visibility>,
    from: Option<Place>,
    order: Order,
    limit: u64,
) -> Result<Vec<Entry>> {
    use games::Column::{CreatedUs, Finished, FirstAccount, Id, SecondAccount, Variant};
    let mut find = games::Entity::find().select_only().column(CreatedUs).column(Id);
    if let Some(account) = filter.account.map(AccountId::uuid) {
        let either = Condition::any().add(FirstAccount.eq(account)).add(SecondAccount.eq(account));
        find = find.filter(either);
    }
    if let Some(variant) = filter.variant {
        find = find.filter(Variant.eq(variant.id));
    }
    find = match (visibility, filter.finished) {
        (None, None) => find,
        (None, Some(finished)) => find.filter(Finished.eq(finished)),
        (Some(visibility), finished) => find.filter(visibility.filter(finished)),
    };
    if let Some(Place(created_us, id)) = from {
        let tie = Condition::all().add(CreatedUs.eq(created_us));
        find = find.filter(match order {
            Order::Asc => Condition::any().add(CreatedUs.gt(created_us)).add(tie.add(Id.gt(id))),
            _ => Condition::any().add(CreatedUs.lt(created_us)).add(tie.add(Id.lt(id))),
        });
    }
    let rows: Vec<_> = find
        .expr_as(last_of_game(), "last")
        .order_by(CreatedUs, order.clone())
        .order_by(Id, order)
        .limit(limit)
        .into_tuple()
        .all(on)
        .await?;
    let entry = |(created_us, id, last): (i64, Uuid, Option<i64>)| Entry {
        place: Place(created_us, id),
        last: last.and_then(|last| u64::try_from(last).ok()).unwrap_or_default(),
    };
    Ok(rows.into_iter().map(entry).collect())
}

/// The number of the last event of the game of a row, found by the key of the log.
fn last_of_game() -> Expr {
    let (game, id) = (events::Column::GameId, games::Column::Id);
    let last = events::Entity::find()
        .select_only()
        .column_as(events::Column::Sequence.max(), "last")
        .filter(Expr::col((events::Entity, game)).equals((games::Entity, id)));
    Expr::SubQuery(None, Box::new(SubQueryStatement::SelectStatement(last.into_query())))
}
