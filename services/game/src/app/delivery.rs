//! Delivers what is owed to others: results to the ratings, reports to the federations whose events games are of, the ends of
//! games to matchmaking, and the games that players have agreed on.

use std::{collections::HashMap, sync::Arc};

use api::{
    federation::v1::federation_internal_service_client::FederationInternalServiceClient,
    game::v1::CreateGameRequest,
    matchmaking::v1::matchmaking_internal_service_client::MatchmakingInternalServiceClient,
    rating::v1::{
        ApplyResultRequest, ApplyResultsRequest, ResultRefusal,
        rating_internal_service_client::RatingInternalServiceClient,
    },
    transport::Transport,
};
use chassis::{
    Throttle,
    id::GameId,
    outbox::{Delivery, Entry},
};
use futures::future::join_all;
use prost::{DecodeError, Message as _};
use tonic::{Code, Status};

use super::{App, queries::Queries};
use crate::{
    core::GameSpec,
    wire::{OUTBOX_KINDS, OutboxEntry},
};

/// Who is owed something.
#[derive(Clone, Debug)]
pub(crate) struct Receivers {
    /// The ratings.
    pub rating: RatingInternalServiceClient<Transport>,
    /// The federations.
    pub federation: FederationInternalServiceClient<Transport>,
    /// Matchmaking.
    pub matchmaking: MatchmakingInternalServiceClient<Transport>,
}

/// Delivers entries of one kind.
pub(crate) async fn deliver(receivers: Receivers, app: Arc<App>, entries: Vec<Entry>) -> Vec<Delivery> {
    if entries.iter().all(|entry| OUTBOX_KINDS.many.contains(&entry.kind.as_str())) {
        return deliver_results(receivers.rating, &entries).await;
    }
    join_all(entries.into_iter().map(|entry| deliver_one(receivers.clone(), &app, entry))).await
}

async fn deliver_one(receivers: Receivers, app: &App, entry: Entry) -> Delivery {
    let Receivers { rating, mut federation, mut matchmaking } = receivers;
    let (game_id, delivered) = match OutboxEntry::decode(&entry.kind, &entry.payload) {
        Ok(OutboxEntry::Rematch(request)) => (request.game_id.clone(), make(app, *request).await),
        Ok(OutboxEntry::Result { request, is_delayed }) => {
            if is_delayed && !is_public(&app.queries, &request).await {
                return Delivery::Later;
            }
            (request.game_id.clone(), apply(rating, request).await)
        }
        Ok(OutboxEntry::Report(request)) => {
            (request.game_id.clone(), told(federation.record_game(request).await))
        }
        Ok(OutboxEntry::Notice(request)) => {
            (request.game_id.clone(), told(federation.note_game(request).await))
        }
        Ok(OutboxEntry::Finished(request)) => {
            (request.game_id.clone(), matchmaking.note_game(request).await.map(drop))
        }
        Err(error) => return Delivery::Never(error.to_string()),
    };
    match delivered {
        Ok(()) => Delivery::Done,
        Err(status) if is_final(status.code()) => {
            Delivery::Never(format!("{game_id}: {:?}: {}", status.code(), status.message()))
        }
        Err(status) => {
            complain(&entry, &status, 1);
            Delivery::Later
        }
    }
}

/// Tells the ratings of results, all in one call.
async fn deliver_results(
    mut rating: RatingInternalServiceClient<Transport>,
    entries: &[Entry],
) -> Vec<Delivery> {
    let read: Vec<Result<ApplyResultRequest, DecodeError>> =
        entries.iter().map(|entry| ApplyResultRequest::decode(&*entry.payload)).collect();
    let results = read.iter().flatten().cloned().collect();
    let refusals = match rating.apply_results(ApplyResultsRequest { results }).await {
        Ok(answer) => answer.into_inner().refusals,
        Err(status) => {
            if let Some(entry) = entries.first() {
                complain(entry, &status, entries.len());
            }
            return vec![Delivery::Later; entries.len()];
        }
    };
    let refusals: HashMap<u32, ResultRefusal> = refusals.into_iter().map(|it| (it.index, it)).collect();
    let mut places = 0..;
    let outcome = |read: Result<ApplyResultRequest, DecodeError>| match read {
        Err(error) => Delivery::Never(error.to_string()),
        Ok(ApplyResultRequest { game_id, .. }) => match places.next().and_then(|it| refusals.get(&it)) {
            None => Delivery::Done,
            Some(ResultRefusal { reason, message, .. }) => {
                Delivery::Never(format!("{game_id}: {reason}: {message}"))
            }
        },
    };
    read.into_iter().map(outcome).collect()
}

/// Says that a receiver has not taken what is owed to him.
fn complain(entry: &Entry, status: &Status, entries: usize) {
    static COMPLAINTS: Throttle = Throttle::new();
    if let Some(held_back) = COMPLAINTS.admit() {
        tracing::warn!(entry.id = %entry.id, kind = entry.kind, entries, %status, held_back, "what is owed was not delivered; it is tried again");
    }
}

/// Whether a receiver who has answered so would answer so for ever: the entry itself is at fault.
const fn is_final(code: Code) -> bool {
    matches!(code, Code::InvalidArgument | Code::AlreadyExists | Code::OutOfRange)
}

async fn make(app: &App, request: CreateGameRequest) -> Result<(), Status> {
    app.create(GameSpec::try_from(request)?).await?;
    Ok(())
}

/// Whether everybody has seen the end of a game.
async fn is_public(queries: &Queries, request: &ApplyResultRequest) -> bool {
    let Ok(id) = GameId::parse(&request.game_id, "game_id") else { return true };
    let end = request.end_time.as_ref().and_then(api::time::moment);
    match (queries.header(id).await, end) {
        (Ok(Some(game)), Some(end)) => {
            end + game.info.regulations.broadcast_delay <= queries.registry.env.now()
        }
        (Ok(Some(_)), None) => true,
        (Ok(None) | Err(_), _) => false,
    }
}

/// What is told to a federation about an event that none here holds is told nobody.
fn told<T>(answer: Result<T, Status>) -> Result<(), Status> {
    match answer {
        Err(status) if status.code() == Code::NotFound => Ok(()),
        answer => answer.map(drop),
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
