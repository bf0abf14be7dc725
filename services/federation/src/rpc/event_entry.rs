//! Entries on the wire: protos in, protos out, nothing decided.

use api::federation::v1 as pb;
use chassis::auth::{self, Scope};
use tonic::{Request, Response, Status};

use super::event::told;
use crate::{
    app::event::{Entry, Events},
    wire::event::{
        coming,
        request::{self, ChangeRequest as _, Correction},
    },
};

pub(super) async fn enter(
    events: &Events,
    request: Request<pb::EnterEventRequest>,
) -> Result<Response<pb::EnterEventResponse>, Status> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let change = it.change()?;
    let entry = Entry {
        member: request::member_if_any(&it.member_id)?,
        version: it.supplement_version,
        rating: request::rating(it.rating)?,
        grade: it.grade,
        affiliations: request::affiliations(it.affiliations)?,
    };
    let (current, conflicts) = events.enter(&caller, &change, entry).await?;
    let conflicts = conflicts.iter().map(coming::playing_time).collect();
    Ok(Response::new(pb::EnterEventResponse { event: Some(told(&current)), conflicts }))
}

pub(super) async fn update(
    events: &Events,
    request: Request<pb::UpdateEntryRequest>,
) -> Result<Response<pb::UpdateEntryResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let (change, correction) = (it.change()?, Correction::of(it)?);
    let current = events.update_entry(&caller, &change, &correction).await?;
    Ok(Response::new(pb::UpdateEntryResponse { event: Some(told(&current)) }))
}
