//! Pauses of the queue, as moderators set and end them.

use std::sync::Arc;

use api::matchmaking::v1::{
    EndPausesRequest, EndPausesResponse, ListPauseActsRequest, ListPauseActsResponse, ListPausesOfRequest,
    ListPausesOfResponse, PauseAccountRequest, PauseAccountResponse, pause_service_server::PauseService,
};
use chassis::{auth::require_moderator, id::AccountId, page::Page, text};
use tonic::{Request, Response, Status};

use crate::{app::Tickets, wire};

/// What moderators may call.
pub(crate) struct PauseApi(pub Arc<Tickets>);

#[tonic::async_trait]
impl PauseService for PauseApi {
    async fn pause_account(
        &self,
        request: Request<PauseAccountRequest>,
    ) -> Result<Response<PauseAccountResponse>, Status> {
        let by = require_moderator(&request)?;
        let pause = self.0.pause_account(&by, &wire::new_pause(request.into_inner())?).await?;
        Ok(Response::new(PauseAccountResponse { pause: Some((&pause).into()) }))
    }

    async fn end_pauses(
        &self,
        request: Request<EndPausesRequest>,
    ) -> Result<Response<EndPausesResponse>, Status> {
        let by = require_moderator(&request)?;
        let EndPausesRequest { account_id, reason } = request.into_inner();
        let account = AccountId::parse(&account_id, "account_id")?;
        let ended = self.0.end_pauses(&by, account, &text::plain("reason", reason)?).await?;
        Ok(Response::new(EndPausesResponse { ended: u32::try_from(ended).unwrap_or(u32::MAX) }))
    }

    async fn list_pauses_of(
        &self,
        request: Request<ListPausesOfRequest>,
    ) -> Result<Response<ListPausesOfResponse>, Status> {
        require_moderator(&request)?;
        let ListPausesOfRequest { account_id, page_size, page_token } = request.into_inner();
        let account = AccountId::parse(&account_id, "account_id")?;
        let page = Page::of(format!("pauses of {account}"), page_size, &page_token)?;
        let (pauses, next_page_token) = self.0.pauses(account, &page).await?;
        let pauses = pauses.iter().map(Into::into).collect();
        Ok(Response::new(ListPausesOfResponse { pauses, next_page_token }))
    }

    async fn list_pause_acts(
        &self,
        request: Request<ListPauseActsRequest>,
    ) -> Result<Response<ListPauseActsResponse>, Status> {
        require_moderator(&request)?;
        let ListPauseActsRequest { page_size, page_token } = request.into_inner();
        let page = Page::of("pause acts", page_size, &page_token)?;
        let (acts, next_page_token) = self.0.pause_acts(&page).await?;
        let acts = acts.iter().map(wire::pause_act).collect();
        Ok(Response::new(ListPauseActsResponse { acts, next_page_token }))
    }
}
