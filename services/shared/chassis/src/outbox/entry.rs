//! The table of an outbox.

use sea_orm::entity::prelude::*;

/// Something that is owed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox")]
pub struct Model {
    /// Its id, which the receiver may use to recognise a repetition.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// To whom and what, in the words of the service.
    pub kind: String,
    /// What, encoded by the service.
    pub payload: Vec<u8>,
    /// Not to be delivered before this moment, in microseconds since the epoch. Doubles as a lease.
    pub due_us: i64,
    /// How often delivery was tried.
    pub attempts: i32,
    /// The trace that it is part of, as a `traceparent`, if it came of a call.
    pub trace: Option<String>,
}

crate::standalone!(pub);
