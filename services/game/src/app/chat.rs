//! What is said beside the board: rooms are entered, written in, read, and their messages reported.

use std::sync::Arc;

use api::game::v1::ChatMessage;
use bytes::Bytes;
use chassis::{
    auth::{Caller, RoleScope},
    id::{EventId, FederationId, GameId, RequestId},
    page::Page,
};
use live::{Quota, Throttle};
use prost::Message as _;

use super::{
    availability::Ingress,
    broadcast::is_official,
    chat_limits::{CROWD, MESSAGES, REPORTS},
    follow_chat::{MessageStream, follow},
    presence::{live_moment, players::Players},
    queries::Queries,
    registry::Registry,
};
use crate::{
    core::{
        GameInfo, Stage,
        chat::{ChatError, ChatRole, MESSAGES_MAX, Room, is_on, may_read, may_write},
    },
    error::{Error, Result},
    store::{self, Message, Report, Reported, Sent, micros, names},
    wire::ReportPlace,
};

/// The chat of all games.
pub(crate) struct Chat {
    pub registry: Arc<Registry>,
    pub queries: Arc<Queries>,
    pub players: Arc<Players>,
}

/// A room that somebody has come to.
pub(crate) struct Entered<'a> {
    chat: &'a Chat,
    pub info: GameInfo,
    pub room: Room,
    role: ChatRole,
    /// Whether the result is final, as far as he may know.
    is_over: bool,
}

impl Chat {
    /// Comes to a room.
    ///
    /// # Errors
    /// When there is no such game for the caller, or it cannot be read.
    pub(crate) async fn enter(
        &self,
        id: GameId,
        room: Room,
        caller: Option<&Caller>,
        ingress: Ingress,
    ) -> Result<Entered<'_>> {
        let game = self.queries.view_for(id, caller, ingress).await?;
        let side = caller.and_then(|caller| game.side_of(caller.id));
        if let Some(side) = side {
            self.players.heard_in(&game, side);
        }
        let role = match caller {
            Some(_) if side.is_some() => ChatRole::Player,
            Some(caller) if is_official(game.info(), caller) => ChatRole::Official,
            Some(caller) if !caller.guest => ChatRole::Spectator,
            Some(_) | None => ChatRole::Stranger,
        };
        let is_over = game.progress().stage == Stage::Final;
        Ok(Entered { chat: self, info: game.info().clone(), room, role, is_over })
    }

    /// Comes to a room to read there.
    ///
    /// # Errors
    /// When there is no such game for the caller, or not this room; when it cannot be read.
    pub(crate) async fn enter_to_read(
        &self,
        id: GameId,
        room: Room,
        caller: Option<&Caller>,
        ingress: Ingress,
    ) -> Result<Entered<'_>> {
        let entered = self.enter(id, room, caller, ingress).await?;
        let may = may_read(room, entered.role, entered.is_over);
        if may { Ok(entered) } else { Err(ChatError::WrongRoom.into()) }
    }

    /// The reports of an event, of a federation, or of games of neither with their messages, newest first, and the token of the next page.
    ///
    /// # Errors
    /// When the caller has no office there, or they cannot be read.
    pub(crate) async fn reports(
        &self,
        caller: &Caller,
        scope: RoleScope,
        page: &Page<ReportPlace>,
    ) -> Result<(Vec<Reported>, String)> {
        let may = match scope {
            RoleScope::Event(event) => !caller.roles_in(Some(event), None).is_empty(),
            RoleScope::Federation(federation) => !caller.roles_in(None, Some(federation)).is_empty(),
            RoleScope::Platform => caller.is_moderator(),
        };
        if !may {
            return Err(Error::NotAnOfficial);
        }
        let found =
            store::chat::reports(self.registry.database.read(), scope, page.after, page.fetch()).await?;
        Ok(page.cut(found, Reported::place))
    }

    /// Counts something against a quota.
    async fn count(&self, key: &str, quota: Quota) -> Result<()> {
        match self.registry.live.count(key, quota, live_moment(self.registry.env.now())).await? {
            Throttle::Allowed { .. } => Ok(()),
            Throttle::Refused { retry_after } => Err(Error::ChatTooFast(retry_after)),
        }
    }
}

