//! The outbox: what a service owes to others, written in the same transaction as what it is owed for, and
//! delivered until it is acknowledged.
//!
//! Services may share a database, and then they share the table: each delivers the kinds that are its own.

mod entry;
mod grave;
mod measure;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    iter::repeat,
    sync::Arc,
    time::Duration,
};

use futures::{StreamExt as _, future::join_all};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait as _, ConnectionTrait, DbBackend, DbErr, EntityTrait as _, ExprTrait as _, QueryFilter as _,
    QueryOrder as _, QueryResult, QuerySelect as _, Statement,
    sea_query::{Expr, Query},
};
use sea_orm_migration::{
    SchemaManager,
    prelude::{ColumnDef, Index, Table},
};
use tokio::sync::Notify;
use tracing::Span;
use uuid::Uuid;

use crate::{
    Database, Env, Lifecycle,
    health::PartName,
    time::to_micros,
    trace::{self, TARGET, TraceContext},
};
use entry::{ActiveModel, Column, Entity};
use measure::Measures;

pub use entry::Model as Entry;
pub use measure::METRICS;

/// Entries fetched at a time.
const BATCH: u64 = 512;
/// Entries of a kind that goes many at a time in one delivery, and of one transaction of their receiver: enough that calls and
/// commits no longer count, few enough that its statements stay below SQLite's 32,766 parameters and nobody waits long.
pub const PARCEL: usize = 128;
/// Deliveries at once.
const PARALLEL: usize = 16;
/// An entry whose deliverer died is taken up again after this long; deliveries are idempotent, so one that
/// takes longer is no fault.
const LEASE_US: i64 = 5_000_000;
/// How long a refused entry waits, doubled with every attempt up to the limit.
const BACKOFF_US: i64 = 100_000;
const BACKOFF_US_MAX: i64 = 30_000_000;
/// How often to look when nobody calls.
const POLL: Duration = Duration::from_secs(1);

/// Something that will be owed as soon as the transaction it belongs to is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxMessage {
    /// To whom and what, in the words of the service.
    pub kind: &'static str,
    /// What, encoded by the service.
    pub payload: Vec<u8>,
    /// The trace that it is part of, if it comes of a call.
    pub trace: Option<TraceContext>,
}

impl OutboxMessage {
    /// What is owed by the call that is being answered, if one is.
    pub fn new(kind: &'static str, payload: Vec<u8>) -> Self {
        OutboxMessage { kind, payload, trace: trace::current() }
    }
}

/// What became of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The receiver has acknowledged.
    Done,
    /// He has not; he is asked again.
    Later,
    /// He never will, and why: the entry is put aside, where [`dead`] finds it.
    Never(String),
}

/// An entry that is not delivered any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dead {
    /// Its id.
    pub id: Uuid,
    /// To whom and what, in the words of the service.
    pub kind: String,
    /// What the receiver answered.
    pub reason: String,
    /// When it was put aside, in microseconds since the epoch.
    pub died_us: i64,
}

/// The kinds of entries that a service delivers.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// All of them.
    pub all: &'static [&'static str],
    /// Those of which many go at a time.
    pub many: &'static [&'static str],
}

impl Kinds {
    /// Entries as they are delivered: many of a kind together, or one by one.
    fn parcels(self, entries: Vec<Entry>) -> Vec<Vec<Entry>> {
        let mut parcels: Vec<Vec<Entry>> = Vec::new();
        // Where the parcel of a kind is that has room.
        let mut open: HashMap<&str, usize> = HashMap::new();
        for entry in entries {
            let Some(kind) = self.many.iter().find(|kind| **kind == entry.kind) else {
                parcels.push(vec![entry]);
                continue;
            };
            let with_room = open.get(kind).and_then(|at| parcels.get_mut(*at));
            if let Some(parcel) = with_room.filter(|parcel| parcel.len() < PARCEL) {
                parcel.push(entry);
            } else {
                open.insert(kind, parcels.len());
                parcels.push(vec![entry]);
            }
        }
        parcels
    }
}

