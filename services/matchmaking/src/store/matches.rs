//! The table `matches`: who was matched with whom, and whether the game exists.

use chassis::{
    Database,
    database::StoreError,
    id::{GameId, TicketId},
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use time::OffsetDateTime;

use super::ticket;
use crate::core::{Match, MatchState, Player};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "matches")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub game_id: Uuid,
    /// The text form of the settings.
    pub settings: String,
    pub first_id: Uuid,
    pub first_name: String,
    pub first_rating: i64,
    pub first_ticket: Uuid,
    pub second_id: Uuid,
    pub second_name: String,
    pub second_rating: i64,
    pub second_ticket: Uuid,
    /// 0 pending, 1 created, 2 dissolved.
    pub state: i16,
    /// When the two were matched, in microseconds since the epoch.
    pub matched_us: i64,
    /// When the match left the state pending.
    pub settled_us: Option<i64>,
}

/// Rows are read by their keys alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The durable side of matchmaking.
#[derive(Clone, Debug)]
pub struct Matches {
    pub database: Database,
}

impl Matches {
    /// The matches in this database.
    pub const fn new(database: Database) -> Self {
        Matches { database }
    }

    /// The match that a ticket became part of.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn of_ticket(&self, ticket: TicketId) -> Result<Option<(Match, MatchState)>, StoreError> {
        let on = self.database.read();
        let Some(row) = ticket::Entity::find_by_id(ticket.uuid()).one(on).await? else { return Ok(None) };
        let matched = Entity::find_by_id(row.game_id).one(on).await?;
        let matched = matched.ok_or(StoreError::Corrupt("match_tickets"))?;
        Ok(Some((matched.matched()?, matched.match_state()?)))
    }

    /// The oldest matches whose game has yet to be made, made before a moment; at most so many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn pending(&self, before: OffsetDateTime, at_most: u64) -> Result<Vec<Match>, StoreError> {
        let rows = Entity::find()
            .filter(Column::State.eq(code(MatchState::Pending)))
            .filter(Column::MatchedUs.lte(to_micros(before)))
            .order_by_asc(Column::MatchedUs)
            .limit(at_most)
            .all(self.database.read())
            .await?;
        rows.iter().map(Model::matched).collect()
    }

    /// Says what has become of pending matches. Matches that are no longer pending stay as they are.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settle(
        &self,
        games: &[GameId],
        state: MatchState,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        Entity::update_many()
            .col_expr(Column::State, Expr::value(code(state)))
            .col_expr(Column::SettledUs, Expr::value(to_micros(now)))
            .filter(Column::GameId.is_in(games.iter().map(|game| game.uuid())))
            .filter(Column::State.eq(code(MatchState::Pending)))
            .exec(self.database.write())
            .await?;
        Ok(())
    }
}

impl Model {
    pub fn matched(&self) -> Result<Match, StoreError> {
        let player = |account: Uuid, name: &str, rating: i64, ticket: Uuid| Player {
            account: account.into(),
            name: name.to_owned(),
            rating: u32::try_from(rating).unwrap_or(0),
            ticket: ticket.into(),
        };
        Ok(Match {
            game: self.game_id.into(),
            settings: self.settings.parse().map_err(|_| StoreError::Corrupt("matches"))?,
            first: player(self.first_id, &self.first_name, self.first_rating, self.first_ticket),
            second: player(self.second_id, &self.second_name, self.second_rating, self.second_ticket),
        })
    }

    pub const fn match_state(&self) -> Result<MatchState, StoreError> {
        match self.state {
            0 => Ok(MatchState::Pending),
            1 => Ok(MatchState::Created),
            2 => Ok(MatchState::Dissolved),
            _ => Err(StoreError::Corrupt("matches")),
        }
    }
}

/// The row of a match that has just been made.
pub fn row(matched: &Match, now: OffsetDateTime) -> ActiveModel {
    let Match { game, settings, first, second } = matched;
    ActiveModel {
        game_id: Set(game.uuid()),
        settings: Set(settings.to_string()),
        first_id: Set(first.account.uuid()),
        first_name: Set(first.name.clone()),
        first_rating: Set(first.rating.into()),
        first_ticket: Set(first.ticket.uuid()),
        second_id: Set(second.account.uuid()),
        second_name: Set(second.name.clone()),
        second_rating: Set(second.rating.into()),
        second_ticket: Set(second.ticket.uuid()),
        state: Set(code(MatchState::Pending)),
        matched_us: Set(to_micros(now)),
        settled_us: Set(None),
    }
}

const fn code(state: MatchState) -> i16 {
    match state {
        MatchState::Pending => 0,
        MatchState::Created => 1,
        MatchState::Dissolved => 2,
    }
}
