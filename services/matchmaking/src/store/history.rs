//! The table `sides_played`: which sides a player had in the matched games of a variant.

use std::collections::BTreeMap;

use chassis::{database::StoreError, id::AccountId};
use rules::Side;
use sea_orm::{ActiveValue::Set, ExprTrait as _, entity::prelude::*, sea_query::OnConflict};

use crate::core::{History, Match};

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
    /// 1 for the first side, 2 for the second.
    pub last: i16,
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

/// The history of a player in a variant.
pub(crate) async fn of(
    on: &impl ConnectionTrait,
    account: AccountId,
    variant: &str,
) -> Result<History, StoreError> {
    let row = Entity::find_by_id((account.uuid(), variant.to_owned())).one(on).await?;
    let Some(row) = row else { return Ok(History::default()) };
    row.history().ok_or(StoreError::Corrupt("sides_played"))
}

/// Adds the sides of matches to the histories of their players, each in one statement that adds to what
/// is there, so that nobody's addition is lost.
pub(crate) async fn add(on: &impl ConnectionTrait, matches: &[&Match]) -> Result<(), StoreError> {
    // By player: a statement must not touch a row twice. Sorted: two transactions lock in the same order.
    let mut added: Histories = BTreeMap::new();
    for matched in matches {
        for (player, side) in [(&matched.first, Side::First), (&matched.second, Side::Second)] {
            let history = added.entry((player.account, matched.settings.variant().to_owned())).or_default();
            *history = history.and(side);
        }
    }
    if added.is_empty() {
        return Ok(());
    }
    let excluded = |column: Column| Expr::col(("excluded", column));
    let sum = |column: Column| Expr::col((Entity, column)).add(excluded(column));
    let on_conflict = OnConflict::columns([Column::AccountId, Column::Variant])
        .value(Column::Firsts, sum(Column::Firsts))
        .value(Column::Seconds, sum(Column::Seconds))
        .update_column(Column::Last)
        .to_owned();
    Entity::insert_many(added.into_iter().map(|((account, variant), history)| ActiveModel {
        account_id: Set(account.uuid()),
        variant: Set(variant),
        firsts: Set(history.firsts.into()),
        seconds: Set(history.seconds.into()),
        last: Set(if history.last == Some(Side::First) { 1 } else { 2 }),
    }))
    .on_conflict(on_conflict)
    .exec_without_returning(on)
    .await?;
    Ok(())
}

impl Model {
    fn history(&self) -> Option<History> {
        let last = match self.last {
            1 => Side::First,
            2 => Side::Second,
            _ => return None,
        };
        Some(History {
            firsts: u32::try_from(self.firsts).ok()?,
            seconds: u32::try_from(self.seconds).ok()?,
            last: Some(last),
        })
    }
}
