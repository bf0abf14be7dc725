//! What has to be worked out from a position: once for each, however many ask.

use std::sync::Arc;

use api::{PointNames, game::v1 as pb};
use chassis::id::GameId;
use prost::Message as _;
use rules::{CountBoard, Side, View, Viewer};

use super::{ViewCache, Weighed};
use crate::{
    app::views::GameView,
    core::{self, Game},
    error::{Error, Result},
    store::log,
};

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// Every way of counting it.
    Counts,
    /// The acts that a side may make.
    Hints(Side),
    /// The record up to it.
    Record,
    /// An act that settles the count.
    Suggestion,
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Counts(Vec<pb::Count>),
    Hints(Vec<pb::Hint>),
    Record(pb::ExportRecordResponse),
    Suggestion(String),
}

impl Weighed for Arc<Answer> {
    fn weight(&self) -> u64 {
        let bytes = match self.as_ref() {
            Answer::Counts(counts) => 4 * counts.iter().map(prost::Message::encoded_len).sum::<usize>(),
            Answer::Hints(hints) => 4 * hints.iter().map(prost::Message::encoded_len).sum::<usize>(),
            Answer::Record(record) => record.encoded_len(),
            Answer::Suggestion(act) => act.len(),
        };
        (bytes + size_of::<Answer>()) as u64
    }
}

impl ViewCache {
    /// Every way of counting a game as somebody sees it.
    ///
    /// # Errors
    /// When the log cannot be read, or too many ask.
    pub(crate) async fn counts(&self, view: &GameView) -> Result<Vec<pb::Count>> {
        match self.answer(view, Question::Counts).await?.as_ref() {
            Answer::Counts(counts) => Ok(counts.clone()),
            _ => Err(api::Error::internal().into()),
        }
    }

    /// The acts that a side may make.
    ///
    /// # Errors
    /// As [`Self::counts`].
    pub(crate) async fn hints(&self, view: &GameView, side: Side) -> Result<Vec<pb::Hint>> {
        if view.is_over() {
            return Ok(Vec::new());
        }
        match self.answer(view, Question::Hints(side)).await?.as_ref() {
            Answer::Hints(hints) => Ok(hints.clone()),
            _ => Err(api::Error::internal().into()),
        }
    }

    /// The record up to what somebody sees.
    ///
    /// # Errors
    /// As [`Self::counts`].
    pub(crate) async fn record(&self, view: &GameView) -> Result<pb::ExportRecordResponse> {
        match self.answer(view, Question::Record).await?.as_ref() {
            Answer::Record(record) => Ok(record.clone()),
            _ => Err(api::Error::internal().into()),
        }
    }

    /// An act that settles the count; empty when there is nothing to be settled.
    ///
    /// # Errors
    /// As [`Self::counts`].
    pub(crate) async fn suggestion(&self, view: &GameView) -> Result<String> {
        match self.answer(view, Question::Suggestion).await?.as_ref() {
            Answer::Suggestion(act) => Ok(act.clone()),
            _ => Err(api::Error::internal().into()),
        }
    }

    /// The answer to a question about a game as somebody sees it. Whoever asks the same at the same time waits for
    /// the first one's answer.
    async fn answer(&self, view: &GameView, question: Question) -> Result<Arc<Answer>> {
        let id = view.info().id;
        let key = (id, view.sequence(), question);
        self.answers.get_or_insert_async(&key, self.work_out(id, view, question)).await
    }

    async fn work_out(&self, id: GameId, view: &GameView, question: Question) -> Result<Arc<Answer>> {
        let replayed;
        let game = match view {
            GameView::Current(game) | GameView::Delayed(game) => game.as_ref(),
            GameView::Finished(finished) => {
                replayed = self.replayed(id, finished.header.sequence).await?;
                &replayed
            }
        };
        Ok(Arc::new(match question {
            Question::Counts => Answer::Counts(counts(game.position.as_ref())),
            Question::Hints(side) => Answer::Hints(hints(game, side)),
            Question::Record => {
                let text = self.with_sheet(id, game.sequence, |sheet| core::export(game, sheet)).await?;
                Answer::Record(pb::ExportRecordResponse { text, file_name: core::file_name(game) })
            }
            Question::Suggestion => Answer::Suggestion(self.think(game).await?),
        }))
    }

    async fn replayed(&self, id: GameId, sequence: u64) -> Result<Game> {
        let _turn = self.turn_for(sequence).await?;
        log::replay(self.database.read(), id, sequence).await?.into_game().ok_or(Error::UnknownGame)
    }

    /// A suggestion takes some hundredths of a second, away from the tasks of those who play.
    async fn think(&self, game: &Game) -> Result<String> {
        let turn = self.thoughts.next().await?;
        let position = game.position.clone();
        tracing::debug!(thought = %game.info.id, "a suggestion is worked out");
        let think = move || {
            let _turn = turn;
            position.suggestion().unwrap_or_default()
        };
        chassis::background::spawn(think).await.map_err(|_| api::Error::internal().into())
    }
}

fn hints(game: &Game, side: Side) -> Vec<pb::Hint> {
    let hints = game.position.hints(side);
    hints
        .into_iter()
        .map(|hint| pb::Hint { text: hint.text, choices_left: u32::from(hint.choices_left) })
        .collect()
}

/// Every way of counting a position.
fn counts(position: &dyn rules::Game) -> Vec<pb::Count> {
    let view = position.view(Viewer::Spectator);
    let step = |step: rules::CountStep| pb::CountStep {
        text: step.text,
        board: step.board.map(|CountBoard { stones, marks }| {
            let board = View { stones, marks, facts: Vec::new(), ..view.clone() };
            PointNames(&|point| position.point_name(point)).board(&board)
        }),
    };
    position
        .counts()
        .into_iter()
        .map(|count| pb::Count {
            method: count.method.to_owned(),
            name: count.name.to_owned(),
            native_name: count.native_name.to_owned(),
            steps: count.steps.into_iter().map(step).collect(),
            result: Some((&count.result).into()),
        })
        .collect()
}
