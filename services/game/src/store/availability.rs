//! When the platform was up, and when it was not.
//!
//! While players can act (some game replica is alive, reaches the database, and reaches the clocks), a heartbeat
//! is written several times a second. A gap between two heartbeats is an outage: nobody could act, so nobody is
//! charged for it. Where players come through gateways, a heartbeat reaches no further than the last word of one.

use std::time::Duration;

use chassis::Database;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait as _, ConnectionTrait, DbErr, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    RuntimeErr,
    sea_query::{Expr, OnConflict},
};
use time::OffsetDateTime;

use super::{
    entity::{availability, outages},
    from_micros, micros,
};

/// The row of the last heartbeat.
const HEARTBEAT: i32 = 1;
/// The row of the last word of a gateway, if any has spoken.
const GATEWAY: i32 = 2;
/// The row of when a replica last wrote an event that it could not tell those who watch through others.
const UNPUBLISHED: i32 = 3;
/// A gap longer than this is an outage. Shorter ones cannot be told from a busy machine; what they cost a
/// player is less than this.
pub(crate) const GAP_MIN: Duration = Duration::from_secs(1);

/// A time during which nobody could act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outage {
    /// The last heartbeat before it, or the last act that was taken.
    pub from: OffsetDateTime,
    /// The first heartbeat after it.
    pub until: OffsetDateTime,
}

/// A gateway was up at this moment.
pub(crate) async fn gateway(on: &impl ConnectionTrait, now: OffsetDateTime) -> Result<(), DbErr> {
    say(on, GATEWAY, now).await
}

/// An event was written at this moment that could not be told to those who watch through other replicas.
pub(crate) async fn unpublished(on: &impl ConnectionTrait, at: OffsetDateTime) -> Result<(), DbErr> {
    say(on, UNPUBLISHED, at).await
}

/// When such an event was last written by any replica.
pub(crate) async fn last_unpublished(on: &impl ConnectionTrait) -> Result<Option<OffsetDateTime>, DbErr> {
    said(on, UNPUBLISHED).await
}

/// When a gateway was last up; `None` where players come without one.
pub(crate) async fn last_gateway(on: &impl ConnectionTrait) -> Result<Option<OffsetDateTime>, DbErr> {
    said(on, GATEWAY).await
}

/// Somebody came without a gateway, so none is needed.
pub(crate) async fn forget_gateway(on: &impl ConnectionTrait) -> Result<(), DbErr> {
    availability::Entity::delete_by_id(GATEWAY).exec(on).await.map(drop)
}

/// Writes a heartbeat; after a gap, the outage that it ends is recorded with it, by one replica only. It is none while
/// acts were taken, as they last were at `taken`.
///
/// # Errors
/// When the database fails, also for others: a heartbeat that can be written although no act can proves nothing.
pub(crate) async fn heartbeat(
    database: &Database,
    now: OffsetDateTime,
    taken: OffsetDateTime,
) -> Result<(), DbErr> {
    if !database.is_writable() {
        return Err(DbErr::Conn(RuntimeErr::Internal("the database cannot be written to".to_owned())));
    }
    let now_us = micros(now);
    let gap_us = i64::try_from(GAP_MIN.as_micros()).unwrap_or(i64::MAX);
    if advance(database.write(), now_us - gap_us, now_us).await? {
        return Ok(());
    }
    let transaction = database.begin().await?;
    let row = availability::Entity::find_by_id(HEARTBEAT).one(&transaction).await?;
    match row {
        None => {
            let first = availability::ActiveModel { id: Set(HEARTBEAT), up_until_us: Set(now_us) };
            availability::Entity::insert(first)
                .on_conflict(OnConflict::column(availability::Column::Id).do_nothing().to_owned())
                .exec_without_returning(&transaction)
                .await?;
        }
        // The update matches this very row, so that of two replicas one records the outage.
        Some(row) if now_us - row.up_until_us > gap_us => {
            let from_us = row.up_until_us.max(micros(taken.min(now)));
            if replace(&transaction, row.up_until_us, now_us).await? && now_us - from_us > gap_us {
                let outage = outages::ActiveModel { until_us: Set(now_us), from_us: Set(from_us) };
                outages::Entity::insert(outage).exec_without_returning(&transaction).await?;
            }
        }
        Some(_) => {}
    }
    transaction.commit().await
}

/// The outages that ended after a moment, in order.
pub(crate) async fn outages_after(
    on: &impl ConnectionTrait,
    moment: OffsetDateTime,
) -> Result<Vec<Outage>, DbErr> {
    let rows = outages::Entity::find()
        .filter(outages::Column::UntilUs.gt(micros(moment)))
        .order_by_asc(outages::Column::UntilUs)
        .all(on)
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| Outage { from: from_micros(row.from_us), until: from_micros(row.until_us) })
        .collect())
}

/// Keeps a word with its moment. It does not go back: the clocks of two replicas may differ.
async fn say(on: &impl ConnectionTrait, word: i32, at: OffsetDateTime) -> Result<(), DbErr> {
    // Here alone, for its `min` and `max` are in the way of those of numbers.
    use sea_orm::ExprTrait as _;
    let at_us = micros(at);
    let row = availability::ActiveModel { id: Set(word), up_until_us: Set(at_us) };
    let newest = OnConflict::column(availability::Column::Id)
        .value(availability::Column::UpUntilUs, Expr::value(at_us))
        .action_and_where(Expr::col((availability::Entity, availability::Column::UpUntilUs)).lt(at_us))
        .to_owned();
    availability::Entity::insert(row).on_conflict(newest).exec_without_returning(on).await.map(drop)
}

async fn said(on: &impl ConnectionTrait, word: i32) -> Result<Option<OffsetDateTime>, DbErr> {
    let row = availability::Entity::find_by_id(word).one(on).await?;
    Ok(row.map(|row| from_micros(row.up_until_us)))
}

/// Moves the heartbeat on if the last one is not older than `since_us`; whether it did.
async fn advance(on: &chassis::database::Lane, since_us: i64, now_us: i64) -> Result<bool, DbErr> {
    let updated = availability::Entity::update_many()
        .col_expr(availability::Column::UpUntilUs, Expr::value(now_us))
        .filter(availability::Column::Id.eq(HEARTBEAT))
        .filter(availability::Column::UpUntilUs.gte(since_us))
        .filter(availability::Column::UpUntilUs.lte(now_us))
        .exec(on)
        .await?;
    Ok(updated.rows_affected == 1)
}

async fn replace(on: &chassis::database::Transaction, from_us: i64, now_us: i64) -> Result<bool, DbErr> {
    let updated = availability::Entity::update_many()
        .col_expr(availability::Column::UpUntilUs, Expr::value(now_us))
        .filter(availability::Column::Id.eq(HEARTBEAT))
        .filter(availability::Column::UpUntilUs.eq(from_us))
        .exec(on)
        .await?;
    Ok(updated.rows_affected == 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::Migrator;

    #[tokio::test]
    async fn the_word_of_a_gateway_does_not_go_back() {
        for test in chassis::testing::databases().await {
            test.database.migrate::<Migrator>().await.expect("migrates");
            let [early, late] = [1, 2].map(|second| OffsetDateTime::UNIX_EPOCH + Duration::from_secs(second));
            for (said, known) in [(early, early), (late, late), (early, late)] {
                gateway(test.database.write(), said).await.expect("written down");
                let word = last_gateway(test.database.read()).await.expect("read");
                assert_eq!(word, Some(known), "{}", test.kind);
            }
        }
    }
}
