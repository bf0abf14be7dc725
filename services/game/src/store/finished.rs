//! Logs of games that are over for good: their events are packed, so that they take a fifth of the room. What stands in them stays as
//! it was written, to the bit; what goes are the ids of the requests that they came of, which nobody repeats after a day.
//!
//! Whoever still believes such a game to be running cannot add to it: an event is written only after the last one that there is
//! (see the journal), and a packed row has the number of its last event.

use std::{ops::AddAssign, time::Duration};

use api::DecodeError;
use chassis::{
    Database, Env, background,
    database::Transaction,
    id::GameId,
    limit::{Amount, Limit},
    time::to_micros,
};
use sea_orm::{
    ActiveValue::Set, Condition, QueryOrder as _, QuerySelect as _, entity::prelude::*, sea_query::Expr,
};
use time::OffsetDateTime;

use super::{
    entity::{events, games},
    log::decode,
    pack::{PACK_EVENTS, is_single, pack_payloads, payloads},
};
use crate::{
    core::Stage,
    error::{Error, Result},
    wire::Place,
};

/// How long after its last event the log of a game stays as it was written.
pub(crate) const RESTS: Duration = Duration::from_hours(24);

/// Rows that one statement writes, of five values each.
const ROWS_AT_ONCE: usize = 512;

/// The limits of logs of games that are over.
pub(crate) const LIMITS: &[Limit] = &[Limit {
    name: "how long the log of a game that is over stays as it was written",
    amount: Amount::Time(RESTS),
    setting: None,
    reason: "so long a repeated request is answered as the first; then the log is packed, into about a fifth of the room",
}];

/// What packing a log has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// Games whose logs are packed now.
    pub games: u64,
    /// Their events.
    pub events: u64,
    /// What their rows had, in bytes of payloads.
    pub bytes_before: u64,
    /// What they have now.
    pub bytes_after: u64,
}

impl AddAssign for Packed {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.events += other.events;
        self.bytes_before += other.bytes_before;
        self.bytes_after += other.bytes_after;
    }
}

/// Games that began before a moment and are over, and whose logs are not packed, the oldest first, after a place in that order.
pub(crate) async fn unpacked(
    on: &impl ConnectionTrait,
    before: OffsetDateTime,
    after: Option<Place>,
    limit: u64,
) -> Result<Vec<Place>, DbErr> {
    use games::Column::{CreatedUs, Id};
    let mut find = games::Entity::find()
        .select_only()
        .columns([CreatedUs, Id])
        .filter(CreatedUs.lt(to_micros(before)))
        // As the index says it: with parameters it would not be used.
        .filter(Expr::cust("finished = TRUE AND packed = FALSE"));
    if let Some(Place(created_us, id)) = after {
        let tie = Condition::all().add(CreatedUs.eq(created_us)).add(Id.gt(id));
        find = find.filter(Condition::any().add(CreatedUs.gt(created_us)).add(tie));
    }
    let rows: Vec<(i64, Uuid)> =
        find.order_by_asc(CreatedUs).order_by_asc(Id).limit(limit).into_tuple().all(on).await?;
    Ok(rows.into_iter().map(|(created_us, id)| Place(created_us, id)).collect())
}

/// Packs the log of a game, if it is over for good and its last event was before a moment. None where it is not, or somebody else
/// has packed it meanwhile.
pub(crate) async fn pack_log(
    env: &Env,
    database: &Database,
    game: GameId,
    before: OffsetDateTime,
) -> Result<Option<Packed>> {
    // Another replica may be at the same page of games.
    let Some(kept) = games::Entity::find_by_id(game.uuid()).one(database.read()).await? else {
        return Ok(None);
    };
    if kept.packed {
        return Ok(None);
    }
    let rows = rows_of(database.read(), game).await?;
    let Some(last) = rows.last() else { return Ok(None) };
    let ended = decode(last)?.pop();
    let is_over = ended.is_some_and(|it| it.state.progress.stage == Stage::Final && it.time < before);
    if !is_over {
        return Ok(None);
    }
    let log = background::aside(env, move || packed(&rows)).await.map_err(|_| Error::Stopping)??;
    let transaction = database.begin().await?;
    let written = write(&transaction, game, &log).await;
    Ok(transaction.finish(written).await?.then_some(log.came_to))
}

