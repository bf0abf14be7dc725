//! The table `pauses`: times in which accounts do not queue.

use std::collections::BTreeMap;

use api::{ProtoEnum as _, matchmaking::v1 as pb};
use chassis::{
    database::StoreError,
    id::AccountId,
    time::{from_micros, to_micros},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use time::{Duration, OffsetDateTime};

use super::behind;
use crate::core::{Cause, Conduct, Pause};

/// How long a pause is kept that is over.
const KEPT: Duration = Duration::days(365);

/// The conduct of a pause that a moderator set, which is for no game.
const MODERATED: i32 = pb::Conduct::Unspecified as i32;

/// A row. Its key has a player's pauses in their order.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "pauses")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub begins_us: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    /// The game, or the act by which a moderator set it.
    pub game_id: Uuid,
    pub ends_us: i64,
    /// How he has spoiled the game, by the numbers of the proto.
    pub conduct: i32,
    pub step: i16,
    /// Why, in a moderator's words; `NULL` when it was for a game.
    pub reason: Option<String>,
}

chassis::standalone!();

/// The latest pause of an account for a game.
pub(crate) async fn latest(
    on: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<Pause>, StoreError> {
    let row = latest_first(account).filter(Column::Conduct.ne(MODERATED)).one(on).await?;
    row.map(Pause::try_from).transpose()
}

/// The pauses that some accounts are in at a moment, each the one that ends last; whoever is not in it is in none.
pub(crate) async fn in_force(
    on: &impl ConnectionTrait,
    accounts: impl Iterator<Item = AccountId>,
    now: OffsetDateTime,
) -> Result<BTreeMap<AccountId, Pause>, StoreError> {
    let rows = Entity::find()
        .filter(Column::AccountId.is_in(accounts.map(AccountId::uuid)))
        .filter(Column::EndsUs.gt(to_micros(now)))
        .order_by_asc(Column::EndsUs)
        .all(on)
        .await?;
    let read = |row: Model| Ok((row.account_id.into(), row.try_into()?));
    rows.into_iter().map(read).collect()
}

/// The pauses of an account, the latest first, from behind one that is named by its beginning and its key; at most so many.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    account: AccountId,
    after: Option<(i64, Uuid)>,
    at_most: u64,
) -> Result<Vec<Pause>, StoreError> {
    let behind = behind(after, Column::BeginsUs, Column::GameId);
    let rows = latest_first(account).filter(behind).limit(at_most).all(on).await?;
    rows.into_iter().map(Pause::try_from).collect()
}

fn latest_first(account: AccountId) -> Select<Entity> {
    Entity::find()
        .filter(Column::AccountId.eq(account.uuid()))
        .order_by_desc(Column::BeginsUs)
        .order_by_desc(Column::GameId)
}

/// Ends the pauses that an account is in; how many.
pub(crate) async fn end(
    on: &impl ConnectionTrait,
    account: AccountId,
    now: OffsetDateTime,
) -> Result<u64, DbErr> {
    let ended = Entity::update_many()
        .col_expr(Column::EndsUs, Expr::value(to_micros(now)))
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::EndsUs.gt(to_micros(now)))
        .exec(on)
        .await?;
    Ok(ended.rows_affected)
}

/// Writes a pause of an account down, and forgets those that are over for long.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    account: AccountId,
    pause: &Pause,
) -> Result<(), StoreError> {
    Entity::delete_many()
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::EndsUs.lt(to_micros(pause.begins - KEPT)))
        .exec(on)
        .await?;
    let (conduct, step, reason) = match &pause.cause {
        Cause::Game { conduct, step, .. } => {
            (conduct.number(), i16::try_from(*step).unwrap_or(i16::MAX), None)
        }
        Cause::Moderator { reason, .. } => (MODERATED, 0, Some(reason.clone())),
    };
    let row = ActiveModel {
        account_id: Set(account.uuid()),
        begins_us: Set(to_micros(pause.begins)),
        game_id: Set(pause.key()),
        ends_us: Set(to_micros(pause.ends)),
        conduct: Set(conduct),
        step: Set(step),
        reason: Set(reason),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

impl TryFrom<Model> for Pause {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let read = || {
            let cause = match row.reason {
                Some(reason) if row.conduct == MODERATED => Cause::Moderator { act: row.game_id, reason },
                _ => Cause::Game {
                    game: row.game_id.into(),
                    conduct: Conduct::of(row.conduct)?,
                    step: u32::try_from(row.step).ok()?,
                },
            };
            Some(Pause { cause, begins: from_micros(row.begins_us)?, ends: from_micros(row.ends_us)? })
        };
        read().ok_or(StoreError::Corrupt("pauses"))
    }
}
