//! The databases: SQLite in memory, answering on the thread of who asks.
//!
//! A driver that answers from another thread would make the runtime look idle while it is waited for, and
//! virtual time would run away; and threads are not repeatable. What is committed outlives the replicas.
//! Statements take no time, so a transaction is worked off in one go; time passes between what a service reads,
//! asks of others, writes and tells.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use rusqlite::{Connection, types::Value as Cell};
use sea_orm::{
    DatabaseConnection, DatabaseConnectionType, DbBackend, DbErr, ExecResult, MockDatabase,
    MockDatabaseConnection, MockDatabaseTrait, MockExecResult, QueryResult, RuntimeErr, Statement,
    Transaction, Value,
};
use tokio::{task, time::Instant};

use crate::{
    rng::Rng,
    topology::{End, Node, Topology},
    trace::Trace,
};

/// The columns whose integers have 32 bits; the others have 64.
const NARROW: &[&str] =
    &["attempts", "born_day", "from_day", "id", "joined_day", "left_day", "round", "team", "to_day"];
/// The same of one table, where another one has 64 bits under that name.
const NARROW_IN: &[(&str, &str)] = &[
    ("leagues", "version"),
    ("league_rules", "version"),
    ("notices", "kind"),
    ("league_seasons", "number"),
    ("season_squads", "division"),
    ("season_squads", "seed"),
    ("pauses", "conduct"),
];

/// A service's database: what stays when a replica dies.
#[derive(Debug)]
pub(crate) struct Disk {
    connection: Mutex<Connection>,
    /// Whose transaction is open.
    writer: Mutex<Option<Writer>>,
    /// The declared type of every column, by its name: what a result does not always say.
    declared: Mutex<BTreeMap<String, String>>,
    trace: Trace,
    /// The table whose rows are dated.
    dated: Option<&'static str>,
    /// After each commit that added to it: its last row, and when that was.
    dates: Mutex<Vec<(i64, Instant)>>,
    /// How many statements there were, beginnings and ends of transactions among them.
    statements: AtomicU64,
}

/// Who has a transaction open: a task, or whoever is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Writer(Option<task::Id>);

/// A replica's line to its database.
#[derive(Debug)]
struct Line {
    disk: Arc<Disk>,
    node: Node,
    topology: Arc<Topology>,
    rng: Rng,
}

impl Disk {
    /// An empty database, which remembers when the rows of a table were committed.
    ///
    /// # Panics
    /// When SQLite has no memory.
    pub(crate) fn new(trace: Trace, dated: Option<&'static str>) -> Self {
        let connection = Connection::open_in_memory().expect("SQLite opens a database in memory");
        connection.set_prepared_statement_cache_capacity(256);
        Disk {
            connection: Mutex::new(connection),
            writer: Mutex::default(),
            declared: Mutex::default(),
            trace,
            dated,
            dates: Mutex::default(),
            statements: AtomicU64::default(),
        }
    }

    /// How many statements there were so far.
    pub(crate) fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// When a row of the dated table was committed.
    pub(crate) fn date(&self, row: i64) -> Option<Instant> {
        let dates = locked(&self.dates);
        dates.get(dates.partition_point(|(last, _)| *last < row)).map(|(_, date)| *date)
    }

    /// A replica's connection to it.
    pub(crate) fn connect(
        self: &Arc<Self>,
        node: Node,
        topology: Arc<Topology>,
        rng: Rng,
    ) -> DatabaseConnection {
        let line = Line { disk: Arc::clone(self), node, topology, rng };
        DatabaseConnectionType::MockDatabaseConnection(Arc::new(MockDatabaseConnection::new(line))).into()
    }

