//! The public game service.

use std::{sync::Arc, time::Duration};

use api::{
    game::v1::{self as pb, game_service_server::GameService},
    reason,
    sealing::{CIPHERTEXT_BYTES_MAX, COMMITMENT_BYTES},
};
use chassis::{
    auth::{self, Scope},
    id::{AccountId, GameId, RequestId},
    page::Page,
};
use rules::{Side, Viewer};
use tonic::{Request, Response, Status};

use super::show::{import, usage};
use crate::{
    app::{
        App,
        availability::Ingress,
        commands::{Arrival, Lag, PlayerCommand},
        follow_game::{Wanted, WatchStream, watch},
        imports::{Import, QUOTA, QUOTA_GUEST},
        queries::{GameFilter, GameView},
        sealing::encode_stored,
    },
    core::{Command, Proposal, SealedMove},
    error::Error,
    wire::{claim_from_pb, proposal_from_pb, side_from_pb, variant_to_pb},
};

/// The longest lag that a client can claim: the clocks take a longer one for a mistake, and no act is to fail by it.
const LAG_MAX: Duration = api::time_control::MAIN_MAX;
/// The longest record that is read.
const RECORD_BYTES_MAX: usize = 1024 * 1024;

/// The public game service.
pub(crate) struct PublicApi(pub Arc<App>);

/// A call that changes a game: who, which, by which request.
struct Change<'a> {
    game_id: &'a str,
    request_id: &'a str,
    command: Command,
    lag: Lag,
}

impl<'a> Change<'a> {
    fn new(game_id: &'a str, request_id: &'a str, command: Command) -> Self {
        Change { game_id, request_id, command, lag: Lag::default() }
    }
}

impl PublicApi {
    async fn change<T>(
        &self,
        request: &Request<T>,
        change: Change<'_>,
    ) -> Result<Option<pb::GameEvent>, Status> {
        let received = self.0.registry.env.now();
        let caller = auth::require(request, Scope::Play)?;
        let command = PlayerCommand {
            game: GameId::parse(change.game_id, "game_id")?,
            account: caller.id,
            command: change.command,
            request: RequestId::parse(change.request_id, "request_id")?,
            arrival: Arrival { received, lag: change.lag },
            ingress: Ingress::of(request.extensions()),
        };
        let game = command.game;
        match self.0.command(command).await {
            Ok(event) => Ok(Some(event)),
            Err(error) => {
                // What is refused is a sign of life, too; what is done stands in the log.
                if matches!(error, Error::Command(_))
                    && let Ok(game) = self.0.registry.get(game).await
                    && let Some(side) = game.side_of(caller.id)
                {
                    self.0.players.heard(&game, side);
                }
                Err(error.into())
            }
        }
    }

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

    async fn play(&self, request: Request<pb::PlayRequest>) -> Result<Response<pb::PlayResponse>, Status> {
        let pb::PlayRequest { game_id, act, ply, request_id, lag_duration } = request.get_ref();
        let command = Command::Play { text: act.clone(), ply: *ply };
        let claimed = lag_duration.as_ref().and_then(api::time::span).filter(|lag| *lag <= LAG_MAX);
        let lag = Lag { claimed, ..Lag::default() };
        let event =
            self.change(&request, Change { lag, ..Change::new(game_id, request_id, command) }).await?;
        Ok(Response::new(pb::PlayResponse { event }))
    }

    async fn resign(
        &self,
        request: Request<pb::ResignRequest>,
    ) -> Result<Response<pb::ResignResponse>, Status> {
        let pb::ResignRequest { game_id, request_id } = request.get_ref();
        let event = self.change(&request, Change::new(game_id, request_id, Command::Resign)).await?;
        Ok(Response::new(pb::ResignResponse { event }))
    }

    async fn offer_draw(
        &self,
        request: Request<pb::OfferDrawRequest>,
    ) -> Result<Response<pb::OfferDrawResponse>, Status> {
        let pb::OfferDrawRequest { game_id, request_id } = request.get_ref();
        let event = self.change(&request, Change::new(game_id, request_id, Command::OfferDraw)).await?;
        Ok(Response::new(pb::OfferDrawResponse { event }))
    }

    async fn accept_draw(
        &self,
        request: Request<pb::AcceptDrawRequest>,
    ) -> Result<Response<pb::AcceptDrawResponse>, Status> {
        let pb::AcceptDrawRequest { game_id, request_id } = request.get_ref();
        let event = self.change(&request, Change::new(game_id, request_id, Command::AcceptDraw)).await?;
        Ok(Response::new(pb::AcceptDrawResponse { event }))
    }

