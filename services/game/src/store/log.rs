//! Reading games and logs back.

use api::game::v1::GameEvent;
use chassis::id::{GameId, RequestId};
use prost::Message as _;
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};

use super::{
    entity::events,
    pack::{PACK_EVENTS, unpack},
};
use crate::core::{Event, Replay};
use crate::error::Result;

/// Events that are read at a time. What is larger is read in pages, and others get their turn in between.
pub(crate) const LOG_PAGE: usize = 256;
/// What a page has at most when it is to be sent, but for its last event.
pub(crate) const LOG_PAGE_BYTES: usize = 256 * 1024;

/// All events of a game after a sequence number, in order; empty when there are none or no such game.
pub(crate) async fn events_after(
    on: &impl ConnectionTrait,
    game: GameId,
    sequence: u64,
) -> Result<Vec<Event>> {
    let mut events = Vec::new();
    let mut after = sequence;
    loop {
        let page = page(on, game, after).await?;
        let Some(last) = page.last() else { return Ok(events) };
        after = last.sequence;
        let whole = page.len() < LOG_PAGE;
        events.extend(page);
        if whole {
            return Ok(events);
        }
        tokio::task::yield_now().await;
    }
}

/// The next events of a game after a sequence number, in order: a page of them, fewer at the end of the log.
pub(crate) async fn page(on: &impl ConnectionTrait, game: GameId, sequence: u64) -> Result<Vec<Event>> {
    let mut events = Vec::new();
    for row in rows_after(on, game, sequence).await? {
        events.extend(decode(&row)?.into_iter().filter(|event| event.sequence > sequence));
        if events.len() >= LOG_PAGE {
            break;
        }
    }
    events.truncate(LOG_PAGE);
    Ok(events)
}

/// The same as they are sent, without what is sealed in them, and whether there may be more after them: a page is
/// bounded in bytes, too.
pub(crate) async fn stored_page(
    on: &impl ConnectionTrait,
    game: GameId,
    sequence: u64,
) -> Result<(Vec<GameEvent>, bool)> {
    let (mut events, mut bytes) = (Vec::new(), 0);
    let rows = rows_after(on, game, sequence).await?;
    let full = rows.len() >= LOG_PAGE;
    for row in rows {
        for event in unpack(&row.payload)?.into_iter().filter(|event| event.sequence > sequence) {
            if events.len() >= LOG_PAGE || bytes >= LOG_PAGE_BYTES {
                return Ok((events, true));
            }
            bytes += event.encoded_len();
            events.push(event);
        }
    }
    Ok((events, full))
}

/// The game that a log has come to after this event, or after its last one; nothing when there is no log.
pub(crate) async fn replay(on: &impl ConnectionTrait, game: GameId, until: u64) -> Result<Replay> {
    let mut replay = Replay::default();
    while replay.sequence() < until {
        let page = page(on, game, replay.sequence()).await?;
        for event in page.iter().take_while(|event| event.sequence <= until) {
            replay.take(event)?;
        }
        if page.len() < LOG_PAGE {
            break;
        }
        tokio::task::yield_now().await;
    }
    Ok(replay)
}

/// The rows that a page begins with: those of as many events, and no more of a log whose rows hold many.
async fn rows_after(on: &impl ConnectionTrait, game: GameId, sequence: u64) -> Result<Vec<events::Model>> {
    let number = |sequence: u64| i64::try_from(sequence).unwrap_or(i64::MAX);
    // A row has the number of its last event, so the row of a page's last event is at most a row's events further.
    let last = sequence.saturating_add((LOG_PAGE + PACK_EVENTS) as u64);
    let rows = events::Entity::find()
        .filter(events::Column::GameId.eq(game.uuid()))
        .filter(events::Column::Sequence.gt(number(sequence)))
        .filter(events::Column::Sequence.lte(number(last)))
        .order_by_asc(events::Column::Sequence)
        .limit(LOG_PAGE as u64)
        .all(on)
        .await?;
    Ok(rows)
}

/// The event that a request became.
pub(crate) async fn event_of_request(
    on: &impl ConnectionTrait,
    game: GameId,
    request: RequestId,
) -> Result<Option<GameEvent>> {
    let row = events::Entity::find()
        .filter(events::Column::GameId.eq(game.uuid()))
        .filter(events::Column::RequestId.eq(request.uuid()))
        .one(on)
        .await?;
    row.map(|row| Ok(GameEvent::decode(row.payload.as_slice())?)).transpose()
}

/// The events of a row, with what was sealed in them.
pub(super) fn decode(row: &events::Model) -> Result<Vec<Event>> {
    let mut sealed = row.sealed.clone();
    unpack(&row.payload)?.iter().map(|event| Ok(Event::try_from((event, sealed.take()))?)).collect()
}
