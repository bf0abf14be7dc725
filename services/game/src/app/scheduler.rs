//! What happens in a game by itself: acts of the house (its part in a draw, or in the place of whoever let the
//! time pass that the rules give), and what the regulations and the course of the game have come to.

use std::{sync::Arc, time::Duration};

use ::time::OffsetDateTime;

use super::{ATTEMPTS, Rooms};
use crate::{
    core::{After, Draft, Game, Origin, Refusal, Task, decide_house, decide_task, due},
    error::CallError,
    store::micros,
};

/// How often it is looked whether anything is due.
const LOOK: Duration = Duration::from_secs(1);
/// Games that are looked after at one look.
const LOOK_MAX: u64 = 500;

impl Rooms {
    /// Does what is due in a game by now. A game is never shown to a command before.
    pub(super) async fn do_what_is_due(&self, slot: &mut Option<Game>) -> Result<(), CallError> {
        for _ in 0..ATTEMPTS {
            let Some(game) = slot.as_ref().filter(|game| game.info.origin == Origin::Match) else {
                return Ok(());
            };
            let now = self.ambient.now();
            let Some(due) = due(game.position.as_ref(), game.updated, &game.after) else { return Ok(()) };
            if due.at > now {
                return Ok(());
            }
            let draft = self.decide_due(game, due.task).await?;
            // Rare, and no part of every other call's size.
            Box::pin(self.enact(slot, draft, now.into(), None)).await?;
        }
        Err(CallError::Contended)
    }

    /// Does what is due, in every game in which anything is, and tells what was written and is not told, until `stop`.
    pub(crate) async fn keep_due(self: Arc<Self>) {
        let stop = self.lifecycle.soft();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOK) => {}
            }
            self.look_after_unsure().await;
            match self.reader.due_by(self.ambient.now(), LOOK_MAX).await {
                Ok(games) => {
                    for id in games {
                        if let Err(error) = self.visit(id).await {
                            tracing::warn!(game.id = %id, %error, "what is due was not done; it will be tried again");
                        }
                    }
                }
                Err(error) => tracing::warn!(%error, "what is due could not be read"),
            }
        }
    }

    async fn decide_due(&self, game: &Game, task: Task) -> Result<Draft, CallError> {
        let opening = match &game.sealed_move {
            Some(sealed) if task == Task::OpenSealed => {
                self.keeper.open(game.info.id, game.after.ply, sealed).await?
            }
            _ => None,
        };
        let decided = match task {
            Task::House(due) => decide_house(game, &due.act(&mut || self.ambient.bytes())),
            _ => decide_task(game, task, opening).ok_or(Refusal::Rules(rules::Refusal::nothing_due())),
        };
        decided.map_err(|refusal| {
            tracing::error!(game.id = %game.info.id, reason = %refusal.reason(), "what is due cannot be done");
            CallError::from(refusal)
        })
    }
}

/// When something happens by itself, in microseconds since the epoch, as the table of games keeps it.
pub(crate) fn due_us(position: &dyn rules::Game, updated: OffsetDateTime, after: &After) -> Option<i64> {
    due(position, updated, after).map(|due| micros(due.at))
}
