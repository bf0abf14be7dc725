//! The table `pauses`: times in which accounts do not queue.

use std::collections::BTreeMap;

use api::ProtoEnum as _;
use chassis::{
    database::StoreError,
    id::AccountId,
    time::{from_micros, to_micros},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use time::{Duration, OffsetDateTime};

use super::behind;
use crate::core::{Conduct, Pause};

/// How long a pause is kept that is over.
const KEPT: Duration = Duration::days(365);

/// A row. Its key has a player's pauses in their order.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "pauses")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub begins_us: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    pub ends_us: i64,
    /// How he has spoiled the game, by the numbers of the proto.
    pub conduct: i32,
    pub step: i16,
}

chassis::standalone!();

/// The latest pause of an account.
pub(crate) async fn latest(
    on: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<Pause>, StoreError> {
    Ok(list(on, account, None, 1).await?.pop())
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
    let read = |row: Model| {
        let pause = row.pause().ok_or(StoreError::Corrupt("pauses"))?;
        Ok((row.account_id.into(), pause))
    };
    rows.into_iter().map(read).collect()
}

/// The pauses of an account, the latest first, from behind one that is named by its beginning and its game; at most so many.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    account: AccountId,
    after: Option<(i64, Uuid)>,
    at_most: u64,
) -> Result<Vec<Pause>, StoreError> {
    let rows = Entity::find()
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(behind(after, Column::BeginsUs, Column::GameId))
        .order_by_desc(Column::BeginsUs)
        .order_by_desc(Column::GameId)
        .limit(at_most)
        .all(on)
        .await?;
    rows.into_iter().map(|row| row.pause().ok_or(StoreError::Corrupt("pauses"))).collect()
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
    let row = ActiveModel {
        account_id: Set(account.uuid()),
        begins_us: Set(to_micros(pause.begins)),
        game_id: Set(pause.game.uuid()),
        ends_us: Set(to_micros(pause.ends)),
        conduct: Set(pause.conduct.number()),
        step: Set(i16::try_from(pause.step).unwrap_or(i16::MAX)),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

impl Model {
    fn pause(&self) -> Option<Pause> {
        Some(Pause {
            game: self.game_id.into(),
            conduct: Conduct::of(self.conduct)?,
            begins: from_micros(self.begins_us)?,
            ends: from_micros(self.ends_us)?,
            step: u32::try_from(self.step).ok()?,
        })
    }
}
