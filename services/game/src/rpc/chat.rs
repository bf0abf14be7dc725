//! The public chat service.

use std::sync::Arc;

use api::{
    game::v1::{self as pb, chat_service_server::ChatService},
    reason,
};
use chassis::{
    auth::{self, Scope},
    id::{EventId, FederationId, GameId, RequestId},
    page::Page,
};
use tonic::{Request, Response, Status};

use crate::{
    app::{
        App,
        availability::Ingress,
        chat::{Entered, Reported},
        follow_chat::MessageStream,
    },
    core::chat::{Room, is_plain},
    error::Result,
};

/// The public chat service.
pub(crate) struct ChatApi(pub Arc<App>);

impl ChatApi {
    /// The room that whoever asks may read.
    async fn readable<T>(&self, request: &Request<T>, game_id: &str, room: i32) -> Result<Entered<'_>> {
        let caller = auth::caller(request).ok().flatten();
        let ingress = Ingress::of(request.extensions());
        let (id, room) = (GameId::parse(game_id, "game_id")?, parse_room(room)?);
        let entered = self.0.chat.enter(id, room, caller.as_ref(), ingress).await?;
        entered.may_read()?;
        Ok(entered)
    }
}

#[tonic::async_trait]
impl ChatService for ChatApi {
    type WatchMessagesStream = MessageStream;

    async fn send_message(
        &self,
        request: Request<pb::SendMessageRequest>,
    ) -> Result<Response<pb::SendMessageResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let ingress = Ingress::of(request.extensions());
        let pb::SendMessageRequest { game_id, room, text, request_id } = request.into_inner();
        let request_id = RequestId::parse(&request_id, "request_id")?;
        check_text("text", &text)?;
        let (id, room) = (GameId::parse(&game_id, "game_id")?, parse_room(room)?);
        let entered = self.0.chat.enter(id, room, Some(&caller), ingress).await?;
        let message = entered.send(&caller, text, request_id).await?;
        Ok(Response::new(pb::SendMessageResponse { message: Some((&message).into()) }))
    }

    async fn list_messages(
        &self,
        request: Request<pb::ListMessagesRequest>,
    ) -> Result<Response<pb::ListMessagesResponse>, Status> {
        let pb::ListMessagesRequest { game_id, room, page_size, page_token } = request.get_ref();
        let entered = self.readable(&request, game_id, *room).await?;
        let page = Page::of(format!("messages/{game_id}/{room}"), *page_size, page_token)?;
        let found = entered.list(page.after.unwrap_or_default(), page.fetch()).await?;
        let found = found.iter().map(pb::ChatMessage::from).collect();
        let (messages, next_page_token) = page.cut(found, |last: &pb::ChatMessage| last.sequence);
        Ok(Response::new(pb::ListMessagesResponse { messages, next_page_token }))
    }

    async fn watch_messages(
        &self,
        request: Request<pb::WatchMessagesRequest>,
    ) -> Result<Response<MessageStream>, Status> {
        let pb::WatchMessagesRequest { game_id, room, after_sequence } = request.get_ref();
        let entered = self.readable(&request, game_id, *room).await?;
        Ok(Response::new(entered.watch(*after_sequence).await?))
    }

    async fn report_message(
        &self,
        request: Request<pb::ReportMessageRequest>,
    ) -> Result<Response<pb::ReportMessageResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let pb::ReportMessageRequest { game_id, room, sequence, reason } = request.get_ref();
        check_text("reason", reason)?;
        let entered = self.readable(&request, game_id, *room).await?;
        entered.report(caller, *sequence, reason.clone()).await?;
        Ok(Response::new(pb::ReportMessageResponse {}))
    }

    async fn list_reports(
        &self,
        request: Request<pb::ListReportsRequest>,
    ) -> Result<Response<pb::ListReportsResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let pb::ListReportsRequest { event_id, federation_id, page_size, page_token } = request.into_inner();
        let (event, federation) = match (event_id.as_str(), federation_id.as_str()) {
            (event, "") => (Some(EventId::parse(event, "event_id")?), None),
            ("", federation) => (None, Some(FederationId::parse(federation, "federation_id")?)),
            _ => {
                return Err(
                    api::Error::invalid(reason::BAD_ID, "federation_id", "either this or the event").into()
                );
            }
        };
        let page = Page::of(format!("reports/{event_id}/{federation_id}"), page_size, &page_token)?;
        let found = self.0.chat.reports(&caller, event, federation, page.after, page.fetch()).await?;
        let (found, next_page_token) = page.cut(found, Reported::place);
        let reports = found.iter().map(pb::ChatReport::from).collect();
        Ok(Response::new(pb::ListReportsResponse { reports, next_page_token }))
    }
}

fn parse_room(room: i32) -> Result<Room, api::Error> {
    match pb::ChatRoom::try_from(room) {
        Ok(pb::ChatRoom::Players) => Ok(Room::Players),
        Ok(pb::ChatRoom::Spectators) => Ok(Room::Spectators),
        _ => Err(api::Error::invalid(reason::BAD_ROOM, "room", "players or spectators")),
    }
}

fn check_text(field: &str, text: &str) -> Result<(), api::Error> {
    if is_plain(text) {
        return Ok(());
    }
    Err(api::Error::invalid(
        reason::BAD_TEXT,
        field,
        "1 to 500 characters that can be seen, none of which controls",
    ))
}
