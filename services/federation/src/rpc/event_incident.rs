//! Incidents, statements and notes of events on the wire: protos in, protos out, nothing decided.

use api::federation::v1 as pb;
use chassis::{
    auth::{self, Scope},
    id::{AccountId, EventId},
    page::Page,
};
use tonic::{Request, Response, Status};

use super::event::{caller_if_any, number_if_any, told};
use crate::{
    app::event::{Events, NewIncident},
    wire::event::{
        fair_play, incident,
        request::{self, ChangeRequest as _},
    },
};

pub(super) async fn report_incident(
    events: &Events,
    request: Request<pb::ReportIncidentRequest>,
) -> Result<Response<pb::ReportIncidentResponse>, Status> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let change = it.change()?;
    let board = (it.round > 0).then(|| request::board(it.round, it.table)).transpose()?;
    let new = NewIncident {
        kind: incident::kind(it.kind)?,
        board,
        accused: number_if_any(it.accused),
        text: request::account_of_incident(it.text)?,
    };
    let current = events.report_incident(&caller, &change, new).await?;
    Ok(Response::new(pb::ReportIncidentResponse { event: Some(told(&current)) }))
}

pub(super) async fn rule_on_incident(
    events: &Events,
    request: Request<pb::RuleOnIncidentRequest>,
) -> Result<Response<pb::RuleOnIncidentResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let change = it.change()?;
    let (ruling, reason) = (incident::ruling(it.ruling)?, request::why(it.reason)?);
    let current = events.rule_on_incident(&caller, &change, (it.number, ruling), reason).await?;
    Ok(Response::new(pb::RuleOnIncidentResponse { event: Some(told(&current)) }))
}

pub(super) async fn appeal_ruling(
    events: &Events,
    request: Request<pb::AppealRulingRequest>,
) -> Result<Response<pb::AppealRulingResponse>, Status> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, text) = (it.change()?, request::account_of_incident(it.text)?);
    let current = events.appeal_ruling(&caller, &change, it.number, text).await?;
    Ok(Response::new(pb::AppealRulingResponse { event: Some(told(&current)) }))
}

pub(super) async fn rule_on_appeal(
    events: &Events,
    request: Request<pb::RuleOnAppealRequest>,
) -> Result<Response<pb::RuleOnAppealResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let (change, reason) = (it.change()?, request::why(it.reason)?);
    let ruling = it.granted.then(|| incident::ruling(it.ruling)).transpose()?;
    let current = events.rule_on_appeal(&caller, &change, (it.number, ruling), reason).await?;
    Ok(Response::new(pb::RuleOnAppealResponse { event: Some(told(&current)) }))
}

pub(super) async fn list_event_incidents(
    events: &Events,
    request: Request<pb::ListEventIncidentsRequest>,
) -> Result<Response<pb::ListEventIncidentsResponse>, Status> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let filter = request::incident_filter(&it)?;
    let list = format!("incidents/{id}/{}/{}", it.state, it.round);
    let page: Page<u32> = Page::of(list, it.page_size, &it.page_token)?;
    let (incidents, next_page_token) = events.incidents(caller.as_ref(), id, filter, &page).await?;
    Ok(Response::new(pb::ListEventIncidentsResponse { incidents, next_page_token }))
}

pub(super) async fn list_notes(
    events: &Events,
    request: Request<pb::ListNotesRequest>,
) -> Result<Response<pb::ListNotesResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let page: Page<u64> = Page::of(format!("notes/{id}"), it.page_size, &it.page_token)?;
    let (notes, next_page_token) = events.notes(&caller, id, &page).await?;
    Ok(Response::new(pb::ListNotesResponse { notes, next_page_token }))
}

pub(super) async fn file_statement(
    events: &Events,
    request: Request<pb::FileStatementRequest>,
) -> Result<Response<pb::FileStatementResponse>, Status> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, about) = (it.change()?, fair_play::about(&it)?);
    let current = events.file_statement(&caller, &change, about, request::paper(it.text)?).await?;
    Ok(Response::new(pb::FileStatementResponse { event: Some(told(&current)) }))
}

pub(super) async fn seat_arbiters(
    events: &Events,
    request: Request<pb::SeatArbitersRequest>,
) -> Result<Response<pb::SeatArbitersResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let current = events.seat_arbiters(&caller, &it.change()?, fair_play::seats(&it)?).await?;
    Ok(Response::new(pb::SeatArbitersResponse { event: Some(told(&current)) }))
}

pub(super) async fn file_report(
    events: &Events,
    request: Request<pb::FileReportRequest>,
) -> Result<Response<pb::FileReportResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let (change, text) = (it.change()?, request::paper(it.text)?);
    let current = events.file_report(&caller, &change, text).await?;
    Ok(Response::new(pb::FileReportResponse { event: Some(told(&current)) }))
}

pub(super) async fn assess_arbiter(
    events: &Events,
    request: Request<pb::AssessArbiterRequest>,
) -> Result<Response<pb::AssessArbiterResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let change = it.change()?;
    let account = AccountId::parse(&it.account_id, "account_id")?;
    let text = request::paper(it.text)?;
    let current = events.assess(&caller, &change, account, text).await?;
    Ok(Response::new(pb::AssessArbiterResponse { event: Some(told(&current)) }))
}
