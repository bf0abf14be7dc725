//! The table `event_heads`: which there are, and how far each is. It follows from the logs, and lists are read from it.

use api::ProtoEnum as _;
use chassis::{
    database::StoreError,
    id::{EventId, FederationId},
    time::to_micros,
};
use sea_orm::{
    ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*, sea_query::ExprTrait as _,
};
use time::OffsetDateTime;

use crate::core::event::{Event, Stage};

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_heads")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    pub federation_id: Uuid,
    pub stage: i16,
    /// The number of the last entry of its log.
    pub sequence: i64,
    pub created_us: i64,
    /// When something happens by itself; none where nothing does.
    pub due_us: Option<i64>,
}

chassis::standalone!();

/// The place of an event in the list of its federation.
pub(crate) type Place = (i64, Uuid);

/// Writes a new event.
pub(crate) async fn insert(
    on: &impl ConnectionTrait,
    event: &Event,
    created: OffsetDateTime,
) -> Result<(), StoreError> {
    let row = ActiveModel {
        event_id: Set(event.id.uuid()),
        federation_id: Set(event.federation.uuid()),
        stage: Set(code(event.stage)),
        sequence: Set(event.sequence.cast_signed()),
        created_us: Set(to_micros(created)),
        due_us: Set(event.due().map(to_micros)),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Writes how far an event is now.
pub(crate) async fn update(on: &impl ConnectionTrait, event: &Event) -> Result<(), StoreError> {
    Entity::update_many()
        .col_expr(Column::Stage, Expr::value(code(event.stage)))
        .col_expr(Column::Sequence, Expr::value(event.sequence.cast_signed()))
        .col_expr(Column::DueUs, Expr::value(event.due().map(to_micros)))
        .filter(Column::EventId.eq(event.id.uuid()))
        .exec(on)
        .await?;
    Ok(())
}

/// Events of which something was to happen by itself by now, the longest overdue first.
pub(crate) async fn due(
    on: &impl ConnectionTrait,
    now: OffsetDateTime,
    at_most: u64,
) -> Result<Vec<EventId>, StoreError> {
    let overdue = Entity::find().filter(Column::DueUs.lte(to_micros(now)));
    let rows = overdue.order_by_asc(Column::DueUs).limit(at_most).all(on).await?;
    Ok(rows.into_iter().map(|row| row.event_id.into()).collect())
}

/// Events in the order of their ids, after one.
pub(crate) async fn ids_after(
    on: &impl ConnectionTrait,
    last: Option<EventId>,
    at_most: u64,
) -> Result<Vec<EventId>, StoreError> {
    let mut found = Entity::find().order_by_asc(Column::EventId).limit(at_most);
    if let Some(last) = last {
        found = found.filter(Column::EventId.gt(last.uuid()));
    }
    Ok(found.all(on).await?.into_iter().map(|row| row.event_id.into()).collect())
}

/// Every event of a federation that is final, with the number of the last entry of its log.
pub(crate) async fn all_final(
    on: &impl ConnectionTrait,
    federation: FederationId,
) -> Result<Vec<(EventId, u64)>, StoreError> {
    let found = Entity::find()
        .filter(Column::FederationId.eq(federation.uuid()))
        .filter(Column::Stage.eq(code(Stage::Final)))
        .order_by_asc(Column::EventId);
    let found = found.select_only().column(Column::EventId).column(Column::Sequence);
    let rows: Vec<(Uuid, i64)> = found.into_tuple().all(on).await?;
    Ok(rows.into_iter().map(|(id, sequence)| (id.into(), sequence.cast_unsigned())).collect())
}

/// How far an event is by this table: the number of its last entry, and whether its stage is this one.
pub(crate) async fn of(
    on: &impl ConnectionTrait,
    event: EventId,
) -> Result<Option<(u64, impl Fn(Stage) -> bool)>, StoreError> {
    let row = Entity::find_by_id(event.uuid()).one(on).await?;
    Ok(row.map(|row| (row.sequence.cast_unsigned(), move |stage| code(stage) == row.stage)))
}

/// How many events of a federation are not over.
pub(crate) async fn open_count(
    on: &impl ConnectionTrait,
    federation: FederationId,
) -> Result<u64, StoreError> {
    Ok(Entity::find().filter(Column::FederationId.eq(federation.uuid())).filter(is_open()).count(on).await?)
}

/// Events of a federation, newest first, after a place; drafts only where they are wanted.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    federation: FederationId,
    stage: Option<Stage>,
    drafts: bool,
    after: Option<Place>,
    at_most: u64,
) -> Result<Vec<(EventId, Place)>, StoreError> {
    let mut found = Entity::find().filter(Column::FederationId.eq(federation.uuid()));
    if let Some(stage) = stage {
        found = found.filter(Column::Stage.eq(code(stage)));
    }
    if !drafts {
        found = found.filter(Column::Stage.ne(code(Stage::Draft)));
    }
    if let Some((created, id)) = after {
        let same = Column::CreatedUs.eq(created).and(Column::EventId.lt(id));
        found = found.filter(Column::CreatedUs.lt(created).or(same));
    }
    let rows =
        found.order_by_desc(Column::CreatedUs).order_by_desc(Column::EventId).limit(at_most).all(on).await?;
    Ok(rows.into_iter().map(|row| (row.event_id.into(), (row.created_us, row.event_id))).collect())
}

/// Which are not over.
pub(super) fn is_open() -> Expr {
    Column::Stage.is_not_in([code(Stage::Final), code(Stage::Cancelled)])
}

fn code(stage: Stage) -> i16 {
    i16::try_from(stage.number()).unwrap_or(0)
}
