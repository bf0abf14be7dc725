//! The state of the tables of a PostgreSQL database: those of the schema that is its own.

use std::{collections::BTreeSet, path::Path, str::FromStr as _, time::Duration};

use futures::TryStreamExt as _;
use sea_orm::SqlxError;
use sqlx::{
    AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _, error::DatabaseError,
    postgres::PgConnectOptions,
};

use super::{super::proof, CutError, Part, Table, Writing};

/// What a server says where a lock was not to be had in time, or somebody else waits for what one has.
const BUSY: [&str; 2] = ["55P03", "40P01"];
/// The tables of the schema, those that are parts of others left out.
const TABLES: &str = "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
                      AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname";
/// The columns of one, in their order.
const COLUMNS: &str = "SELECT attname::text FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 \
                       AND NOT attisdropped AND attgenerated = '' ORDER BY attnum";
/// Tables whose rows must be there before those of others.
const REFERENCES: &str = "SELECT of.relname::text, to_.relname::text FROM pg_constraint \
                          JOIN pg_class of ON of.oid = conrelid JOIN pg_class to_ ON to_.oid = confrelid \
                          WHERE contype = 'f' AND conrelid <> confrelid \
                          AND connamespace = current_schema()::regnamespace";

/// The state of a database that its connection sees.
#[derive(Debug)]
pub(super) struct State(PgConnection);

/// Whether somebody else is writing.
pub(super) fn is_busy(error: &SqlxError) -> bool {
    error.as_database_error().and_then(DatabaseError::code).is_some_and(|code| BUSY.contains(&&*code))
}

/// A connection on which a statement may take as long as it takes: a copy is long.
pub(super) async fn connect(url: &str) -> Result<PgConnection, CutError> {
    let options = PgConnectOptions::from_str(url)?;
    Ok(PgConnection::connect_with(&options.options([("statement_timeout", "0")])).await?)
}

/// A name, as it stands in a statement.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn list<T: AsRef<str>>(names: &[T]) -> String {
    names.iter().map(|name| quoted(name.as_ref())).collect::<Vec<_>>().join(", ")
}

async fn run(on: &mut PgConnection, statement: String) -> Result<(), CutError> {
    on.execute(AssertSqlSafe(statement)).await?;
    Ok(())
}

/// The tables in which anything is kept.
async fn tables(on: &mut PgConnection) -> Result<Vec<String>, CutError> {
    let rows = sqlx::query(TABLES).fetch_all(on).await?;
    let names: Vec<String> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    Ok(names.into_iter().filter(|name| name != proof::TABLE).collect())
}

/// Holds off whoever would write to a table, until it is released.
pub(super) async fn hold(writer: &mut PgConnection, patience: Duration) -> Result<(), CutError> {
    let tables = tables(writer).await?;
    // None would be for ever.
    let patience_ms = patience.as_millis().max(1);
    run(writer, format!("BEGIN; SET LOCAL lock_timeout = '{patience_ms}ms'")).await?;
    if !tables.is_empty() {
        run(writer, format!("LOCK TABLE {} IN SHARE MODE", list(&tables))).await?;
    }
    Ok(())
}

/// Lets others write again.
pub(super) async fn release(mut writer: PgConnection) -> Result<(), CutError> {
    run(&mut writer, "ROLLBACK".to_owned()).await?;
    Ok(writer.close().await?)
}

impl State {
    pub(super) async fn open(url: &str) -> Result<Self, CutError> {
        connect(url).await.map(State)
    }

    /// What it sees from now on is what there is now.
    pub(super) async fn pin(&mut self) -> Result<(), CutError> {
        run(&mut self.0, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1".to_owned()).await
    }

    /// Writes each table into a file of its own.
    pub(super) async fn write(
        mut self,
        folder: &Path,
        written: &impl Fn(u64),
    ) -> Result<Vec<Part>, CutError> {
        let mut parts = Vec::new();
        for name in tables(&mut self.0).await? {
            let columns = sqlx::query(COLUMNS).bind(quoted(&name)).fetch_all(&mut self.0).await?;
            let columns: Vec<String> = columns.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
            let file = format!("{name}.rows");
            let mut writing = Writing::create(&folder.join(&file))?;
            let copy = format!("COPY (SELECT {} FROM {}) TO STDOUT", list(&columns), quoted(&name));
            let mut rows = 0;
            let mut copied = self.0.copy_out_raw(&copy).await?;
            while let Some(bytes) = copied.try_next().await? {
                writing.append(&bytes)?;
                // A line for each: in a row none begins.
                rows += bytes.split(|byte| *byte == b'\n').count() as u64 - 1;
                written(bytes.len() as u64);
            }
            drop(copied);
            parts.push(writing.finish(file, Some(Table { name, columns, rows }))?);
        }
        Ok(parts)
    }
}

/// Puts rows into tables that are there.
pub(super) async fn fill(url: &str, folder: &Path, parts: &[Part]) -> Result<(), CutError> {
    let mut connection = connect(url).await?;
    let parts = in_order(&mut connection, parts).await?;
    let names: Vec<&str> = parts.iter().map(|(table, _)| &*table.name).collect();
    run(&mut connection, "BEGIN".to_owned()).await?;
    if !names.is_empty() {
        run(&mut connection, format!("TRUNCATE {}", list(&names))).await?;
    }
    for (table, file) in parts {
        let copy = format!("COPY {} ({}) FROM STDIN", quoted(&table.name), list(&table.columns));
        let mut copying = connection.copy_in_raw(&copy).await?;
        copying.read_from(tokio::fs::File::open(folder.join(file)).await?).await?;
        let rows = copying.finish().await?;
        if rows != table.rows {
            return Err(CutError::Damaged(format!("{} has {rows} rows of {}", table.name, table.rows)));
        }
    }
    run(&mut connection, "COMMIT".to_owned()).await?;
    Ok(connection.close().await?)
}

/// The tables, those first to which others refer.
async fn in_order<'a>(
    on: &mut PgConnection,
    parts: &'a [Part],
) -> Result<Vec<(&'a Table, &'a str)>, CutError> {
    let rows = sqlx::query(REFERENCES).fetch_all(on).await?;
    let pairs = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
    let references: Vec<(String, String)> = pairs.collect::<Result<_, SqlxError>>()?;
    let mut left: Vec<(&Table, &str)> =
        parts.iter().filter_map(|part| Some((part.table.as_ref()?, &*part.file))).collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let waiting: BTreeSet<&str> = left.iter().map(|(table, _)| &*table.name).collect();
        let must_wait = |name: &str| references.iter().any(|(of, to)| of == name && waiting.contains(&**to));
        let (later, now): (Vec<_>, Vec<_>) = left.iter().partition(|(table, _)| must_wait(&table.name));
        if now.is_empty() {
            return Err(CutError::Damaged("tables refer to each other in a circle".to_owned()));
        }
        ordered.extend(now);
        left = later;
    }
    Ok(ordered)
}