    async fn decline_draw(
        &self,
        request: Request<pb::DeclineDrawRequest>,
    ) -> Result<Response<pb::DeclineDrawResponse>, Status> {
        let pb::DeclineDrawRequest { game_id, request_id } = request.get_ref();
        let event = self.change(&request, Change::new(game_id, request_id, Command::DeclineDraw)).await?;
        Ok(Response::new(pb::DeclineDrawResponse { event }))
    }

    async fn abort(&self, request: Request<pb::AbortRequest>) -> Result<Response<pb::AbortResponse>, Status> {
        let pb::AbortRequest { game_id, request_id } = request.get_ref();
        let event = self.change(&request, Change::new(game_id, request_id, Command::Abort)).await?;
        Ok(Response::new(pb::AbortResponse { event }))
    }

    async fn propose(
        &self,
        request: Request<pb::ProposeRequest>,
    ) -> Result<Response<pb::ProposeResponse>, Status> {
        let pb::ProposeRequest { game_id, proposal, request_id } = request.get_ref();
        let command = Command::Propose(wanted(proposal.as_ref())?);
        let event = self.change(&request, Change::new(game_id, request_id, command)).await?;
        Ok(Response::new(pb::ProposeResponse { event }))
    }

    async fn drop_proposal(
        &self,
        request: Request<pb::DropProposalRequest>,
    ) -> Result<Response<pb::DropProposalResponse>, Status> {
        let pb::DropProposalRequest { game_id, proposal, request_id } = request.get_ref();
        let command = Command::DropProposal(wanted(proposal.as_ref())?);
        let event = self.change(&request, Change::new(game_id, request_id, command)).await?;
        Ok(Response::new(pb::DropProposalResponse { event }))
    }

    async fn give_time(
        &self,
        request: Request<pb::GiveTimeRequest>,
    ) -> Result<Response<pb::GiveTimeResponse>, Status> {
        let pb::GiveTimeRequest { game_id, given_duration, request_id } = request.get_ref();
        let span = given_duration.as_ref().and_then(api::time::span).unwrap_or_default();
        let event = self.change(&request, Change::new(game_id, request_id, Command::GiveTime(span))).await?;
        Ok(Response::new(pb::GiveTimeResponse { event }))
    }

    async fn claim_abandonment(
        &self,
        request: Request<pb::ClaimAbandonmentRequest>,
    ) -> Result<Response<pb::ClaimAbandonmentResponse>, Status> {
        let pb::ClaimAbandonmentRequest { game_id, claim, request_id } = request.get_ref();
        let claim = claim_from_pb(*claim)
            .ok_or_else(|| api::Error::invalid(reason::BAD_CLAIM, "claim", "say what is claimed"))?;
        let command = Command::ClaimAbandonment { claim, at: self.0.registry.env.now() };
        let event = self.change(&request, Change::new(game_id, request_id, command)).await?;
        Ok(Response::new(pb::ClaimAbandonmentResponse { event }))
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

    async fn check_in(
        &self,
        request: Request<pb::CheckInRequest>,
    ) -> Result<Response<pb::CheckInResponse>, Status> {
        let pb::CheckInRequest { game_id, request_id } = request.get_ref();
        let event = self.change(&request, Change::new(game_id, request_id, Command::CheckIn)).await?;
        Ok(Response::new(pb::CheckInResponse { event }))
    }

    async fn seal_move(
        &self,
        request: Request<pb::SealMoveRequest>,
    ) -> Result<Response<pb::SealMoveResponse>, Status> {
        let pb::SealMoveRequest { game_id, request_id, .. } = request.get_ref();
        let command = Command::SealMove(sealed_move(request.get_ref())?);
        let event = self.change(&request, Change::new(game_id, request_id, command)).await?;
        Ok(Response::new(pb::SealMoveResponse { event }))
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
        let (game, viewer) = self.viewed(&request, &request.get_ref().game_id).await?;
        let audience = self.0.registry.presence.audience(game.info().id).await;
        // How many watch is live state; the game is not.
        let audience =
            audience.inspect_err(|error| tracing::debug!(%error, "the audience is not known")).ok();
        let present_until_time = match viewer {
            Viewer::Seat(side) => self.0.players.heard_in(&game, side).map(api::time::timestamp),
            Viewer::Spectator => None,
        };
        let game = self.0.queries.whole(&game, viewer).await?;
        let audience = audience.map(|count| pb::Audience { count });
        Ok(Response::new(pb::GetGameResponse {
            game: Some(pb::Game { audience, ..game }),
            present_until_time,
        }))
    }

    async fn list_games(
        &self,
        request: Request<pb::ListGamesRequest>,
    ) -> Result<Response<pb::ListGamesResponse>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let request = request.into_inner();
        let filter = GameFilter {
            account: match request.account_id.as_str() {
                "" => None,
                id => Some(AccountId::parse(id, "account_id")?),
            },
            variant: match request.variant.as_str() {
                "" => None,
                id => Some(
                    rules::variant(id).ok_or_else(|| api::Error::unknown_variant("variant"))?.id.to_owned(),
                ),
            },
            finished: match pb::GameStatus::try_from(request.status) {
                Ok(pb::GameStatus::Unspecified) => None,
                Ok(pb::GameStatus::Running) => Some(false),
                Ok(pb::GameStatus::Finished) => Some(true),
                Err(_) => {
                    let answer =
                        api::Error::invalid(reason::UNKNOWN_VALUE, "status", "running, finished, or nothing");
                    return Err(answer.into());
                }
            },
            ..GameFilter::default()
        };
        let list = format!("games/{}/{}/{}", request.account_id, request.variant, request.status);
        let page = Page::of(list, request.page_size, &request.page_token)?;
        let found = self.0.queries.list(filter, caller.as_ref(), page.after, page.fetch()).await?;
        let (entries, next_page_token) = page.cut(found, |last| last.place);
        let mut games = Vec::with_capacity(entries.len());
        for header in self.0.queries.views.headers(&entries).await? {
            let header = self.0.queries.header_as(header, caller.as_ref()).await?;
            games.extend(header.map(|header| header.shown()));
        }
        Ok(Response::new(pb::ListGamesResponse { games, next_page_token }))
    }

