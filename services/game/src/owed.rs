//! What an event adds to the tables: its row, and what is owed to other services once it is written.

use std::sync::Arc;

use api::{
    clock::v1::SpeedClass,
    game::v1::{CreateGameRequest, Regulations, Seat},
    rating::v1::{ApplyResultRequest, rating_internal_service_client::RatingInternalServiceClient},
    transport::Transport,
};
use chassis::{
    Throttle,
    id::{GameId, RequestId},
    outbox::{self, Delivery},
};
use prost::Message as _;
use rules::{Outcome, Reason, Side, Verdict};
use tonic::{Code, Status};

use crate::{
    convert::{commission_from_pb, control_to_pb, outcome_to_pb, seat_to_pb},
    core::{Event, Game, Info, Kind, Proposal, Stage, TimeControl, presence::is_attended, rematch_of},
    rooms::Rooms,
    store::EventRow,
};

/// The outbox entry that tells the rating service of a result.
const RESULT: &str = "rating.apply-result";
/// The same for a game that is broadcast with a delay: a rating would tell what spectators do not see yet.
const RESULT_DELAYED: &str = "rating.apply-result.delayed";
/// The outbox entry that makes the game after this one.
const REMATCH: &str = "game.rematch";

/// The row of an event.
pub(crate) fn row(game: GameId, event: &Event, request: Option<RequestId>, message: &[u8]) -> EventRow {
    EventRow {
        game_id: game.uuid(),
        sequence: i64::try_from(event.sequence).unwrap_or(i64::MAX),
        request_id: request.map(RequestId::uuid),
        payload: message.to_vec(),
        sealed: event.kind.sealed().map(|sealed| sealed.0.clone()),
    }
}

/// The result that a log owes to the ratings, once it is final.
pub(crate) fn result_of(game: &Game, log: &[Event]) -> Option<ApplyResultRequest> {
    let made_final = log.iter().find(|event| event.after.course.stage == Stage::Final)?;
    request(&game.info, made_final)
}

/// The game of an entry that tells of a result.
pub(crate) fn told_of(kind: &str, payload: &[u8]) -> Option<GameId> {
    let result = [RESULT, RESULT_DELAYED].contains(&kind);
    let request = ApplyResultRequest::decode(payload).ok().filter(|_| result)?;
    GameId::parse(&request.game_id, "game_id").ok()
}

/// What is owed when this event of a game is written: the result of a rated game once it is final, and the game
/// that follows once it is agreed on.
pub(crate) fn by(game: &Game, event: &Event) -> Vec<outbox::Draft> {
    let mut owed = Vec::new();
    if game.after.course.stage < Stage::Final && event.after.course.stage == Stage::Final {
        owed.extend(result(&game.info, event));
    }
    if let Kind::Agreed(Proposal::Rematch) = event.kind {
        owed.push(rematch(game));
    }
    owed
}

/// The entry for the result of a rated game.
fn result(info: &Info, event: &Event) -> Option<outbox::Draft> {
    let kind = if info.regulations.broadcast_delay.is_zero() { RESULT } else { RESULT_DELAYED };
    request(info, event).map(|request| outbox::Draft { kind, payload: request.encode_to_vec() })
}

/// What the rating service is told of a rated game that this event has made final. A game to which somebody did not
/// come was not played.
fn request(info: &Info, event: &Event) -> Option<ApplyResultRequest> {
    let played = |outcome: &&Outcome| outcome.verdict != Verdict::Void && outcome.reason != Reason::Late;
    let outcome = event.after.outcome.as_ref().filter(played)?;
    let seats = info.seats_in(&event.after.course);
    let account = |side: Side| seats[side.index()].account;
    let (true, Some(first), Some(second)) = (info.rated, account(Side::First), account(Side::Second)) else {
        return None;
    };
    Some(ApplyResultRequest {
        game_id: info.id.to_string(),
        variant: info.variant.id.to_owned(),
        speed_class: info.time_control.map_or(SpeedClass::Unspecified, TimeControl::speed_class) as i32,
        first_id: first.to_string(),
        first_name: seats[0].name.clone(),
        second_id: second.to_string(),
        second_name: seats[1].name.clone(),
        verdict: outcome_to_pb(outcome, String::new()).verdict,
        end_time: Some(api::time::timestamp(event.time)),
    })
}