/// The relay of one service's outbox.
#[derive(Clone, Debug)]
pub struct Outbox {
    database: Database,
    env: Env,
    called: Arc<Notify>,
}

/// Makes the table; for a migration of the service.
///
/// # Errors
/// When the database refuses.
pub async fn create_table(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("outbox")
        .if_not_exists()
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("kind").string().not_null())
        .col(ColumnDef::new("payload").binary().not_null())
        .col(ColumnDef::new("due_us").big_integer().not_null())
        .col(ColumnDef::new("attempts").integer().not_null())
        .to_owned();
    manager.create_table(table).await?;
    let index = Index::create().if_not_exists().name("outbox_due").table("outbox").col("due_us").to_owned();
    manager.create_index(index).await
}

/// The columns of the table of an outbox, as SQLite tells them.
const SQLITE_COLUMNS: &str = "SELECT name FROM pragma_table_info('outbox')";

/// Makes room for the traces that entries are part of; for a migration of the service, which another may have made before.
///
/// # Errors
/// When the database refuses.
pub async fn add_trace(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let on = manager.get_connection();
    let is_there = if on.get_database_backend() == DbBackend::Sqlite {
        let columns = on.query_all_raw(Statement::from_string(DbBackend::Sqlite, SQLITE_COLUMNS)).await?;
        let names: Vec<String> =
            columns.iter().map(|row| row.try_get("", "name")).collect::<Result<_, _>>()?;
        names.iter().any(|name| name == "trace")
    } else {
        manager.has_column("outbox", "trace").await?
    };
    if is_there {
        return Ok(());
    }
    let column = ColumnDef::new("trace").string().null().to_owned();
    manager.alter_table(Table::alter().table("outbox").add_column(column).to_owned()).await
}

/// Makes the table of what can never be delivered; for a migration of the service.
///
/// # Errors
/// When the database refuses.
pub async fn create_dead_table(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("outbox_dead")
        .if_not_exists()
        .col(ColumnDef::new("id").uuid().not_null().primary_key())
        .col(ColumnDef::new("kind").string().not_null())
        .col(ColumnDef::new("payload").binary().not_null())
        .col(ColumnDef::new("reason").text().not_null())
        .col(ColumnDef::new("died_us").big_integer().not_null())
        .to_owned();
    manager.create_table(table).await
}

/// What is still to be delivered.
///
/// # Errors
/// When the database does not answer.
pub async fn waiting(database: &Database) -> Result<Vec<Entry>, DbErr> {
    Entity::find().order_by_asc(Column::DueUs).all(database.read()).await
}

/// What of these kinds can never be delivered, newest first, at most so many. Services that share a database share the
/// table, too.
///
/// # Errors
/// When the database does not answer.
pub async fn dead(database: &Database, kinds: &[&str], count: u64) -> Result<Vec<Dead>, DbErr> {
    let rows = grave::Entity::find()
        .filter(grave::Column::Kind.is_in(kinds.iter().copied()))
        .order_by_desc(grave::Column::DiedUs)
        .limit(count)
        .all(database.read())
        .await?;
    let dead = |grave::Model { id, kind, reason, died_us, .. }| Dead { id, kind, reason, died_us };
    Ok(rows.into_iter().map(dead).collect())
}

impl Outbox {
    /// The outbox in this database.
    pub fn new(database: Database, env: Env) -> Self {
        Outbox { database, env, called: Arc::default() }
    }

