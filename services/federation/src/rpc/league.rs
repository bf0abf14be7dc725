//! `LeagueService`: leagues, their seasons and squads.

use api::federation::v1::{self as pb, league_service_server::LeagueService};
use chassis::{
    auth::{self, Caller, Scope},
    id::{LeagueId, SeasonId},
};
use tonic::{Request, Response, Status};

use super::{Office, event::caller_if_any};
use crate::{
    app::league::{Advancing, Leagues},
    core::league::request::{Advance, Create, Edit, EditSeason, NewSeason, Place, StayDown, Withdraw},
    wire::{
        attempt::Mutation as _,
        league::{
            request::List,
            rules,
            view::{ended, honours},
        },
    },
};

/// What leagues are asked for.
#[derive(Clone)]
pub(crate) struct LeagueApi(pub Office, pub Leagues);

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl LeagueService for LeagueApi {
    async fn create_league(
        &self,
        request: Request<pb::CreateLeagueRequest>,
    ) -> Answer<pb::CreateLeagueResponse> {
        let (league, made) = self.0.change::<_, Create>(request, Scope::Arbitrate).await?;
        let league = Some(rules::league(&league, Some((league.version, &made))));
        Ok(Response::new(pb::CreateLeagueResponse { league }))
    }

    async fn get_league(&self, request: Request<pb::GetLeagueRequest>) -> Answer<pb::GetLeagueResponse> {
        let it = request.into_inner();
        let id = LeagueId::parse(&it.league_id, "league_id")?;
        let (league, version, found) = self.1.league(id, it.rules_version).await?;
        let league = Some(rules::league(&league, Some((version, &found))));
        Ok(Response::new(pb::GetLeagueResponse { league }))
    }

    async fn list_leagues(
        &self,
        request: Request<pb::ListLeaguesRequest>,
    ) -> Answer<pb::ListLeaguesResponse> {
        let (found, next_page_token) = self.1.leagues(&request.into_inner().try_into()?).await?;
        let leagues = found.iter().map(|it| rules::league(it, None)).collect();
        Ok(Response::new(pb::ListLeaguesResponse { leagues, next_page_token }))
    }

    async fn update_league(
        &self,
        request: Request<pb::UpdateLeagueRequest>,
    ) -> Answer<pb::UpdateLeagueResponse> {
        let (league, made) = self.0.change::<_, Edit>(request, Scope::Arbitrate).await?;
        let league = Some(rules::league(&league, Some((league.version, &made))));
        Ok(Response::new(pb::UpdateLeagueResponse { league }))
    }

    async fn create_season(
        &self,
        request: Request<pb::CreateSeasonRequest>,
    ) -> Answer<pb::CreateSeasonResponse> {
        let season = self.0.change::<_, NewSeason>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::CreateSeasonResponse { season: Some((&season).into()) }))
    }

    async fn get_season(&self, request: Request<pb::GetSeasonRequest>) -> Answer<pb::GetSeasonResponse> {
        let id = SeasonId::parse(&request.get_ref().season_id, "season_id")?;
        let found = self.1.season(id).await?;
        let season = Some(ended(&found.season, found.outcome.as_ref()));
        Ok(Response::new(pb::GetSeasonResponse { season }))
    }

    async fn list_seasons(
        &self,
        request: Request<pb::ListSeasonsRequest>,
    ) -> Answer<pb::ListSeasonsResponse> {
        let (found, next_page_token) = self.1.seasons(&request.into_inner().try_into()?).await?;
        let seasons = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListSeasonsResponse { seasons, next_page_token }))
    }

    async fn update_season(
        &self,
        request: Request<pb::UpdateSeasonRequest>,
    ) -> Answer<pb::UpdateSeasonResponse> {
        let season = self.0.change::<_, EditSeason>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::UpdateSeasonResponse { season: Some((&season).into()) }))
    }

    async fn advance_season(
        &self,
        request: Request<pb::AdvanceSeasonRequest>,
    ) -> Answer<pb::AdvanceSeasonResponse> {
        let caller: Caller = auth::require(&request, Scope::Arbitrate)?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let advancing = Advancing { leagues: &self.1, asked: Advance::try_from(request)? };
        let season = self.0.desk.carry_out(&attempt, &advancing).await?;
        Ok(Response::new(pb::AdvanceSeasonResponse { season: Some((&season).into()) }))
    }

    async fn place_entrant(
        &self,
        request: Request<pb::PlaceEntrantRequest>,
    ) -> Answer<pb::PlaceEntrantResponse> {
        let squad = self.0.change::<_, Place>(request, Scope::Arbitrate).await?;
        Ok(Response::new(pb::PlaceEntrantResponse { squad: Some((&squad).into()) }))
    }

    async fn register_squad(
        &self,
        request: Request<pb::RegisterSquadRequest>,
    ) -> Answer<pb::RegisterSquadResponse> {
        let caller: Caller = auth::require(&request, self.0.own_or_office(&request))?;
        let request = request.into_inner();
        let attempt = request.attempt(caller)?;
        let squad = self.1.register(&attempt, request.try_into()?).await?;
        Ok(Response::new(pb::RegisterSquadResponse { squad: Some((&squad).into()) }))
    }

    async fn withdraw_squad(
        &self,
        request: Request<pb::WithdrawSquadRequest>,
    ) -> Answer<pb::WithdrawSquadResponse> {
        let scope = self.0.own_or_office(&request);
        let squad = self.0.change::<_, Withdraw>(request, scope).await?;
        Ok(Response::new(pb::WithdrawSquadResponse { squad: Some((&squad).into()) }))
    }

    async fn stay_down(&self, request: Request<pb::StayDownRequest>) -> Answer<pb::StayDownResponse> {
        let scope = self.0.own_or_office(&request);
        let squad = self.0.change::<_, StayDown>(request, scope).await?;
        Ok(Response::new(pb::StayDownResponse { squad: Some((&squad).into()) }))
    }

    async fn list_squads(&self, request: Request<pb::ListSquadsRequest>) -> Answer<pb::ListSquadsResponse> {
        let list = List::try_from(request.into_inner())?;
        let (found, next_page_token) = self.1.squads(&list).await?;
        let squads = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListSquadsResponse { squads, next_page_token }))
    }

    async fn get_league_table(
        &self,
        request: Request<pb::GetLeagueTableRequest>,
    ) -> Answer<pb::GetLeagueTableResponse> {
        let caller = caller_if_any(&request)?;
        let it = request.into_inner();
        let id = SeasonId::parse(&it.season_id, "season_id")?;
        let table = self.1.table(caller.as_ref(), id, it.division).await?;
        let line = |(entrant, line): &(crate::core::league::EntrantId, _)| pb::LeagueTableLine {
            entrant_id: entrant.to_string(),
            line: Some(crate::wire::event::view::line(line)),
        };
        Ok(Response::new(pb::GetLeagueTableResponse {
            event_id: table.event.to_string(),
            lines: table.lines.iter().map(line).collect(),
            round: table.round.into(),
            sequence: table.sequence,
            delayed: table.delayed,
        }))
    }

    async fn list_season_log(
        &self,
        request: Request<pb::ListSeasonLogRequest>,
    ) -> Answer<pb::ListSeasonLogResponse> {
        let (found, next_page_token) = self.1.acts(&request.into_inner().try_into()?).await?;
        let entries = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListSeasonLogResponse { entries, next_page_token }))
    }

    async fn list_honours(
        &self,
        request: Request<pb::ListHonoursRequest>,
    ) -> Answer<pb::ListHonoursResponse> {
        let (found, next_page_token) = self.1.honours(&request.into_inner().try_into()?).await?;
        let seasons = found.iter().map(|(season, outcome)| honours(season, outcome)).collect();
        Ok(Response::new(pb::ListHonoursResponse { seasons, next_page_token }))
    }

    async fn list_all_time(
        &self,
        request: Request<pb::ListAllTimeRequest>,
    ) -> Answer<pb::ListAllTimeResponse> {
        let (found, next_page_token) = self.1.all_time(&request.into_inner().try_into()?).await?;
        let lines = found.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListAllTimeResponse { lines, next_page_token }))
    }
}
