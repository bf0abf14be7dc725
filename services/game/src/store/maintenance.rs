//! When the platform is worked on: one row, which stays when it is over until another is planned.

use chassis::{Database, database::Transaction};
use sea_orm::{ActiveValue::Set, entity::prelude::*, sea_query::OnConflict};
use time::OffsetDateTime;

use super::{from_micros, micros};
use crate::{
    core::{Maintenance, MaintenanceChange},
    error::MaintenanceFailure,
};

/// The row.
const ROW: i32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "maintenance")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    pub begin_us: i64,
    pub end_us: i64,
    pub reason: String,
}

chassis::standalone!();

/// What was planned last.
pub(crate) async fn planned(on: &impl ConnectionTrait) -> Result<Option<Maintenance>, DbErr> {
    let row = Entity::find_by_id(ROW).one(on).await?;
    Ok(row.map(|row| Maintenance {
        begin: from_micros(row.begin_us),
        end: from_micros(row.end_us),
        reason: row.reason,
    }))
}

/// Changes what is planned; what is planned then.
///
/// # Errors
/// When it is refused, or the database does not answer; nothing changes then.
pub(crate) async fn change(
    database: &Database,
    change: MaintenanceChange,
    now: OffsetDateTime,
) -> Result<Option<Maintenance>, MaintenanceFailure> {
    let transaction = database.begin().await?;
    let changed = changed(&transaction, change, now).await;
    transaction.finish(changed).await
}

async fn changed(
    transaction: &Transaction,
    change: MaintenanceChange,
    now: OffsetDateTime,
) -> Result<Option<Maintenance>, MaintenanceFailure> {
    let after = change.after(planned(transaction).await?, now)?;
    let Some(plan) = &after else {
        Entity::delete_by_id(ROW).exec(transaction).await?;
        return Ok(None);
    };
    let row = ActiveModel {
        id: Set(ROW),
        begin_us: Set(micros(plan.begin)),
        end_us: Set(micros(plan.end)),
        reason: Set(plan.reason.clone()),
    };
    let known = OnConflict::column(Column::Id)
        .update_columns([Column::BeginUs, Column::EndUs, Column::Reason])
        .to_owned();
    Entity::insert(row).on_conflict(known).exec_without_returning(transaction).await?;
    Ok(after)
}
