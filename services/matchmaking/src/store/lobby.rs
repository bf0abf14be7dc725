//! The table `lobby_changes`: that open challenges were opened, or are over, in an order that holds for all replicas.

use chassis::{
    database::{StoreError, Transaction},
    id::ChallengeId,
    time::to_micros,
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use time::{Duration, OffsetDateTime};

/// What whoever numbers changes waits for his turn by: the last thing that a transaction does.
const LOBBY: Uuid = Uuid::from_u128(0x6c6f_6262_795f_6368_616e_6765);
/// How long changes are kept for replicas that start or were busy: those who listen are told by what these remember.
const KEPT: Duration = Duration::HOUR;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lobby_changes")]
pub(crate) struct Model {
    /// One more than the change before.
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    pub challenge_id: Uuid,
    /// When it was written, in microseconds since the epoch.
    pub at_us: i64,
}

chassis::standalone!();

/// Numbers changes of these challenges, whose rows say what they are now. Nothing else follows in the transaction.
pub(crate) async fn add(
    on: &Transaction,
    ids: &[ChallengeId],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    on.await_turn(LOBBY).await?;
    let last = last(on).await?.cast_signed();
    let rows = (last + 1..).zip(ids).map(|(number, id)| ActiveModel {
        number: Set(number),
        challenge_id: Set(id.uuid()),
        at_us: Set(to_micros(now)),
    });
    Entity::insert_many(rows).exec_without_returning(on).await?;
    Ok(())
}

/// The number of the latest change; 0 when there is none.
pub(crate) async fn last(on: &impl ConnectionTrait) -> Result<u64, StoreError> {
    let row = Entity::find().order_by_desc(Column::Number).one(on).await?;
    Ok(row.map_or(0, |row| row.number.cast_unsigned()))
}

/// The changes after a number, in their order; at most so many.
pub(crate) async fn after(
    on: &impl ConnectionTrait,
    number: u64,
    at_most: u64,
) -> Result<Vec<(u64, ChallengeId)>, StoreError> {
    let rows = Entity::find()
        .filter(Column::Number.gt(number.cast_signed()))
        .order_by_asc(Column::Number)
        .limit(at_most)
        .all(on)
        .await?;
    Ok(rows.into_iter().map(|row| (row.number.cast_unsigned(), row.challenge_id.into())).collect())
}

/// Forgets old changes, but never the latest: numbers go on from it.
pub(crate) async fn forget(on: &impl ConnectionTrait, now: OffsetDateTime) -> Result<(), StoreError> {
    let last = last(on).await?.cast_signed();
    Entity::delete_many()
        .filter(Column::Number.lt(last))
        .filter(Column::AtUs.lt(to_micros(now - KEPT)))
        .exec(on)
        .await?;
    Ok(())
}
