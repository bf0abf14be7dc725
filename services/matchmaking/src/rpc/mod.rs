//! The services on the wire: protos in, protos out, nothing decided.

mod challenge;
mod follow;
mod pause;

pub(crate) use challenge::ChallengeApi;
pub(crate) use follow::FollowApi;
pub(crate) use pause::PauseApi;

use std::sync::Arc;

use api::matchmaking::v1::{
    AnswerOfferRequest, AnswerOfferResponse, BlockAccountRequest, BlockAccountResponse, CancelTicketRequest,
    CancelTicketResponse, EnqueueRequest, EnqueueResponse, ListBlockedRequest, ListBlockedResponse,
    ListPausesRequest, ListPausesResponse, ListPoolsRequest, ListPoolsResponse, NoteGameRequest,
    NoteGameResponse, UnblockAccountRequest, UnblockAccountResponse,
    matchmaking_internal_service_server::MatchmakingInternalService,
    matchmaking_service_server::MatchmakingService,
};
use chassis::{
    auth::{self, Scope},
    id::{AccountId, TicketId},
    page::Page,
};
use futures::{StreamExt as _, stream, stream::BoxStream};
use tonic::{Request, Response, Status};

use crate::{
    app::{BlockPlace, PausePlace, Tickets, Watch},
    core::Finished,
    error::Error,
    wire::{self, Ask},
};

/// What everybody may call.
pub(crate) struct PublicApi(pub Arc<Tickets>);

#[tonic::async_trait]
impl MatchmakingService for PublicApi {
    type EnqueueStream = BoxStream<'static, Result<EnqueueResponse, Status>>;

    async fn enqueue(
        &self,
        request: Request<EnqueueRequest>,
    ) -> Result<Response<Self::EnqueueStream>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let ask = Ask::try_from(request.into_inner())?;
        let watch = self.0.enqueue(&caller, ask).await?;
        Ok(Response::new(self.0.maintenance.said_on(responses(watch), ())))
    }

    async fn cancel_ticket(
        &self,
        request: Request<CancelTicketRequest>,
    ) -> Result<Response<CancelTicketResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let ticket = TicketId::parse(&request.into_inner().ticket_id, "ticket_id")?;
        self.0.cancel(&caller, ticket).await?;
        Ok(Response::new(CancelTicketResponse {}))
    }

    async fn answer_offer(
        &self,
        request: Request<AnswerOfferRequest>,
    ) -> Result<Response<AnswerOfferResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let AnswerOfferRequest { ticket_id, accept } = request.into_inner();
        self.0.answer(&caller, TicketId::parse(&ticket_id, "ticket_id")?, accept).await?;
        Ok(Response::new(AnswerOfferResponse {}))
    }

    async fn list_pools(
        &self,
        _request: Request<ListPoolsRequest>,
    ) -> Result<Response<ListPoolsResponse>, Status> {
        let pools = self.0.pools().await?;
        Ok(Response::new(ListPoolsResponse { pools: pools.iter().map(wire::pool).collect() }))
    }

    async fn list_pauses(
        &self,
        request: Request<ListPausesRequest>,
    ) -> Result<Response<ListPausesResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let ListPausesRequest { page_size, page_token } = request.into_inner();
        let page: Page<PausePlace> = Page::of(format!("pauses {}", caller.id), page_size, &page_token)?;
        let (pauses, next_page_token) = self.0.pauses(caller.id, &page).await?;
        Ok(Response::new(ListPausesResponse {
            pauses: pauses.iter().map(Into::into).collect(),
            next_page_token,
        }))
    }

    async fn block_account(
        &self,
        request: Request<BlockAccountRequest>,
    ) -> Result<Response<BlockAccountResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        self.0.block(&caller, AccountId::parse(&request.into_inner().account_id, "account_id")?).await?;
        Ok(Response::new(BlockAccountResponse {}))
    }

    async fn unblock_account(
        &self,
        request: Request<UnblockAccountRequest>,
    ) -> Result<Response<UnblockAccountResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        self.0.unblock(&caller, AccountId::parse(&request.into_inner().account_id, "account_id")?).await?;
        Ok(Response::new(UnblockAccountResponse {}))
    }

    async fn list_blocked(
        &self,
        request: Request<ListBlockedRequest>,
    ) -> Result<Response<ListBlockedResponse>, Status> {
        let caller = auth::require(&request, Scope::Queue)?;
        let ListBlockedRequest { page_size, page_token } = request.into_inner();
        let page: Page<BlockPlace> = Page::of(format!("blocked {}", caller.id), page_size, &page_token)?;
        let (blocked, next_page_token) = self.0.blocked(caller.id, &page).await?;
        let accounts = blocked.into_iter().map(Into::into).collect();
        Ok(Response::new(ListBlockedResponse { accounts, next_page_token }))
    }
}

/// What only services may call.
pub(crate) struct InternalApi(pub Arc<Tickets>);

#[tonic::async_trait]
impl MatchmakingInternalService for InternalApi {
    async fn note_game(
        &self,
        request: Request<NoteGameRequest>,
    ) -> Result<Response<NoteGameResponse>, Status> {
        auth::require_service(&request)?;
        if self.0.stop.is_cancelled() {
            return Err(Error::Stopping.into());
        }
        self.0.note_game(&Finished::try_from(request.into_inner())?).await?;
        Ok(Response::new(NoteGameResponse {}))
    }
}

/// What a watch sees, as a stream. It is only driven while the client takes what it is sent, so a client that
/// is gone stops holding its ticket.
fn responses(watch: Watch) -> BoxStream<'static, Result<EnqueueResponse, Status>> {
    stream::unfold(watch, async |mut watch| watch.next().await.map(|status| (status, watch)))
        .map(|status| status.map(EnqueueResponse::from).map_err(Status::from))
        .boxed()
}
