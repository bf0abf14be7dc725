//! The public game service.

use std::sync::Arc;

use api::game::v1::{self as pb, game_service_server::GameService};
use chassis::{
    auth::{self, Scope},
    id::GameId,
    page::Page,
};
use futures::stream::BoxStream;
use rules::Viewer;
use tonic::{Request, Response, Status};

use super::command_calls;
use crate::{
    app::{
        App,
        availability::Ingress,
        follow_game::{Wanted, WatchStream, watch},
        follow_own,
        imports::quota,
        views::GameView,
    },
    error::Error,
    wire::{GamesRequest, named_games, side},
};

/// The public game service.
pub(crate) struct PublicApi(pub Arc<App>);

impl PublicApi {
    /// The game as the caller sees it now, and as whom; a player who asks is there.
    async fn seen<T>(&self, request: &Request<T>, id: &str) -> Result<(GameView, Viewer), Status> {
        let (game, viewer) = self.viewed(request, id).await?;
        if let Viewer::Seat(side) = viewer {
            self.0.players.heard_in(&game, side);
        }
        Ok((game, viewer))
    }

    /// The game as the caller sees it now, and as whom: from his seat if he has one and shows a valid token.
    async fn viewed<T>(&self, request: &Request<T>, id: &str) -> Result<(GameView, Viewer), Status> {
        let caller = auth::caller(request).ok().flatten();
        let (id, ingress) = (GameId::parse(id, "game_id")?, Ingress::of(request.extensions()));
        let game = self.0.queries.view_for(id, caller.as_ref(), ingress).await?;
        let side = caller.and_then(|caller| game.side_of(caller.id));
        Ok((game, side.map_or(Viewer::Spectator, Viewer::Seat)))
    }
}

#[tonic::async_trait]
impl GameService for PublicApi {
    type WatchStream = WatchStream;
    type WatchOwnGamesStream = BoxStream<'static, Result<pb::WatchOwnGamesResponse, Status>>;

    command_calls! {
        play: PlayRequest => PlayResponse;
        resign: ResignRequest => ResignResponse;
        offer_draw: OfferDrawRequest => OfferDrawResponse;
        accept_draw: AcceptDrawRequest => AcceptDrawResponse;
        decline_draw: DeclineDrawRequest => DeclineDrawResponse;
        abort: AbortRequest => AbortResponse;
        propose: ProposeRequest => ProposeResponse;
        drop_proposal: DropProposalRequest => DropProposalResponse;
        give_time: GiveTimeRequest => GiveTimeResponse;
        check_in: CheckInRequest => CheckInResponse;
        seal_move: SealMoveRequest => SealMoveResponse;
        claim_abandonment: ClaimAbandonmentRequest => ClaimAbandonmentResponse;
    }

    async fn answer_probe(
        &self,
        request: Request<pb::AnswerProbeRequest>,
    ) -> Result<Response<pb::AnswerProbeResponse>, Status> {
        let received = self.0.registry.env.now();
        let caller = auth::require(&request, Scope::Play)?;
        let pb::AnswerProbeRequest { game_id, nonce } = request.get_ref();
        self.0.registry.presence.answered(GameId::parse(game_id, "game_id")?, caller.id, nonce, received);
        Ok(Response::new(pb::AnswerProbeResponse {}))
    }

    async fn get_sealing_key(
        &self,
        _request: Request<pb::GetSealingKeyRequest>,
    ) -> Result<Response<pb::GetSealingKeyResponse>, Status> {
        let key = self.0.registry.keyring.current().await?;
        Ok(Response::new(pb::GetSealingKeyResponse { key: Some(key) }))
    }

    async fn get_game(
        &self,
        request: Request<pb::GetGameRequest>,
    ) -> Result<Response<pb::GetGameResponse>, Status> {
        let (view, viewer) = self.viewed(&request, &request.get_ref().game_id).await?;
        let game = Some(self.0.queries.with_audience(&view, viewer).await?);
        let present_until_time = match viewer {
            Viewer::Seat(side) => self.0.players.heard_in(&view, side).map(api::time::timestamp),
            Viewer::Spectator => None,
        };
        Ok(Response::new(pb::GetGameResponse { game, present_until_time }))
    }

