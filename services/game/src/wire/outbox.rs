//! What is owed to others, as the outbox keeps it.

use api::{
    ProtoEnum as _,
    board::v1 as board,
    clock::v1::SpeedClass,
    federation::v1::{GameMatter, GameReportState, NoteGameRequest, RecordGameRequest},
    game::v1::CreateGameRequest,
    matchmaking::v1 as matchmaking,
    rating::v1::{ApplyResultRequest, GameEnding},
};
use chassis::{
    id::GameId,
    outbox::{Kinds, OutboxMessage},
};
use prost::{DecodeError, Message as _};
use rules::Reason;

use crate::core::{
    Conduct, EventNotice, EventReport, FinishedGame, NoticeMatter, Obligation, RatedResult, TimeControl,
};

/// The entry that tells the rating service of a result.
const RESULT: &str = "rating.apply-result";
/// The same for a game that is broadcast with a delay: a rating would tell what spectators do not see yet.
const RESULT_DELAYED: &str = "rating.apply-result.delayed";
/// The entry that tells a federation how a game of its event stands.
const EVENT_REPORT: &str = "federation.record-game";
/// The entry that tells a federation what happened in a game of its event.
const EVENT_NOTICE: &str = "federation.note-game";
/// The entry that tells matchmaking that a game is over.
const FINISHED: &str = "matchmaking.note-game";
/// The entry that makes the game after this one.
const REMATCH: &str = "game.rematch";

/// Every kind of entry that is of this service.
pub(crate) const KINDS: Kinds = Kinds {
    all: &[RESULT, RESULT_DELAYED, REMATCH, EVENT_REPORT, EVENT_NOTICE, FINISHED],
    many: &[RESULT, RESULT_DELAYED],
};

/// An entry is not one that this service has written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotOurs {
    /// Its kind is unknown.
    #[error("nothing of this kind is delivered here")]
    Kind,
    /// Its payload cannot be read.
    #[error(transparent)]
    Payload(#[from] DecodeError),
}

/// An entry as it is delivered.
pub(crate) enum OutboxEntry {
    /// A result for the ratings; perhaps one that spectators see later than it came about.
    Result { request: ApplyResultRequest, is_delayed: bool },
    /// A game to be made.
    Rematch(Box<CreateGameRequest>),
    /// How a game of an event stands.
    Report(RecordGameRequest),
    /// What happened in a game of an event.
    Notice(NoteGameRequest),
    /// A game that is over.
    Finished(matchmaking::NoteGameRequest),
}

impl OutboxEntry {
    /// What an entry of this kind says.
    ///
    /// # Errors
    /// When this service has not written it.
    pub(crate) fn decode(kind: &str, payload: &[u8]) -> Result<Self, NotOurs> {
        let result = |is_delayed| {
            let request = ApplyResultRequest::decode(payload)?;
            Ok(OutboxEntry::Result { request, is_delayed })
        };
        match kind {
            RESULT => result(false),
            RESULT_DELAYED => result(true),
            REMATCH => Ok(OutboxEntry::Rematch(Box::new(CreateGameRequest::decode(payload)?))),
            EVENT_REPORT => Ok(OutboxEntry::Report(RecordGameRequest::decode(payload)?)),
            EVENT_NOTICE => Ok(OutboxEntry::Notice(NoteGameRequest::decode(payload)?)),
            FINISHED => Ok(OutboxEntry::Finished(matchmaking::NoteGameRequest::decode(payload)?)),
            _ => Err(NotOurs::Kind),
        }
    }

    /// The game of an entry that tells of a result.
    pub(crate) fn result_of(kind: &str, payload: &[u8]) -> Option<GameId> {
        match OutboxEntry::decode(kind, payload).ok()? {
            OutboxEntry::Result { request, .. } => GameId::parse(&request.game_id, "game_id").ok(),
            OutboxEntry::Rematch(_)
            | OutboxEntry::Report(_)
            | OutboxEntry::Notice(_)
            | OutboxEntry::Finished(_) => None,
        }
    }
}

