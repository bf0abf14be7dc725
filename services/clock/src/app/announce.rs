//! Announcing again.

use api::clock::v1::{Announcement, watch_announcements_response::Step};
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
    pub(crate) async fn repeat_announcements(
        &self,
        game: GameId,
        from: Option<Moment>,
    ) -> Result<Vec<Announcement>> {
        let clock = self.flags.current(game).await?.ok_or(Error::UnknownClock)?;
        let due = announcements_to_repeat(clock.control, &clock.reading, from, self.now());
        if due.is_empty() {
            return Err(Error::NothingAnnounced);
        }
        let revision = clock.reading.revision;
        let announcements: Vec<_> = due.iter().map(|due| wire::announcement(due, revision, true)).collect();
        for announcement in &announcements {
            self.flags.publish(game, &Step::Announcement(*announcement)).await;
        }
        Ok(announcements)
    }
}
