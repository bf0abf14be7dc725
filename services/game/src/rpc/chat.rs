//! The public chat service.

use std::sync::Arc;

use api::{
    fault::Fault,
    game::v1::{self as pb, chat_service_server::ChatService},
    reason,
};
use bytes::Bytes;
use chassis::{
    auth::{self, Caller, Scope},
    id::{EventId, FederationId, GameId, RequestId},
    page::Page,
};
use live::{Quota, Throttle};
use prost::Message as _;
use sea_orm::DbErr;
use tonic::{Code, Request, Response, Status};

use super::{
    chat_limits::{CROWD, MESSAGES, REPORTS},
    chat_watch::{MessageStream, follow},
};
use crate::{
    app::{App, availability::Reached, broadcast::is_official, presence::live_moment},
    core::{
        Info, Stage,
        chat::{ChatRefusal, MESSAGES_MAX, Room, Standing, is_plain, may_read, may_write},
    },
    error::CallError,
    store::{ChatStore, Message, Report, Sent, StoreError, from_micros, micros},
};

/// The public chat service.
pub(crate) struct ChatApi {
    pub app: Arc<App>,
    pub store: ChatStore,
}

/// A room that the caller has come to.
struct Entered {
    info: Info,
    room: Room,
    standing: Standing,
    /// Whether the result is final, as far as the caller may know.
    over: bool,
}

impl Entered {
    fn may_read(&self) -> Result<(), Fault> {
        if may_read(self.room, self.standing, self.over) {
            return Ok(());
        }
        Err(refused(ChatRefusal::WrongRoom))
    }
}

impl ChatApi {
    async fn enter(
        &self,
        game_id: &str,
        room: i32,
        caller: Option<&Caller>,
        reached: Reached,
    ) -> Result<Entered, Status> {
        let id = GameId::parse(game_id, "game_id")?;
        let room = match pb::ChatRoom::try_from(room) {
            Ok(pb::ChatRoom::Players) => Room::Players,
            Ok(pb::ChatRoom::Spectators) => Room::Spectators,
            _ => return Err(Fault::invalid(reason::BAD_ROOM, "room", "players or spectators").into()),
        };
        let game = self.app.queries.sight_perhaps_coming(id, caller, reached).await?;
        let standing = match caller {
            Some(caller) if game.side_of(caller.id).is_some() => Standing::Player,
            Some(caller) if is_official(game.info(), caller) => Standing::Official,
            Some(caller) if !caller.guest => Standing::Spectator,
            Some(_) | None => Standing::Stranger,
        };
        if let Some(side) = caller.and_then(|caller| game.side_of(caller.id)) {
            self.app.players.heard_in(&game, side);
        }
        let over = game.course().stage == Stage::Final;
        Ok(Entered { info: game.info().clone(), room, standing, over })
    }

    /// Counts something against a quota.
    async fn count(&self, key: &str, quota: Quota) -> Result<(), Status> {
        let now = live_moment(self.app.registry.ambient.now());
        match self.app.registry.live.count(key, quota, now).await.map_err(CallError::from)? {
            Throttle::Allowed { .. } => Ok(()),
            Throttle::Refused { retry_after } => {
                let fault = Fault::new(Code::ResourceExhausted, reason::CHAT_TOO_FAST, "too much at once");
                Err(fault.retry_after(retry_after).into())
            }
        }
    }

    /// What the request has become already, if it has.
    async fn written(&self, message: &Message) -> Result<Option<Message>, Status> {
        let found = self.store.of_request(message.account_id, message.request_id).await.map_err(stored)?;
        match found {
            Some(written) if is_same(&written, message) => Ok(Some(written)),
            Some(_) => Err(CallError::RequestIdReused.into()),
            None => Ok(None),
        }
    }

    /// Counts a message against the quotas of its room and of its account, which is not charged for a room that is full.
    async fn count_message(&self, entered: &Entered, caller: &Caller) -> Result<(), Status> {
        if (entered.room, entered.standing) == (Room::Spectators, Standing::Spectator) {
            self.count(&format!("chat-room/{}", entered.info.id), CROWD).await?;
        }
        self.count(&format!("chat/{}", caller.id), MESSAGES).await
    }

