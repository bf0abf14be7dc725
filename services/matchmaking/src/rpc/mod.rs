//! The service on the wire: protos in, protos out, nothing decided.

use std::sync::Arc;

use api::matchmaking::v1::{
    CancelTicketRequest, CancelTicketResponse, EnqueueRequest, EnqueueResponse, ListPoolsRequest,
    ListPoolsResponse, matchmaking_service_server::MatchmakingService,
};
use chassis::{
    auth::{self, Scope},
    id::TicketId,
};
use futures::{StreamExt as _, stream, stream::BoxStream};
use tonic::{Request, Response, Status};

use crate::{
    app::{Tickets, Watch},
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
        Ok(Response::new(responses(watch)))
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

    async fn list_pools(
        &self,
        _request: Request<ListPoolsRequest>,
    ) -> Result<Response<ListPoolsResponse>, Status> {
        let pools = self.0.pools().await?;
        Ok(Response::new(ListPoolsResponse { pools: pools.iter().map(wire::pool).collect() }))
    }
}

/// What a watch sees, as a stream. It is only driven while the client takes what it is sent, so a client that
/// is gone stops holding its ticket.
fn responses(watch: Watch) -> BoxStream<'static, Result<EnqueueResponse, Status>> {
    stream::unfold(watch, async |mut watch| watch.next().await.map(|status| (status, watch)))
        .map(|status| status.map(EnqueueResponse::from).map_err(Status::from))
        .boxed()
}
