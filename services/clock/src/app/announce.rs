//! Announcing again.

use api::clock::v1::{TimeCall, watch_calls_response::Step};
use chassis::id::GameId;

use super::Clocks;
use crate::{
    core::{Moment, announcements_to_repeat},
    error::{Error, Result},
    wire,
};

impl Clocks {
    /// Announces to whoever follows a game what has been announced in this turn from a moment on, or without one what
    /// was announced last.
    pub async fn repeat_announcements(&self, game: GameId, from: Option<Moment>) -> Result<Vec<TimeCall>> {
        let clock = self.flags.current(game).await?.ok_or(Error::UnknownClock)?;
        let due = announcements_to_repeat(clock.control, &clock.reading, from, self.now());
        if due.is_empty() {
            return Err(Error::NothingAnnounced);
        }
        let revision = clock.reading.revision;
        let calls: Vec<_> = due.iter().map(|due| wire::announcement(due, revision, true)).collect();
        for call in &calls {
            self.flags.publish(game, &Step::Call(*call)).await;
        }
        Ok(calls)
    }
}
