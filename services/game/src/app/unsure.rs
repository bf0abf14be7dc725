//! Appends of which it is not known whether they were written: a commit whose answer was late may still be under way.
//! Whatever of them stands in the log is told as soon as that is known, for somebody's clock runs since.

use bytes::Bytes;
use chassis::id::GameId;
use prost::Message as _;

use super::Rooms;
use crate::{core::Game, error::CallError};

impl Rooms {
    /// Tells what was written of such appends, of a game that was read from its log just now.
    pub(super) async fn tell_written(&self, game: &Game) -> Result<(), CallError> {
        let id = game.info.id;
        let untold = self.with_delays(id, |delays| delays.untold());
        if let Some(first) = untold.filter(|first| *first <= game.sequence) {
            // If there are more than a page, watchers find out that they lack the rest.
            let (events, _more) = self.reader.stored_page(id, first.saturating_sub(1)).await?;
            for event in events {
                self.tell(id, Bytes::from(event.encode_to_vec())).await;
            }
        }
        self.with_delays(id, |delays| delays.read(game, self.ambient.now()));
        Ok(())
    }

    /// Reads on in the log if there may be more in it than the room knows.
    pub(super) async fn look_if_written(&self, game: &mut Game) -> Result<(), CallError> {
        if self.with_delays(game.info.id, |delays| delays.untold()).is_some() {
            self.refresh(game).await?;
        }
        Ok(())
    }

    /// Looks what became of appends that may have been written: nobody need ask about their games.
    pub(super) async fn look_after_unsure(&self) {
        for id in self.in_doubt() {
            if let Err(error) = self.visit(id).await {
                tracing::debug!(game.id = %id, %error, "it is not known yet what was written of a game");
                // It would be the same with the others.
                return;
            }
        }
    }

    fn in_doubt(&self) -> Vec<GameId> {
        let now = self.ambient.now();
        let mut games: Vec<GameId> =
            self.table().iter().filter(|(_, room)| room.is_in_doubt(now)).map(|(id, _)| *id).collect();
        games.sort_unstable();
        games
    }
}
