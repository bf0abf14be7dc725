//! Between the plain types of `core` and the protos, which are also what the log is stored as.

mod adjournment;
mod arbitration;
mod board;
mod clock;
mod enums;
mod game;
mod game_spec;
mod incident;
mod outbox;
mod presence;
mod progress;
mod regulations;
mod request;
mod ruling;
mod variant;

pub(crate) use adjournment::decode_stored;
pub(crate) use board::{
    change_to_pb, changes_from_pb, marks_from_pb, marks_to_pb, outcome_to_pb, score_to_pb, view_to_pb,
};
pub(crate) use clock::{audience_to_pb, control_to_pb, reading_from_pb, reading_to_pb, running_clock};
pub(crate) use enums::Numbered;
pub(crate) use game::{
    act_to_pb, event_from_pb, event_to_pb, header_from_pb, info_to_pb, seat_from_pb, seat_to_pb, state_to_pb,
};
pub(crate) use incident::allowed_to_pb;
pub(crate) use outbox::OutboxEntry;
pub(crate) use request::{
    CommandRequest, GamesRequest, ImportRequest, MessagesRequest, NewMessage, NewReport, Place, ReportPlace,
    ReportsRequest, RulingRequest, room, side, variant,
};
pub(crate) use variant::variant_to_pb;

use std::time::Duration;

use api::game::v1::ImportUsage as ImportUsagePb;
use rules::Side;
use time::OffsetDateTime;

use crate::{core::ImportUsage, error::DecodeError};

impl From<ImportUsage> for ImportUsagePb {
    fn from(usage: ImportUsage) -> Self {
        ImportUsagePb { records: usage.records, bytes: usage.bytes }
    }
}

/// The number of a value, if there is one; the unspecified one otherwise.
pub(crate) fn optional_number<T: Numbered>(value: Option<T>) -> i32 {
    value.map_or(0, T::number)
}

/// A side, or none for the unspecified one; no other number will do.
fn optional_side(number: i32) -> Result<Option<Side>, DecodeError> {
    match number {
        0 => Ok(None),
        _ => Side::of(number).map(Some).ok_or(DecodeError("a side")),
    }
}

/// A stored span, or a default one.
fn span_or(span: Option<&prost_types::Duration>, default: Duration) -> Result<Duration, DecodeError> {
    span.map_or(Ok(default), |span| api::time::span(span).ok_or(DecodeError("a duration")))
}

fn optional_moment(
    time: Option<&prost_types::Timestamp>,
    what: &'static str,
) -> Result<Option<OffsetDateTime>, DecodeError> {
    time.map(|time| moment(Some(time), what)).transpose()
}

fn moment(time: Option<&prost_types::Timestamp>, what: &'static str) -> Result<OffsetDateTime, DecodeError> {
    time.and_then(api::time::moment).ok_or(DecodeError(what))
}
