//! Between the plain types of `core` and the protos, which are also what the log is stored as.

mod adjournment;
mod arbitration;
mod clock;
mod enums;
mod game;
mod game_spec;
mod glimpse;
mod incident;
mod outbox;
mod own_game;
mod presence;
mod progress;
mod regulations;
mod request;
mod ruling;

pub(crate) use adjournment::decode_stored;
pub(crate) use clock::{audience, running_clock};
pub(crate) use game::{StateAt, played_act, public_event};
pub(crate) use glimpse::seen;
pub(crate) use outbox::{KINDS as OUTBOX_KINDS, OutboxEntry};
pub(crate) use own_game::{named_games, own_game};
pub(crate) use request::{
    CommandRequest, GamesRequest, ImportRequest, MessagesRequest, NewMessage, NewReport, Place, ReportPlace,
    ReportsRequest, RulingRequest, room, side, variant,
};

use std::time::Duration;

use api::{DecodeError, game::v1::ImportUsage as ImportUsagePb};
use time::OffsetDateTime;

use crate::core::ImportUsage;

impl From<ImportUsage> for ImportUsagePb {
    fn from(usage: ImportUsage) -> Self {
        ImportUsagePb { records: usage.records, bytes: usage.bytes }
    }
}

/// What a message has to say.
fn required<'a, P, T>(message: Option<&'a P>, what: &'static str) -> Result<T, DecodeError>
where
    T: TryFrom<&'a P, Error = DecodeError>,
{
    message.ok_or(DecodeError(what))?.try_into()
}

/// What a message may say.
fn optional<'a, P, T>(message: Option<&'a P>) -> Result<Option<T>, DecodeError>
where
    T: TryFrom<&'a P, Error = DecodeError>,
{
    message.map(TryInto::try_into).transpose()
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
