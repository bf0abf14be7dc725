//! The table `matches`: who was matched with whom, and whether the game exists.

use std::collections::BTreeMap;

use chassis::{
    database::StoreError,
    id::{ChallengeId, GameId},
    time::to_micros,
};
use rules::Side;
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use time::OffsetDateTime;

use super::player;
use crate::core::{Match, MatchState};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "matches")]
pub(crate) struct Model {
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
    /// Whether the owner of the first ticket was told of the game.
    pub first_told: bool,
    /// The same for the second.
    pub second_told: bool,
    /// The challenge that it came of; `NULL` if the queue has made it.
    pub challenge_id: Option<Uuid>,
}

chassis::standalone!();

/// Those of some matches that are there.
pub(crate) async fn of_games(
    on: &impl ConnectionTrait,
    games: impl Iterator<Item = GameId>,
) -> Result<BTreeMap<GameId, (Match, MatchState)>, StoreError> {
    let rows = Entity::find().filter(Column::GameId.is_in(games.map(GameId::uuid))).all(on).await?;
    rows.into_iter().map(|row| Ok((row.game_id.into(), row.try_into()?))).collect()
}

/// The oldest matches whose game has yet to be made, made before a moment; at most so many.
pub(crate) async fn pending(
    on: &impl ConnectionTrait,
    before: OffsetDateTime,
    at_most: u64,
) -> Result<Vec<Match>, StoreError> {
    let rows = Entity::find()
        .filter(Column::State.eq(code(MatchState::Pending)))
        .filter(Column::MatchedUs.lte(to_micros(before)))
        .order_by_asc(Column::MatchedUs)
        .limit(at_most)
        .all(on)
        .await?;
    rows.into_iter().map(|row| <(Match, MatchState)>::try_from(row).map(|(matched, _)| matched)).collect()
}

/// How many matches there are whose game has yet to be made, made before a moment; as many as `at_most` stand for more.
pub(crate) async fn count_pending(
    on: &impl ConnectionTrait,
    before: OffsetDateTime,
    at_most: u64,
) -> Result<u64, StoreError> {
    let pending = Entity::find()
        .select_only()
        .column(Column::MatchedUs)
        .filter(Column::State.eq(code(MatchState::Pending)))
        .filter(Column::MatchedUs.lte(to_micros(before)))
        .limit(at_most);
    let found: Vec<i64> = pending.into_tuple().all(on).await?;
    Ok(found.len() as u64)
}

/// Writes matches that have just been made, one at least.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    matches: &[&Match],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let rows = matches.iter().map(|matched| row(matched, now));
    Entity::insert_many(rows).exec_without_returning(on).await?;
    Ok(())
}

/// Says what has become of pending matches. Matches that are no longer pending stay as they are.
pub(crate) async fn settle(
    on: &impl ConnectionTrait,
    games: &[GameId],
    state: MatchState,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::State, Expr::value(code(state)))
        .col_expr(Column::SettledUs, Expr::value(to_micros(now)))
        .filter(Column::GameId.is_in(games.iter().map(|game| game.uuid())))
        .filter(Column::State.eq(code(MatchState::Pending)))
        .exec(on)
        .await?;
    Ok(())
}

/// Notes that those who have this side of some matches were told of their games.
pub(crate) async fn note_told(
    on: &impl ConnectionTrait,
    side: Side,
    games: &[GameId],
) -> Result<(), StoreError> {
    let told = if side == Side::First { Column::FirstTold } else { Column::SecondTold };
    Entity::update_many()
        .col_expr(told, Expr::value(true))
        .filter(Column::GameId.is_in(games.iter().map(|game| game.uuid())))
        .exec(on)
        .await?;
    Ok(())
}

/// Where a game comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The queue has made it; whether its players were told of it, first side first.
    Queue([bool; 2]),
    /// It came of a challenge.
    Challenge,
}

/// Where a game comes from; nothing of one that nobody was matched for.
pub(crate) async fn origin(on: &impl ConnectionTrait, game: GameId) -> Result<Option<Origin>, StoreError> {
    let row = Entity::find_by_id(game.uuid()).one(on).await?;
    Ok(row.map(|row| match row.challenge_id {
        None => Origin::Queue([row.first_told, row.second_told]),
        Some(_) => Origin::Challenge,
    }))
}

impl TryFrom<Model> for (Match, MatchState) {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let corrupt = StoreError::Corrupt("matches");
        let state = match row.state {
            0 => MatchState::Pending,
            1 => MatchState::Created,
            2 => MatchState::Failed,
            _ => return Err(corrupt),
        };
        let matched = Match {
            game: row.game_id.into(),
            settings: row.settings.parse().map_err(|_| corrupt)?,
            first: player(row.first_id, row.first_name, row.first_rating, row.first_ticket),
            second: player(row.second_id, row.second_name, row.second_rating, row.second_ticket),
            challenge: row.challenge_id.map(ChallengeId::from),
        };
        Ok((matched, state))
    }
}

fn row(matched: &Match, now: OffsetDateTime) -> ActiveModel {
    let Match { game, settings, first, second, challenge } = matched;
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
        first_told: Set(false),
        second_told: Set(false),
        challenge_id: Set(challenge.map(ChallengeId::uuid)),
    }
}

const fn code(state: MatchState) -> i16 {
    match state {
        MatchState::Pending => 0,
        MatchState::Created => 1,
        MatchState::Failed => 2,
    }
}
