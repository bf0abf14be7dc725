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
use tonic::{Code, Status};

use super::{App, queries::Queries};
use crate::{core::GameSpec, wire::OutboxEntry};

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

/// Delivers entries, the results among them in one call.
pub(crate) async fn deliver(receivers: Receivers, app: Arc<App>, entries: Vec<Entry>) -> Vec<Delivery> {
    let steps = join_all(entries.iter().map(|entry| tell(receivers.clone(), &app, entry))).await;
    apply(receivers.rating, &entries, steps).await
}

/// What becomes of an entry.
enum Step {
    /// It is a result for the ratings, which all may know.
    Result(Box<ApplyResultRequest>),
    /// It has been delivered, or not.
    Over(Delivery),
}

/// Delivers an entry, unless it is a result.
async fn tell(receivers: Receivers, app: &App, entry: &Entry) -> Step {
    let Receivers { mut federation, mut matchmaking, .. } = receivers;
    let (game_id, delivered) = match OutboxEntry::decode(&entry.kind, &entry.payload) {
        Ok(OutboxEntry::Result { request, is_delayed }) => {
            let is_early = is_delayed && !is_public(&app.queries, &request).await;
            return if is_early { Step::Over(Delivery::Later) } else { Step::Result(Box::new(request)) };
        }
        Ok(OutboxEntry::Rematch(request)) => (request.game_id.clone(), make(app, *request).await),
        Ok(OutboxEntry::Report(request)) => {
            (request.game_id.clone(), told(federation.record_game(request).await))
        }
        Ok(OutboxEntry::Notice(request)) => {
            (request.game_id.clone(), told(federation.note_game(request).await))
        }
        Ok(OutboxEntry::Finished(request)) => {
            (request.game_id.clone(), matchmaking.note_game(request).await.map(drop))
        }
        Err(error) => return Step::Over(Delivery::Never(error.to_string())),
    };
    Step::Over(match delivered {
        Ok(()) => Delivery::Done,
        Err(status) if is_final(status.code()) => {
            Delivery::Never(format!("{game_id}: {:?}: {}", status.code(), status.message()))
        }
        Err(status) => {
            complain(entry, &game_id, &status, 1);
            Delivery::Later
        }
    })
}

/// Tells the ratings of the results among these, all in one call.
async fn apply(
    mut rating: RatingInternalServiceClient<Transport>,
    entries: &[Entry],
    steps: Vec<Step>,
) -> Vec<Delivery> {
    let result = |step: &Step| match step {
        Step::Result(request) => Some((**request).clone()),
        Step::Over(_) => None,
    };
    let results: Vec<ApplyResultRequest> = steps.iter().filter_map(result).collect();
    let (Some(entry), Some(first)) = (entries.first(), results.first().map(|it| it.game_id.clone())) else {
        return steps.into_iter().map(|step| step.outcome(|_| Delivery::Later)).collect();
    };
    let count = results.len();
    let answer = rating.apply_results(ApplyResultsRequest { results }).await;
    let refusals: Option<HashMap<u32, ResultRefusal>> = match answer {
        Ok(answer) => Some(answer.into_inner().refusals.into_iter().map(|it| (it.index, it)).collect()),
        Err(status) => {
            complain(entry, &first, &status, count);
            None
        }
    };
    let mut places = 0..;
    let mut outcome = |request: ApplyResultRequest| {
        let Some((refusals, place)) = refusals.as_ref().zip(places.next()) else { return Delivery::Later };
        refusals.get(&place).map_or(Delivery::Done, |ResultRefusal { reason, message, .. }| {
            Delivery::Never(format!("{}: {reason}: {message}", request.game_id))
        })
    };
    steps.into_iter().map(|step| step.outcome(&mut outcome)).collect()
}

impl Step {
    /// What became of it, where this became of a result.
    fn outcome(self, of_result: impl FnOnce(ApplyResultRequest) -> Delivery) -> Delivery {
        match self {
            Step::Result(request) => of_result(*request),
            Step::Over(outcome) => outcome,
        }
    }
}

/// Says that a receiver has not taken what is owed to him: this entry and the others of its call.
fn complain(entry: &Entry, game_id: &str, status: &Status, entries: usize) {
    static COMPLAINTS: Throttle = Throttle::new();
    if let Some(held_back) = COMPLAINTS.admit() {
        tracing::warn!(entry.id = %entry.id, kind = entry.kind, game.id = game_id, entries, %status, held_back, "what is owed was not delivered; it is tried again");
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