/// The same game once more, with the sides changed.
fn rematch(game: &Game) -> outbox::Draft {
    let (info, seats) = (&game.info, game.info.seats_in(game.course()));
    // What the players are rated by then, nobody has asked.
    let seat = |side: Side| Some(Seat { rating: 0, ..seat_to_pb(seats[side.index()]) });
    // Who has agreed need not be there any more when the other does: he is waited for as before. Where there are days
    // for a move nobody has to be.
    let arrival = info.regulations.arrival.filter(|_| is_attended(info));
    let regulations = arrival.map(|arrival| Regulations {
        arrival_duration: Some(api::time::duration(arrival)),
        ..Regulations::default()
    });
    let request = CreateGameRequest {
        game_id: rematch_of(info.id).to_string(),
        variant: info.variant.id.to_owned(),
        rule_set: info.rule_set.clone(),
        options: info.options.clone().into_iter().collect(),
        time_control: info.time_control.map(control_to_pb),
        rated: info.rated,
        first: seat(Side::Second),
        second: seat(Side::First),
        regulations,
    };
    outbox::Draft { kind: REMATCH, payload: request.encode_to_vec() }
}

/// Delivers an entry.
pub(crate) async fn deliver(
    rating: RatingInternalServiceClient<Transport>,
    rooms: Arc<Rooms>,
    entry: outbox::Entry,
) -> Delivery {
    let (game_id, delivered) = match entry.kind.as_str() {
        REMATCH => match CreateGameRequest::decode(entry.payload.as_slice()) {
            Ok(request) => (request.game_id.clone(), make(&rooms, request).await),
            Err(error) => return Delivery::Never(error.to_string()),
        },
        kind => match ApplyResultRequest::decode(entry.payload.as_slice()) {
            Ok(request) if kind == RESULT_DELAYED && !is_public(&rooms, &request).await => {
                return Delivery::Later;
            }
            Ok(request) => (request.game_id.clone(), apply(rating, request).await),
            Err(error) => return Delivery::Never(error.to_string()),
        },
    };
    match delivered {
        Ok(()) => Delivery::Done,
        Err(status) if is_final(status.code()) => {
            Delivery::Never(format!("{game_id}: {:?}: {}", status.code(), status.message()))
        }
        Err(status) => {
            static COMPLAINTS: Throttle = Throttle::new();
            if let Some(held_back) = COMPLAINTS.admit() {
                tracing::warn!(game.id = game_id, kind = entry.kind, %status, held_back, "what is owed was not delivered; it is tried again");
            }
            Delivery::Later
        }
    }
}

/// Whether a receiver who has answered so would answer so for ever: the entry itself is at fault.
const fn is_final(code: Code) -> bool {
    matches!(code, Code::InvalidArgument | Code::AlreadyExists | Code::OutOfRange)
}

async fn make(rooms: &Arc<Rooms>, request: CreateGameRequest) -> Result<(), Status> {
    let commission = commission_from_pb(request)?;
    rooms.create(commission).await?;
    Ok(())
}

/// Whether everybody has seen the end of a game.
async fn is_public(rooms: &Rooms, request: &ApplyResultRequest) -> bool {
    let Ok(id) = GameId::parse(&request.game_id, "game_id") else { return true };
    let end = request.end_time.as_ref().and_then(api::time::moment);
    match (rooms.header(id).await, end) {
        (Ok(Some(game)), Some(end)) => end + game.info.regulations.broadcast_delay <= rooms.ambient.now(),
        (Ok(Some(_)), None) => true,
        (Ok(None) | Err(_), _) => false,
    }
}

async fn apply(
    mut rating: RatingInternalServiceClient<Transport>,
    request: ApplyResultRequest,
) -> Result<(), Status> {
    rating.apply_result(request).await.map(drop)
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::is_final;

    #[test]
    fn a_rematch_that_exists_otherwise_is_final_and_a_receiver_that_is_down_is_not() {
        assert!(is_final(Code::AlreadyExists) && is_final(Code::InvalidArgument));
        for code in [Code::Unavailable, Code::Internal, Code::DeadlineExceeded, Code::Unauthenticated] {
            assert!(!is_final(code), "{code:?}");
        }
    }
}
