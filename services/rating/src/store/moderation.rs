//! The tables `rating_annulments`, of the games that count for nothing now, and `rating_moderation_acts`, of what moderators have
//! done: no row of the latter is ever changed.

use std::collections::BTreeSet;

use chassis::{
    database::StoreError,
    id::GameId,
    time::{from_micros, to_micros},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};

use crate::core::report::{Act, Deed, Moderator};

/// A row of the first: a game that is annulled.
mod annulments {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "rating_annulments")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub game_id: Uuid,
        /// By which act.
        pub act_id: Uuid,
    }

    chassis::standalone!();
}

/// A row of the second: an act. Ids sort by the time of their making.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_moderation_acts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub act_id: Uuid,
    /// When, in microseconds since the epoch.
    pub at_us: i64,
    pub moderator_id: Uuid,
    pub moderator_name: String,
    /// What was done: 1 a report dismissed, 2 upheld, 3 a game annulled, 4 reinstated.
    pub kind: i16,
    pub report_id: Option<Uuid>,
    pub game_id: Option<Uuid>,
    pub reason: String,
}

chassis::standalone!();

/// Which of some games are annulled.
pub(crate) async fn annulled(
    on: &impl ConnectionTrait,
    games: impl ExactSizeIterator<Item = Uuid>,
) -> Result<BTreeSet<GameId>, DbErr> {
    if games.len() == 0 {
        return Ok(BTreeSet::new());
    }
    let rows = annulments::Entity::find().filter(annulments::Column::GameId.is_in(games)).all(on).await?;
    Ok(rows.into_iter().map(|row| row.game_id.into()).collect())
}

/// Writes acts down, and has them hold: games are annulled, or count again.
///
/// # Errors
/// [`StoreError::Contended`] when a game was annulled meanwhile.
pub(crate) async fn write(on: &impl ConnectionTrait, acts: &[Act]) -> Result<(), StoreError> {
    if acts.is_empty() {
        return Ok(());
    }
    Entity::insert_many(acts.iter().map(row)).exec_without_returning(on).await?;
    let annulled: Vec<annulments::ActiveModel> = acts.iter().filter_map(annulment).collect();
    if !annulled.is_empty() {
        annulments::Entity::insert_many(annulled).exec_without_returning(on).await?;
    }
    let reinstated: Vec<Uuid> = acts
        .iter()
        .filter_map(|act| if let Deed::Reinstated(game) = act.deed { Some(game.uuid()) } else { None })
        .collect();
    if !reinstated.is_empty() {
        annulments::Entity::delete_many()
            .filter(annulments::Column::GameId.is_in(reinstated))
            .exec(on)
            .await?;
    }
    Ok(())
}

/// What moderators have done, the latest first, from behind an act; at most so many.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    after: Option<Uuid>,
    at_most: u64,
) -> Result<Vec<Act>, StoreError> {
    let mut query = Entity::find();
    if let Some(after) = after {
        query = query.filter(Column::ActId.lt(after));
    }
    let rows = query.order_by_desc(Column::ActId).limit(at_most).all(on).await?;
    rows.into_iter().map(|row| row.act().ok_or(StoreError::Corrupt("rating_moderation_acts"))).collect()
}

fn annulment(act: &Act) -> Option<annulments::ActiveModel> {
    let Deed::Annulled(game, _) = act.deed else { return None };
    Some(annulments::ActiveModel { game_id: Set(game.uuid()), act_id: Set(act.id) })
}

fn row(act: &Act) -> ActiveModel {
    let (kind, report, game) = match act.deed {
        Deed::Dismissed(report) => (1, Some(report), None),
        Deed::Upheld(report) => (2, Some(report), None),
        Deed::Annulled(game, report) => (3, report, Some(game)),
        Deed::Reinstated(game) => (4, None, Some(game)),
    };
    ActiveModel {
        act_id: Set(act.id),
        at_us: Set(to_micros(act.at)),
        moderator_id: Set(act.by.id.uuid()),
        moderator_name: Set(act.by.name.clone()),
        kind: Set(kind),
        report_id: Set(report),
        game_id: Set(game.map(GameId::uuid)),
        reason: Set(act.reason.clone()),
    }
}

impl Model {
    fn act(self) -> Option<Act> {
        let game = self.game_id.map(GameId::from);
        let deed = match self.kind {
            1 => Deed::Dismissed(self.report_id?),
            2 => Deed::Upheld(self.report_id?),
            3 => Deed::Annulled(game?, self.report_id),
            4 => Deed::Reinstated(game?),
            _ => return None,
        };
        Some(Act {
            id: self.act_id,
            at: from_micros(self.at_us)?,
            by: Moderator { id: self.moderator_id.into(), name: self.moderator_name },
            deed,
            reason: self.reason,
        })
    }
}
