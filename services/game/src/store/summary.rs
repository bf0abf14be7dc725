//! Summaries of games whose result is final, so that nobody has to replay them to show them. They can be made anew from
//! the logs at any time, and are only as good as the number of the last event that they name.

use api::game::v1::Game;
use chassis::id::GameId;
use prost::Message as _;
use sea_orm::{
    ExprTrait as _, IntoActiveModel as _, QuerySelect as _, entity::prelude::*, sea_query::OnConflict,
};

use super::{events, pack};
use crate::error::Result;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "summaries")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    /// The last event of the log when it was made.
    pub sequence: i64,
    /// The game as spectators see it, deflated.
    pub payload: Vec<u8>,
}

chassis::standalone!();

/// The summary of a game, if there is one, encoded as it is sent.
pub(crate) async fn find(on: &impl ConnectionTrait, game: GameId) -> Result<Option<Game>> {
    let payload: Option<Vec<u8>> =
        Entity::find_by_id(game.uuid()).select_only().column(Column::Payload).into_tuple().one(on).await?;
    let summary =
        |payload: Vec<u8>| Ok(Game { encoded: pack::inflated(&payload)?.into(), ..Game::default() });
    payload.map(summary).transpose()
}

/// The row of a game whose log has come to this event.
pub(crate) fn row(game: GameId, sequence: u64, summary: &Game) -> Model {
    Model {
        game_id: game.uuid(),
        sequence: i64::try_from(sequence).unwrap_or(i64::MAX),
        payload: pack::deflated(&summary.encode_to_vec()),
    }
}

/// Keeps a summary in the place of an older one.
pub(crate) async fn keep(connection: &impl ConnectionTrait, summary: Model) -> Result<(), DbErr> {
    let newer = OnConflict::column(Column::GameId)
        .update_columns([Column::Sequence, Column::Payload])
        .action_and_where(Column::Sequence.into_expr().lt(summary.sequence))
        .to_owned();
    let row = summary.into_active_model().reset_all();
    Entity::insert(row).on_conflict(newer).exec_without_returning(connection).await.map(drop)
}

/// The number of a game's last event; none when there is no such game.
pub(crate) async fn last_sequence(on: &impl ConnectionTrait, game: GameId) -> Result<Option<u64>, DbErr> {
    use sea_orm::{QueryFilter as _, QueryOrder as _};
    let last: Option<i64> = events::Entity::find()
        .select_only()
        .column(events::Column::Sequence)
        .filter(events::Column::GameId.eq(game.uuid()))
        .order_by_desc(events::Column::Sequence)
        .limit(1)
        .into_tuple()
        .one(on)
        .await?;
    Ok(last.and_then(|last| u64::try_from(last).ok()))
}
