//! The table `rating_corrections`: what games came to after all.

use std::collections::HashMap;

use chassis::{database::StoreError, time::to_micros};
use rules::Verdict;
use sea_orm::{ActiveValue::Set, QueryOrder as _, entity::prelude::*};
use time::OffsetDateTime;

use super::code;
use crate::core::game::Game;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_corrections")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    /// Which telling of the game it is.
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    /// How the game ended; see [`code`].
    pub verdict: i16,
    /// When it was told, in microseconds since the epoch.
    pub told_us: i64,
}

chassis::standalone!();

/// What those of some games came to that were corrected, by the last telling, with its number.
pub(super) async fn latest(
    on: &impl ConnectionTrait,
    games: impl ExactSizeIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, (u64, Verdict)>, StoreError> {
    if games.len() == 0 {
        return Ok(HashMap::new());
    }
    let rows =
        Entity::find().filter(Column::GameId.is_in(games)).order_by_asc(Column::Sequence).all(on).await?;
    // Of the same game the last stays.
    rows.into_iter()
        .map(|row| {
            let verdict = code::to_verdict(row.verdict).ok_or(StoreError::Corrupt("rating_corrections"))?;
            Ok((row.game_id, (row.sequence.cast_unsigned(), verdict)))
        })
        .collect()
}

/// Writes corrections.
///
/// # Errors
/// [`StoreError::Contended`] when another replica was told of one meanwhile.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    games: &[&Game],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if games.is_empty() {
        return Ok(());
    }
    let rows = games.iter().map(|game| ActiveModel {
        game_id: Set(game.id.uuid()),
        sequence: Set(game.sequence.cast_signed()),
        verdict: Set(code::verdict(game.told)),
        told_us: Set(to_micros(now)),
    });
    Entity::insert_many(rows).exec_without_returning(on).await?;
    Ok(())
}
