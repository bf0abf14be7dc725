//! What is asked for, in plain types.

use std::time::Duration;

use api::{
    ProtoEnum as _,
    game::v1 as pb,
    reason,
    sealing::{CIPHERTEXT_BYTES_MAX, COMMITMENT_BYTES},
};
use chassis::{
    auth::RoleScope,
    id::{AccountId, EventId, FederationId, GameId, RequestId},
    page::{Page, Sizes},
    text::plain,
};
use rules::{Side, Variant};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{DecodeError, adjournment::encode_stored, incident::is_evidence, required};
use crate::{
    core::{
        ACT_BYTES_MAX, Command, CommandError, FlagFall, GameFilter, Petition, Proposal, Ruling, RulingError,
        SealedMove, chat::Room,
    },
    error::{Error, Result},
};

/// The longest lag that a client can claim: the clocks take a longer one for a mistake, and no act is to fail by it.
const LAG_MAX: Duration = api::time_control::MAIN_MAX;
/// The longest record that is read.
const RECORD_BYTES_MAX: usize = 1024 * 1024;
/// Running games in an answer when the caller does not say, and at most.
const RUNNING: Sizes = Sizes { default: 500, max: 1000 };

// What can be played can be sealed.
const _: () = assert!(ACT_BYTES_MAX == api::sealing::ACT_BYTES_MAX);

/// What a player wants of a game, and by which request.
pub(crate) struct CommandRequest {
    pub game: GameId,
    pub request: RequestId,
    pub command: Command,
    /// The lag that his client claims.
    pub claimed_lag: Option<Duration>,
}

/// What an official wants of a game, and by which request.
pub(crate) struct RulingRequest {
    pub game: GameId,
    pub request: RequestId,
    pub ruling: Ruling,
}

/// A record that is to be imported.
pub(crate) struct ImportRequest {
    pub variant: &'static Variant,
    pub text: String,
    pub request: RequestId,
}

/// Games that are asked for.
pub(crate) struct GamesRequest {
    pub filter: GameFilter,
    pub page: Page<Place>,
}

/// Messages that are asked for; a place among them is their number.
pub(crate) struct MessagesRequest {
    pub game: GameId,
    pub room: Room,
    pub page: Page<u64>,
}

/// A message that is to be written.
pub(crate) struct NewMessage {
    pub game: GameId,
    pub room: Room,
    pub text: String,
    pub request: RequestId,
}

/// A message that is reported, and why.
pub(crate) struct NewReport {
    pub game: GameId,
    pub room: Room,
    pub sequence: u64,
    pub reason: String,
}

/// Reports that are asked for.
pub(crate) struct ReportsRequest {
    pub scope: RoleScope,
    pub page: Page<ReportPlace>,
}

/// A game's place in the order of creation: when it was made, in microseconds since the epoch, and its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place(pub i64, pub Uuid);

/// A place in the list of reports: when, and what and who.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReportPlace(pub i64, pub Uuid, pub i16, pub i64, pub Uuid);

impl Place {
    /// The game.
    pub(crate) fn game(self) -> GameId {
        self.1.into()
    }
}

/// What each call asks of a game.
macro_rules! commands {
    ($($request:ident($asked:ident) => $command:expr;)+) => {
        $(impl TryFrom<pb::$request> for CommandRequest {
            type Error = Error;

            fn try_from($asked: pb::$request) -> Result<Self> {
                Ok(CommandRequest {
                    game: GameId::parse(&$asked.game_id, "game_id")?,
                    request: RequestId::parse(&$asked.request_id, "request_id")?,
                    command: $command,
                    claimed_lag: None,
                })
            }
        })+
    };
}

commands! {
    ResignRequest(asked) => Command::Resign;
    OfferDrawRequest(asked) => Command::OfferDraw;
    AcceptDrawRequest(asked) => Command::AcceptDraw;
    DeclineDrawRequest(asked) => Command::DeclineDraw;
    AbortRequest(asked) => Command::Abort;
    CheckInRequest(asked) => Command::CheckIn;
    ProposeRequest(asked) => Command::Propose(proposal(asked.proposal.as_ref())?);
    DropProposalRequest(asked) => Command::DropProposal(proposal(asked.proposal.as_ref())?);
    GiveTimeRequest(asked) => Command::GiveTime(span(asked.given_duration.as_ref()).unwrap_or_default());
    ClaimAbandonmentRequest(asked) => Command::ClaimAbandonment(
        (asked.claim().try_into())
            .map_err(|_| api::Error::invalid(reason::BAD_CLAIM, "claim", "say what is claimed"))?
    );
    SealMoveRequest(asked) => Command::SealMove(sealed_move(&asked)?);
    PetitionRequest(asked) => Command::Petition(petition(asked.petition.as_ref())?);
}

