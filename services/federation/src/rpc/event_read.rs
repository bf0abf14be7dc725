//! Looking at events on the wire: protos in, protos out, nothing decided.

use std::sync::Arc;

use api::federation::v1 as pb;
use chassis::{id::EventId, page::Page};
use futures::{StreamExt as _, stream::BoxStream};
use tonic::{Request, Response, Status};

use super::event::caller_if_any;
use crate::{
    app::event::{AsOf, Events, Sight, boards},
    core::event::{Participant, supplement},
    error::Error,
    rpc::pairing::draft,
    wire::event::{request, view},
};

fn as_of_sequence(sequence: u64) -> AsOf {
    if sequence == 0 { AsOf::Now } else { AsOf::Sequence(sequence) }
}

pub(super) async fn get_event(
    events: &Events,
    request: Request<pb::GetEventRequest>,
) -> Result<Response<pb::GetEventResponse>, Status> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let as_of = match request::moment_if_any("as_of_time", it.as_of_time)? {
        Some(time) => AsOf::Time(time),
        None => as_of_sequence(it.as_of_sequence),
    };
    let Sight { event, official, .. } = events.look(caller.as_ref(), id, as_of).await?;
    let shown = if official { view::for_officials(&event, events.now()) } else { (&*event).into() };
    Ok(Response::new(pb::GetEventResponse { event: Some(shown) }))
}

pub(super) async fn list_events(
    events: &Events,
    request: Request<pb::ListEventsRequest>,
) -> Result<Response<pb::ListEventsResponse>, Status> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let of = (request::federation(&it.federation_id)?, request::stage_filter(it.stage)?);
    let page = Page::of(format!("events/{}/{}", of.0, it.stage), it.page_size, &it.page_token)?;
    let (events, next_page_token) = events.list(caller.as_ref(), of, &page).await?;
    let events = events.iter().map(|event| (&**event).into()).collect();
    Ok(Response::new(pb::ListEventsResponse { events, next_page_token }))
}

pub(super) async fn get_supplement(
    events: &Events,
    request: Request<pb::GetSupplementRequest>,
) -> Result<Response<pb::GetSupplementResponse>, Status> {
    let caller = caller_if_any(&request)?;
    let id = EventId::parse(&request.into_inner().event_id, "event_id")?;
    let event = events.admit(caller.as_ref(), id).await?.event;
    let text = event.supplement();
    let text_hash = supplement::hash(&text).to_vec();
    let (version, adopted) = (event.version, event.adopted.is_some());
    Ok(Response::new(pb::GetSupplementResponse { version, text, text_hash, adopted }))
}

pub(super) async fn get_round(
    events: &Events,
    request: Request<pb::GetRoundRequest>,
) -> Result<Response<pb::GetRoundResponse>, Status> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let sight = events.look(caller.as_ref(), id, as_of_sequence(it.as_of_sequence)).await?;
    let number = match request::round("round", it.round)? {
        0 => sight.event.next_round() - 1,
        number => number,
    };
    let sequence = sight.event.sequence;
    let round = match sight.event.round(number) {
        Some(round) => Some(view::round(&sight.event, round)),
        None => events.draft_for(&sight, number).await?.as_ref().map(draft),
    };
    let round = Some(round.ok_or(Error::UnknownRound)?);
    Ok(Response::new(pb::GetRoundResponse { round, sequence }))
}

pub(super) async fn list_entrants(
    events: &Events,
    request: Request<pb::ListEntrantsRequest>,
) -> Result<Response<pb::ListEntrantsResponse>, Status> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let filter = request::EntrantFilter::of(&it)?;
    let list = format!("entrants/{id}/{}/{}/{}", it.state, it.team, it.account_id);
    let page: Page<u32> = Page::of(list, it.page_size, &it.page_token)?;
    let event = events.admit(caller.as_ref(), id).await?.event;
    let now = events.now();
    let shown = |it: &Participant| view::entrant_now(&event, it, now);
    let found: Vec<pb::Entrant> =
        page.numbered(&event.participants, |it| filter.is_about(it)).map(shown).collect();
    let (entrants, next_page_token) = page.cut(found, |entrant| entrant.number);
    Ok(Response::new(pb::ListEntrantsResponse { entrants, next_page_token }))
}

pub(super) async fn get_standings(
    events: &Events,
    request: Request<pb::GetStandingsRequest>,
) -> Result<Response<pb::GetStandingsResponse>, Status> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let round = request::round("round", it.round)?;
    let sight = events.look(caller.as_ref(), id, as_of_sequence(it.as_of_sequence)).await?;
    let (sequence, delayed) = (sight.event.sequence, sight.delayed);
    let table = events.table(sight, round, it.readings).await?;
    Ok(Response::new(view::table(&table, sequence, delayed)))
}

pub(super) async fn watch_boards(
    events: &Arc<Events>,
    request: Request<pb::WatchBoardsRequest>,
) -> Result<Response<BoxStream<'static, Result<pb::WatchBoardsResponse, Status>>>, Status> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let (round, cursor) = (request::round("round", it.round)?, boards::Cursor::parse(&it.cursor)?);
    let answers = boards::watch(Arc::clone(events), caller, id, round, cursor).await?;
    let answers = answers.map(|answer| answer.map_err(Status::from));
    Ok(Response::new(events.maintenance.said_on(answers, it.cursor)))
}

pub(super) async fn list_log(
    events: &Events,
    request: Request<pb::ListLogRequest>,
) -> Result<Response<pb::ListLogResponse>, Status> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let page: Page<u64> = Page::of(String::new(), it.page_size, "")?;
    let (entries, last_sequence) =
        events.entries(caller.as_ref(), id, it.after_sequence, page.fetch() - 1).await?;
    let entries = entries.into_iter().map(Into::into).collect();
    Ok(Response::new(pb::ListLogResponse { entries, last_sequence }))
}
