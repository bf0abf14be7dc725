//! Players who come to a game that begins as soon as both have: by whatever they ask about it, so that nobody's clock
//! runs in a game of which he was never told.

use std::sync::Arc;

use chassis::{auth::Caller, id::GameId};
use rules::Side;

use super::{ATTEMPTS, Rooms, Sight};
use crate::{
    app::availability::Reached,
    core::{Command, decide},
    error::CallError,
};

impl Rooms {
    /// The game as somebody sees it now. If he is a player who is waited for, he has come.
    ///
    /// # Errors
    /// As [`Rooms::sight`]; when it cannot be written that he has come.
    pub(crate) async fn sight_coming(
        self: &Arc<Self>,
        id: GameId,
        caller: Option<&Caller>,
        reached: Reached,
    ) -> Result<Sight, CallError> {
        let sight = self.sight(id, caller).await?;
        match awaited(&sight, caller) {
            None => Ok(sight),
            Some(side) => {
                self.come(id, side, reached).await?;
                self.sight(id, caller).await
            }
        }
    }

    /// The same for who looks once: he sees the game also while nothing can be written, and comes when he calls again.
    ///
    /// # Errors
    /// As [`Rooms::sight`].
    pub(crate) async fn sight_perhaps_coming(
        self: &Arc<Self>,
        id: GameId,
        caller: Option<&Caller>,
        reached: Reached,
    ) -> Result<Sight, CallError> {
        match self.sight_coming(id, caller, reached).await {
            Ok(sight) => Ok(sight),
            Err(error) => {
                tracing::debug!(game.id = %id, %error, "if a player has come, the game does not know yet");
                self.sight(id, caller).await
            }
        }
    }

    /// A player has come, and play begins if the other has.
    async fn come(self: &Arc<Self>, id: GameId, side: Side, reached: Reached) -> Result<(), CallError> {
        let rooms = Arc::clone(self);
        let work = async move { rooms.write_arrival(id, side, reached).await };
        self.lifecycle.run(work).await.map_err(|_| CallError::Contended)?
    }

    async fn write_arrival(&self, id: GameId, side: Side, reached: Reached) -> Result<(), CallError> {
        let room = self.room(id);
        let mut slot = room.game.lock().await;
        for _ in 0..ATTEMPTS {
            let game = self.entered(&mut slot, id, reached).await?;
            self.refresh_if_shared(game).await?;
            if !game.awaits(side) {
                return Ok(());
            }
            let draft = decide(game, side, &Command::CheckIn, &[])?;
            self.enact(&mut slot, draft, self.ambient.now().into(), None).await?;
        }
        Err(CallError::Contended)
    }
}

/// The side of a caller who is waited for.
fn awaited(sight: &Sight, caller: Option<&Caller>) -> Option<Side> {
    match sight {
        Sight::Now(game) => game.side_of(caller?.id).filter(|side| game.awaits(*side)),
        Sight::Then(_) | Sight::Finished(_) => None,
    }
}