impl TryFrom<pb::PlayRequest> for CommandRequest {
    type Error = Error;

    fn try_from(asked: pb::PlayRequest) -> Result<Self> {
        Ok(CommandRequest {
            game: GameId::parse(&asked.game_id, "game_id")?,
            request: RequestId::parse(&asked.request_id, "request_id")?,
            command: Command::Play { text: asked.act, ply: asked.ply },
            claimed_lag: span(asked.lag_duration.as_ref()).filter(|lag| *lag <= LAG_MAX),
        })
    }
}

impl TryFrom<pb::RuleRequest> for RulingRequest {
    type Error = Error;

    fn try_from(asked: pb::RuleRequest) -> Result<Self> {
        Ok(RulingRequest {
            game: GameId::parse(&asked.game_id, "game_id")?,
            ruling: readable(required(asked.ruling.as_ref(), "a ruling"), RulingError::BadRuling)?,
            request: RequestId::parse(&asked.request_id, "request_id")?,
        })
    }
}

impl TryFrom<pb::ImportRecordRequest> for ImportRequest {
    type Error = api::Error;

    fn try_from(asked: pb::ImportRecordRequest) -> Result<Self, api::Error> {
        if asked.text.len() > RECORD_BYTES_MAX {
            return Err(api::Error::invalid(reason::RECORD_TOO_LONG, "text", "at most 1 MiB"));
        }
        Ok(ImportRequest {
            request: RequestId::parse(&asked.request_id, "request_id")?,
            variant: variant(&asked.variant)?,
            text: asked.text,
        })
    }
}

impl TryFrom<pb::ListGamesRequest> for GamesRequest {
    type Error = api::Error;

    fn try_from(asked: pb::ListGamesRequest) -> Result<Self, api::Error> {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let account = given(&asked.account_id).map(|id| AccountId::parse(&id, "account_id")).transpose()?;
        let variant = given(&asked.variant).map(|id| variant(&id)).transpose()?;
        let finished = match pb::GameStatus::try_from(asked.status) {
            Ok(pb::GameStatus::Unspecified) => None,
            Ok(pb::GameStatus::Running) => Some(false),
            Ok(pb::GameStatus::Finished) => Some(true),
            Err(_) => {
                let message = "running, finished, or nothing";
                return Err(api::Error::invalid(reason::UNKNOWN_VALUE, "status", message));
            }
        };
        let list = format!("games/{}/{}/{}", asked.account_id, asked.variant, asked.status);
        let page = Page::of(list, asked.page_size, &asked.page_token)?;
        Ok(GamesRequest { filter: GameFilter { account, variant, finished }, page })
    }
}

impl TryFrom<pb::ListRunningClocksRequest> for GamesRequest {
    type Error = api::Error;

    fn try_from(asked: pb::ListRunningClocksRequest) -> Result<Self, api::Error> {
        let page = Page::sized(RUNNING, "running", asked.page_size, &asked.page_token)?;
        Ok(GamesRequest { filter: GameFilter::default(), page })
    }
}

impl TryFrom<pb::CallFlagRequest> for FlagFall {
    type Error = api::Error;

    fn try_from(asked: pb::CallFlagRequest) -> Result<Self, api::Error> {
        let bad = |field: &str| api::Error::invalid(reason::BAD_FLAG, field, "required");
        let reading = asked.reading.as_ref().and_then(|reading| reading.try_into().ok());
        Ok(FlagFall {
            game: GameId::parse(&asked.game_id, "game_id")?,
            revision: asked.revision,
            side: Side::of(asked.side).ok_or_else(|| bad("side"))?,
            time: asked.fall_time.as_ref().and_then(api::time::moment).ok_or_else(|| bad("fall_time"))?,
            reading: reading.ok_or_else(|| bad("reading"))?,
        })
    }
}

impl TryFrom<pb::ListMessagesRequest> for MessagesRequest {
    type Error = api::Error;

