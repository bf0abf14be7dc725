//! The tables of reports: `rating_reports`, `rating_report_findings` and `rating_report_games`; and `rating_scrutinies`, of when each
//! category was looked at last.

use std::collections::{BTreeMap, HashMap};

use chassis::{
    database::StoreError,
    id::{AccountId, EventId, GameId},
    time::{from_micros, to_micros},
};
use scrutiny::Suspicion;
use sea_orm::{
    ActiveValue::Set, IntoActiveModel as _, JoinType, QueryOrder as _, QuerySelect as _, Select,
    entity::prelude::*, sea_query::OnConflict,
};
use time::OffsetDateTime;

use super::code;
use crate::core::{
    category::{Category, Variant},
    report::{EVIDENCE_MAX, Filter, Moderator, Report, Reported, Settlement},
};

/// A row of `rating_report_findings`.
mod findings {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "rating_report_findings")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub report_id: Uuid,
        /// What is suspicious; see [`code`](super::code).
        #[sea_orm(primary_key, auto_increment = false)]
        pub suspicion: i16,
        pub score: f64,
        /// How many games it rests on, kept or not.
        pub games: i64,
    }

    chassis::standalone!();
}

/// A row of `rating_report_games`.
mod games {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "rating_report_games")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub report_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub suspicion: i16,
        #[sea_orm(primary_key, auto_increment = false)]
        pub game_id: Uuid,
    }

    chassis::standalone!();
}

/// A row of `rating_scrutinies`.
mod scrutinies {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "rating_scrutinies")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub variant: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub speed_class: i16,
        /// When it was looked at last, in microseconds since the epoch.
        pub at_us: i64,
    }

    chassis::standalone!();
}

/// A row of `rating_reports`. Ids sort by the time of their making. What was decided is there whole, or not at all.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_reports")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub report_id: Uuid,
    pub variant: String,
    /// The speed class; see [`code`].
    pub speed_class: i16,
    pub account_id: Uuid,
    pub name: String,
    pub games: i64,
    pub lost_early: i64,
    pub others_scored: f64,
    pub others_expected: f64,
    pub since_us: i64,
    pub updated_us: i64,
    pub upheld: Option<bool>,
    pub settled_us: Option<i64>,
    pub settled_by: Option<Uuid>,
    pub settled_name: Option<String>,
    pub settled_reason: Option<String>,
}

chassis::standalone!();

/// When each category was looked at last.
pub(crate) async fn looked(
    on: &impl ConnectionTrait,
) -> Result<BTreeMap<Category, OffsetDateTime>, StoreError> {
    let read = |row: scrutinies::Model| {
        let category =
            Category { variant: Variant::parse(&row.variant)?, speed: code::to_speed(row.speed_class)? };
        Some((category, from_micros(row.at_us)?))
    };
    let rows = scrutinies::Entity::find().all(on).await?;
    rows.into_iter().map(read).collect::<Option<_>>().ok_or(StoreError::Corrupt("rating_scrutinies"))
}

/// Notes that a category was looked at.
pub(crate) async fn note_look(
    on: &impl ConnectionTrait,
    category: &Category,
    now: OffsetDateTime,
) -> Result<(), DbErr> {
    let row = scrutinies::ActiveModel {
        variant: Set(category.variant.to_string()),
        speed_class: Set(code::speed(category.speed)),
        at_us: Set(to_micros(now)),
    };
    let over = OnConflict::columns([scrutinies::Column::Variant, scrutinies::Column::SpeedClass])
        .update_column(scrutinies::Column::AtUs)
        .to_owned();
    scrutinies::Entity::insert(row).on_conflict(over).exec_without_returning(on).await?;
    Ok(())
}

/// A report.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<Report>, StoreError> {
    let row = Entity::find_by_id(id).one(on).await?;
    Ok(reports(on, row.into_iter().collect()).await?.pop())
}

/// The last report of an account in a category.
pub(crate) async fn last(
    on: &impl ConnectionTrait,
    account: AccountId,
    category: &Category,
) -> Result<Option<Report>, StoreError> {
    let row = Entity::find()
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(Column::Variant.eq(category.variant.as_str()))
        .filter(Column::SpeedClass.eq(code::speed(category.speed)))
        .order_by_desc(Column::ReportId)
        .one(on)
        .await?;
    Ok(reports(on, row.into_iter().collect()).await?.pop())
}

/// Reports, those found last first, from behind one; at most so many.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    filter: Filter,
    after: Option<Uuid>,
    at_most: u64,
) -> Result<Vec<Report>, StoreError> {
    let mut query = Entity::find();
    if let Some(event) = filter.event {
        query = query.filter(Column::ReportId.in_subquery(sea_orm::QueryTrait::into_query(of_event(event))));
    }
    if let Some(account) = filter.account {
        query = query.filter(Column::AccountId.eq(account.uuid()));
    }
    if filter.open {
        query = query.filter(Column::SettledUs.is_null());
    }
    if let Some(after) = after {
        query = query.filter(Column::ReportId.lt(after));
    }
    let rows = query.order_by_desc(Column::ReportId).limit(at_most).all(on).await?;
    reports(on, rows).await
}

/// The reports with games of an event.
fn of_event(event: EventId) -> Select<games::Entity> {
    let game: RelationDef = games::Entity::belongs_to(super::game::Entity)
        .from(games::Column::GameId)
        .to(super::game::Column::GameId)
        .into();
    games::Entity::find()
        .select_only()
        .column(games::Column::ReportId)
        .join(JoinType::InnerJoin, game)
        .filter(super::game::Column::EventId.eq(event.uuid()))
}

