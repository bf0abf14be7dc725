//! The table `sides_played`: which sides a player had in games of a variant that counted or still may, and with whom he
//! played last.

use std::collections::BTreeMap;

use api::ProtoEnum;
use chassis::{
    database::StoreError,
    id::AccountId,
    time::{from_micros, to_micros},
};
use rules::Side;
use sea_orm::{ActiveValue::Set, Condition, ExprTrait as _, entity::prelude::*, sea_query::OnConflict};
use time::OffsetDateTime;

use crate::core::{Finished, History, LastGame, Match};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sides_played")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub variant: String,
    pub firsts: i64,
    pub seconds: i64,
    /// 1 for the first side, 2 for the second, 0 for neither.
    pub last: i16,
    /// The side that he gets again, by the same numbers.
    pub bound: i16,
    /// Whom he played last.
    pub opponent_id: Option<Uuid>,
    /// When that game ended; nothing while it is under way.
    pub ended_us: Option<i64>,
}

chassis::standalone!();

/// The histories of some players in some variants; whoever is not in it has none.
pub(crate) type Histories = BTreeMap<(AccountId, String), History>;

/// Reads the histories of these accounts in all variants.
pub(crate) async fn read(
    on: &impl ConnectionTrait,
    accounts: impl Iterator<Item = AccountId>,
) -> Result<Histories, StoreError> {
    let accounts = accounts.map(AccountId::uuid);
    let rows = Entity::find().filter(Column::AccountId.is_in(accounts)).all(on).await?;
    rows.into_iter()
        .map(|row| {
            let history = row.history().ok_or(StoreError::Corrupt("sides_played"))?;
            Ok(((row.account_id.into(), row.variant), history))
        })
        .collect()
}

/// The histories of one player by variant, each with his last game of it.
pub(crate) type Record = BTreeMap<String, (History, Option<LastGame>)>;

/// The histories of some players; whoever is not in it has none.
pub(crate) async fn records(
    on: &impl ConnectionTrait,
    accounts: impl Iterator<Item = AccountId>,
) -> Result<BTreeMap<AccountId, Record>, StoreError> {
    let accounts = accounts.map(AccountId::uuid);
    let rows = Entity::find().filter(Column::AccountId.is_in(accounts)).all(on).await?;
    let mut records: BTreeMap<AccountId, Record> = BTreeMap::new();
    for row in rows {
        let history = row.history().ok_or(StoreError::Corrupt("sides_played"))?;
        let last = row.last_game();
        records.entry(row.account_id.into()).or_default().insert(row.variant, (history, last));
    }
    Ok(records)
}

/// A side that somebody has had against somebody else, in a game that is under way or has ended.
struct Had {
    account: AccountId,
    variant: &'static str,
    side: Side,
    opponent: AccountId,
    ended: Option<OffsetDateTime>,
}

/// Adds the sides of matches to the histories of their players.
pub(crate) async fn add(on: &impl ConnectionTrait, matches: &[&Match]) -> Result<(), StoreError> {
    let had = matches.iter().flat_map(|matched| {
        let (first, second, variant) =
            (matched.first.account, matched.second.account, matched.settings.variant());
        let of = |account, side, opponent| Had { account, variant, side, opponent, ended: None };
        [of(first, Side::First, second), of(second, Side::Second, first)]
    });
    upsert(on, had).await
}

/// The same for a game that nobody was matched for and that has counted.
pub(crate) async fn add_finished(on: &impl ConnectionTrait, game: &Finished) -> Result<(), StoreError> {
    let [(first, _), (second, _)] = game.parties;
    let of =
        |account, side, opponent| Had { account, variant: game.variant, side, opponent, ended: game.ended };
    upsert(on, [of(first, Side::First, second), of(second, Side::Second, first)].into_iter()).await
}

