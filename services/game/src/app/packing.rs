//! The logs of games that are over become small.

use std::{collections::VecDeque, time::Duration};

use chassis::{Database, Env, Metrics, Throttle, id::GameId, metrics::Counter};
use sea_orm::DbErr;
use time::OffsetDateTime;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::measure;
use crate::{
    error::Result,
    store::finished::{self, Packed, RESTS},
    wire::Place,
};

/// How often it is looked for such games.
pub(crate) const LOOK: Duration = Duration::from_mins(5);
/// How long it rests before: a process that has just started has others to look after.
const FIRST: Duration = Duration::from_secs(1);
/// Games that are read at a time.
const PAGE: u64 = 100;
/// How many times as long as one log took nobody is kept from writing before the next.
const RESTS_FOR: u32 = 9;
/// How long at least.
const REST_MIN: Duration = Duration::from_millis(20);

/// What packs logs.
pub(crate) struct Packing {
    pub env: Env,
    pub database: Database,
    pub measures: Measures,
    /// Cancelled when no further log should be begun.
    pub stop: CancellationToken,
}

/// What is counted of it.
pub(crate) struct Measures {
    logs: Counter,
    before: Counter,
    after: Counter,
}

impl Measures {
    pub(crate) fn new(metrics: &Metrics) -> Self {
        let bytes = |when| metrics.counter(&measure::PACKED_BYTES, &[when]);
        Measures {
            logs: metrics.counter(&measure::PACKED_LOGS, &[]),
            before: bytes("before"),
            after: bytes("after"),
        }
    }

    fn count(&self, packed: Packed) {
        self.logs.inc();
        self.before.inc_by(packed.bytes_before);
        self.after.inc_by(packed.bytes_after);
    }
}

impl Packing {
    /// Packs what can be by now. A log that cannot be keeps no other back.
    pub(crate) async fn pack_all(&self) -> Result<(), DbErr> {
        self.rest(FIRST).await;
        let mut unpacked = Unpacked::before(self.env.now() - RESTS);
        while !self.stop.is_cancelled()
            && let Some(game) = unpacked.next(&self.database).await?
        {
            let since = Instant::now();
            match unpacked.pack(&self.env, &self.database, game).await {
                Ok(packed) => packed.into_iter().for_each(|packed| self.measures.count(packed)),
                Err(error) => {
                    static COMPLAINTS: Throttle = Throttle::new();
                    if let Some(held_back) = COMPLAINTS.admit() {
                        tracing::warn!(game.id = %game, %error, held_back, "a log was not packed");
                    }
                }
            }
            self.rest((since.elapsed() * RESTS_FOR).max(REST_MIN)).await;
        }
        Ok(())
    }

    async fn rest(&self, time: Duration) {
        let _stops = self.stop.run_until_cancelled(tokio::time::sleep(time)).await;
    }
}

/// The games whose logs could be packed, one after the other.
struct Unpacked {
    /// Those whose last events were before it are meant.
    before: OffsetDateTime,
    /// The last that was read.
    last: Option<Place>,
    page: VecDeque<Place>,
}

impl Unpacked {
    fn before(before: OffsetDateTime) -> Self {
        Unpacked { before, last: None, page: VecDeque::new() }
    }

    async fn next(&mut self, database: &Database) -> Result<Option<GameId>, DbErr> {
        if self.page.is_empty() {
            self.page = finished::unpacked(database.read(), self.before, self.last, PAGE).await?.into();
            self.last = self.page.back().copied();
        }
        Ok(self.page.pop_front().map(Place::game))
    }

    async fn pack(&self, env: &Env, database: &Database, game: GameId) -> Result<Option<Packed>> {
        finished::pack_log(env, database, game, self.before).await
    }
}

/// Packs at once what a platform would pack in time: the logs of all games that are over for good since so long. Tells what it has
/// come to so far after each, and of each that could not be packed; the platform may run meanwhile.
///
/// # Errors
/// When the database does not answer.
pub async fn pack_logs(
    env: &Env,
    database: &Database,
    since: Duration,
    mut told: impl FnMut(GameId, &Packed, Option<String>),
) -> Result<Packed, DbErr> {
    let mut unpacked = Unpacked::before(env.now() - since);
    let mut all = Packed::default();
    while let Some(game) = unpacked.next(database).await? {
        match unpacked.pack(env, database, game).await {
            Ok(packed) => {
                all += packed.unwrap_or_default();
                told(game, &all, None);
            }
            Err(error) => told(game, &all, Some(error.to_string())),
        }
    }
    Ok(all)
}
