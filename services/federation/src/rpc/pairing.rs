//! What a pairing tells on its way, and what it leads to; and what is done where none leads anywhere.

use api::federation::v1 as pb;
use chassis::auth::{self, Scope};
use futures::{StreamExt as _, stream, stream::BoxStream};
use tokio::sync::mpsc;
use tonic::{Request, Response, Status};

use super::event::told;
use crate::{
    app::event::{Events, Pairing},
    core::event::PublishedRound,
    error::Error,
    wire::event::{
        log,
        request::{self, ChangeRequest as _},
    },
};

/// Has places shared, or drawn by lot, that a play-off was to decide.
pub(super) async fn settle_ties(
    events: &Events,
    request: Request<pb::SettleTiesRequest>,
) -> Result<Response<pb::SettleTiesResponse>, Status> {
    let caller = auth::require(&request, Scope::Arbitrate)?;
    let it = request.into_inner();
    let (change, ties) = (it.change()?, log::ties(it.by_lot));
    let current = events.settle_ties(&caller, &change, ties, request::why(it.reason)?).await?;
    Ok(Response::new(pb::SettleTiesResponse { event: Some(told(&current)) }))
}

/// A round that only officials see.
pub(super) fn draft(round: &PublishedRound) -> pb::Round {
    pb::Round { state: pb::round::State::Draft.into(), ..pb::Round::from(round) }
}

/// What a pairing tells, until it is done.
pub(super) fn pairing_answers(
    told: mpsc::Receiver<Pairing>,
) -> BoxStream<'static, Result<pb::PairRoundResponse, Status>> {
    use pb::pair_round_response::{Answer, Progress};
    let answers = stream::unfold(told, async |mut told| told.recv().await.map(|answer| (answer, told)));
    let answer = |told: Pairing| match told {
        Pairing::Progress(it) => Ok(Answer::Progress(Progress { placed: it.placed, players: it.players })),
        Pairing::Done(done) => Ok(Answer::Round(draft(&*done?))),
    };
    answers
        .map(move |told| {
            let answered: Result<Answer, Error> = answer(told);
            answered.map(|answer| pb::PairRoundResponse { answer: Some(answer) }).map_err(Status::from)
        })
        .boxed()
}
