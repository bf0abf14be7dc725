//! What federations ask of the games of their events.

use std::sync::Arc;

use api::{
    ProtoEnum as _,
    game::v1::{self as pb, event_games_internal_service_server::EventGamesInternalService},
    reason,
};
use chassis::{
    auth::{self, Caller, GrantType, Role, RoleGrant, RoleScope},
    id::{AccountId, EventId, GameId, RequestId},
};
use futures::{StreamExt as _, stream, stream::BoxStream};
use tonic::{Request, Response, Status};

use crate::{
    app::{App, availability::Ingress, follow_event, leave::LeaveChange, rulings::OfficialCommand},
    error::Error,
    wire::RulingRequest,
};

/// Games that are looked at in one call: the boards of a large round.
const GAMES_MAX: usize = 500;

/// Games that are watched in one stream: the boards of the largest round, in which 16,384 players meet, the most that can enter
/// an event.
const GAMES_WATCHED_MAX: usize = 8192;

/// The internal service for federations.
pub(crate) struct EventGamesApi(pub Arc<App>);

#[tonic::async_trait]
impl EventGamesInternalService for EventGamesApi {
    type WatchGlimpsesStream = BoxStream<'static, Result<pb::WatchGlimpsesResponse, Status>>;
    type ListRecordsStream = BoxStream<'static, Result<pb::ListRecordsResponse, Status>>;

    async fn watch_glimpses(
        &self,
        request: Request<pb::WatchGlimpsesRequest>,
    ) -> Result<Response<Self::WatchGlimpsesStream>, Status> {
        auth::require_service(&request)?;
        let asked = request.into_inner();
        let event = EventId::parse(&asked.event_id, "event_id")?;
        let games = games(&asked.game_ids, GAMES_WATCHED_MAX)?;
        let stream = follow_event::watch(Arc::clone(&self.0), event, games).await?;
        Ok(Response::new(stream.boxed()))
    }

    async fn rule_on_game(
        &self,
        request: Request<pb::RuleOnGameRequest>,
    ) -> Result<Response<pb::RuleOnGameResponse>, Status> {
        auth::require_service(&request)?;
        let received = self.0.registry.env.now();
        let asked = request.into_inner();
        let event = EventId::parse(&asked.event_id, "event_id")?;
        let role = Role::of(asked.role);
        let role =
            role.ok_or_else(|| api::Error::invalid(reason::BAD_ROLE, "role", "there is no such role"))?;
        let official = Caller {
            id: AccountId::parse(&asked.account_id, "account_id")?,
            name: asked.name,
            guest: false,
            bot: false,
            scopes: Vec::new(),
            roles: vec![RoleGrant { role, scope: RoleScope::Event(event) }],
            kind: GrantType::SignIn,
        };
        let ruling =
            pb::RuleRequest { game_id: asked.game_id, ruling: asked.ruling, request_id: asked.request_id };
        let RulingRequest { game, request, ruling } = ruling.try_into()?;
        let ingress = Ingress::Internal;
        let command = OfficialCommand { game, official, ruling, request, received, ingress };
        let event = self.0.rule(command).await?;
        Ok(Response::new(pb::RuleOnGameResponse { event: Some(event) }))
    }

    async fn change_leave(
        &self,
        request: Request<pb::ChangeLeaveRequest>,
    ) -> Result<Response<pb::ChangeLeaveResponse>, Status> {
        auth::require_service(&request)?;
        let received = self.0.registry.env.now();
        let asked = request.into_inner();
        let change = LeaveChange {
            game: GameId::parse(&asked.game_id, "game_id")?,
            event: EventId::parse(&asked.event_id, "event_id")?,
            on_leave: asked.on_leave,
            event_sequence: asked.event_sequence,
            request: RequestId::parse(&asked.request_id, "request_id")?,
            received,
        };
        let event = self.0.change_leave(change).await?;
        Ok(Response::new(pb::ChangeLeaveResponse { event }))
    }

    async fn list_plies(
        &self,
        request: Request<pb::ListPliesRequest>,
    ) -> Result<Response<pb::ListPliesResponse>, Status> {
        auth::require_service(&request)?;
        let games = games(&request.into_inner().game_ids, GAMES_MAX)?;
        let headers = self.0.queries.headers(&games).await?;
        let games = headers.iter().map(|header| pb::GamePly {
            game_id: header.info.id.to_string(),
            ply: header.state.ply,
            ended: header.is_over(),
        });
        Ok(Response::new(pb::ListPliesResponse { games: games.collect() }))
    }

    async fn list_records(
        &self,
        request: Request<pb::ListRecordsRequest>,
    ) -> Result<Response<Self::ListRecordsStream>, Status> {
        auth::require_service(&request)?;
        let games = games(&request.into_inner().game_ids, GAMES_MAX)?;
        let app = Arc::clone(&self.0);
        let records = stream::iter(games).then(move |game| record(Arc::clone(&app), game));
        Ok(Response::new(records.filter_map(async |told| told.transpose()).boxed()))
    }
}

/// The record of a game as a stranger sees it; none where there is no such game.
async fn record(app: Arc<App>, game: GameId) -> Result<Option<pb::ListRecordsResponse>, Status> {
    let view = match app.queries.view(game, None).await {
        Err(Error::UnknownGame) => return Ok(None),
        view => view?,
    };
    let pb::ExportRecordResponse { text, file_name } = app.queries.views.record(&view).await?;
    let game_id = game.to_string();
    Ok(Some(pb::ListRecordsResponse { game_id, text, file_name, ended: view.is_over() }))
}

/// Games that are named, so many at most.
fn games(ids: &[String], at_most: usize) -> Result<Vec<GameId>, api::Error> {
    if ids.len() > at_most {
        let message = format!("at most {at_most} games");
        return Err(api::Error::invalid(reason::BAD_PAGE_TOKEN, "game_ids", message));
    }
    ids.iter().map(|id| GameId::parse(id, "game_id")).collect()
}