/// A log with its events packed, and what it was.
struct Log {
    /// The number of its last event.
    last: i64,
    /// How many rows it had.
    rows_before: u64,
    /// Its rows, but for the first, which stays.
    rows: Vec<events::Model>,
    came_to: Packed,
}

async fn rows_of(on: &impl ConnectionTrait, game: GameId) -> Result<Vec<events::Model>, DbErr> {
    use events::Column::{GameId, Sequence};
    events::Entity::find().filter(GameId.eq(game.uuid())).order_by_asc(Sequence).all(on).await
}

/// A log with those of its events packed that follow each other in rows of their own. What is sealed keeps its row, as does the
/// first event.
fn packed(before: &[events::Model]) -> Result<Log> {
    let bytes = |rows: &[events::Model]| rows.iter().map(|row| row.payload.len() as u64).sum();
    let can_be = |row: &events::Model| row.sequence > 1 && row.sealed.is_none() && is_single(&row.payload);
    let mut rows: Vec<events::Model> = Vec::new();
    for run in before.chunk_by(|one, next| can_be(one) && can_be(next)) {
        rows.extend(run.chunks(PACK_EVENTS).map(joined));
    }
    let written = all_payloads(before)?;
    if all_payloads(&rows)? != written {
        return Err(DecodeError("a packed log says something else").into());
    }
    let came_to = Packed {
        games: 1,
        events: written.len() as u64,
        bytes_before: bytes(before),
        bytes_after: bytes(&rows),
    };
    let last = before.last().map_or(0, |row| row.sequence);
    Ok(Log { last, rows_before: before.len() as u64, rows: rows.split_off(1), came_to })
}

/// One row of some.
fn joined(run: &[events::Model]) -> events::Model {
    match run {
        [row] => row.clone(),
        run => events::Model {
            game_id: run[0].game_id,
            sequence: run[run.len() - 1].sequence,
            request_id: None,
            payload: pack_payloads(run.iter().map(|row| row.payload.as_slice())),
            sealed: None,
        },
    }
}

fn all_payloads(rows: &[events::Model]) -> Result<Vec<Vec<u8>>> {
    let each = rows.iter().map(|row| payloads(&row.payload)).collect::<Result<Vec<_>>>()?;
    Ok(each.concat())
}

/// Writes a packed log in the place of what it was; whether it did. Nobody else has changed it then: whoever packs has the row of
/// the game, and whoever adds an event has added it after the last.
async fn write(transaction: &Transaction, game: GameId, log: &Log) -> Result<bool> {
    use events::Column::{GameId, Sequence};
    let taken = games::Entity::update_many()
        .col_expr(games::Column::Packed, Expr::value(true))
        .filter(games::Column::Id.eq(game.uuid()))
        .filter(games::Column::Packed.eq(false))
        .exec(transaction)
        .await?;
    if taken.rows_affected == 0 {
        return Ok(false);
    }
    let deleted = events::Entity::delete_many()
        .filter(GameId.eq(game.uuid()))
        .filter(Sequence.gt(1))
        .filter(Sequence.lte(log.last))
        .exec(transaction)
        .await?;
    if deleted.rows_affected + 1 != log.rows_before {
        return Err(DecodeError("a log has changed that was to be packed").into());
    }
    for rows in log.rows.chunks(ROWS_AT_ONCE) {
        let rows = rows.iter().cloned().map(|row| events::ActiveModel {
            game_id: Set(row.game_id),
            sequence: Set(row.sequence),
            request_id: Set(row.request_id),
            payload: Set(row.payload),
            sealed: Set(row.sealed),
        });
        events::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    }
    Ok(true)
}
