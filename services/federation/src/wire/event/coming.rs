//! Games that are still to begin.

use api::{federation::v1 as pb, reason};
use chassis::id::EventId;
use time::{Duration, OffsetDateTime};

use crate::core::event::Coming;

/// How far it is looked ahead: nobody plays so long beside the events.
const AHEAD_MAX: Duration = Duration::days(1);

/// Until when somebody asks.
///
/// # Errors
/// INVALID_ARGUMENT with UNKNOWN_VALUE.
pub(crate) fn until(
    request: &pb::ListComingGamesRequest,
    now: OffsetDateTime,
) -> Result<OffsetDateTime, api::Error> {
    let until = request.until_time.as_ref().and_then(api::time::moment);
    let bad = || api::Error::invalid(reason::UNKNOWN_VALUE, "until_time", "a day from now at most");
    until.filter(|until| *until <= now + AHEAD_MAX).ok_or_else(bad)
}

/// A game that somebody is to play, and in which event.
pub(crate) fn coming((event, coming): &(EventId, Coming)) -> pb::ComingGame {
    pb::ComingGame {
        account_id: coming.account.to_string(),
        start_time: Some(api::time::timestamp(coming.starts)),
        event_id: event.to_string(),
        round: coming.board.round.into(),
        table: coming.board.table,
    }
}