/// Adds sides, in one statement that adds to what is there, so that nobody's addition is lost.
async fn upsert(on: &impl ConnectionTrait, had: impl Iterator<Item = Had>) -> Result<(), StoreError> {
    // By player: a statement must not touch a row twice. Sorted: two transactions lock in the same order.
    let mut added: BTreeMap<(AccountId, &str), (History, Had)> = BTreeMap::new();
    for had in had {
        let key = (had.account, had.variant);
        let history = added.get(&key).map(|(history, _)| *history).unwrap_or_default().and(had.side);
        added.insert(key, (history, had));
    }
    if added.is_empty() {
        return Ok(());
    }
    let excluded = |column: Column| Expr::col(("excluded", column));
    let own = |column: Column| Expr::col((Entity, column));
    let sum = |column: Column| own(column).add(excluded(column));
    let on_conflict = OnConflict::columns([Column::AccountId, Column::Variant])
        .value(Column::Firsts, sum(Column::Firsts))
        .value(Column::Seconds, sum(Column::Seconds))
        .update_columns([Column::Last, Column::OpponentId, Column::EndedUs])
        .to_owned();
    Entity::insert_many(added.into_values().map(|(history, had)| ActiveModel {
        account_id: Set(had.account.uuid()),
        variant: Set(had.variant.to_owned()),
        firsts: Set(history.firsts.into()),
        seconds: Set(history.seconds.into()),
        last: Set(code(history.last)),
        bound: Set(0),
        opponent_id: Set(Some(had.opponent.uuid())),
        ended_us: Set(had.ended.map(to_micros)),
    }))
    .on_conflict(on_conflict)
    .exec_without_returning(on)
    .await?;
    Ok(())
}

/// Takes a game back out of the history of somebody who was matched for it: it has not counted, and perhaps he has spoiled
/// it. It is what [`History::without`] says, in one statement: others may add to it at the same time.
pub(crate) async fn take_back(
    on: &impl ConnectionTrait,
    account: AccountId,
    variant: &str,
    side: Side,
    spoiled: bool,
) -> Result<(), StoreError> {
    let played = if side == Side::First { Column::Firsts } else { Column::Seconds };
    let mut change = Entity::update_many()
        .col_expr(played, Expr::col(played).sub(1))
        .col_expr(Column::Last, Expr::value(code(None)));
    if spoiled {
        change = change.col_expr(Column::Bound, Expr::value(code(Some(side))));
    }
    change
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::Variant.eq(variant))
        .filter(played.gt(0))
        .exec(on)
        .await?;
    Ok(())
}

/// Notes that a game counted in which somebody had a side: he is bound to it no more. It is what [`History::paid`] says.
pub(crate) async fn pay(
    on: &impl ConnectionTrait,
    account: AccountId,
    variant: &str,
    side: Side,
) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::Bound, Expr::value(code(None)))
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::Variant.eq(variant))
        .filter(Column::Bound.eq(code(Some(side))))
        .exec(on)
        .await?;
    Ok(())
}

/// Notes when the game ended that somebody has played against somebody else, unless he has played another since; or that it
/// never was.
pub(crate) async fn note_end(
    on: &impl ConnectionTrait,
    account: AccountId,
    variant: &str,
    opponent: AccountId,
    ended: Option<OffsetDateTime>,
) -> Result<(), StoreError> {
    let ended = ended.map(to_micros);
    let under_way =
        Condition::all().add(Column::OpponentId.eq(opponent.uuid())).add(Column::EndedUs.is_null());
    let is_last = match ended {
        Some(ended) => Condition::any().add(under_way).add(Column::EndedUs.lt(ended)),
        None => under_way,
    };
    Entity::update_many()
        .col_expr(Column::OpponentId, Expr::value(ended.map(|_| opponent.uuid())))
        .col_expr(Column::EndedUs, Expr::value(ended))
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::Variant.eq(variant))
        .filter(is_last)
        .exec(on)
        .await?;
    Ok(())
}

impl Model {
    fn history(&self) -> Option<History> {
        Some(History {
            firsts: u32::try_from(self.firsts).ok()?,
            seconds: u32::try_from(self.seconds).ok()?,
            last: ProtoEnum::of(self.last.into())?,
            bound: ProtoEnum::of(self.bound.into())?,
        })
    }

    fn last_game(&self) -> Option<LastGame> {
        Some(LastGame { with: self.opponent_id?.into(), ended: self.ended_us.and_then(from_micros) })
    }
}

/// The number of a side, 0 for neither.
fn code(side: Option<Side>) -> i16 {
    i16::try_from(side.number()).unwrap_or_default()
}
