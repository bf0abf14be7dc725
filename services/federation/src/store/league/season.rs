//! The table `league_seasons`.

use api::{ProtoEnum as _, federation::v1 as pb};
use chassis::{
    database::StoreError,
    id::{LeagueId, SeasonId},
};
use prost::Message as _;
use sea_orm::{ActiveValue::Set, PaginatorTrait as _, QueryOrder as _, QuerySelect as _, entity::prelude::*};

use crate::{
    core::{
        event::fact::Digest,
        league::{Outcome, Season, State},
    },
    wire::league::outcome::digest,
};

const TABLE: &str = "league_seasons";

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "league_seasons")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub league_id: Uuid,
    /// Which of the league, from 1.
    pub number: i32,
    pub state: i16,
    /// `Season`, without its outcome.
    pub body: Vec<u8>,
    /// `SeasonOutcome`: once play-offs are played the tables, and once it is closed who goes up and down.
    pub outcome: Option<Vec<u8>>,
    /// The hash of the outcome.
    pub digest: Option<Vec<u8>>,
    pub revision: i64,
}

chassis::standalone!();

/// The season of this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: SeasonId) -> Result<Option<Season>, StoreError> {
    Entity::find_by_id(id.uuid()).one(on).await?.map(|row| season(&row)).transpose()
}

/// How a season ended, with the hash of that. What was changed since it was written is not believed.
pub(crate) async fn outcome(
    on: &impl ConnectionTrait,
    id: SeasonId,
) -> Result<Option<(Outcome, Digest)>, StoreError> {
    match Entity::find_by_id(id.uuid()).one(on).await? {
        Some(row) => ended(&row),
        None => Ok(None),
    }
}

/// How many seasons a league has, and how many of them are neither closed nor given up.
pub(crate) async fn counts(on: &impl ConnectionTrait, league: LeagueId) -> Result<(u64, u64), StoreError> {
    let all = Entity::find().filter(Column::LeagueId.eq(league.uuid()));
    let over = [State::Closed, State::Abandoned].map(code);
    let open = all.clone().filter(Column::State.is_not_in(over));
    Ok((all.count(on).await?, open.count(on).await?))
}

/// Seasons of a league in the order of their numbers: at most `count` after one.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    league: LeagueId,
    after: Option<u32>,
    count: u64,
) -> Result<Vec<Season>, StoreError> {
    let query = Entity::find()
        .filter(Column::LeagueId.eq(league.uuid()))
        .filter(Column::Number.gt(after.unwrap_or(0).cast_signed()));
    query.order_by_asc(Column::Number).limit(count).all(on).await?.iter().map(season).collect()
}

/// The closed seasons of a league with how they ended, in the order of their numbers: at most `count` after one.
pub(crate) async fn closed(
    on: &impl ConnectionTrait,
    league: LeagueId,
    after: Option<u32>,
    count: u64,
) -> Result<Vec<(Season, Outcome)>, StoreError> {
    let query = Entity::find()
        .filter(Column::LeagueId.eq(league.uuid()))
        .filter(Column::State.eq(code(State::Closed)))
        .filter(Column::Number.gt(after.unwrap_or(0).cast_signed()));
    let rows = query.order_by_asc(Column::Number).limit(count).all(on).await?;
    let read = |row: &Model| Ok((season(row)?, ended(row)?.ok_or(StoreError::Corrupt(TABLE))?.0));
    rows.iter().map(read).collect()
}

/// Adds a season. Two of one number are [`StoreError::Contended`].
pub(crate) async fn insert(on: &impl ConnectionTrait, season: &Season) -> Result<(), StoreError> {
    let row = ActiveModel { outcome: Set(None), digest: Set(None), ..row(season) };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Writes a season over what it was; how it ended stays.
pub(crate) async fn update(on: &impl ConnectionTrait, season: &Season) -> Result<(), StoreError> {
    Entity::update_many().set(row(season)).filter(Column::Id.eq(season.id.uuid())).exec(on).await?;
    Ok(())
}

/// The same, and how it ended.
pub(crate) async fn end(
    on: &impl ConnectionTrait,
    season: &Season,
    outcome: &Outcome,
) -> Result<(), StoreError> {
    let bytes = pb::SeasonOutcome::from(outcome).encode_to_vec();
    let hash = digest(&bytes).to_vec();
    let row = ActiveModel { outcome: Set(Some(bytes)), digest: Set(Some(hash)), ..row(season) };
    Entity::update_many().set(row).filter(Column::Id.eq(season.id.uuid())).exec(on).await?;
    Ok(())
}

fn code(state: State) -> i16 {
    i16::try_from(state.number()).unwrap_or(0)
}

fn row(season: &Season) -> ActiveModel {
    ActiveModel {
        id: Set(season.id.uuid()),
        league_id: Set(season.league.uuid()),
        number: Set(season.number.cast_signed()),
        state: Set(code(season.state)),
        body: Set(pb::Season::from(season).encode_to_vec()),
        revision: Set(season.revision),
        ..Default::default()
    }
}

fn season(row: &Model) -> Result<Season, StoreError> {
    let read = pb::Season::decode(&*row.body).ok().and_then(|it| it.try_into().ok());
    read.ok_or(StoreError::Corrupt(TABLE))
}

fn ended(row: &Model) -> Result<Option<(Outcome, Digest)>, StoreError> {
    let (Some(bytes), Some(hash)) = (&row.outcome, &row.digest) else { return Ok(None) };
    let known = digest(bytes);
    let read = pb::SeasonOutcome::decode(&**bytes).ok().and_then(|it| it.try_into().ok());
    match read {
        Some(outcome) if known[..] == hash[..] => Ok(Some((outcome, known))),
        _ => Err(StoreError::Corrupt(TABLE)),
    }
}
