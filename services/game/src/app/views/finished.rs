//! Games whose result is final, from their stored summaries.

use std::sync::Arc;

use api::{PointNames, game::v1 as pb};
use chassis::id::GameId;
use rules::{Side, Viewer};

use super::{ViewCache, Weighed};
use crate::{
    core::{Game, Header, Origin, Stage},
    error::Result,
    store::summary,
    wire::StateAt,
};

/// A game whose result is final.
pub(crate) struct Finished {
    pub header: Header,
    /// As everybody sees it, encoded.
    pub shown: pb::Game,
}

impl Weighed for Arc<Finished> {
    fn weight(&self) -> u64 {
        (self.shown.encoded.len() + size_of::<Finished>()) as u64
    }
}

impl ViewCache {
    /// The game, if its result is final and it has been shown before.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn finished(&self, game: GameId) -> Result<Option<Arc<Finished>>> {
        let known = match self.finished.get(&game) {
            Some(known) => Some(known),
            None => summary::find(self.database.read(), game).await?.map(finished).transpose()?,
        };
        let Some(known) = known else { return Ok(None) };
        let last = summary::last_sequence(self.database.read(), game).await?;
        if last != Some(known.header.sequence) {
            // Somebody goes on with it, or it has been deleted.
            self.finished.remove(&game);
            return Ok(None);
        }
        self.finished.insert(game, Arc::clone(&known));
        Ok(Some(known))
    }

    /// Keeps the summary of a game that has been replayed, if its result is final and everybody sees the same. That of an
    /// import is written with it, and deleted with it.
    pub(crate) async fn settle(&self, game: &Game) -> Result<Option<Arc<Finished>>> {
        if !is_settled(game) {
            return Ok(None);
        }
        let id = game.info.id;
        let acts = self.acts(id, game.sequence).await?;
        let settled = Finished::of(game, acts);
        if game.info.origin == Origin::Match
            && let Err(error) = summary::keep(self.database.write(), settled.summary()).await
        {
            tracing::debug!(game.id = %id, %error, "a summary was not kept; it will be made again");
        }
        // Its acts are in the summary now.
        self.sheets.remove(&id);
        Ok(Some(self.remember(settled)))
    }

    /// Remembers a game whose result is final.
    pub(crate) fn remember(&self, finished: Finished) -> Arc<Finished> {
        let finished = Arc::new(finished);
        self.finished.insert(finished.header.info.id, Arc::clone(&finished));
        finished
    }
}

impl Finished {
    /// A game with these acts; nothing if its result is not final, or not everybody sees the same of it.
    pub(crate) fn if_settled(game: &Game, acts: impl FnOnce() -> Vec<pb::PlayedAct>) -> Option<Self> {
        is_settled(game).then(|| Finished::of(game, acts()))
    }

    fn of(game: &Game, acts: Vec<pb::PlayedAct>) -> Self {
        let shown = shown(game, Viewer::Spectator, acts).encoded_once();
        Finished { header: Header::from(game), shown }
    }

    /// Its row among the summaries.
    pub(crate) fn summary(&self) -> summary::Model {
        summary::row(self.header.info.id, self.header.sequence, &self.shown)
    }
}

/// A game with its board and acts, as `viewer` may see it.
pub(crate) fn shown(game: &Game, viewer: Viewer, acts: Vec<pb::PlayedAct>) -> pb::Game {
    let position = game.position.as_ref();
    pb::Game {
        info: Some((&game.info).into()),
        state: Some(StateAt(game.sequence, &game.state).into()),
        board: Some(PointNames(&|point| position.point_name(point)).board(&position.view(viewer))),
        acts,
        update_time: Some(api::time::timestamp(game.updated)),
        ..pb::Game::default()
    }
}

fn finished(shown: pb::Game) -> Result<Arc<Finished>> {
    Ok(Arc::new(Finished { header: (&shown.clone().decoded()?).try_into()?, shown }))
}

/// Whether the result is final, and the players see no more of the position than everybody does.
fn is_settled(game: &Game) -> bool {
    if game.progress().stage != Stage::Final {
        return false;
    }
    let open = game.position.view(Viewer::Spectator);
    Side::BOTH.into_iter().all(|side| game.position.view(Viewer::Seat(side)) == open)
}
