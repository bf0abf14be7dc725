//! Teams of events and ladders on the wire: protos in, protos out, nothing decided.

use api::federation::v1 as pb;
use chassis::{
    auth::{self, Scope},
    id::EventId,
    page::Page,
};
use pairing::Number;
use tonic::{Request, Response, Status};

use super::event::caller_if_any;
use crate::{
    app::event::{AsOf, Current, Events, RosterEntry, TeamEntry},
    error::Error,
    wire::event::{
        request::{self, ChangeRequest as _},
        team,
    },
};

type Answer<T> = Result<Response<T>, Status>;

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
fn told(current: &Current) -> Option<pb::Event> {
    Some(super::event::told(current))
}

pub(super) async fn enter(
    events: &Events,
    request: Request<pb::EnterTeamRequest>,
) -> Answer<pb::EnterTeamResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let change = it.change()?;
    let entry = TeamEntry {
        team: team::team(&it.team_id)?,
        players: team::members("player_ids", &it.player_ids)?,
        reserves: team::members("reserve_ids", &it.reserve_ids)?,
        version: it.supplement_version,
        affiliations: request::affiliations(it.affiliations)?,
    };
    let current = events.enter_team(&caller, &change, entry).await?;
    Ok(Response::new(pb::EnterTeamResponse { event: told(&current) }))
}

pub(super) async fn change(
    events: &Events,
    request: Request<pb::ChangeTeamEntryRequest>,
) -> Answer<pb::ChangeTeamEntryResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let change = it.change()?;
    let status = request::status(it.status)?;
    let reason = request::why_if_any(it.reason)?;
    let current = events.change_team(&caller, &change, (Number(it.team), status), reason).await?;
    Ok(Response::new(pb::ChangeTeamEntryResponse { event: told(&current) }))
}

pub(super) async fn change_captain(
    events: &Events,
    request: Request<pb::ChangeCaptainRequest>,
) -> Answer<pb::ChangeCaptainResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, captain) = (it.change()?, team::captain(&it)?);
    let reason = request::why_if_any(it.reason)?;
    let current = events.change_captain(&caller, &change, captain, reason).await?;
    Ok(Response::new(pb::ChangeCaptainResponse { event: told(&current) }))
}

pub(super) async fn change_roster(
    events: &Events,
    request: Request<pb::ChangeRosterRequest>,
) -> Answer<pb::ChangeRosterResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let change = it.change()?;
    let roster = RosterEntry {
        team: Number(it.team),
        players: team::members("player_ids", &it.player_ids)?,
        reserves: team::members("reserve_ids", &it.reserve_ids)?,
        version: it.supplement_version,
        reason: request::why_if_any(it.reason)?,
    };
    let current = events.change_roster(&caller, &change, &roster).await?;
    Ok(Response::new(pb::ChangeRosterResponse { event: told(&current) }))
}

pub(super) async fn declare(
    events: &Events,
    request: Request<pb::DeclareLineUpRequest>,
) -> Answer<pb::DeclareLineUpResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let change = it.change()?;
    let of = team::of_round(it.round, it.team)?;
    let current = events.declare(&caller, &change, of, team::commitment(&it.commitment)?).await?;
    Ok(Response::new(pb::DeclareLineUpResponse { event: told(&current) }))
}

pub(super) async fn reveal(
    events: &Events,
    request: Request<pb::RevealLineUpRequest>,
) -> Answer<pb::RevealLineUpResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let change = it.change()?;
    let of = team::of_round(it.round, it.team)?;
    let current = events.reveal(&caller, &change, of, team::opening(&it.salt, it.players)?).await?;
    Ok(Response::new(pb::RevealLineUpResponse { event: told(&current) }))
}

pub(super) async fn challenge(
    events: &Events,
    request: Request<pb::ChallengeRequest>,
) -> Answer<pb::ChallengeResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let change = it.change()?;
    let current = events.challenge(&caller, &change, Number(it.holder)).await?;
    Ok(Response::new(pb::ChallengeResponse { event: told(&current) }))
}

pub(super) async fn answer_challenge(
    events: &Events,
    request: Request<pb::AnswerChallengeRequest>,
) -> Answer<pb::AnswerChallengeResponse> {
    let caller = auth::require(&request, Scope::Play)?;
    let it = request.into_inner();
    let (change, answer) = (it.change()?, request::answer(it.answer)?);
    let current = events.answer_challenge(&caller, &change, Number(it.challenger), answer).await?;
    Ok(Response::new(pb::AnswerChallengeResponse { event: told(&current) }))
}

pub(super) async fn list_teams(
    events: &Events,
    request: Request<pb::ListEventTeamsRequest>,
) -> Answer<pb::ListEventTeamsResponse> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let page: Page<u32> = Page::of(format!("event-teams/{id}"), it.page_size, &it.page_token)?;
    let event = events.admit(caller.as_ref(), id).await?.event;
    let now = events.now();
    let shown = page.numbered(&event.teams, |_| true).map(|it| team::team_now(&event, it, now));
    let found: Vec<pb::EventTeam> = shown.collect();
    let (teams, next_page_token) = page.cut(found, |team| team.number);
    Ok(Response::new(pb::ListEventTeamsResponse { teams, next_page_token }))
}

pub(super) async fn get_match(
    events: &Events,
    request: Request<pb::GetTeamMatchRequest>,
) -> Answer<pb::GetTeamMatchResponse> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let (_, mut matches, sequence) = matches(events, caller.as_ref(), id, it.round).await?;
    let found = matches.iter().position(|of| of.r#match == it.r#match);
    let found = found.ok_or(Error::Event(crate::core::event::Refusal::UnknownMatch))?;
    Ok(Response::new(pb::GetTeamMatchResponse { r#match: Some(matches.swap_remove(found)), sequence }))
}

pub(super) async fn list_matches(
    events: &Events,
    request: Request<pb::ListTeamMatchesRequest>,
) -> Answer<pb::ListTeamMatchesResponse> {
    let caller = caller_if_any(&request)?;
    let it = request.into_inner();
    let id = EventId::parse(&it.event_id, "event_id")?;
    let (round, matches, _) = matches(events, caller.as_ref(), id, it.round).await?;
    // The pages of a list are of one round, also where the next is published between them.
    let page: Page<u32> = Page::of(format!("matches/{id}/{round}"), it.page_size, &it.page_token)?;
    let found: Vec<pb::TeamMatch> = page.numbered(matches, |_| true).collect();
    let (matches, next_page_token) = page.cut(found, |of| of.r#match);
    Ok(Response::new(pb::ListTeamMatchesResponse { matches, next_page_token }))
}

/// The matches of a round as somebody may see them, with its number and the last entry that they reflect.
async fn matches(
    events: &Events,
    caller: Option<&auth::Caller>,
    id: EventId,
    round: u32,
) -> Result<(u16, Vec<pb::TeamMatch>, u64), Status> {
    let sight = events.look(caller, id, AsOf::Now).await?;
    let event = &sight.event;
    let number = match request::round("round", round)? {
        0 => event.next_round() - 1,
        number => number,
    };
    let round = event.round(number).ok_or(Error::UnknownRound)?;
    let own = events.own_opening(caller, &sight, round).await?;
    let shown = event.matches(round);
    let told = shown.iter().map(|of| team::team_match(event, (round, of), own.as_ref()));
    Ok((number, told.collect(), event.sequence))
}