    async fn watch(&self, request: Request<pb::WatchRequest>) -> Result<Response<WatchStream>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let ingress = Ingress::of(request.extensions());
        let pb::WatchRequest { game_id, after_sequence: after, after_end } = request.into_inner();
        let id = GameId::parse(&game_id, "game_id")?;
        let stream = watch(Arc::clone(&self.0), id, Wanted { after, after_end, caller, ingress }).await?;
        Ok(Response::new(stream))
    }

    async fn list_hints(
        &self,
        request: Request<pb::ListHintsRequest>,
    ) -> Result<Response<pb::ListHintsResponse>, Status> {
        let (game, _) = self.seen(&request, &request.get_ref().game_id).await?;
        let request = request.into_inner();
        let side: Side = side_from_pb(request.side)
            .ok_or_else(|| api::Error::invalid(reason::BAD_SIDE, "side", "first or second"))?;
        let hints = self.0.queries.views.hints(&game, side).await?;
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
        let caller = auth::require(&request, Scope::Play)?;
        let id = GameId::parse(&request.get_ref().game_id, "game_id")?;
        let ingress = Ingress::of(request.extensions());
        let game = self.0.queries.view_for(id, Some(&caller), ingress).await?;
        game.side_of(caller.id).ok_or(Error::NotAPlayer)?;
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
        let pb::ImportRecordRequest { variant, text, request_id } = request.into_inner();
        if text.len() > RECORD_BYTES_MAX {
            return Err(api::Error::invalid(reason::RECORD_TOO_LONG, "text", "at most 1 MiB").into());
        }
        let request = RequestId::parse(&request_id, "request_id")?;
        let variant = rules::variant(&variant).ok_or_else(|| api::Error::unknown_variant("variant"))?;
        let game = self.0.imported.import(variant, text, &caller, request).await?;
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
        let found = self.0.imported.list(caller.id, page.after, page.fetch()).await?;
        let (imports, next_page_token) = page.cut(found, Import::place);
        let used = self.0.imported.usage(caller.id).await?;
        Ok(Response::new(pb::ListImportsResponse {
            imports: imports.iter().map(import).collect(),
            next_page_token,
            used: Some(usage(used)),
            quota: Some(usage(if caller.guest { QUOTA_GUEST } else { QUOTA })),
        }))
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
        let variants = rules::VARIANTS.iter().copied().map(variant_to_pb).collect();
        Ok(Response::new(pb::ListVariantsResponse { variants }))
    }
}

/// A sealed move as it is kept; what is longer than any can be is not looked at.
fn sealed_move(request: &pb::SealMoveRequest) -> Result<SealedMove, api::Error> {
    let commitment = <[u8; COMMITMENT_BYTES]>::try_from(request.commitment.as_slice())
        .map_err(|_| api::Error::invalid(reason::BAD_COMMITMENT, "commitment", "32 bytes"))?;
    if request.ciphertext.len() > CIPHERTEXT_BYTES_MAX {
        return Err(api::Error::invalid(reason::BAD_CIPHERTEXT, "ciphertext", "at most 4,176 bytes"));
    }
    Ok(SealedMove { commitment, sealed: Some(encode_stored(&request.key_id, &request.ciphertext)) })
}

fn wanted(proposal: Option<&pb::Proposal>) -> Result<Proposal, api::Error> {
    proposal_from_pb(proposal)
        .ok_or_else(|| api::Error::invalid(reason::BAD_PROPOSAL, "proposal", "say what is proposed"))
}