    async fn write(&self, entered: &Entered, message: Message) -> Result<Message, Status> {
        match self.store.send(message.clone(), MESSAGES_MAX).await.map_err(stored)? {
            Sent::Written(written) => {
                let sent = Bytes::from(message_to_pb(&written).encode_to_vec());
                let topic = topic(entered.info.id, entered.room);
                if let Err(error) = self.app.registry.live.publish(&topic, sent).await {
                    tracing::warn!(%error, "a message was not published; readers find it in the database");
                }
                Ok(written)
            }
            Sent::Again(written) if is_same(&written, &message) => Ok(written),
            Sent::Again(_) => Err(CallError::RequestIdReused.into()),
            Sent::Full => {
                Err(Fault::new(Code::FailedPrecondition, reason::CHAT_FULL, "the room is full").into())
            }
            Sent::Contended => Err(CallError::Contended.into()),
        }
    }

    fn compose(&self, entered: &Entered, caller: &Caller, text: String, request: RequestId) -> Message {
        Message {
            game_id: entered.info.id.uuid(),
            room: entered.room as i16,
            sequence: 0,
            account_id: caller.id.uuid(),
            request_id: request.uuid(),
            name: caller.name.clone(),
            text,
            sent_us: micros(self.app.registry.ambient.now()),
        }
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
        let reached = Reached::of(request.extensions());
        let pb::SendMessageRequest { game_id, room, text, request_id } = request.into_inner();
        let request_id = RequestId::parse(&request_id, "request_id")?;
        check_text("text", &text)?;
        let entered = self.enter(&game_id, room, Some(&caller), reached).await?;
        may_write(entered.room, entered.standing).map_err(refused)?;
        let regulations = &entered.info.regulations;
        let on = match entered.room {
            Room::Players => regulations.player_chat,
            Room::Spectators => regulations.spectator_chat,
        };
        if !on {
            let message = "the regulations of the event have no chat here";
            return Err(Fault::new(Code::FailedPrecondition, reason::CHAT_OFF, message).into());
        }
        let message = self.compose(&entered, &caller, text, request_id);
        // Only what is new is counted: a repetition is answered.
        let message = if let Some(written) = self.written(&message).await? {
            written
        } else {
            self.count_message(&entered, &caller).await?;
            self.write(&entered, message).await?
        };
        Ok(Response::new(pb::SendMessageResponse { message: Some(message_to_pb(&message)) }))
    }

