//! The table `noted_games`: games whose end is known. A row of it is what makes an end count once, however often it is told.

use chassis::{database::StoreError, id::GameId, time::to_micros};
use sea_orm::{ActiveValue::Set, entity::prelude::*, sea_query::OnConflict};
use time::OffsetDateTime;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "noted_games")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    /// When it was first told, in microseconds since the epoch.
    pub noted_us: i64,
}

chassis::standalone!();

/// Notes the end of a game; whether it is told for the first time.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    game: GameId,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let row = ActiveModel { game_id: Set(game.uuid()), noted_us: Set(to_micros(now)) };
    let known = OnConflict::column(Column::GameId).do_nothing().to_owned();
    Ok(Entity::insert(row).on_conflict(known).exec_without_returning(on).await? > 0)
}
