//! Events on the wire: protos in, protos out, nothing decided.

use std::sync::Arc;

use api::federation::v1::{self as pb, event_service_server::EventService};
use chassis::{
    auth::{self, Caller, Scope},
    id::EventId,
};
use futures::{TryStreamExt as _, stream::BoxStream};
use pairing::Number;
use tonic::{Request, Response, Status};

use super::{
    event_arranging, event_entry, event_incident, event_leave, event_read, event_result, event_team,
};
use crate::{
    app::event::{Current, Events, NewEvent, ToPair, follow},
    core::event::readings::READINGS,
    rpc::pairing::pairing_answers,
    wire::event::{
        request::{self, ChangeRequest as _, SettingsChange},
        view,
    },
};

/// What everybody may call.
#[derive(Clone)]
pub(crate) struct PublicEvents(pub Arc<Events>);

pub(super) fn told(current: &Current) -> pb::Event {
    let event = &*current.event;
    if current.by_official { view::for_officials(event, event.updated) } else { event.into() }
}

pub(super) fn number_if_any(number: u32) -> Option<Number> {
    (number > 0).then_some(Number(number))
}

pub(super) fn caller_if_any<T>(request: &Request<T>) -> Result<Option<Caller>, Status> {
    Ok(auth::caller(request)?)
}

#[tonic::async_trait]
impl EventService for PublicEvents {
    type PairRoundStream = BoxStream<'static, Result<pb::PairRoundResponse, Status>>;
    type WatchEventStream = BoxStream<'static, Result<pb::WatchEventResponse, Status>>;
    type WatchBoardsStream = BoxStream<'static, Result<pb::WatchBoardsResponse, Status>>;