impl From<Obligation<'_>> for OutboxMessage {
    fn from(obligation: Obligation<'_>) -> OutboxMessage {
        match obligation {
            Obligation::Result(result) => {
                let delay = result.info.regulations.broadcast_delay;
                let kind = if delay.is_zero() { RESULT } else { RESULT_DELAYED };
                OutboxMessage::new(kind, ApplyResultRequest::from(result).encode_to_vec())
            }
            Obligation::Rematch(spec) => {
                OutboxMessage::new(REMATCH, CreateGameRequest::from(*spec).encode_to_vec())
            }
            Obligation::Report(report) => {
                OutboxMessage::new(EVENT_REPORT, RecordGameRequest::from(report).encode_to_vec())
            }
            Obligation::Notice(notice) => {
                OutboxMessage::new(EVENT_NOTICE, NoteGameRequest::from(notice).encode_to_vec())
            }
            Obligation::Finished(game) => {
                OutboxMessage::new(FINISHED, matchmaking::NoteGameRequest::from(game).encode_to_vec())
            }
        }
    }
}

impl From<EventReport> for RecordGameRequest {
    fn from(report: EventReport) -> RecordGameRequest {
        let EventReport { event, game, sequence, outcome, played_turned, assigned_turned, penalties } =
            report;
        let state = if outcome.is_some() { GameReportState::Final } else { GameReportState::Adjourned };
        RecordGameRequest {
            event_id: event.to_string(),
            game_id: game.to_string(),
            sequence,
            state: state.into(),
            verdict: outcome.as_ref().map_or(0, |outcome| outcome.verdict.number()),
            reason: outcome.as_ref().map_or(0, |outcome| board::Reason::from(outcome.reason) as i32),
            played_turned,
            assigned_turned,
            first_warnings: penalties[0],
            second_warnings: penalties[1],
        }
    }
}

impl From<EventNotice> for NoteGameRequest {
    fn from(notice: EventNotice) -> NoteGameRequest {
        let EventNotice { event, game, sequence, matter, number, side } = notice;
        let wire = match matter {
            NoticeMatter::Call => GameMatter::Call,
            NoticeMatter::CallAnswered => GameMatter::CallAnswered,
            NoticeMatter::Incident(..) => GameMatter::Incident,
            NoticeMatter::Claim => GameMatter::Claim,
            NoticeMatter::ClaimDecided => GameMatter::ClaimDecided,
            NoticeMatter::Appeal => GameMatter::Appeal,
            NoticeMatter::AppealDecided => GameMatter::AppealDecided,
        };
        let (kind, sanction) = match matter {
            NoticeMatter::Incident(kind, sanction) => (kind.number(), sanction.number()),
            _ => (0, 0),
        };
        NoteGameRequest {
            event_id: event.to_string(),
            game_id: game.to_string(),
            sequence,
            matter: wire.into(),
            number,
            side: side.map_or(0, api::ProtoEnum::number),
            kind,
            sanction,
        }
    }
}

api::proto_enum!(Conduct = matchmaking::Conduct { Aborted, NoShow, Left, Stalled });

impl From<FinishedGame> for matchmaking::NoteGameRequest {
    fn from(game: FinishedGame) -> matchmaking::NoteGameRequest {
        let [first, second] = game.parties.map(|(account, conduct)| {
            Some(matchmaking::GameParty { account_id: account.to_string(), conduct: conduct.number() })
        });
        matchmaking::NoteGameRequest {
            game_id: game.game.to_string(),
            variant: game.variant.to_owned(),
            first,
            second,
            counted: game.counted,
            end_time: Some(api::time::timestamp(game.time)),
        }
    }
}

impl From<RatedResult<'_>> for ApplyResultRequest {
    fn from(result: RatedResult<'_>) -> ApplyResultRequest {
        let RatedResult { info, players: [first, second], verdict, time, sequence, acts, reason } = result;
        let ending = match reason {
            Reason::Resignation => GameEnding::Resigned,
            Reason::Time | Reason::Abandoned | Reason::Late | Reason::NotAppeared => GameEnding::Left,
            _ => GameEnding::Played,
        };
        let value_of = |option: &str| info.options.get(option).map(String::as_str);
        ApplyResultRequest {
            game_id: info.id.to_string(),
            variant: info.variant.rated_as(value_of).into_owned(),
            speed_class: info.time_control.map_or(SpeedClass::Unspecified, TimeControl::speed_class) as i32,
            first_id: first.0.to_string(),
            first_name: first.1.to_owned(),
            second_id: second.0.to_string(),
            second_name: second.1.to_owned(),
            verdict: verdict.number(),
            end_time: Some(api::time::timestamp(time)),
            sequence,
            handicap: info.variant.handicap(value_of).into(),
            acts,
            ending: ending.into(),
            event_id: info.regulations.event.map(|id| id.to_string()).unwrap_or_default(),
            federation_id: info.regulations.federation.map(|id| id.to_string()).unwrap_or_default(),
        }
    }
}