    async fn list_messages(
        &self,
        request: Request<pb::ListMessagesRequest>,
    ) -> Result<Response<pb::ListMessagesResponse>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let reached = Reached::of(request.extensions());
        let request = request.into_inner();
        let entered = self.enter(&request.game_id, request.room, caller.as_ref(), reached).await?;
        entered.may_read()?;
        let id = entered.info.id;
        let page = Page::of(topic(id, entered.room), request.page_size, &request.page_token)?;
        let after = page.after.unwrap_or_default();
        let found = self.store.after(id, entered.room, after, page.fetch()).await.map_err(stored)?;
        let found = found.iter().map(message_to_pb).collect();
        let (messages, next_page_token) = page.cut(found, |last: &pb::ChatMessage| last.sequence);
        Ok(Response::new(pb::ListMessagesResponse { messages, next_page_token }))
    }

    async fn watch_messages(
        &self,
        request: Request<pb::WatchMessagesRequest>,
    ) -> Result<Response<MessageStream>, Status> {
        let caller = auth::caller(&request).ok().flatten();
        let reached = Reached::of(request.extensions());
        let request = request.into_inner();
        let entered = self.enter(&request.game_id, request.room, caller.as_ref(), reached).await?;
        entered.may_read()?;
        let (registry, store) = (Arc::clone(&self.app.registry), self.store.clone());
        let id = entered.info.id;
        let last = store.last_of(id, entered.room).await.map_err(stored)?;
        if request.after_sequence > last {
            let fault =
                Fault::new(Code::OutOfRange, reason::BAD_CURSOR, format!("the last message is {last}"));
            return Err(fault.with("sequence", last.to_string()).into());
        }
        Ok(Response::new(follow(registry, store, id, entered.room, request.after_sequence).await?))
    }

    async fn report_message(
        &self,
        request: Request<pb::ReportMessageRequest>,
    ) -> Result<Response<pb::ReportMessageResponse>, Status> {
        let caller = auth::require(&request, Scope::Play)?;
        let reached = Reached::of(request.extensions());
        let pb::ReportMessageRequest { game_id, room, sequence, reason } = request.into_inner();
        check_text("reason", &reason)?;
        let entered = self.enter(&game_id, room, Some(&caller), reached).await?;
        entered.may_read()?;
        self.count(&format!("chat-reports/{}", caller.id), REPORTS).await?;
        let info = &entered.info;
        let message = self.store.message(info.id, entered.room, sequence).await.map_err(stored)?;
        let message = message.ok_or_else(|| {
            Fault::new(Code::NotFound, reason::UNKNOWN_MESSAGE, "there is no message of this number")
        })?;
        let report = Report {
            game_id: message.game_id,
            room: message.room,
            sequence: message.sequence,
            reporter_id: caller.id.uuid(),
            reporter_name: caller.name,
            reason,
            reported_us: micros(self.app.registry.ambient.now()),
            event_id: info.regulations.event.map(EventId::uuid),
            federation_id: info.regulations.federation.map(FederationId::uuid),
        };
        self.store.report(report).await.map_err(stored)?;
        Ok(Response::new(pb::ReportMessageResponse {}))
    }

    async fn list_reports(
        &self,
        request: Request<pb::ListReportsRequest>,
    ) -> Result<Response<pb::ListReportsResponse>, Status> {
        let caller = auth::require(&request, Scope::Arbitrate)?;
        let request = request.into_inner();
        let (event, federation) = match (request.event_id.as_str(), request.federation_id.as_str()) {
            (event, "") => (Some(EventId::parse(event, "event_id")?), None),
            ("", federation) => (None, Some(FederationId::parse(federation, "federation_id")?)),
            _ => {
                return Err(
                    Fault::invalid(reason::BAD_ID, "federation_id", "either this or the event").into()
                );
            }
        };
        if caller.roles_in(event, federation).is_empty() {
            let fault =
                Fault::new(Code::PermissionDenied, reason::NOT_AN_OFFICIAL, "the caller has no office there");
            return Err(fault.into());
        }
        let list = format!("reports/{}/{}", request.event_id, request.federation_id);
        let page = Page::of(list, request.page_size, &request.page_token)?;
        let (event, federation) = (event.map(EventId::uuid), federation.map(FederationId::uuid));
        let found = self.store.reports(event, federation, page.after, page.fetch()).await.map_err(stored)?;
        let (found, next_page_token) = page.cut(found, |(report, _)| report.place());
        let reports = found.iter().map(|(report, message)| report_to_pb(report, message.as_ref())).collect();
        Ok(Response::new(pb::ListReportsResponse { reports, next_page_token }))
    }
}

/// Where the messages of a room are published.
pub(super) fn topic(game: GameId, room: Room) -> String {
    format!("chat/{game}/{}", room as i16)
}

pub(super) fn message_to_pb(message: &Message) -> pb::ChatMessage {
    pb::ChatMessage {
        sequence: message.sequence.unsigned_abs(),
        time: Some(api::time::timestamp(from_micros(message.sent_us))),
        account_id: message.account_id.to_string(),
        name: message.name.clone(),
        text: message.text.clone(),
    }
}

fn report_to_pb(report: &Report, message: Option<&Message>) -> pb::ChatReport {
    pb::ChatReport {
        game_id: report.game_id.to_string(),
        room: i32::from(report.room),
        message: message.map(message_to_pb),
        reporter_id: report.reporter_id.to_string(),
        reporter_name: report.reporter_name.clone(),
        reason: report.reason.clone(),
        time: Some(api::time::timestamp(from_micros(report.reported_us))),
    }
}

fn check_text(field: &str, text: &str) -> Result<(), Fault> {
    if is_plain(text) {
        return Ok(());
    }
    Err(Fault::invalid(
        reason::BAD_TEXT,
        field,
        "1 to 500 characters that can be seen, none of which controls",
    ))
}

/// Whether a message says the same in the same place.
fn is_same(written: &Message, asked: &Message) -> bool {
    (written.game_id, written.room, &written.text) == (asked.game_id, asked.room, &asked.text)
}

fn refused(refusal: ChatRefusal) -> Fault {
    let reason = match refusal {
        ChatRefusal::WrongRoom => reason::WRONG_ROOM,
        ChatRefusal::GuestsReadOnly => reason::GUESTS_READ_ONLY,
    };
    Fault::new(Code::PermissionDenied, reason, refusal.to_string())
}

pub(super) fn stored(error: DbErr) -> CallError {
    StoreError::from(error).into()
}
