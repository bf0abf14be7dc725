//! What an event adds to the tables: its row, and what is owed to other services once it is written.

use api::{
    clock::v1::SpeedClass,
    rating::v1::{ApplyResultRequest, rating_internal_service_client::RatingInternalServiceClient},
    transport::Transport,
};
use chassis::{
    id::{GameId, RequestId},
    outbox,
};
use prost::Message as _;
use rules::{Side, Verdict};
use tonic::Code;

use crate::{
    convert::outcome_to_pb,
    core::{Event, Info, Kind, TimeControl},
    store::EventRow,
};

/// The outbox entry that tells the rating service of a result.
const RESULT: &str = "rating.apply-result";

/// The row of an event.
pub(crate) fn row(game: GameId, event: &Event, request: Option<RequestId>, message: &[u8]) -> EventRow {
    EventRow {
        game_id: game.uuid(),
        sequence: i64::try_from(event.sequence).unwrap_or(i64::MAX),
        request_id: request.map(RequestId::uuid),
        payload: message.to_vec(),
        sealed: match &event.kind {
            Kind::Played(played) => played.sealed.as_ref().map(|sealed| sealed.0.clone()),
            _ => None,
        },
    }
}

/// What is owed when this event is written: the result of a rated game.
pub(crate) fn by(info: &Info, event: &Event) -> Vec<outbox::Draft> {
    let Some(outcome) = event.after.outcome.as_ref().filter(|outcome| outcome.verdict != Verdict::Void)
    else {
        return Vec::new();
    };
    let account = |side: Side| info.seats[side.index()].account;
    let (true, Some(first), Some(second)) = (info.rated, account(Side::First), account(Side::Second)) else {
        return Vec::new();
    };
    let request = ApplyResultRequest {
        game_id: info.id.to_string(),
        variant: info.variant.to_owned(),
        speed_class: info.time_control.map_or(SpeedClass::Unspecified, TimeControl::speed_class) as i32,
        first_id: first.to_string(),
        first_name: info.seats[0].name.clone(),
        second_id: second.to_string(),
        second_name: info.seats[1].name.clone(),
        verdict: outcome_to_pb(outcome, String::new()).verdict,
        end_time: Some(api::time::timestamp(event.time)),
    };
    vec![outbox::Draft { kind: RESULT, payload: request.encode_to_vec() }]
}

/// Delivers an entry; whether the receiver has acknowledged it.
pub(crate) async fn deliver(rating: RatingInternalServiceClient<Transport>, entry: outbox::Entry) -> bool {
    let Ok(request) = ApplyResultRequest::decode(entry.payload.as_slice()) else {
        tracing::error!(kind = entry.kind, "an outbox entry cannot be decoded; it is dropped");
        return true;
    };
    let game_id = request.game_id.clone();
    match rating.clone().apply_result(request).await {
        Ok(_) => true,
        Err(status) if status.code() == Code::InvalidArgument => {
            tracing::error!(game.id = game_id, %status, "the rating service refuses a result; it is dropped");
            true
        }
        Err(status) => {
            tracing::warn!(game.id = game_id, %status, "a result was not delivered; it is tried again");
            false
        }
    }
}
