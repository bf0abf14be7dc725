//! The table `event_line_ups`: what opens line-ups that were handed in, sealed with a key that the database does not have.
//! It is asked for only until they are public.

use std::fmt;

use chassis::{
    Vault,
    database::{self, StoreError},
    id::EventId,
};
use pairing::Number;
use sea_orm::{ActiveValue::Set, entity::prelude::*, sea_query::OnConflict};
use secrecy::ExposeSecret as _;

use crate::core::event::{Opening, team::OfRound};

const CORRUPT: StoreError = StoreError::Corrupt("event_line_ups");
/// Bytes of a salt, before the numbers.
const SALT_BYTES: usize = 32;
/// Bytes of a number.
const NUMBER_BYTES: usize = 4;

/// A row.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_line_ups")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub round: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub team: i32,
    /// The salt and the numbers, little-endian, sealed for their place.
    pub opening: Vec<u8>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("event_id", &self.event_id).finish_non_exhaustive()
    }
}

chassis::standalone!();

fn place(event: EventId, (round, team): OfRound) -> String {
    format!("event_line_ups:{event}:{round}:{team}")
}

/// Keeps what opens a line-up, in place of whatever there was: of a round that was taken back, it opens nothing any more.
pub(crate) async fn put(
    on: &impl ConnectionTrait,
    vault: &Vault,
    event: EventId,
    of: OfRound,
    opening: &Opening,
) -> Result<(), StoreError> {
    let numbers = opening.players.iter().flat_map(|number| number.0.to_le_bytes());
    let bytes: Vec<u8> = opening.salt.into_iter().chain(numbers).collect();
    let row = ActiveModel {
        event_id: Set(event.uuid()),
        round: Set(of.0.into()),
        team: Set(of.1.0.cast_signed()),
        opening: Set(vault.seal(&place(event, of), &bytes)),
    };
    let key = [Column::EventId, Column::Round, Column::Team];
    Entity::insert(row)
        .on_conflict(OnConflict::columns(key).update_column(Column::Opening).to_owned())
        .exec_without_returning(on)
        .await?;
    Ok(())
}

/// What opens line-ups of a round, of these teams.
pub(crate) async fn of_round(
    on: &impl ConnectionTrait,
    vault: &Vault,
    event: EventId,
    round: u16,
    teams: &[Number],
) -> Result<Vec<(Number, Opening)>, StoreError> {
    let mut found = Vec::with_capacity(teams.len());
    for team in teams {
        let key = (event.uuid(), round.into(), team.0.cast_signed());
        let Some(row) = Entity::find_by_id(key).one(on).await? else { continue };
        let bytes = vault.open(&place(event, (round, *team)), &row.opening)?;
        found.push((*team, read(bytes.expose_secret()).ok_or(CORRUPT)?));
    }
    Ok(found)
}

/// Forgets what opened these line-ups, which are public now.
pub(crate) async fn delete(
    on: &impl ConnectionTrait,
    event: EventId,
    opened: &[OfRound],
) -> Result<(), StoreError> {
    for (round, team) in opened {
        Entity::delete_by_id((event.uuid(), (*round).into(), team.0.cast_signed())).exec(on).await?;
    }
    Ok(())
}

/// Seals with the key of today whatever is sealed with another; how much. What is sealed is never twice the same, so that
/// it says with its event which row it is.
pub(crate) async fn reseal(on: &impl ConnectionTrait, vault: &Vault) -> Result<u64, StoreError> {
    let rows = Entity::find().all(on).await?.into_iter().filter(|row| !vault.is_current(&row.opening));
    let row = |row: Model| {
        let of = (u16::try_from(row.round).ok()?, Number(row.team.cast_unsigned()));
        Some((row.event_id.into(), place(row.event_id.into(), of), row.opening))
    };
    let rows = rows.map(|it| row(it).ok_or(CORRUPT)).collect::<Result<_, _>>()?;
    database::reseal::<Entity>(on, vault, (Column::EventId, Column::Opening), rows).await
}

fn read(bytes: &[u8]) -> Option<Opening> {
    let (salt, numbers) = bytes.split_at_checked(SALT_BYTES)?;
    let number = |bytes: &[u8]| Some(Number(u32::from_le_bytes(bytes.try_into().ok()?)));
    let players = numbers.chunks(NUMBER_BYTES).map(number).collect::<Option<_>>()?;
    Some(Opening { salt: salt.try_into().ok()?, players })
}
