//! The table `pause_acts`: what moderators have done about pauses. No row is ever changed.

use chassis::{
    database::StoreError,
    id::AccountId,
    time::{from_micros, to_micros},
};
use sea_orm::{ActiveValue::Set, QueryOrder as _, QuerySelect as _, entity::prelude::*};
use time::OffsetDateTime;

use super::behind;
use crate::core::PauseAct;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "pause_acts")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub act_id: Uuid,
    pub at_us: i64,
    pub moderator_id: Uuid,
    pub moderator_name: String,
    pub account_id: Uuid,
    /// Until when the account was to pause; `NULL` when its pauses were ended.
    pub until_us: Option<i64>,
    pub reason: String,
}

chassis::standalone!();

/// An act, if there is one with this id.
pub(crate) async fn find(on: &impl ConnectionTrait, id: Uuid) -> Result<Option<PauseAct>, StoreError> {
    Entity::find_by_id(id).one(on).await?.map(PauseAct::try_from).transpose()
}

/// Writes an act down.
///
/// # Errors
/// [`StoreError::Contended`] when another with its id was written meanwhile.
pub(crate) async fn insert(on: &impl ConnectionTrait, act: &PauseAct) -> Result<(), StoreError> {
    let row = ActiveModel {
        act_id: Set(act.id),
        at_us: Set(to_micros(act.at)),
        moderator_id: Set(act.by.0.uuid()),
        moderator_name: Set(act.by.1.clone()),
        account_id: Set(act.account.uuid()),
        until_us: Set(act.until.map(to_micros)),
        reason: Set(act.reason.clone()),
    };
    Entity::insert(row).exec_without_returning(on).await?;
    Ok(())
}

/// Acts, the latest first, from behind one that is named by its time and its id; at most so many.
pub(crate) async fn list(
    on: &impl ConnectionTrait,
    after: Option<(i64, Uuid)>,
    at_most: u64,
) -> Result<Vec<PauseAct>, StoreError> {
    let rows = Entity::find()
        .filter(behind(after, Column::AtUs, Column::ActId))
        .order_by_desc(Column::AtUs)
        .order_by_desc(Column::ActId)
        .limit(at_most)
        .all(on)
        .await?;
    rows.into_iter().map(PauseAct::try_from).collect()
}

impl TryFrom<Model> for PauseAct {
    type Error = StoreError;

    fn try_from(row: Model) -> Result<Self, StoreError> {
        let moment = |micros: i64| from_micros(micros).ok_or(StoreError::Corrupt("pause_acts"));
        let until: Option<OffsetDateTime> = row.until_us.map(moment).transpose()?;
        Ok(PauseAct {
            id: row.act_id,
            at: moment(row.at_us)?,
            by: (AccountId::from(row.moderator_id), row.moderator_name),
            account: row.account_id.into(),
            until,
            reason: row.reason,
        })
    }
}