    async fn create_event(
        &self,
        request: Request<pb::CreateEventRequest>,
    ) -> Result<Response<pb::CreateEventResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let new = NewEvent {
            id: EventId::parse(&it.event_id, "event_id")?,
            federation: request::federation(&it.federation_id)?,
            name: request::name(it.name.as_ref())?,
            settings: request::settings(it.settings)?,
            validate_only: it.validate_only,
        };
        let current = self.0.create(&caller, new).await?;
        Ok(Response::new(pb::CreateEventResponse { event: Some(told(&current)) }))
    }

    async fn get_event(
        &self,
        request: Request<pb::GetEventRequest>,
    ) -> Result<Response<pb::GetEventResponse>, Status> {
        event_read::get_event(&self.0, request).await
    }

    async fn list_events(
        &self,
        request: Request<pb::ListEventsRequest>,
    ) -> Result<Response<pb::ListEventsResponse>, Status> {
        event_read::list_events(&self.0, request).await
    }

    async fn get_supplement(
        &self,
        request: Request<pb::GetSupplementRequest>,
    ) -> Result<Response<pb::GetSupplementResponse>, Status> {
        event_read::get_supplement(&self.0, request).await
    }

    async fn list_readings(
        &self,
        _request: Request<pb::ListReadingsRequest>,
    ) -> Result<Response<pb::ListReadingsResponse>, Status> {
        Ok(Response::new(pb::ListReadingsResponse { readings: READINGS.iter().map(Into::into).collect() }))
    }

    async fn update_event(
        &self,
        request: Request<pb::UpdateEventRequest>,
    ) -> Result<Response<pb::UpdateEventResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let settings = SettingsChange::of(it.settings, it.update_mask)?;
        let reason = request::why_if_any(it.reason)?;
        let current = self.0.update(&caller, &change, &settings, reason).await?;
        Ok(Response::new(pb::UpdateEventResponse { event: Some(told(&current)) }))
    }

    async fn adopt_event(
        &self,
        request: Request<pb::AdoptEventRequest>,
    ) -> Result<Response<pb::AdoptEventResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let current = self.0.adopt(&caller, &change).await?;
        Ok(Response::new(pb::AdoptEventResponse { event: Some(told(&current)) }))
    }

    async fn advance_event(
        &self,
        request: Request<pb::AdvanceEventRequest>,
    ) -> Result<Response<pb::AdvanceEventResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let stage = request::stage(it.stage)?;
        let current = self.0.advance(&caller, &change, stage).await?;
        Ok(Response::new(pb::AdvanceEventResponse { event: Some(told(&current)) }))
    }

    async fn cancel_event(
        &self,
        request: Request<pb::CancelEventRequest>,
    ) -> Result<Response<pb::CancelEventResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let reason = request::why(it.reason)?;
        let current = self.0.cancel(&caller, &change, reason).await?;
        Ok(Response::new(pb::CancelEventResponse { event: Some(told(&current)) }))
    }

    async fn check_off(
        &self,
        request: Request<pb::CheckOffRequest>,
    ) -> Result<Response<pb::CheckOffResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let item = request::item(it.item)?;
        let current = self.0.check_off(&caller, &change, item, !it.open).await?;
        Ok(Response::new(pb::CheckOffResponse { event: Some(told(&current)) }))
    }

    async fn appoint_official(
        &self,
        request: Request<pb::AppointOfficialRequest>,
    ) -> Result<Response<pb::AppointOfficialResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let (account, role) = request::office(&it.account_id, it.role)?;
        let current = self.0.appoint(&caller, &change, account, role).await?;
        Ok(Response::new(pb::AppointOfficialResponse { event: Some(told(&current)) }))
    }

    async fn dismiss_official(
        &self,
        request: Request<pb::DismissOfficialRequest>,
    ) -> Result<Response<pb::DismissOfficialResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let office = request::office(&it.account_id, it.role)?;
        let reason = request::why(it.reason)?;
        let current = self.0.dismiss(&caller, &change, office, reason).await?;
        Ok(Response::new(pb::DismissOfficialResponse { event: Some(told(&current)) }))
    }

    async fn commit_seed(
        &self,
        request: Request<pb::CommitSeedRequest>,
    ) -> Result<Response<pb::CommitSeedResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let current = self.0.commit_seed(&caller, &change).await?;
        Ok(Response::new(pb::CommitSeedResponse { event: Some(told(&current)) }))
    }

    async fn enter_event(
        &self,
        request: Request<pb::EnterEventRequest>,
    ) -> Result<Response<pb::EnterEventResponse>, Status> {
        event_entry::enter(&self.0, request).await
    }

    async fn update_entry(
        &self,
        request: Request<pb::UpdateEntryRequest>,
    ) -> Result<Response<pb::UpdateEntryResponse>, Status> {
        event_entry::update(&self.0, request).await
    }

    async fn accept_supplement(
        &self,
        request: Request<pb::AcceptSupplementRequest>,
    ) -> Result<Response<pb::AcceptSupplementResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let it = request.into_inner();
        let change = it.change()?;
        let current = self.0.accept(&caller, &change, it.supplement_version).await?;
        Ok(Response::new(pb::AcceptSupplementResponse { event: Some(told(&current)) }))
    }

    async fn change_entry(
        &self,
        request: Request<pb::ChangeEntryRequest>,
    ) -> Result<Response<pb::ChangeEntryResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let it = request.into_inner();
        let change = it.change()?;
        let number = number_if_any(it.number);
        let status = request::status(it.status)?;
        let reason = request::why_if_any(it.reason)?;
        let current = self.0.change_entry(&caller, &change, (number, status), reason).await?;
        Ok(Response::new(pb::ChangeEntryResponse { event: Some(told(&current)) }))
    }

    async fn prohibit_pairing(
        &self,
        request: Request<pb::ProhibitPairingRequest>,
    ) -> Result<Response<pb::ProhibitPairingResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let rounds = [request::round("from_round", it.from_round)?, request::round("to_round", it.to_round)?];
        let pair = [Number(it.one), Number(it.other)];
        let reason = request::why(it.reason)?;
        let current = self.0.prohibit(&caller, &change, (pair, rounds), reason).await?;
        Ok(Response::new(pb::ProhibitPairingResponse { event: Some(told(&current)) }))
    }

    async fn edit_pairings(
        &self,
        request: Request<pb::EditPairingsRequest>,
    ) -> Result<Response<pb::EditPairingsResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let round = request::round("round", it.round)?;
        let edits = request::edits(&it.edits)?;
        let reason = request::why(it.reason)?;
        let current = self.0.edit_pairings(&caller, &change, round, (&edits, &reason)).await?;
        Ok(Response::new(pb::EditPairingsResponse { event: Some(told(&current)) }))
    }

    async fn publish_round(
        &self,
        request: Request<pb::PublishRoundRequest>,
    ) -> Result<Response<pb::PublishRoundResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let round = request::round("round", it.round)?;
        let current = self.0.publish(&caller, &change, round).await?;
        Ok(Response::new(pb::PublishRoundResponse { event: Some(told(&current)) }))
    }

    async fn retract_round(
        &self,
        request: Request<pb::RetractRoundRequest>,
    ) -> Result<Response<pb::RetractRoundResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let round = request::round("round", it.round)?;
        let reason = request::why(it.reason)?;
        let current = self.0.retract(&caller, &change, round, reason).await?;
        Ok(Response::new(pb::RetractRoundResponse { event: Some(told(&current)) }))
    }

    async fn start_round(
        &self,
        request: Request<pb::StartRoundRequest>,
    ) -> Result<Response<pb::StartRoundResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let round = request::round("round", it.round)?;
        let current = self.0.start(&caller, &change, round).await?;
        Ok(Response::new(pb::StartRoundResponse { event: Some(told(&current)) }))
    }

    async fn enter_result(
        &self,
        request: Request<pb::EnterResultRequest>,
    ) -> Result<Response<pb::EnterResultResponse>, Status> {
        event_result::enter_result(&self.0, request).await
    }

    async fn confirm_result(
        &self,
        request: Request<pb::ConfirmResultRequest>,
    ) -> Result<Response<pb::ConfirmResultResponse>, Status> {
        event_result::confirm_result(&self.0, request).await
    }

    async fn replay_board(
        &self,
        request: Request<pb::ReplayBoardRequest>,
    ) -> Result<Response<pb::ReplayBoardResponse>, Status> {
        event_result::replay_board(&self.0, request).await
    }

    async fn file_report(
        &self,
        request: Request<pb::FileReportRequest>,
    ) -> Result<Response<pb::FileReportResponse>, Status> {
        event_incident::file_report(&self.0, request).await
    }

    async fn assess_arbiter(
        &self,
        request: Request<pb::AssessArbiterRequest>,
    ) -> Result<Response<pb::AssessArbiterResponse>, Status> {
        event_incident::assess_arbiter(&self.0, request).await
    }

    async fn pair_round(
        &self,
        request: Request<pb::PairRoundRequest>,
    ) -> Result<Response<Self::PairRoundStream>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let it = request.into_inner();
        let change = it.change()?;
        let relaxed = request::relaxed(it.relaxed)?;
        let lifts = relaxed != pairing::Relaxed::Nothing;
        let reason = if lifts { request::why(it.reason)? } else { String::new() };
        let wanted = ToPair { round: request::round("round", it.round)?, relaxed, reason };
        let told = self.0.pair(&caller, change, wanted).await?;
        Ok(Response::new(pairing_answers(told)))
    }

    async fn get_round(
        &self,
        request: Request<pb::GetRoundRequest>,
    ) -> Result<Response<pb::GetRoundResponse>, Status> {
        event_read::get_round(&self.0, request).await
    }

    async fn list_entrants(
        &self,
        request: Request<pb::ListEntrantsRequest>,
    ) -> Result<Response<pb::ListEntrantsResponse>, Status> {
        event_read::list_entrants(&self.0, request).await
    }

    async fn get_standings(
        &self,
        request: Request<pb::GetStandingsRequest>,
    ) -> Result<Response<pb::GetStandingsResponse>, Status> {
        event_read::get_standings(&self.0, request).await
    }

    async fn list_log(
        &self,
        request: Request<pb::ListLogRequest>,
    ) -> Result<Response<pb::ListLogResponse>, Status> {
        event_read::list_log(&self.0, request).await
    }

    async fn watch_event(
        &self,
        request: Request<pb::WatchEventRequest>,
    ) -> Result<Response<Self::WatchEventStream>, Status> {
        let caller = caller_if_any(&request)?;
        let it = request.into_inner();
        let id = EventId::parse(&it.event_id, "event_id")?;
        let stream = follow::watch(Arc::clone(&self.0), caller, id, it.after_sequence).await?;
        let answers = stream
            .map_ok(|stored| pb::WatchEventResponse { entry: Some(stored.into()), ..Default::default() })
            .map_err(Status::from);
        Ok(Response::new(self.0.maintenance.said_on(answers, ())))
    }

    async fn watch_boards(
        &self,
        request: Request<pb::WatchBoardsRequest>,
    ) -> Result<Response<Self::WatchBoardsStream>, Status> {
        event_read::watch_boards(&self.0, request).await
    }

    async fn enter_team(
        &self,
        request: Request<pb::EnterTeamRequest>,
    ) -> Result<Response<pb::EnterTeamResponse>, Status> {
        event_team::enter(&self.0, request).await
    }

    async fn change_team_entry(
        &self,
        request: Request<pb::ChangeTeamEntryRequest>,
    ) -> Result<Response<pb::ChangeTeamEntryResponse>, Status> {
        event_team::change(&self.0, request).await
    }

    async fn declare_line_up(
        &self,
        request: Request<pb::DeclareLineUpRequest>,
    ) -> Result<Response<pb::DeclareLineUpResponse>, Status> {
        event_team::declare(&self.0, request).await
    }

    async fn reveal_line_up(
        &self,
        request: Request<pb::RevealLineUpRequest>,
    ) -> Result<Response<pb::RevealLineUpResponse>, Status> {
        event_team::reveal(&self.0, request).await
    }

    async fn list_event_teams(
        &self,
        request: Request<pb::ListEventTeamsRequest>,
    ) -> Result<Response<pb::ListEventTeamsResponse>, Status> {
        event_team::list_teams(&self.0, request).await
    }

    async fn get_team_match(
        &self,
        request: Request<pb::GetTeamMatchRequest>,
    ) -> Result<Response<pb::GetTeamMatchResponse>, Status> {
        event_team::get_match(&self.0, request).await
    }

    async fn list_team_matches(
        &self,
        request: Request<pb::ListTeamMatchesRequest>,
    ) -> Result<Response<pb::ListTeamMatchesResponse>, Status> {
        event_team::list_matches(&self.0, request).await
    }

    async fn challenge(
        &self,
        request: Request<pb::ChallengeRequest>,
    ) -> Result<Response<pb::ChallengeResponse>, Status> {
        event_team::challenge(&self.0, request).await
    }

    async fn answer_challenge(
        &self,
        request: Request<pb::AnswerChallengeRequest>,
    ) -> Result<Response<pb::AnswerChallengeResponse>, Status> {
        event_team::answer_challenge(&self.0, request).await
    }

    async fn check_in(
        &self,
        request: Request<pb::CheckInRequest>,
    ) -> Result<Response<pb::CheckInResponse>, Status> {
        event_arranging::check_in(&self.0, request).await
    }

    async fn postpone_board(
        &self,
        request: Request<pb::PostponeBoardRequest>,
    ) -> Result<Response<pb::PostponeBoardResponse>, Status> {
        event_arranging::postpone_board(&self.0, request).await
    }

    async fn propose_game(
        &self,
        request: Request<pb::ProposeGameRequest>,
    ) -> Result<Response<pb::ProposeGameResponse>, Status> {
        event_arranging::propose_game(&self.0, request).await
    }

    async fn accept_proposal(
        &self,
        request: Request<pb::AcceptProposalRequest>,
    ) -> Result<Response<pb::AcceptProposalResponse>, Status> {
        event_arranging::accept_proposal(&self.0, request).await
    }

    async fn decline_proposal(
        &self,
        request: Request<pb::DeclineProposalRequest>,
    ) -> Result<Response<pb::DeclineProposalResponse>, Status> {
        event_arranging::decline_proposal(&self.0, request).await
    }

    async fn take_leave(
        &self,
        request: Request<pb::TakeLeaveRequest>,
    ) -> Result<Response<pb::TakeLeaveResponse>, Status> {
        event_leave::take_leave(&self.0, request).await
    }

    async fn end_leave(
        &self,
        request: Request<pb::EndLeaveRequest>,
    ) -> Result<Response<pb::EndLeaveResponse>, Status> {
        event_leave::end_leave(&self.0, request).await
    }

    async fn list_leaves(
        &self,
        request: Request<pb::ListLeavesRequest>,
    ) -> Result<Response<pb::ListLeavesResponse>, Status> {
        event_leave::list_leaves(&self.0, request).await
    }

    async fn report_incident(
        &self,
        request: Request<pb::ReportIncidentRequest>,
    ) -> Result<Response<pb::ReportIncidentResponse>, Status> {
        event_incident::report_incident(&self.0, request).await
    }

    async fn rule_on_incident(
        &self,
        request: Request<pb::RuleOnIncidentRequest>,
    ) -> Result<Response<pb::RuleOnIncidentResponse>, Status> {
        event_incident::rule_on_incident(&self.0, request).await
    }

    async fn appeal_ruling(
        &self,
        request: Request<pb::AppealRulingRequest>,
    ) -> Result<Response<pb::AppealRulingResponse>, Status> {
        event_incident::appeal_ruling(&self.0, request).await
    }

    async fn rule_on_appeal(
        &self,
        request: Request<pb::RuleOnAppealRequest>,
    ) -> Result<Response<pb::RuleOnAppealResponse>, Status> {
        event_incident::rule_on_appeal(&self.0, request).await
    }

    async fn file_statement(
        &self,
        request: Request<pb::FileStatementRequest>,
    ) -> Result<Response<pb::FileStatementResponse>, Status> {
        event_incident::file_statement(&self.0, request).await
    }

    async fn seat_arbiters(
        &self,
        request: Request<pb::SeatArbitersRequest>,
    ) -> Result<Response<pb::SeatArbitersResponse>, Status> {
        event_incident::seat_arbiters(&self.0, request).await
    }

    async fn settle_ties(
        &self,
        request: Request<pb::SettleTiesRequest>,
    ) -> Result<Response<pb::SettleTiesResponse>, Status> {
        super::pairing::settle_ties(&self.0, request).await
    }

    async fn change_captain(
        &self,
        request: Request<pb::ChangeCaptainRequest>,
    ) -> Result<Response<pb::ChangeCaptainResponse>, Status> {
        event_team::change_captain(&self.0, request).await
    }

    async fn change_roster(
        &self,
        request: Request<pb::ChangeRosterRequest>,
    ) -> Result<Response<pb::ChangeRosterResponse>, Status> {
        event_team::change_roster(&self.0, request).await
    }

    async fn list_event_incidents(
        &self,
        request: Request<pb::ListEventIncidentsRequest>,
    ) -> Result<Response<pb::ListEventIncidentsResponse>, Status> {
        event_incident::list_event_incidents(&self.0, request).await
    }

    async fn list_notes(
        &self,
        request: Request<pb::ListNotesRequest>,
    ) -> Result<Response<pb::ListNotesResponse>, Status> {
        event_incident::list_notes(&self.0, request).await
    }

    async fn amend_event(
        &self,
        request: Request<pb::AmendEventRequest>,
    ) -> Result<Response<pb::AmendEventResponse>, Status> {
        event_result::amend_event(&self.0, request).await
    }
}
