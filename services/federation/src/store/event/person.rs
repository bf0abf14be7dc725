//! The table `event_people`: whom which events concern. It follows from the logs, and the calendars of accounts are looked
//! up in it. Who is not concerned any more stays in it: what of an event concerns him says the event.

use chassis::{
    database::StoreError,
    id::{AccountId, EventId},
    time::to_micros,
};
use sea_orm::{
    ActiveValue::Set, Condition, JoinType, QueryOrder as _, QuerySelect as _, QueryTrait as _,
    entity::prelude::*, sea_query::OnConflict,
};
use sea_orm_migration::prelude::{ColumnDef, DbErr, Index, SchemaManager, Table};
use time::OffsetDateTime;

use super::head;
use crate::{core::event::Event, store::CHUNK};

/// The account of the row by which it is known that an event's people are here.
const NOBODY: Uuid = Uuid::nil();

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_people")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {
    #[sea_orm(belongs_to = "head::Entity", from = "Column::EventId", to = "head::Column::EventId")]
    Head,
}

impl ActiveModelBehavior for ActiveModel {}

/// Makes the table.
pub(crate) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let table = Table::create()
        .table("event_people")
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("event_id").uuid().not_null())
        .primary_key(Index::create().col("account_id").col("event_id"))
        .to_owned();
    manager.create_table(table).await
}

/// Writes whom an event concerns, and that they are known from here on.
pub(crate) async fn put_all(on: &impl ConnectionTrait, event: &Event) -> Result<(), StoreError> {
    let accounts = event.accounts().into_iter().chain([AccountId::from(NOBODY)]);
    put(on, event.id, accounts.collect()).await
}

/// Writes accounts that an event concerns, too.
pub(crate) async fn put(
    on: &impl ConnectionTrait,
    event: EventId,
    mut accounts: Vec<AccountId>,
) -> Result<(), StoreError> {
    accounts.sort_unstable();
    accounts.dedup();
    for some in accounts.chunks(CHUNK) {
        let row = |account: &AccountId| ActiveModel {
            account_id: Set(account.uuid()),
            event_id: Set(event.uuid()),
        };
        let known = OnConflict::columns([Column::AccountId, Column::EventId]).do_nothing().to_owned();
        Entity::insert_many(some.iter().map(row)).on_conflict(known).exec_without_returning(on).await?;
    }
    Ok(())
}

/// The events that concern an account and are not over, or began since then; the newest first.
pub(crate) async fn events_of(
    on: &impl ConnectionTrait,
    account: AccountId,
    since: OffsetDateTime,
    at_most: u64,
) -> Result<Vec<EventId>, StoreError> {
    let open = Condition::any().add(head::is_open()).add(head::Column::CreatedUs.gte(to_micros(since)));
    let found = Entity::find()
        .join(JoinType::InnerJoin, Relation::Head.def())
        .filter(Column::AccountId.eq(account.uuid()))
        .filter(open)
        .order_by_desc(head::Column::CreatedUs)
        .order_by_desc(Column::EventId)
        .limit(at_most);
    let rows = found.select_only().column(Column::EventId).into_tuple::<Uuid>().all(on).await?;
    Ok(rows.into_iter().map(EventId::from).collect())
}

/// Events that are not over and whose people are not known: they began before this table did.
pub(crate) async fn unknown(on: &impl ConnectionTrait, at_most: u64) -> Result<Vec<EventId>, StoreError> {
    let known = Entity::find().filter(Column::AccountId.eq(NOBODY));
    let known = known.select_only().column(Column::EventId).into_query();
    let found = head::Entity::find()
        .filter(head::is_open())
        .filter(head::Column::EventId.not_in_subquery(known))
        .limit(at_most);
    Ok(found.all(on).await?.into_iter().map(|row| row.event_id.into()).collect())
}