    /// Writes entries in the transaction that they belong to; call [`Outbox::call`] after the commit.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn insert<C: ConnectionTrait>(
        &self,
        on: &C,
        messages: Vec<OutboxMessage>,
    ) -> Result<(), DbErr> {
        if messages.is_empty() {
            return Ok(());
        }
        let entries = messages.into_iter().map(|message| ActiveModel {
            id: Set(self.env.uuid()),
            kind: Set(message.kind.to_owned()),
            payload: Set(message.payload),
            due_us: Set(self.now_us()),
            attempts: Set(0),
            trace: Set(message.trace.map(|trace| trace.to_string())),
        });
        Entity::insert_many(entries).exec_without_returning(on).await.map(drop)
    }

    /// Says that there may be something to deliver.
    pub fn call(&self) {
        self.called.notify_one();
    }

    /// Delivers entries of these kinds from now on, one by one. `deliver` gets an entry and answers what the receiver did; what he
    /// did not acknowledge is tried again, so receivers must be idempotent.
    pub fn start<F, D>(
        &self,
        lifecycle: &Lifecycle,
        part: PartName,
        kinds: &'static [&'static str],
        deliver: F,
    ) where
        F: Fn(Entry) -> D + Send + Sync + 'static,
        D: Future<Output = Delivery> + Send + 'static,
    {
        self.start_parcels(lifecycle, part, Kinds { all: kinds, many: &[] }, move |entries| {
            let deliveries: Vec<D> = entries.into_iter().map(&deliver).collect();
            join_all(deliveries)
        });
    }

    /// The same with some kinds of which many go at a time. `deliver` gets entries of one kind, [`PARCEL`] at most, the oldest
    /// first, and answers of each what the receiver did, in the same order.
    pub fn start_parcels<F, D>(&self, lifecycle: &Lifecycle, part: PartName, kinds: Kinds, deliver: F)
    where
        F: Fn(Vec<Entry>) -> D + Send + Sync + 'static,
        D: Future<Output = Vec<Delivery>> + Send + 'static,
    {
        let (outbox, stop, deliver) = (self.clone(), lifecycle.stopping(), Arc::new(deliver));
        let measures = Arc::new(Measures::new(lifecycle.metrics(), part, self.env.clone()));
        lifecycle.every_or_when(part, POLL, &self.called, move || {
            let (outbox, stop, deliver) = (outbox.clone(), stop.clone(), Arc::clone(&deliver));
            let measures = Arc::clone(&measures);
            async move {
                while outbox.round(kinds, &*deliver, &measures).await? == BATCH && !stop.is_cancelled() {}
                Ok::<(), DbErr>(())
            }
        });
    }

    async fn round<F, D>(&self, kinds: Kinds, deliver: &F, measures: &Measures) -> Result<u64, DbErr>
    where
        F: Fn(Vec<Entry>) -> D + Sync,
        D: Future<Output = Vec<Delivery>> + Send,
    {
        let due = Entity::find()
            .filter(Column::DueUs.lte(self.now_us()))
            .filter(Column::Kind.is_in(kinds.all.iter().copied()))
            .order_by_asc(Column::DueUs)
            .limit(BATCH)
            .all(self.database.read())
            .await?;
        let count = due.len() as u64;
        measures.seen(&due);
        let outcomes: Vec<Result<(), DbErr>> = futures::stream::iter(kinds.parcels(due))
            .map(|parcel| self.deliver_parcel(parcel, deliver, measures))
            .buffer_unordered(PARALLEL)
            .collect()
            .await;
        outcomes.into_iter().collect::<Result<(), DbErr>>().map(|()| count)
    }

    async fn deliver_parcel<F, D>(
        &self,
        parcel: Vec<Entry>,
        deliver: &F,
        measures: &Measures,
    ) -> Result<(), DbErr>
    where
        F: Fn(Vec<Entry>) -> D + Sync,
        D: Future<Output = Vec<Delivery>> + Send,
    {
        let leased_us = self.now_us() + LEASE_US;
        let parcel = self.lease(parcel, leased_us).await?;
        if parcel.is_empty() {
            return Ok(());
        }
        let outcomes =
            trace::following(trace_of(&parcel), &self.env, delivery(&parcel), deliver(parcel.clone())).await;
        let (mut done, mut later) = (Vec::new(), BTreeMap::<i32, Vec<Uuid>>::new());
        // Of what nothing is said nothing is known.
        for (entry, outcome) in parcel.into_iter().zip(outcomes.into_iter().chain(repeat(Delivery::Later))) {
            match outcome {
                Delivery::Done => done.push(entry.id),
                Delivery::Later => later.entry(entry.attempts).or_default().push(entry.id),
                Delivery::Never(reason) => {
                    let id = entry.id;
                    self.bury(entry, reason).await?;
                    measures.buried(id);
                }
            }
        }
        if !done.is_empty() {
            measures.delivered(&done);
            Entity::delete_many().filter(Column::Id.is_in(done)).exec(self.database.write()).await?;
        }
        for (attempts, ids) in later {
            self.put_off(ids, leased_us, attempts).await?;
        }
        Ok(())
    }

    /// Keeps entries for this replica until a moment; those that no other has meanwhile. How often each was tried is told by
    /// the lease itself: since it was read another replica may have tried it, and put it off until now.
    async fn lease(&self, entries: Vec<Entry>, until_us: i64) -> Result<Vec<Entry>, DbErr> {
        let mut lease = Query::update();
        lease
            .table(Entity)
            .value(Column::DueUs, until_us)
            .value(Column::Attempts, Expr::col(Column::Attempts).add(1))
            .and_where(Column::Id.is_in(entries.iter().map(|entry| entry.id)))
            .and_where(Column::DueUs.lte(self.now_us()))
            .returning(Query::returning().columns([Column::Id, Column::Attempts]));
        let rows = self.database.write().query_all(&lease).await?;
        let tried = |row: &QueryResult| Ok((row.try_get("", "id")?, row.try_get::<i32>("", "attempts")? - 1));
        let ours: HashMap<Uuid, i32> = rows.iter().map(tried).collect::<Result<_, DbErr>>()?;
        let ours = |entry: Entry| ours.get(&entry.id).map(|&attempts| Entry { attempts, ..entry });
        Ok(entries.into_iter().filter_map(ours).collect())
    }

    /// Has entries wait that were leased until a moment and tried so often before.
    async fn put_off(&self, ids: Vec<Uuid>, leased_us: i64, attempts: i32) -> Result<(), DbErr> {
        let wait_us = std::cmp::min(BACKOFF_US.saturating_mul(1 << attempts.clamp(0, 20)), BACKOFF_US_MAX);
        Entity::update_many()
            .col_expr(Column::DueUs, Expr::value(self.now_us() + wait_us))
            .filter(Column::Id.is_in(ids))
            .filter(Column::DueUs.eq(leased_us))
            .exec(self.database.write())
            .await?;
        Ok(())
    }

    /// Puts an entry aside, with the answer that was its last.
    async fn bury(&self, entry: Entry, reason: String) -> Result<(), DbErr> {
        tracing::error!(entry.id = %entry.id, kind = entry.kind, reason, "what is owed can never be delivered; it is put aside");
        let transaction = self.database.begin().await?;
        let row = grave::ActiveModel {
            id: Set(entry.id),
            kind: Set(entry.kind),
            payload: Set(entry.payload),
            reason: Set(reason),
            died_us: Set(self.now_us()),
        };
        grave::Entity::insert(row).exec_without_returning(&transaction).await?;
        Entity::delete_by_id(entry.id).exec(&transaction).await?;
        transaction.commit().await
    }

    fn now_us(&self) -> i64 {
        to_micros(self.env.now())
    }
}

/// The trace that a delivery is part of: that of an entry of which somebody is told, or else of any.
fn trace_of(entries: &[Entry]) -> Option<TraceContext> {
    let traces = || entries.iter().filter_map(|entry| entry.trace.as_ref()?.parse::<TraceContext>().ok());
    traces().find(|trace| trace.is_sampled).or_else(|| traces().next())
}

/// What tells of a delivery.
fn delivery(entries: &[Entry]) -> Span {
    let kind = entries.first().map_or("", |entry| &*entry.kind);
    let name = format_args!("delivery of {kind}");
    tracing::info_span!(target: TARGET, "delivery", otel.name = %name, entries = entries.len())
}
