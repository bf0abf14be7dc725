//! Holds every log of a database to what follows from it, and what is stored beside a log to the log.

use std::collections::BTreeSet;

use api::{clock::v1::ClockEntry, rating::v1::ApplyResultRequest};
use chassis::{
    Database,
    database::StoreError,
    id::GameId,
    outbox::{self, Dead},
    schema::Schema,
};
use rules::Viewer;
use sea_orm::{
    ColumnTrait as _, DbErr, EntityTrait as _, PaginatorTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    app::{
        commit::due_us,
        views::{acts_of, shown},
    },
    core::{Event, Game, Origin, Sheet, TimeControl, final_result},
    error::Error,
    store::{Migrator, events, games, imports, log, micros, summary},
    wire::{OUTBOX_KINDS, OutboxEntry},
};

/// Games whose ids are read at a time.
const PAGE: usize = 500;

/// An audit of the game service's database. It reads, and writes nothing, so the service may run meanwhile.
#[derive(Clone, Debug)]
pub struct Audit {
    database: Database,
}

/// What was found of a game.
#[derive(Clone, Debug)]
pub struct Audited {
    /// The game.
    pub game: GameId,
    /// How many events its log has.
    pub events: usize,
    /// Its time control; none in an imported record.
    pub control: Option<TimeControl>,
    /// The steps of its clocks, each with the number of its event, to be computed anew by whoever knows clocks.
    pub steps: Vec<(u64, ClockEntry)>,
    /// The result that the ratings should know, once it is final.
    pub result: Option<ApplyResultRequest>,
    /// Where what is stored says something else than what follows.
    pub differences: Vec<String>,
}

/// How the schema of the service's database stands.
///
/// # Errors
/// When the database does not answer.
pub async fn schema(database: &Database) -> Result<Schema, DbErr> {
    Schema::read::<Migrator>(database).await
}

/// Takes the first of the steps of the schema, these, in a database that has none or some of them.
///
/// # Errors
/// When they are not the first of those that this build knows, or the database refuses.
pub async fn build(database: &Database, steps: &[String]) -> Result<(), DbErr> {
    chassis::schema::build::<Migrator>(database, steps).await
}

/// What the service owes to others and can never deliver, newest first, at most so many.
///
/// # Errors
/// When the database does not answer.
pub async fn dead(database: &Database, count: u64) -> Result<Vec<Dead>, DbErr> {
    outbox::dead(database, OUTBOX_KINDS.all, count).await
}

impl Audit {
    /// An audit of a database.
    pub fn new(database: Database) -> Self {
        Audit { database }
    }

    /// How many games there are.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn count(&self) -> Result<u64, DbErr> {
        games::Entity::find().count(self.database.read()).await
    }

    /// The next games after one, in the order of their ids: those that are listed, and those that have a log. None
    /// when there are no more.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn games_after(&self, game: Option<GameId>) -> Result<Vec<GameId>, DbErr> {
        let after = game.map_or(Uuid::nil(), GameId::uuid);
        let listed: Vec<Uuid> = games::Entity::find()
            .select_only()
            .column(games::Column::Id)
            .filter(games::Column::Id.gt(after))
            .order_by_asc(games::Column::Id)
            .limit(PAGE as u64)
            .into_tuple()
            .all(self.database.read())
            .await?;
        let logged: Vec<Uuid> = events::Entity::find()
            .select_only()
            .column(events::Column::GameId)
            .distinct()
            .filter(events::Column::GameId.gt(after))
            .order_by_asc(events::Column::GameId)
            .limit(PAGE as u64)
            .into_tuple()
            .all(self.database.read())
            .await?;
        let all: BTreeSet<Uuid> = listed.into_iter().chain(logged).collect();
        Ok(all.into_iter().take(PAGE).map(GameId::from).collect())
    }

    /// Replays a game and works out anew where it stood after every event; then what is stored beside its log.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn game(&self, id: GameId) -> Result<Audited, DbErr> {
        let audited = self.look(id).await?;
        // An event may have come between the two looks that this was; then the next finds nothing.
        if audited.differences.is_empty() { Ok(audited) } else { self.look(id).await }
    }

    /// The games of which a result is still to be told to the ratings.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn undelivered(&self) -> Result<BTreeSet<GameId>, DbErr> {
        let entries = outbox::waiting(&self.database).await?;
        Ok(entries.iter().filter_map(|entry| OutboxEntry::result_of(&entry.kind, &entry.payload)).collect())
    }

    async fn look(&self, id: GameId) -> Result<Audited, DbErr> {
        let mut audited = Audited {
            game: id,
            events: 0,
            control: None,
            steps: Vec::new(),
            result: None,
            differences: Vec::new(),
        };
        let log = match log::events_after(self.database.read(), id, 0).await {
            Ok(log) => log,
            Err(Error::Store(StoreError::Database(error))) => return Err(error),
            Err(error) => {
                audited.differences.push(format!("its log cannot be read: {error}"));
                return Ok(audited);
            }
        };
        let row = games::Entity::find_by_id(id.uuid()).one(self.database.read()).await?;
        audited.events = log.len();
        audited.steps = log.iter().flat_map(steps).collect();
        match Game::audit(&log) {
            Ok(game) => {
                audited.control = game.info.time_control;
                audited.result = final_result(&game, &log).map(Into::into);
                match row {
                    Some(row) => audited.differences.extend(compare(&game, &log, &row)),
                    // Nobody has to list what its owner has not published.
                    None if self.is_unpublished(id).await? => {}
                    None => audited.differences.push("it is not among the games".to_owned()),
                }
                audited.differences.extend(self.compare_summary(&game, &log).await?);
            }
            Err(corrupt) => audited.differences.push(corrupt.to_string()),
        }
        Ok(audited)
    }

    /// Where a summary of the log up to its last event shows something else than the log does.
    async fn compare_summary(&self, game: &Game, log: &[Event]) -> Result<Option<String>, DbErr> {
        let summary = match summary::find(self.database.read(), game.info.id).await {
            Ok(Some(summary)) => summary.decoded().map_err(Error::from),
            Ok(None) => return Ok(None),
            Err(Error::Store(StoreError::Database(error))) => return Err(error),
            Err(error) => Err(error),
        };
        let summary = match summary {
            Ok(summary) => summary,
            Err(error) => return Ok(Some(format!("its summary cannot be read: {error}"))),
        };
        // One of less is not shown.
        if summary.state.as_ref().is_none_or(|state| state.sequence != game.sequence) {
            return Ok(None);
        }
        let mut sheet = Sheet::default();
        for event in log {
            sheet.take(event);
        }
        let same = summary == shown(game, Viewer::Spectator, acts_of(&sheet));
        Ok((!same).then(|| "its summary shows something else than its log".to_owned()))
    }

    async fn is_unpublished(&self, id: GameId) -> Result<bool, DbErr> {
        let import = imports::Entity::find_by_id(id.uuid()).one(self.database.read()).await?;
        Ok(import.is_some_and(|import| !import.published))
    }
}

