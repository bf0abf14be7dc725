//! Appends of which it is not known whether they were written: a commit whose answer was late may still be under way.
//! Whatever of them stands in the log is told as soon as that is known, for somebody's clock runs since.

use bytes::Bytes;
use prost::Message as _;

use super::{registry::Registry, room::Room};
use crate::{core::Game, error::Result, store::log};

impl Registry {
    /// Tells what was written of such appends, of a game that was read from its log just now.
    pub(super) async fn publish_written(&self, game: &Game) -> Result<()> {
        let id = game.info.id;
        let unpublished = self.with_delays(id, |delays| delays.unpublished());
        if let Some(first) = unpublished.filter(|first| *first <= game.sequence) {
            // If there are more than a page, watchers find out that they lack the rest.
            let (events, _more) = log::stored_page(self.database.read(), id, first.saturating_sub(1)).await?;
            for event in events {
                self.publish(id, Bytes::from(event.encode_to_vec())).await;
            }
        }
        self.with_delays(id, |delays| delays.read(game, self.env.now()));
        Ok(())
    }

    /// Looks what became of appends that may have been written: nobody need ask about their games.
    pub(crate) async fn check_unconfirmed(&self) {
        for id in self.in_doubt() {
            if let Err(error) = self.touch(id).await {
                tracing::debug!(game.id = %id, %error, "it is not known yet what was written of a game");
                // It would be the same with the others.
                return;
            }
        }
    }
}

impl Room<'_> {
    /// Reads on in the log if there may be more in it than the room knows.
    pub(super) async fn refresh_if_unconfirmed(&mut self) -> Result<()> {
        if self.registry.with_delays(self.info.id, |delays| delays.unpublished()).is_some() {
            self.refresh().await?;
        }
        Ok(())
    }
}
