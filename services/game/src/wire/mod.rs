//! Between the plain types of `core` and the protos, which are also what the log is stored as.

mod adjournment;
mod arbitration;
mod board;
mod clock;
mod game;
mod game_spec;
mod incident;
mod outbox;
mod presence;
mod progress;
mod regulations;
mod request;
mod ruling;
mod table;
mod variant;

pub(crate) use adjournment::decode_stored;
pub(crate) use board::{
    change_to_pb, changes_from_pb, marks_from_pb, marks_to_pb, outcome_to_pb, score_to_pb, view_to_pb,
};
pub(crate) use clock::{audience_to_pb, control_to_pb, reading_from_pb, reading_to_pb, running_clock};
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

use api::{board::v1 as board_pb, game::v1::ImportUsage as ImportUsagePb};
use rules::Side;
use time::OffsetDateTime;

use crate::{core::ImportUsage, error::DecodeError};

impl From<ImportUsage> for ImportUsagePb {
    fn from(usage: ImportUsage) -> Self {
        ImportUsagePb { records: usage.records, bytes: usage.bytes }
    }
}

pub(crate) const fn side_to_pb(side: Side) -> i32 {
    match side {
        Side::First => board_pb::Side::First as i32,
        Side::Second => board_pb::Side::Second as i32,
    }
}

pub(crate) fn optional_side_to_pb(side: Option<Side>) -> i32 {
    side.map_or(board_pb::Side::Unspecified as i32, side_to_pb)
}

/// A side, or none for the unspecified one.
pub(crate) fn side_from_pb(side: i32) -> Option<Side> {
    match board_pb::Side::try_from(side) {
        Ok(board_pb::Side::First) => Some(Side::First),
        Ok(board_pb::Side::Second) => Some(Side::Second),
        _ => None,
    }
}

/// A side, or none for the unspecified one; no other number will do.
pub(crate) fn optional_side_from_pb(side: i32) -> Result<Option<Side>, DecodeError> {
    match board_pb::Side::try_from(side) {
        Ok(board_pb::Side::Unspecified) => Ok(None),
        _ => side_from_pb(side).map(Some).ok_or(DecodeError("a side")),
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