    async fn list_games(
        &self,
        request: Request<pb::ListGamesRequest>,
    ) -> Result<Response<pb::ListGamesResponse>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let GamesRequest { filter, page } = request.into_inner().try_into()?;
        let (games, next_page_token) = self.0.queries.list(&filter, caller.as_ref(), &page).await?;
        let games = games.iter().map(|header| header.shown()).collect();
        Ok(Response::new(pb::ListGamesResponse { games, next_page_token }))
    }

    async fn watch(&self, request: Request<pb::WatchRequest>) -> Result<Response<WatchStream>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let ingress = Ingress::of(request.extensions());
        let pb::WatchRequest { game_id, after_sequence: after, after_end } = request.into_inner();
        let id = GameId::parse(&game_id, "game_id")?;
        let stream = watch(Arc::clone(&self.0), id, Wanted { after, after_end, caller, ingress }).await?;
        Ok(Response::new(self.0.registry.maintenance.said.said_on(stream, ())))
    }

    async fn watch_own_games(
        &self,
        request: Request<pb::WatchOwnGamesRequest>,
    ) -> Result<Response<Self::WatchOwnGamesStream>, Status> {
        let caller = auth::signed_in(&request)?;
        let named = named_games(&request.get_ref().known_game_ids)?;
        let place = self.0.own_stream(caller.id)?;
        let stream = follow_own::watch(Arc::clone(&self.0), caller.id, named, Some(place)).await?;
        Ok(Response::new(self.0.registry.maintenance.said.said_on(stream, ())))
    }

    async fn list_hints(
        &self,
        request: Request<pb::ListHintsRequest>,
    ) -> Result<Response<pb::ListHintsResponse>, Status> {
        let (game, _) = self.seen(&request, &request.get_ref().game_id).await?;
        let hints = self.0.queries.views.hints(&game, side(request.get_ref().side)?).await?;
        Ok(Response::new(pb::ListHintsResponse { hints, ply: game.ply() }))
    }

    async fn list_counts(
        &self,
        request: Request<pb::ListCountsRequest>,
    ) -> Result<Response<pb::ListCountsResponse>, Status> {
        let (game, _) = self.seen(&request, &request.get_ref().game_id).await?;
        let counts = self.0.queries.views.counts(&game).await?;
        Ok(Response::new(pb::ListCountsResponse { counts }))
    }

    async fn suggest_act(
        &self,
        request: Request<pb::SuggestActRequest>,
    ) -> Result<Response<pb::SuggestActResponse>, Status> {
        auth::require(&request, Scope::Play)?;
        let (game, viewer) = self.viewed(&request, &request.get_ref().game_id).await?;
        if viewer == Viewer::Spectator {
            return Err(Error::NotAPlayer.into());
        }
        let act = self.0.queries.views.suggestion(&game).await?;
        Ok(Response::new(pb::SuggestActResponse { act, ply: game.ply() }))
    }

    async fn export_record(
        &self,
        request: Request<pb::ExportRecordRequest>,
    ) -> Result<Response<pb::ExportRecordResponse>, Status> {
        let (game, _) = self.seen(&request, &request.get_ref().game_id).await?;
        Ok(Response::new(self.0.queries.views.record(&game).await?))
    }

    async fn import_record(
        &self,
        request: Request<pb::ImportRecordRequest>,
    ) -> Result<Response<pb::ImportRecordResponse>, Status> {
        let caller = auth::require(&request, Scope::Record)?;
        let game = self.0.imported.import(request.into_inner().try_into()?, &caller).await?;
        let game = self.0.queries.whole(&game, Viewer::Spectator).await?;
        Ok(Response::new(pb::ImportRecordResponse { game: Some(game) }))
    }

    async fn list_imports(
        &self,
        request: Request<pb::ListImportsRequest>,
    ) -> Result<Response<pb::ListImportsResponse>, Status> {
        let caller = auth::require(&request, Scope::Record)?;
        let pb::ListImportsRequest { page_size, page_token } = request.into_inner();
        let page = Page::of("imports", page_size, &page_token)?;
        let (imports, next_page_token) = self.0.imported.list(caller.id, &page).await?;
        let used = Some(self.0.imported.usage(caller.id).await?.into());
        let (imports, quota) = (imports.iter().map(Into::into).collect(), Some(quota(&caller).into()));
        Ok(Response::new(pb::ListImportsResponse { imports, next_page_token, used, quota }))
    }

    async fn publish_import(
        &self,
        request: Request<pb::PublishImportRequest>,
    ) -> Result<Response<pb::PublishImportResponse>, Status> {
        let caller = auth::require(&request, Scope::Record)?;
        let pb::PublishImportRequest { game_id, published } = request.into_inner();
        self.0.imported.publish(GameId::parse(&game_id, "game_id")?, caller.id, published).await?;
        Ok(Response::new(pb::PublishImportResponse {}))
    }

    async fn delete_import(
        &self,
        request: Request<pb::DeleteImportRequest>,
    ) -> Result<Response<pb::DeleteImportResponse>, Status> {
        let caller = auth::require(&request, Scope::Record)?;
        self.0.imported.delete(GameId::parse(&request.get_ref().game_id, "game_id")?, caller.id).await?;
        Ok(Response::new(pb::DeleteImportResponse {}))
    }

    async fn list_variants(
        &self,
        _request: Request<pb::ListVariantsRequest>,
    ) -> Result<Response<pb::ListVariantsResponse>, Status> {
        let variants = rules::VARIANTS.iter().copied().map(Into::into).collect();
        Ok(Response::new(pb::ListVariantsResponse { variants }))
    }
}
