//! The table `match_tickets`: which ticket became part of which match.

use std::collections::BTreeMap;

use chassis::{
    database::StoreError,
    id::{GameId, TicketId},
};
use sea_orm::{ActiveValue::Set, entity::prelude::*};

use crate::core::Match;

/// A row.
#[expect(clippy::struct_field_names, reason = "a row of ids is named like its columns")]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "match_tickets")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub ticket_id: Uuid,
    pub game_id: Uuid,
    pub owner_id: Uuid,
}

chassis::standalone!();

/// Those of some tickets that became part of a match, and of which.
pub(crate) async fn taken(
    on: &impl ConnectionTrait,
    tickets: impl Iterator<Item = TicketId>,
) -> Result<BTreeMap<TicketId, GameId>, StoreError> {
    let rows = Entity::find().filter(Column::TicketId.is_in(tickets.map(TicketId::uuid))).all(on).await?;
    Ok(rows.into_iter().map(|row| (row.ticket_id.into(), row.game_id.into())).collect())
}

/// Writes the tickets of matches that have just been made, one at least.
pub(crate) async fn insert(on: &impl ConnectionTrait, matches: &[&Match]) -> Result<(), StoreError> {
    let rows = matches.iter().flat_map(|matched| {
        [&matched.first, &matched.second].map(|player| ActiveModel {
            ticket_id: Set(player.ticket.uuid()),
            game_id: Set(matched.game.uuid()),
            owner_id: Set(player.account.uuid()),
        })
    });
    // In order of their keys: two transactions that write the same rows take their locks in the same order.
    let mut rows: Vec<ActiveModel> = rows.collect();
    rows.sort_by_key(|row| row.ticket_id.clone().take());
    Entity::insert_many(rows).exec_without_returning(on).await?;
    Ok(())
}
