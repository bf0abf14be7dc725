//! Games that are entered though nobody asks about them: because something is due in them, because it is not known what
//! of them was written, or because nobody could act for a while.

use std::{sync::Arc, time::Duration};

use futures::{StreamExt as _, stream};

use super::registry::Registry;

/// How often it is looked whether anything is due.
const LOOK: Duration = Duration::from_secs(1);
/// Games that are looked after at one look.
const LOOK_MAX: u64 = 500;
/// Games that are credited with an outage at the same time.
const CREDIT_PARALLEL: usize = 32;
/// Running games read at a time.
const RUNNING_PAGE: u64 = 500;

impl Registry {
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

    /// Credits every running game with the outages that it has not been given back.
    pub(crate) async fn credit_all(&self) {
        let mut after = None;
        loop {
            let page = match self.reader.running(after, RUNNING_PAGE).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::error!(%error, "running games could not be listed; they are credited when entered");
                    return;
                }
            };
            let Some(last) = page.last() else { return };
            after = Some(last.place);
            stream::iter(page)
                .for_each_concurrent(CREDIT_PARALLEL, |entry| async move {
                    let id = entry.place.game();
                    if let Err(error) = self.visit(id).await {
                        tracing::warn!(game.id = %id, %error, "a game was not credited; it is when entered");
                    }
                })
                .await;
        }
    }
}
