//! What is written beside games.

use api::game::v1::{ChatMessage, ChatReport};
use chassis::{auth::RoleScope, database::is_conflict, id::GameId};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, Condition, ConnectionTrait, DbErr, EntityTrait as _,
    QueryFilter as _, QueryOrder as _, QuerySelect as _, sea_query::OnConflict,
};
use uuid::Uuid;

use super::from_micros;
use crate::{core::chat::Room, wire::ReportPlace};

pub(crate) use messages::Model as Message;
pub(crate) use reports::Model as Report;

/// How often a number is looked for again because somebody else was faster.
const ATTEMPTS: u32 = 16;

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It is written.
    Written(Message),
    /// It was already, by the same request.
    Again(Message),
    /// The room has as many messages as it may.
    Full,
    /// Too many write at once.
    Contended,
}

/// A report with the message that it is about.
#[derive(Clone, Debug)]
pub(crate) struct Reported {
    report: Report,
    message: Option<Message>,
}

/// Adds a message under the next number of its room, unless `max` are there; the number of `message` does
/// not matter.
pub(crate) async fn send(on: &impl ConnectionTrait, message: Message, max: u64) -> Result<Sent, DbErr> {
    for _ in 0..ATTEMPTS {
        if let Some(written) = of_request(on, message.account_id, message.request_id).await? {
            return Ok(Sent::Again(written));
        }
        let last = last(on, message.game_id, message.room).await?;
        if last.unsigned_abs() >= max {
            return Ok(Sent::Full);
        }
        let message = Message { sequence: last + 1, ..message.clone() };
        match messages::Entity::insert(row(&message)).exec_without_returning(on).await {
            Ok(_) => return Ok(Sent::Written(message)),
            Err(error) if is_conflict(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Sent::Contended)
}

/// The messages of a room after a number, oldest first.
pub(crate) async fn after(
    on: &impl ConnectionTrait,
    game: GameId,
    room: Room,
    sequence: u64,
    max: u64,
) -> Result<Vec<Message>, DbErr> {
    use messages::Column::{GameId, Room, Sequence};
    messages::Entity::find()
        .filter(GameId.eq(game.uuid()))
        .filter(Room.eq(room as i16))
        .filter(Sequence.gt(i64::try_from(sequence).unwrap_or(i64::MAX)))
        .order_by_asc(Sequence)
        .limit(max)
        .all(on)
        .await
}

/// A message.
pub(crate) async fn message(
    on: &impl ConnectionTrait,
    game: GameId,
    room: Room,
    sequence: u64,
) -> Result<Option<Message>, DbErr> {
    let Ok(sequence) = i64::try_from(sequence) else { return Ok(None) };
    at(on, (game.uuid(), room as i16, sequence)).await
}

/// Keeps a report; who reports a message twice changes nothing.
pub(crate) async fn report(on: &impl ConnectionTrait, report: Report) -> Result<(), DbErr> {
    let row = reports::ActiveModel {
        game_id: Set(report.game_id),
        room: Set(report.room),
        sequence: Set(report.sequence),
        reporter_id: Set(report.reporter_id),
        reporter_name: Set(report.reporter_name),
        reason: Set(report.reason),
        reported_us: Set(report.reported_us),
        event_id: Set(report.event_id),
        federation_id: Set(report.federation_id),
    };
    let insert = reports::Entity::insert(row).on_conflict(OnConflict::new().do_nothing().to_owned());
    match insert.exec_without_returning(on).await {
        Ok(_) | Err(DbErr::RecordNotInserted) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The reports of an event, of a federation, or of games of neither with their messages, newest first.
pub(crate) async fn reports(
    on: &impl ConnectionTrait,
    scope: RoleScope,
    before: Option<ReportPlace>,
    max: u64,
) -> Result<Vec<Reported>, DbErr> {
    use reports::Column::{EventId, FederationId, GameId, ReportedUs, ReporterId, Room, Sequence};
    let mut find = reports::Entity::find().filter(match scope {
        RoleScope::Event(event) => Condition::all().add(EventId.eq(event.uuid())),
        RoleScope::Federation(federation) => Condition::all().add(FederationId.eq(federation.uuid())),
        RoleScope::Platform => Condition::all().add(EventId.is_null()).add(FederationId.is_null()),
    });
    if let Some(ReportPlace(us, game, room, sequence, reporter)) = before {
        let steps = [
            Condition::all().add(ReportedUs.lt(us)),
            Condition::all().add(ReportedUs.eq(us)).add(GameId.lt(game)),
            Condition::all().add(ReportedUs.eq(us)).add(GameId.eq(game)).add(Room.lt(room)),
            Condition::all()
                .add(ReportedUs.eq(us))
                .add(GameId.eq(game))
                .add(Room.eq(room))
                .add(Sequence.lt(sequence)),
            Condition::all()
                .add(ReportedUs.eq(us))
                .add(GameId.eq(game))
                .add(Room.eq(room))
                .add(Sequence.eq(sequence))
                .add(ReporterId.lt(reporter)),
        ];
        find = find.filter(steps.into_iter().fold(Condition::any(), Condition::add));
    }
    let rows = find
        .order_by_desc(ReportedUs)
        .order_by_desc(GameId)
        .order_by_desc(Room)
        .order_by_desc(Sequence)
        .order_by_desc(ReporterId)
        .limit(max)
        .all(on)
        .await?;
    let mut reports = Vec::with_capacity(rows.len());
    for report in rows {
        let message = at(on, (report.game_id, report.room, report.sequence)).await?;
        reports.push(Reported { report, message });
    }
    Ok(reports)
}

async fn at(on: &impl ConnectionTrait, key: (Uuid, i16, i64)) -> Result<Option<Message>, DbErr> {
    messages::Entity::find_by_id(key).one(on).await
}

/// What the request of an account has become.
pub(crate) async fn of_request(
    on: &impl ConnectionTrait,
    account: Uuid,
    request: Uuid,
) -> Result<Option<Message>, DbErr> {
    use messages::Column::{AccountId, RequestId};
    messages::Entity::find().filter(AccountId.eq(account)).filter(RequestId.eq(request)).one(on).await
}

/// The number of the last message of a room; 0 when there is none.
pub(crate) async fn last_of(on: &impl ConnectionTrait, game: GameId, room: Room) -> Result<u64, DbErr> {
    Ok(last(on, game.uuid(), room as i16).await?.unsigned_abs())
}

async fn last(on: &impl ConnectionTrait, game: Uuid, room: i16) -> Result<i64, DbErr> {
    use messages::Column::{GameId, Room, Sequence};
    let last: Option<i64> = messages::Entity::find()
        .select_only()
        .column(Sequence)
        .filter(GameId.eq(game))
        .filter(Room.eq(room))
        .order_by_desc(Sequence)
        .limit(1)
        .into_tuple()
        .one(on)
        .await?;
    Ok(last.unwrap_or_default())
}

impl From<&Message> for ChatMessage {
    fn from(message: &Message) -> ChatMessage {
        ChatMessage {
            sequence: message.sequence.unsigned_abs(),
            time: Some(api::time::timestamp(from_micros(message.sent_us))),
            account_id: message.account_id.to_string(),
            name: message.name.clone(),
            text: message.text.clone(),
        }
    }
}

impl Reported {
    /// Its place in the list.
    pub(crate) const fn place(&self) -> ReportPlace {
        let Report { reported_us, game_id, room, sequence, reporter_id, .. } = self.report;
        ReportPlace(reported_us, game_id, room, sequence, reporter_id)
    }
}

impl From<&Reported> for ChatReport {
    fn from(Reported { report, message }: &Reported) -> ChatReport {
        ChatReport {
            game_id: report.game_id.to_string(),
            room: i32::from(report.room),
            message: message.as_ref().map(ChatMessage::from),
            reporter_id: report.reporter_id.to_string(),
            reporter_name: report.reporter_name.clone(),
            reason: report.reason.clone(),
            time: Some(api::time::timestamp(from_micros(report.reported_us))),
        }
    }
}

fn row(message: &Message) -> messages::ActiveModel {
    messages::ActiveModel {
        game_id: Set(message.game_id),
        room: Set(message.room),
        sequence: Set(message.sequence),
        account_id: Set(message.account_id),
        request_id: Set(message.request_id),
        name: Set(message.name.clone()),
        text: Set(message.text.clone()),
        sent_us: Set(message.sent_us),
    }
}

/// Deletes what was said about a game, and what was reported of it.
pub(super) async fn delete_of(connection: &impl ConnectionTrait, game: GameId) -> Result<(), DbErr> {
    let game = game.uuid();
    reports::Entity::delete_many().filter(reports::Column::GameId.eq(game)).exec(connection).await?;
    messages::Entity::delete_many().filter(messages::Column::GameId.eq(game)).exec(connection).await?;
    Ok(())
}

/// One row a message. The key is what makes two replicas unable to give one number twice.
mod messages {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "chat_messages")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub game_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub room: i16,
        #[sea_orm(primary_key, auto_increment = false)]
        pub sequence: i64,
        pub account_id: Uuid,
        pub request_id: Uuid,
        pub name: String,
        #[sea_orm(column_type = "Text")]
        pub text: String,
        pub sent_us: i64,
    }

    chassis::standalone!();
}

/// One row a message and whoever reports it.
mod reports {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "chat_reports")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub game_id: Uuid,
        #[sea_orm(primary_key, auto_increment = false)]
        pub room: i16,
        #[sea_orm(primary_key, auto_increment = false)]
        pub sequence: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub reporter_id: Uuid,
        pub reporter_name: String,
        #[sea_orm(column_type = "Text")]
        pub reason: String,
        pub reported_us: i64,
        pub event_id: Option<Uuid>,
        pub federation_id: Option<Uuid>,
    }

    chassis::standalone!();
}