    /// What a query gives, asked from outside of the simulation: every row as its cells.
    ///
    /// # Errors
    /// When SQLite does not understand.
    pub(crate) fn inspect(&self, sql: &str) -> rusqlite::Result<Vec<Vec<Cell>>> {
        let connection = locked(&self.connection);
        let mut statement = connection.prepare(sql)?;
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect())?;
        rows.collect()
    }

    fn query(&self, statement: &Statement) -> Result<Vec<BTreeMap<String, Value>>, DbErr> {
        let connection = locked(&self.connection);
        let mut prepared = connection.prepare_cached(&statement.sql).map_err(|error| failed(&error))?;
        let columns: Vec<(String, Option<String>)> = prepared
            .columns()
            .iter()
            .map(|column| (column.name().to_owned(), column.decl_type().map(str::to_lowercase)))
            .collect();
        let mut rows =
            prepared.query(rusqlite::params_from_iter(cells(statement)?)).map_err(|error| failed(&error))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(|error| failed(&error))? {
            let mut values = BTreeMap::new();
            for (index, (name, declared)) in columns.iter().enumerate() {
                let cell: Cell = row.get(index).map_err(|error| failed(&error))?;
                let declared = declared.clone().or_else(|| locked(&self.declared).get(name).cloned());
                let is_narrow = is_narrow(&statement.sql, name);
                let value = value(cell, is_narrow, declared.as_deref().unwrap_or_default());
                values.insert(name.clone(), value);
            }
            if values.len() != columns.len() {
                self.trace.fault(format!("two columns of one name: {}", statement.sql));
            }
            found.push(values);
        }
        Ok(found)
    }

    fn execute(&self, statement: &Statement) -> Result<u64, DbErr> {
        let connection = locked(&self.connection);
        let mut prepared = connection.prepare_cached(&statement.sql).map_err(|error| failed(&error))?;
        let changed = prepared
            .execute(rusqlite::params_from_iter(cells(statement)?))
            .map_err(|error| failed(&error))?;
        if statement.sql.starts_with("CREATE TABLE") {
            drop(prepared);
            self.learn(&connection).map_err(|error| failed(&error))?;
        }
        Ok(changed as u64)
    }

    /// Learns the declared types of all columns.
    fn learn(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "SELECT c.name, lower(c.type) FROM sqlite_master t JOIN pragma_table_info(t.name) c \
                   WHERE t.type = 'table'";
        let mut statement = connection.prepare(sql)?;
        let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let columns: BTreeMap<String, String> = columns.collect::<Result<_, _>>()?;
        locked(&self.declared).extend(columns);
        Ok(())
    }

    fn note_date(&self) {
        let Some(table) = self.dated else { return };
        let last =
            locked(&self.connection).query_row(&format!("SELECT max(rowid) FROM {table}"), [], |row| {
                row.get::<_, Option<i64>>(0)
            });
        let mut dates = locked(&self.dates);
        if let Ok(Some(last)) = last
            && dates.last().is_none_or(|(before, _)| *before < last)
        {
            dates.push((last, Instant::now()));
        }
    }

    fn control(&self, sql: &str) {
        self.count();
        if let Err(error) = locked(&self.connection).execute_batch(sql) {
            self.trace.fault(format!("{sql}: {error}"));
        }
    }

    fn count(&self) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }

    /// Nobody else may come between the statements of a transaction.
    fn check_writer(&self) {
        let writer = *locked(&self.writer);
        if writer.is_some_and(|writer| writer != Writer::now()) {
            self.trace.fault("a transaction waits for something else than its statements");
        }
    }
}

impl Writer {
    fn now() -> Self {
        Writer(task::try_id())
    }
}

impl Line {
    fn reach(&self) -> Result<(), DbErr> {
        self.disk.count();
        self.disk.check_writer();
        let cut = self.topology.is_cut(End::Node(self.node), End::Database);
        if cut || self.rng.chance(self.topology.quality().database) {
            return Err(DbErr::Conn(RuntimeErr::Internal("the database is not reached".to_owned())));
        }
        Ok(())
    }

    fn end(&self, sql: &str) {
        // Dropped after its commit, a transaction has nothing to take back.
        if locked(&self.disk.writer).take().is_some() {
            self.disk.control(sql);
            self.disk.note_date();
        }
    }
}

/// The results are wrapped by the mock of sea-orm, the only one that can make them outside of its crate. It
/// counts the columns of a row in the order of their names.
impl MockDatabaseTrait for Line {
    fn execute(&mut self, _: usize, statement: Statement) -> Result<ExecResult, DbErr> {
        self.reach()?;
        let rows_affected = self.disk.execute(&statement)?;
        let result = MockExecResult { last_insert_id: 0, rows_affected };
        MockDatabase::new(DbBackend::Sqlite).append_exec_results([result]).execute(0, statement)
    }

