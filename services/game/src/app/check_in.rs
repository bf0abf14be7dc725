//! Players who come to a game that begins as soon as both have: by whatever they ask about it, so that nobody's clock
//! runs in a game of which he was never told.

use std::{ops::ControlFlow, sync::Arc};

use chassis::{auth::Caller, id::GameId};
use rules::Side;

use super::{availability::Ingress, queries::Queries, room::Room, rooms::Intent, views::GameView};
use crate::{
    core::{Command, decide},
    error::Result,
};

impl Queries {
    /// The game as somebody sees it now. If he is a player who is waited for, he has come.
    ///
    /// # Errors
    /// As [`Queries::view`]; when it cannot be written that he has come.
    pub(crate) async fn view_checking_in(
        &self,
        id: GameId,
        caller: Option<&Caller>,
        ingress: Ingress,
    ) -> Result<GameView> {
        let view = self.view(id, caller).await?;
        match awaited(&view, caller) {
            None => Ok(view),
            Some(side) => {
                self.come(id, side, ingress).await?;
                self.view(id, caller).await
            }
        }
    }

    /// The same for who looks once: he sees the game also while nothing can be written, and comes when he calls again.
    ///
    /// # Errors
    /// As [`Queries::view`].
    pub(crate) async fn view_for(
        &self,
        id: GameId,
        caller: Option<&Caller>,
        ingress: Ingress,
    ) -> Result<GameView> {
        match self.view_checking_in(id, caller, ingress).await {
            Ok(view) => Ok(view),
            Err(error) => {
                tracing::debug!(game.id = %id, %error, "if a player has come, the game does not know yet");
                self.view(id, caller).await
            }
        }
    }

    /// A player has come, and play begins if the other has.
    async fn come(&self, id: GameId, side: Side, ingress: Ingress) -> Result<()> {
        let registry = Arc::clone(&self.registry);
        let work = async move { registry.settle(id, ingress, &CheckInIntent(side)).await };
        self.registry.to_its_end(work).await
    }
}

/// A player comes.
struct CheckInIntent(Side);

impl Intent for CheckInIntent {
    type Answer = ();

    async fn attempt(&self, room: &mut Room<'_>) -> Result<ControlFlow<()>> {
        room.refresh_if_shared().await?;
        if !room.awaits(self.0) {
            return Ok(ControlFlow::Break(()));
        }
        let now = room.registry.env.now();
        let pending = decide(room, self.0, &Command::CheckIn, now, &[])?;
        room.commit(pending, now.into(), None).await?;
        Ok(ControlFlow::Continue(()))
    }
}

/// The side of a caller who is waited for.
fn awaited(view: &GameView, caller: Option<&Caller>) -> Option<Side> {
    match view {
        GameView::Current(game) => game.side_of(caller?.id).filter(|side| game.awaits(*side)),
        GameView::Delayed(_) | GameView::Finished(_) => None,
    }
}
