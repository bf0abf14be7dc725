//! What a pairing tells on its way, and what it leads to.

use api::federation::v1 as pb;
use futures::{StreamExt as _, stream, stream::BoxStream};
use tokio::sync::mpsc;
use tonic::Status;

use crate::{app::event::Pairing, core::event::PublishedRound, error::Error};

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
