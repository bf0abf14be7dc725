//! The public chat service.

use std::sync::Arc;

use api::game::v1::{self as pb, chat_service_server::ChatService};
use chassis::{
    auth::{self, Scope},
    id::GameId,
};
use tonic::{Request, Response, Status};

use crate::{
    app::{App, availability::Ingress, follow_chat::MessageStream},
    wire::{MessagesRequest, NewMessage, NewReport, ReportsRequest, room},
};

/// The public chat service.
pub(crate) struct ChatApi(pub Arc<App>);

#[tonic::async_trait]
impl ChatService for ChatApi {
    type WatchMessagesStream = MessageStream;

    async fn send_message(
        &self,
        request: Request<pb::SendMessageRequest>,
    ) -> Result<Response<pb::SendMessageResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let ingress = Ingress::of(request.extensions());
        let NewMessage { game, room, text, request } = request.into_inner().try_into()?;
        let entered = self.0.chat.enter(game, room, Some(&caller), ingress).await?;
        let message = entered.send(&caller, text, request).await?;
        Ok(Response::new(pb::SendMessageResponse { message: Some((&message).into()) }))
    }

    async fn list_messages(
        &self,
        request: Request<pb::ListMessagesRequest>,
    ) -> Result<Response<pb::ListMessagesResponse>, Status> {
        let (caller, ingress) = (auth::caller(&request).ok().flatten(), Ingress::of(request.extensions()));
        let MessagesRequest { game, room, page } = request.into_inner().try_into()?;
        let entered = self.0.chat.enter_to_read(game, room, caller.as_ref(), ingress).await?;
        let (messages, next_page_token) = entered.list(&page).await?;
        let messages = messages.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListMessagesResponse { messages, next_page_token }))
    }

    async fn watch_messages(
        &self,
        request: Request<pb::WatchMessagesRequest>,
    ) -> Result<Response<MessageStream>, Status> {
        let (caller, ingress) = (auth::caller(&request).ok().flatten(), Ingress::of(request.extensions()));
        let asked = request.get_ref();
        let (game, room) = (GameId::parse(&asked.game_id, "game_id")?, room(asked.room())?);
        let entered = self.0.chat.enter_to_read(game, room, caller.as_ref(), ingress).await?;
        let stream = entered.watch(asked.after_sequence).await?;
        Ok(Response::new(self.0.registry.maintenance.said.said_on(stream, ())))
    }

    async fn report_message(
        &self,
        request: Request<pb::ReportMessageRequest>,
    ) -> Result<Response<pb::ReportMessageResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let ingress = Ingress::of(request.extensions());
        let NewReport { game, room, sequence, reason } = request.into_inner().try_into()?;
        let entered = self.0.chat.enter_to_read(game, room, Some(&caller), ingress).await?;
        entered.report(caller, sequence, reason).await?;
        Ok(Response::new(pb::ReportMessageResponse {}))
    }

    async fn list_reports(
        &self,
        request: Request<pb::ListReportsRequest>,
    ) -> Result<Response<pb::ListReportsResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let ReportsRequest { scope, page } = request.into_inner().try_into()?;
        let (reports, next_page_token) = self.0.chat.reports(&caller, scope, &page).await?;
        let reports = reports.iter().map(Into::into).collect();
        Ok(Response::new(pb::ListReportsResponse { reports, next_page_token }))
    }
}
