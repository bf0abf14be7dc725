//! The proof that a database can be written to: a transaction like those that must be durable.

use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DbBackend, DbErr, Statement};
use tokio_util::sync::CancellationToken;

use super::Database;
use crate::Env;

/// How often it is tried while writing fails: soon enough that players hardly wait longer than the fault.
const RETRY: Duration = Duration::from_millis(500);
/// How often it is tried while nobody writes.
const IDLE: Duration = Duration::from_secs(10);
/// How much is written while writing fails: more than a busy moment's appends, so that on a disk that is almost full
/// the proof is not the last thing that fits.
const BODY_BYTES: usize = 256 * 1024;
/// How much is written while nobody else writes.
const BODY_BYTES_IDLE: usize = 1024;

/// Where it is written. It is no data: whatever is there may be lost.
pub(super) const TABLE: &str = "write_proofs";

/// Proves again and again while writing fails, and now and then while nobody writes.
pub(super) async fn keep(database: Database, stop: CancellationToken) {
    let condition = &database.condition;
    let mut made = false;
    while !stop.is_cancelled() {
        let failing = condition.is_failing();
        if failing || !condition.take_written() {
            match proof(&database, &mut made, if failing { BODY_BYTES } else { BODY_BYTES_IDLE }).await {
                Ok(()) => {
                    if failing {
                        // SQLite opens a file that it may not write to for reading, and keeps to that.
                        database.forget_connections();
                    }
                    condition.works();
                }
                Err(error) => condition.fails(&error.to_string()),
            }
        }
        let pause = async {
            if condition.is_failing() {
                tokio::time::sleep(RETRY).await;
            } else {
                condition.failure_within(IDLE).await;
            }
        };
        let _stopped = stop.run_until_cancelled(pause).await;
    }
}

async fn proof(database: &Database, made: &mut bool, bytes: usize) -> Result<(), DbErr> {
    if !*made {
        make(database).await?;
        *made = true;
    }
    prove(database, bytes).await
}

async fn make(database: &Database) -> Result<(), DbErr> {
    let type_of_body = if database.backend() == DbBackend::Postgres { "bytea" } else { "blob" };
    // Beside the tables of the migrations, because it is no data: whoever writes may make it, and any may be lost.
    let sql =
        format!("CREATE TABLE IF NOT EXISTS {TABLE} (id uuid PRIMARY KEY, body {type_of_body} NOT NULL)");
    match database.write().execute_unprepared(&sql).await {
        // Two that make the same table at once are told by PostgreSQL that it is there.
        Err(error) if super::is_conflict(&error) => Ok(()),
        other => other.map(drop),
    }
}

/// Commits a row that does not compress, and takes all such rows away again: one may be left of a process that died.
async fn prove(database: &Database, bytes: usize) -> Result<(), DbErr> {
    let backend = database.backend();
    let places = if backend == DbBackend::Postgres { "$1, $2" } else { "?, ?" };
    let insert = format!("INSERT INTO {TABLE} (id, body) VALUES ({places})");
    let values = [Env::system().uuid().into(), noise(bytes).into()];
    let transaction = database.begin().await?;
    transaction.execute_raw(Statement::from_sql_and_values(backend, insert, values)).await?;
    transaction.commit().await?;
    database.write().execute_unprepared(&format!("DELETE FROM {TABLE}")).await.map(drop)
}

/// Marsaglia's xorshift.
fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(next).take(bytes).collect()
}
