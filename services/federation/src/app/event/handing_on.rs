//! Has the games of an event follow what is decided about them, until each has.

use std::sync::Arc;

use api::{
    ProtoEnum as _,
    federation::v1::RulingToHandOn,
    game::v1::{
        DeclaredResult, ListPliesRequest, RuleOnGameRequest, Ruling,
        event_games_internal_service_client::EventGamesInternalServiceClient,
        ruling::{self, Act},
    },
    transport::Transport,
};
use chassis::{
    auth,
    id::{AccountId, EventId, of_digest},
    outbox::Delivery,
};
use pairing::ResultCode;
use prost::Message as _;
use rules::Side;
use sha2::{Digest as _, Sha256};
use tonic::{Code, Status};
use uuid::Uuid;

use super::{Events, convey::in_tokens};
use crate::{
    core::event::{Actor, BoardId, Event, Fact, LogEntry, ResultSource, Role, game_id},
    error::{Error, Result},
    store::event::log,
    wire::event::owed::side_of_first,
};

/// Games that are asked after in one call.
const GAMES_AT_ONCE: usize = 500;

/// Hands a decision on to its game.
pub(super) async fn hand_on(
    mut games: EventGamesInternalServiceClient<Transport>,
    events: Arc<Events>,
    payload: Vec<u8>,
) -> Delivery {
    let Ok(owed) = RulingToHandOn::decode(&*payload) else {
        return Delivery::Never("not a decision".to_owned());
    };
    let request = match events.ruling(&owed).await {
        Ok(Some(request)) => request,
        // Nothing that a game could follow.
        Ok(None) => return Delivery::Done,
        Err(error) => {
            super::delivery::complain(&error.into());
            return Delivery::Later;
        }
    };
    match games.rule_on_game(request).await {
        Ok(_) => Delivery::Done,
        // There is no game, or it is over, or not for this office to end: what the event says holds all the same.
        Err(status)
            if matches!(
                status.code(),
                Code::NotFound | Code::FailedPrecondition | Code::PermissionDenied | Code::Aborted
            ) =>
        {
            Delivery::Done
        }
        Err(status) if status.code() == Code::InvalidArgument => Delivery::Never(status.message().to_owned()),
        Err(status) => {
            super::delivery::complain(&status);
            Delivery::Later
        }
    }
}

impl Events {
    /// What a game is asked for; `None` where its event has decided nothing that it could follow.
    async fn ruling(&self, owed: &RulingToHandOn) -> Result<Option<RuleOnGameRequest>> {
        let Ok(id) = EventId::parse(&owed.event_id, "event_id") else { return Ok(None) };
        let event = self.current(id).await?.event;
        let before = owed.sequence.saturating_sub(1);
        let entry = log::after(self.database.read(), id, before, 1).await?.pop();
        let Some((entry, round)) = entry.map(|it| it.entry).zip(u16::try_from(owed.round).ok()) else {
            return Ok(None);
        };
        let board = BoardId { round, table: owed.table };
        let Some((account, role, office)) = official(&event, &entry) else { return Ok(None) };
        let Some(act) = act(&event, &entry) else { return Ok(None) };
        let reason = format!("decided by entry {} of the log of the event", owed.sequence);
        Ok(Some(RuleOnGameRequest {
            game_id: game_id(id, board, owed.attempt).to_string(),
            event_id: id.to_string(),
            account_id: account.to_string(),
            name: role.name().to_owned(),
            role: office.number(),
            ruling: Some(Ruling { reason, act: Some(act) }),
            request_id: request_of(owed).to_string(),
        }))
    }

    /// Whether any of these games has a move.
    pub(super) async fn has_moves(&self, event: &Event, round: u16) -> Result<bool> {
        let Some(round) = event.round(round).filter(|round| round.started.is_some()) else {
            return Ok(false);
        };
        let ids: Vec<String> = round
            .laid()
            .map(|(board, _, state)| game_id(event.id, board, state.attempt).to_string())
            .collect();
        for ids in ids.chunks(GAMES_AT_ONCE) {
            let asked = ListPliesRequest { game_ids: ids.to_vec() };
            let told = self
                .games
                .clone()
                .list_plies(asked)
                .await
                .map_err(|status| unanswered(&status))?
                .into_inner();
            if told.games.iter().any(|game| game.ply > 0) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What is said when games do not answer.
pub(crate) fn unanswered(status: &Status) -> Error {
    Error::Call(api::Error::unavailable(api::reason::GAMES_UNAVAILABLE, status.message()))
}

/// The request by which a decision is handed on: always the same, however often that is tried.
fn request_of(owed: &RulingToHandOn) -> Uuid {
    let hash = Sha256::new_with_prefix(b"shoutan/event-ruling\0").chain_update(owed.encode_to_vec());
    of_digest(hash.finalize().into())
}

/// Who rules on a game for an entry, and in which office: games know officials alone. What the rules decide by themselves,
/// because somebody has left, is the chief arbiter's to answer for.
fn official(event: &Event, entry: &LogEntry) -> Option<(AccountId, Role, auth::Role)> {
    if let Actor::Person { account, role, .. } = entry.actor
        && let Some(office) = in_tokens(role)
    {
        return Some((account, role, office));
    }
    let by_rule =
        matches!(&entry.fact, Fact::Result { result, .. } if result.source == ResultSource::Departure);
    let chiefs = event.officials.iter().filter(|(_, roles)| by_rule && roles.contains(&Role::ChiefArbiter));
    chiefs.map(|(account, _)| (*account, Role::ChiefArbiter, auth::Role::ChiefArbiter)).next()
}

/// What an entry has a game do.
fn act(event: &Event, entry: &LogEntry) -> Option<Act> {
    let first = side_of_first(event);
    let declare = |result: DeclaredResult| Some(Act::Declare(ruling::Declare { result: result.into() }));
    let loses = |side| match side {
        Side::First => DeclaredResult::FirstLoses,
        Side::Second => DeclaredResult::SecondLoses,
    };
    match &entry.fact {
        Fact::RoundRetracted { .. } => declare(DeclaredResult::Replay),
        Fact::Result { result, .. } => match result.codes {
            [ResultCode::Win | ResultCode::ForfeitWin, _] => declare(loses(first.other())),
            [_, ResultCode::Win | ResultCode::ForfeitWin] => declare(loses(first)),
            [ResultCode::Draw, _] => declare(DeclaredResult::Draw),
            [ResultCode::Loss | ResultCode::DoubleForfeit, _] => declare(DeclaredResult::BothLose),
            [ResultCode::ReplayOrdered, _] => declare(DeclaredResult::Replay),
            [ResultCode::Annulled, _] => Some(Act::Annul(ruling::Annul {})),
            _ => None,
        },
        _ => None,
    }
}