impl Entered<'_> {
    /// Writes a message. The same request again is answered with what it has become.
    ///
    /// # Errors
    /// When the caller may not write here, or not so much; when it cannot be written.
    pub(crate) async fn send(&self, caller: &Caller, text: String, request: RequestId) -> Result<Message> {
        may_write(self.room, self.role)?;
        if !is_on(self.room, &self.info.regulations) {
            return Err(ChatError::Off.into());
        }
        let message = Message {
            game_id: self.info.id.uuid(),
            room: self.room as i16,
            sequence: 0,
            account_id: caller.id.uuid(),
            request_id: request.uuid(),
            name: caller.name.clone(),
            text,
            sent_us: micros(self.chat.registry.env.now()),
        };
        let known = store::chat::of_request(
            self.chat.registry.database.write(),
            message.account_id,
            message.request_id,
        )
        .await?;
        // Only what is new is counted: a repetition is answered.
        if let Some(written) = known {
            return same(written, &message);
        }
        self.count_message(caller).await?;
        self.write(message).await
    }

    /// The messages of a page, oldest first, and the token of the next.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) async fn list(&self, page: &Page<u64>) -> Result<(Vec<Message>, String)> {
        let after = page.after.unwrap_or_default();
        let found = store::chat::after(
            self.chat.registry.database.read(),
            self.info.id,
            self.room,
            after,
            page.fetch(),
        )
        .await?;
        Ok(page.cut(found, |last| last.sequence.unsigned_abs()))
    }

    /// Follows the messages after a number.
    ///
    /// # Errors
    /// When the caller may not read here, or there is no such number yet; when it cannot be followed.
    pub(crate) async fn watch(&self, after: u64) -> Result<MessageStream> {
        let registry = &self.chat.registry;
        let last = store::chat::last_of(registry.database.write(), self.info.id, self.room).await?;
        if after > last {
            return Err(Error::BadCursor { what: "message", last });
        }
        follow(registry, self.info.id, self.room, after).await
    }

    /// Reports a message to the officials.
    ///
    /// # Errors
    /// When there is no such message, or the caller reports too many; when it cannot be written.
    pub(crate) async fn report(&self, caller: Caller, sequence: u64, reason: String) -> Result<()> {
        self.chat.count(&names::chat_reporter(caller.id), REPORTS).await?;
        let database = &self.chat.registry.database;
        let message = store::chat::message(database.read(), self.info.id, self.room, sequence).await?;
        let message = message.ok_or(Error::UnknownMessage)?;
        let report = Report {
            game_id: message.game_id,
            room: message.room,
            sequence: message.sequence,
            reporter_id: caller.id.uuid(),
            reporter_name: caller.name,
            reason,
            reported_us: micros(self.chat.registry.env.now()),
            event_id: self.info.regulations.event.map(EventId::uuid),
            federation_id: self.info.regulations.federation.map(FederationId::uuid),
        };
        Ok(store::chat::report(database.write(), report).await?)
    }

    /// Counts a message against the quotas of its room and of its account, which is not charged for a room that is full.
    async fn count_message(&self, caller: &Caller) -> Result<()> {
        if (self.room, self.role) == (Room::Spectators, ChatRole::Spectator) {
            self.chat.count(&names::chat_crowd(self.info.id), CROWD).await?;
        }
        self.chat.count(&names::chat_writer(caller.id), MESSAGES).await
    }

    async fn write(&self, message: Message) -> Result<Message> {
        match store::chat::send(self.chat.registry.database.write(), message.clone(), MESSAGES_MAX).await? {
            Sent::Written(written) => {
                let sent = Bytes::from(ChatMessage::from(&written).encode_to_vec());
                let topic = names::messages(self.info.id, self.room);
                if let Err(error) = self.chat.registry.live.publish(&topic, sent).await {
                    tracing::warn!(%error, "a message was not published; readers find it in the database");
                }
                Ok(written)
            }
            Sent::Again(written) => same(written, &message),
            Sent::Full => Err(Error::ChatFull),
            Sent::Contended => Err(Error::Contended),
        }
    }
}

/// What was written, if it says the same in the same place as what is asked for.
fn same(written: Message, asked: &Message) -> Result<Message> {
    let same = (written.game_id, written.room, &written.text) == (asked.game_id, asked.room, &asked.text);
    if same { Ok(written) } else { Err(Error::RequestIdReused) }
}