    fn query(&mut self, _: usize, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.reach()?;
        let rows = self.disk.query(&statement)?;
        MockDatabase::new(DbBackend::Sqlite).append_query_results([rows]).query(0, statement)
    }

    fn begin(&mut self) {
        self.disk.check_writer();
        *locked(&self.disk.writer) = Some(Writer::now());
        self.disk.control("BEGIN IMMEDIATE");
    }

    fn commit(&mut self) {
        self.end("COMMIT");
    }

    fn rollback(&mut self) {
        self.end("ROLLBACK");
    }

    fn drain_transaction_log(&mut self) -> Vec<Transaction> {
        Vec::new()
    }

    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Sqlite
    }

    fn ping(&self) -> Result<(), DbErr> {
        self.reach()
    }
}

fn cells(statement: &Statement) -> Result<Vec<Cell>, DbErr> {
    statement.values.iter().flat_map(|values| &values.0).map(cell).collect()
}

/// A value as the SQLite driver of the services writes it.
fn cell(value: &Value) -> Result<Cell, DbErr> {
    fn integer<T: Copy + Into<i64>>(number: Option<T>) -> Cell {
        number.map_or(Cell::Null, |number| Cell::Integer(number.into()))
    }
    Ok(match value {
        Value::Bool(it) => integer(*it),
        Value::TinyInt(it) => integer(*it),
        Value::SmallInt(it) => integer(*it),
        Value::Int(it) => integer(*it),
        Value::BigInt(it) => integer(*it),
        Value::Unsigned(it) => integer(*it),
        Value::BigUnsigned(it) => integer(it.map(|number| i64::try_from(number).unwrap_or(i64::MAX))),
        Value::Double(it) => it.map_or(Cell::Null, Cell::Real),
        Value::String(it) => it.as_ref().map_or(Cell::Null, |text| Cell::Text(text.clone())),
        Value::Bytes(it) => it.as_ref().map_or(Cell::Null, |bytes| Cell::Blob(bytes.clone())),
        Value::Uuid(it) => it.as_ref().map_or(Cell::Null, |uuid| Cell::Blob(uuid.as_bytes().to_vec())),
        Value::Json(it) => it.as_ref().map_or(Cell::Null, |json| Cell::Text(json.to_string())),
        other => return Err(DbErr::Type(format!("the simulation writes no {other:?}"))),
    })
}

/// Whether a column has integers of 32 bits in what a statement gives.
fn is_narrow(sql: &str, column: &str) -> bool {
    let is_in = |table: &str| sql.contains(&format!("\"{table}\""));
    NARROW.contains(&column) || NARROW_IN.iter().any(|(table, narrow)| *narrow == column && is_in(table))
}

/// A cell as a value of the type that its column was declared with. SQLite calls all but the smallest integers
/// the same.
fn value(cell: Cell, is_narrow: bool, declared: &str) -> Value {
    match cell {
        Cell::Null => Value::Int(None),
        Cell::Integer(number) if declared.starts_with("bool") => Value::Bool(Some(number != 0)),
        Cell::Integer(number) if is_narrow => {
            i32::try_from(number).map_or(Value::BigInt(Some(number)), |number| Value::Int(Some(number)))
        }
        Cell::Integer(number) if declared == "smallint" => {
            i16::try_from(number).map_or(Value::BigInt(Some(number)), |number| Value::SmallInt(Some(number)))
        }
        Cell::Integer(number) => Value::BigInt(Some(number)),
        Cell::Real(number) => Value::Double(Some(number)),
        Cell::Text(text) => text.into(),
        Cell::Blob(bytes) if declared.starts_with("uuid") => match uuid::Uuid::from_slice(&bytes) {
            Ok(uuid) => uuid.into(),
            Err(_) => bytes.into(),
        },
        Cell::Blob(bytes) => bytes.into(),
    }
}

fn failed(error: &rusqlite::Error) -> DbErr {
    DbErr::Query(RuntimeErr::Internal(error.to_string()))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
