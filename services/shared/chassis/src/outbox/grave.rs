//! The table of what can never be delivered.

use sea_orm::entity::prelude::*;

/// Something that was owed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox_dead")]
pub(super) struct Model {
    /// Its id in the outbox.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// To whom and what, in the words of the service.
    pub kind: String,
    /// What, encoded by the service.
    pub payload: Vec<u8>,
    /// What the receiver answered.
    pub reason: String,
    /// When it was put aside, in microseconds since the epoch.
    pub died_us: i64,
}

crate::standalone!();
