//! Games that are still to begin.

use std::ops::Range;

use api::{federation::v1 as pb, reason};
use chassis::id::{AccountId, EventId};
use time::{Duration, OffsetDateTime};

use crate::core::event::{Coming, times::PlayingTime};

/// How far it is looked ahead, and how long a time may be that is asked about: nobody plays so long beside the events.
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

/// When whom somebody asks about plays.
///
/// # Errors
/// INVALID_ARGUMENT with BAD_ID or UNKNOWN_VALUE.
pub(crate) fn times_asked(
    request: &pb::ListEventTimesRequest,
) -> Result<(AccountId, Range<OffsetDateTime>), api::Error> {
    let account = AccountId::parse(&request.account_id, "account_id")?;
    let [from, until] =
        [&request.from_time, &request.until_time].map(|time| time.as_ref().and_then(api::time::moment));
    let bad = || api::Error::invalid(reason::UNKNOWN_VALUE, "until_time", "a day after from_time at most");
    let (from, until) = from.zip(until).ok_or_else(bad)?;
    if until - from > AHEAD_MAX { Err(bad()) } else { Ok((account, from..until)) }
}

/// A time at which somebody plays, and in which event.
pub(crate) fn playing_time((event, time): &(EventId, PlayingTime)) -> pb::EventTime {
    pb::EventTime {
        event_id: event.to_string(),
        round: time.board.round.into(),
        table: time.board.table,
        start_time: Some(api::time::timestamp(time.starts)),
    }
}