/// The games that a report rests on, by what is suspicious of them.
pub(crate) async fn evidence(
    on: &impl ConnectionTrait,
    report: Uuid,
) -> Result<Vec<(Suspicion, GameId)>, StoreError> {
    let rows = games::Entity::find().filter(games::Column::ReportId.eq(report)).all(on).await?;
    rows.into_iter()
        .map(|row| Some((code::to_suspicion(row.suspicion)?, row.game_id.into())))
        .collect::<Option<_>>()
        .ok_or(StoreError::Corrupt("rating_report_games"))
}

/// Writes a report with what it rests on, over what was written of it before.
pub(crate) async fn write(
    on: &impl ConnectionTrait,
    report: &Report,
    reported: &Reported,
) -> Result<(), StoreError> {
    let is_of = findings::Column::ReportId.eq(report.id);
    findings::Entity::delete_many().filter(is_of).exec(on).await?;
    games::Entity::delete_many().filter(games::Column::ReportId.eq(report.id)).exec(on).await?;
    let over = OnConflict::column(Column::ReportId)
        .update_columns([
            Column::Name,
            Column::Games,
            Column::LostEarly,
            Column::OthersScored,
            Column::OthersExpected,
            Column::UpdatedUs,
        ])
        .to_owned();
    Entity::insert(row(report).into_active_model()).on_conflict(over).exec_without_returning(on).await?;
    for (finding, rests_on) in &reported.evidence {
        let found = findings::Model {
            report_id: report.id,
            suspicion: code::suspicion(finding.suspicion),
            score: finding.score,
            games: i64::try_from(rests_on.len()).unwrap_or(i64::MAX),
        };
        findings::Entity::insert(found.into_active_model()).exec_without_returning(on).await?;
        let latest = &rests_on[rests_on.len().saturating_sub(EVIDENCE_MAX)..];
        let rows = latest.iter().map(|game| games::ActiveModel {
            report_id: Set(report.id),
            suspicion: Set(code::suspicion(finding.suspicion)),
            game_id: Set(game.uuid()),
        });
        games::Entity::insert_many(rows).exec_without_returning(on).await?;
    }
    Ok(())
}

/// Writes down what was decided about a report.
pub(crate) async fn settle(
    on: &impl ConnectionTrait,
    report: Uuid,
    settled: &Settlement,
) -> Result<(), DbErr> {
    let change = ActiveModel {
        upheld: Set(Some(settled.upheld)),
        settled_us: Set(Some(to_micros(settled.at))),
        settled_by: Set(Some(settled.by.id.uuid())),
        settled_name: Set(Some(settled.by.name.clone())),
        settled_reason: Set(Some(settled.reason.clone())),
        ..Default::default()
    };
    Entity::update_many().set(change).filter(Column::ReportId.eq(report)).exec(on).await?;
    Ok(())
}

/// Rows with what is suspicious in each.
async fn reports(on: &impl ConnectionTrait, rows: Vec<Model>) -> Result<Vec<Report>, StoreError> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let is_of = findings::Column::ReportId.is_in(rows.iter().map(|row| row.report_id));
    let found =
        findings::Entity::find().filter(is_of).order_by_asc(findings::Column::Suspicion).all(on).await?;
    let mut by_report: HashMap<Uuid, Vec<findings::Model>> = HashMap::new();
    for finding in found {
        by_report.entry(finding.report_id).or_default().push(finding);
    }
    rows.into_iter()
        .map(|row| {
            let found = by_report.remove(&row.report_id).unwrap_or_default();
            row.report(found).ok_or(StoreError::Corrupt("rating_reports"))
        })
        .collect()
}

fn row(report: &Report) -> Model {
    Model {
        report_id: report.id,
        variant: report.category.variant.to_string(),
        speed_class: code::speed(report.category.speed),
        account_id: report.account.uuid(),
        name: report.name.clone(),
        games: report.games.into(),
        lost_early: report.lost_early.into(),
        others_scored: report.others.0,
        others_expected: report.others.1,
        since_us: to_micros(report.since),
        updated_us: to_micros(report.updated),
        upheld: None,
        settled_us: None,
        settled_by: None,
        settled_name: None,
        settled_reason: None,
    }
}

impl Model {
    fn report(self, found: Vec<findings::Model>) -> Option<Report> {
        let finding = |row: findings::Model| {
            Some((code::to_suspicion(row.suspicion)?, row.score, u32::try_from(row.games).ok()?))
        };
        let settled = match self.settled_us {
            None => None,
            Some(at) => Some(Settlement {
                upheld: self.upheld?,
                at: from_micros(at)?,
                by: Moderator { id: self.settled_by?.into(), name: self.settled_name? },
                reason: self.settled_reason?,
            }),
        };
        Some(Report {
            id: self.report_id,
            category: Category {
                variant: Variant::parse(&self.variant)?,
                speed: code::to_speed(self.speed_class)?,
            },
            account: self.account_id.into(),
            name: self.name,
            games: u32::try_from(self.games).ok()?,
            lost_early: u32::try_from(self.lost_early).ok()?,
            others: (self.others_scored, self.others_expected),
            found: found.into_iter().map(finding).collect::<Option<_>>()?,
            since: from_micros(self.since_us)?,
            updated: from_micros(self.updated_us)?,
            settled,
        })
    }
}
