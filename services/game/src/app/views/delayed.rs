//! Games as they were a while ago, for those who see a broadcast with its delay.

use std::sync::Arc;

use chassis::id::GameId;
use time::OffsetDateTime;
use tokio::sync::Mutex;

use super::{ViewCache, Weighed};
use crate::{
    core::{Game, Replay},
    error::{Error, Result},
    store::{LOG_PAGE, log},
};

/// A log as far as it has been shown with a delay.
#[derive(Default)]
pub(super) struct Delayed {
    pub(super) replay: Replay,
    /// When the next event happened, if it was too young.
    next: Option<OffsetDateTime>,
}

impl Weighed for Arc<Mutex<Delayed>> {
    fn weight(&self) -> u64 {
        1
    }
}

impl ViewCache {
    /// The game as it was at a moment, which is never earlier than that of the call before by more than calls differ.
    pub(crate) async fn game_at(&self, game: GameId, moment: OffsetDateTime) -> Result<Game> {
        let Ok(shared) = self.delayed.get_or_insert_with(&game, || {
            Ok::<_, std::convert::Infallible>(Arc::<Mutex<Delayed>>::default())
        });
        let mut delayed = shared.lock().await;
        let advanced = self.advance(&mut delayed, game, moment).await;
        match (advanced, delayed.replay.game()) {
            (Ok(()), Some(game)) => Ok(game.clone()),
            (Ok(()), None) => {
                self.delayed.remove(&game);
                Err(Error::UnknownGame)
            }
            (Err(error), _) => Err(error),
        }
    }

    async fn advance(&self, delayed: &mut Delayed, game: GameId, moment: OffsetDateTime) -> Result<()> {
        if delayed.next.is_some_and(|next| next > moment) {
            return Ok(());
        }
        delayed.next = None;
        let _turn = if delayed.replay.game().is_none() { Some(self.turn().await?) } else { None };
        loop {
            let page = log::page(self.database.read(), game, delayed.replay.sequence()).await?;
            for event in &page {
                if event.time > moment {
                    delayed.next = Some(event.time);
                    return Ok(());
                }
                delayed.replay.take(event)?;
            }
            if page.len() < LOG_PAGE {
                return Ok(());
            }
            tokio::task::yield_now().await;
        }
    }
}
