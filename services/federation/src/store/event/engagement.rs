//! The tables `event_engagements`, of who plays when at an agreed time in whatever event, and `event_engaged`, by whose rows
//! two agreements of one account wait for each other.
//!
//! An account is asked about before somebody agrees for it. Of two who agree for one at once, in two events and through two
//! replicas, neither would see the other's row: so whoever agrees first raises the row of each account, in the order of
//! accounts, and from there on the other waits for the end of his transaction, and then sees what it has written.

use chassis::{
    database::StoreError,
    id::{AccountId, EventId},
    time::to_micros,
};
use sea_orm::{
    ActiveValue::Set,
    ExprTrait as _, QueryOrder as _,
    entity::prelude::*,
    sea_query::{OnConflict, Query},
};
use sea_orm_migration::{prelude as schema, prelude::SchemaManager};

use crate::core::event::{BoardId, Engagement, Engagements};

const CORRUPT: StoreError = StoreError::Corrupt("event_engagements");

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "event_engagements")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub round: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub board: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// When it begins.
    pub from_us: i64,
    /// Until when its game can be under way.
    pub until_us: i64,
}

chassis::standalone!();

/// Makes the tables.
pub(crate) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    use schema::{ColumnDef, Index, Table};
    let engagements = Table::create()
        .table("event_engagements")
        .col(ColumnDef::new("event_id").uuid().not_null())
        .col(ColumnDef::new("round").integer().not_null())
        .col(ColumnDef::new("board").integer().not_null())
        .col(ColumnDef::new("account_id").uuid().not_null())
        .col(ColumnDef::new("from_us").big_integer().not_null())
        .col(ColumnDef::new("until_us").big_integer().not_null())
        .primary_key(Index::create().col("event_id").col("round").col("board").col("account_id"))
        .to_owned();
    manager.create_table(engagements).await?;
    let of_account = Index::create()
        .name("event_engagements_of_account")
        .table("event_engagements")
        .col("account_id")
        .col("from_us")
        .to_owned();
    manager.create_index(of_account).await?;
    let engaged = Table::create()
        .table("event_engaged")
        .col(ColumnDef::new("account_id").uuid().not_null().primary_key())
        .col(ColumnDef::new("times").big_integer().not_null())
        .to_owned();
    manager.create_table(engaged).await
}

/// Has whoever agrees for one of these accounts wait for the end of this transaction.
pub(crate) async fn lock(on: &impl ConnectionTrait, engaged: &[Engagement]) -> Result<(), StoreError> {
    let mut accounts: Vec<AccountId> = engaged.iter().map(|it| it.account).collect();
    accounts.sort_unstable();
    accounts.dedup();
    for account in accounts {
        let raised = Expr::col(("event_engaged", "times")).add(1);
        let insert = Query::insert()
            .into_table("event_engaged")
            .columns(["account_id", "times"])
            .values_panic([account.uuid().into(), 1_i64.into()])
            .on_conflict(OnConflict::column("account_id").value("times", raised).to_owned())
            .to_owned();
        on.execute(&insert).await?;
    }
    Ok(())
}

/// Another board at which an account plays while a game of this one can be under way; the earliest.
pub(crate) async fn clash(
    on: &impl ConnectionTrait,
    event: EventId,
    wanted: &Engagement,
) -> Result<Option<(EventId, BoardId)>, StoreError> {
    let itself = Column::EventId
        .eq(event.uuid())
        .and(Column::Round.eq(i32::from(wanted.board.round)))
        .and(Column::Board.eq(wanted.board.table.cast_signed()));
    let found = Entity::find()
        .filter(Column::AccountId.eq(wanted.account.uuid()))
        .filter(Column::FromUs.lt(to_micros(wanted.until)))
        .filter(Column::UntilUs.gt(to_micros(wanted.from)))
        .filter(itself.not())
        .order_by_asc(Column::FromUs)
        .one(on)
        .await?;
    let place = |row: Model| {
        let round = u16::try_from(row.round).map_err(|_| CORRUPT)?;
        Ok((row.event_id.into(), BoardId { round, table: row.board.cast_unsigned() }))
    };
    found.map(place).transpose()
}

/// Writes what has changed of who is engaged by an event.
pub(crate) async fn write(
    on: &impl ConnectionTrait,
    event: EventId,
    changed: &Engagements,
) -> Result<(), StoreError> {
    let own = || Entity::delete_many().filter(Column::EventId.eq(event.uuid()));
    for round in &changed.rounds {
        own().filter(Column::Round.eq(i32::from(*round))).exec(on).await?;
    }
    for board in &changed.over {
        let of_round = own().filter(Column::Round.eq(i32::from(board.round)));
        of_round.filter(Column::Board.eq(board.table.cast_signed())).exec(on).await?;
    }
    if changed.begun.is_empty() {
        return Ok(());
    }
    let rows = changed.begun.iter().map(|it| ActiveModel {
        event_id: Set(event.uuid()),
        round: Set(it.board.round.into()),
        board: Set(it.board.table.cast_signed()),
        account_id: Set(it.account.uuid()),
        from_us: Set(to_micros(it.from)),
        until_us: Set(to_micros(it.until)),
    });
    Entity::insert_many(rows).exec_without_returning(on).await?;
    Ok(())
}