    fn try_from(asked: pb::ListMessagesRequest) -> Result<Self, api::Error> {
        let list = format!("messages/{}/{}", asked.game_id, asked.room);
        Ok(MessagesRequest {
            game: GameId::parse(&asked.game_id, "game_id")?,
            room: room(asked.room())?,
            page: Page::of(list, asked.page_size, &asked.page_token)?,
        })
    }
}

impl TryFrom<pb::SendMessageRequest> for NewMessage {
    type Error = api::Error;

    fn try_from(asked: pb::SendMessageRequest) -> Result<Self, api::Error> {
        Ok(NewMessage {
            request: RequestId::parse(&asked.request_id, "request_id")?,
            game: GameId::parse(&asked.game_id, "game_id")?,
            room: room(asked.room())?,
            text: plain("text", asked.text)?,
        })
    }
}

impl TryFrom<pb::ReportMessageRequest> for NewReport {
    type Error = api::Error;

    fn try_from(asked: pb::ReportMessageRequest) -> Result<Self, api::Error> {
        Ok(NewReport {
            game: GameId::parse(&asked.game_id, "game_id")?,
            room: room(asked.room())?,
            reason: plain("reason", asked.reason)?,
            sequence: asked.sequence,
        })
    }
}

impl TryFrom<pb::ListReportsRequest> for ReportsRequest {
    type Error = api::Error;

    fn try_from(asked: pb::ListReportsRequest) -> Result<Self, api::Error> {
        let scope = match (asked.event_id.as_str(), asked.federation_id.as_str()) {
            ("", "") => RoleScope::Platform,
            (event, "") => RoleScope::Event(EventId::parse(event, "event_id")?),
            ("", federation) => RoleScope::Federation(FederationId::parse(federation, "federation_id")?),
            _ => {
                let message = "either this or the event";
                return Err(api::Error::invalid(reason::BAD_ID, "federation_id", message));
            }
        };
        let list = format!("reports/{}/{}", asked.event_id, asked.federation_id);
        Ok(ReportsRequest { scope, page: Page::of(list, asked.page_size, &asked.page_token)? })
    }
}

/// The variant of a request.
pub(crate) fn variant(id: &str) -> Result<&'static Variant, api::Error> {
    rules::variant(id).ok_or_else(|| api::Error::unknown_variant("variant"))
}

/// The side of a request.
pub(crate) fn side(number: i32) -> Result<Side, api::Error> {
    Side::of(number).ok_or_else(|| api::Error::invalid(reason::BAD_SIDE, "side", "first or second"))
}

/// The room of a request.
pub(crate) fn room(room: pb::ChatRoom) -> Result<Room, api::Error> {
    room.try_into().map_err(|_| api::Error::invalid(reason::BAD_ROOM, "room", "players or spectators"))
}

fn proposal(proposal: Option<&pb::Proposal>) -> Result<Proposal, api::Error> {
    required(proposal, "a proposal")
        .map_err(|_| api::Error::invalid(reason::BAD_PROPOSAL, "proposal", "say what is proposed"))
}

fn petition(petition: Option<&pb::Petition>) -> Result<Petition> {
    readable(required(petition, "a petition"), RulingError::BadPetition)
}

/// What was sent, or what is wrong with it.
fn readable<T>(sent: Result<T, DecodeError>, error: RulingError) -> Result<T> {
    sent.map_err(|malformed| {
        let error = if is_evidence(&malformed) { RulingError::BadEvidence } else { error };
        CommandError::from(error).into()
    })
}

/// A sealed move as it is kept; what is longer than any can be is not looked at.
fn sealed_move(asked: &pb::SealMoveRequest) -> Result<SealedMove, api::Error> {
    let commitment = <[u8; COMMITMENT_BYTES]>::try_from(asked.commitment.as_slice())
        .map_err(|_| api::Error::invalid(reason::BAD_COMMITMENT, "commitment", "32 bytes"))?;
    if asked.ciphertext.len() > CIPHERTEXT_BYTES_MAX {
        return Err(api::Error::invalid(reason::BAD_CIPHERTEXT, "ciphertext", "at most 4,176 bytes"));
    }
    Ok(SealedMove { commitment, sealed: Some(encode_stored(&asked.key_id, &asked.ciphertext)) })
}

fn span(span: Option<&prost_types::Duration>) -> Option<Duration> {
    span.and_then(api::time::span)
}