/// What the clocks did by an event. The reading of its last step stands in its state.
fn steps(event: &Event) -> Vec<(u64, ClockEntry)> {
    let reading = event.state.clock.as_ref().map(Into::into);
    let entries = event.clock_entries.iter().map(ClockEntry::from);
    let whole = entries.map(|entry| ClockEntry { after: entry.after.or_else(|| reading.clone()), ..entry });
    whole.map(|entry| (event.sequence, entry)).collect()
}

/// Where the row of a game says something else than its log.
fn compare(game: &Game, log: &[Event], row: &games::Model) -> Vec<String> {
    let matched = game.info.origin == Origin::Match;
    let [first, second] = &game.info.seats;
    let due = matched.then(|| due_us(game.position.as_ref(), game.updated, &game.state)).flatten();
    let mut differences = Vec::new();
    let mut hold = |what: &str, stored: String, follows: String| {
        if stored != follows {
            differences.push(format!("{what} is stored as {stored}, and {follows} follows from the log"));
        }
    };
    hold("the variant", row.variant.clone(), game.info.variant.id.to_owned());
    hold("that it is over", row.finished.to_string(), (game.is_over() || !matched).to_string());
    let account = |id: Option<Uuid>| id.map_or_else(|| "nobody".to_owned(), |id| id.to_string());
    hold(
        "the first player",
        account(row.first_account),
        account(first.account.map(chassis::id::AccountId::uuid)),
    );
    hold(
        "the second player",
        account(row.second_account),
        account(second.account.map(chassis::id::AccountId::uuid)),
    );
    hold("when something is due", format!("{:?}", row.due_us), format!("{due:?}"));
    let regulations = &game.info.regulations;
    let delay = i64::try_from(regulations.broadcast_delay.as_micros()).unwrap_or(i64::MAX);
    hold("the delay of its broadcast in microseconds", row.delay_us.to_string(), delay.to_string());
    let end = ended(log).filter(|_| delay > 0).map(micros);
    hold("when its broadcast ended", format!("{:?}", row.ended_us), format!("{end:?}"));
    hold("its event", account(row.event_id), account(regulations.event.map(chassis::id::EventId::uuid)));
    let federation = regulations.federation.map(chassis::id::FederationId::uuid);
    hold("its federation", account(row.federation_id), account(federation));
    hold("when it was made", row.created_us.to_string(), micros(game.info.created).to_string());
    differences
}

/// When the game of a log ended, the last time that it did.
fn ended(log: &[Event]) -> Option<OffsetDateTime> {
    let over = |event: &Event| event.state.outcome.is_some();
    log.windows(2).rev().find(|pair| !over(&pair[0]) && over(&pair[1])).map(|pair| pair[1].time)
}
