//! Games whose result is final, from their stored summaries.

use std::sync::Arc;

use api::game::v1 as pb;
use chassis::id::GameId;
use rules::{Side, Viewer};

use super::{Sights, Weighed};
use crate::{
    convert::{header_from_pb, info_to_pb, state_to_pb, view_to_pb},
    core::{Game, Header, Stage},
    fault::CallError,
    store::{StoreError, summary},
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

impl Sights {
    /// The game, if its result is final and it has been shown before.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(crate) async fn finished(&self, game: GameId) -> Result<Option<Arc<Finished>>, CallError> {
        let known = match self.finished.get(&game) {
            Some(known) => Some(known),
            None => summary::find(self.reader.database(), game).await?.map(finished).transpose()?,
        };
        let Some(known) = known else { return Ok(None) };
        let last = summary::last_sequence(self.reader.database(), game).await.map_err(StoreError::from)?;
        if last != Some(known.header.sequence) {
            // Somebody goes on with it, or it has been deleted.
            self.finished.remove(&game);
            return Ok(None);
        }
        self.finished.insert(game, Arc::clone(&known));
        Ok(Some(known))
    }

    /// Keeps the summary of a game that has been replayed, if its result is final and everybody sees the same.
    pub(crate) async fn settle(&self, game: &Game) -> Result<Option<Arc<Finished>>, CallError> {
        if game.course().stage != Stage::Final || !is_open(game) {
            return Ok(None);
        }
        let acts = self.acts(game.info.id, game.sequence).await?;
        let shown = shown(game, Viewer::Spectator, acts).encoded_once();
        let kept = summary::keep(self.reader.database(), game.info.id, game.sequence, &shown).await;
        if let Err(error) = kept {
            tracing::debug!(game.id = %game.info.id, %error, "a summary was not kept; it will be made again");
        }
        // Its acts are in the summary now.
        self.sheets.remove(&game.info.id);
        let settled = Arc::new(Finished { header: Header::from(game), shown });
        self.finished.insert(game.info.id, Arc::clone(&settled));
        Ok(Some(settled))
    }
}

/// A game with its board and acts, as `viewer` may see it.
pub(crate) fn shown(game: &Game, viewer: Viewer, acts: Vec<pb::PlayedAct>) -> pb::Game {
    let position = game.position.as_ref();
    pb::Game {
        info: Some(info_to_pb(&game.info)),
        state: Some(state_to_pb(game.sequence, &game.after)),
        board: Some(view_to_pb(&position.view(viewer), &|point| position.point_name(point))),
        acts,
        update_time: Some(api::time::timestamp(game.updated)),
        ..pb::Game::default()
    }
}

fn finished(shown: pb::Game) -> Result<Arc<Finished>, StoreError> {
    Ok(Arc::new(Finished { header: header_from_pb(&shown.clone().decoded()?)?, shown }))
}

/// Whether the players see no more of a position than everybody does.
fn is_open(game: &Game) -> bool {
    let open = game.position.view(Viewer::Spectator);
    Side::BOTH.into_iter().all(|side| game.position.view(Viewer::Seat(side)) == open)
}
