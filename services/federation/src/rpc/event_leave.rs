//! Leave on the wire: protos in, protos out, nothing decided.

use api::{federation::v1 as pb, time::duration};
use chassis::{
    auth::{self, Scope},
    id::EventId,
    page::Page,
};
use tonic::{Request, Response, Status};

use super::event::{caller_if_any, told};
use crate::{
    app::event::Events,
    core::event::LeaveState,
    wire::event::{
        leave::{self, Wish},
        request::ChangeRequest as _,
    },
};

type Answer<T> = Result<Response<T>, Status>;

pub(super) async fn take_leave(
    events: &Events,
    request: Request<pb::TakeLeaveRequest>,
) -> Answer<pb::TakeLeaveResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, wish) = (it.change()?, Wish::try_from(it)?);
    let (current, taken) = events.take_leave(&caller, &change, &wish).await?;
    let leave = taken.map(|it| leave::told(&it, events.now()));
    Ok(Response::new(pb::TakeLeaveResponse { event: Some(told(&current)), leave }))
}

pub(super) async fn end_leave(
    events: &Events,
    request: Request<pb::EndLeaveRequest>,
) -> Answer<pb::EndLeaveResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, reason) = (it.change()?, leave::reason_if_any(it.reason)?);
    let (current, ended) = events.end_leave(&caller, &change, it.leave, reason).await?;
    let leave = ended.map(|it| leave::told(&it, events.now()));
    Ok(Response::new(pb::EndLeaveResponse { event: Some(told(&current)), leave }))
}

pub(super) async fn list_leaves(
    events: &Events,
    request: Request<pb::ListLeavesRequest>,
) -> Answer<pb::ListLeavesResponse> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let whose = leave::whose_if_any(it.number, it.team)?;
    let list = format!("leaves/{id}/{}/{}/{}", it.number, it.team, it.with_past);
    let page: Page<u32> = Page::of(list, it.page_size, &it.page_token)?;
    let event = events.admit(caller.as_ref(), id).await?.event;
    whose.map_or(Ok(()), |whose| event.knows(whose)).map_err(crate::error::Error::from)?;
    let now = events.now();
    let is_meant = |leave: &&crate::core::event::Leave| {
        let is_past = matches!(leave.state(now), LeaveState::Over | LeaveState::Cancelled);
        (it.with_past || !is_past) && whose.is_none_or(|whose| leave.whose == whose)
    };
    let found = page.numbered(&event.leaves.all, is_meant).map(|it| leave::told(it, now)).collect();
    let (leaves, next_page_token) = page.cut(found, |it| it.leave);
    let left = whose.and_then(|whose| event.leave_left(whose));
    Ok(Response::new(pb::ListLeavesResponse {
        leaves,
        next_page_token,
        left_duration: left.map(|it| duration(it.time)),
        spans_left: left.map_or(0, |it| it.spans),
    }))
}
