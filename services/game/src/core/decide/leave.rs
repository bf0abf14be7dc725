//! A player's leave: the game rests from its beginning to its end, whoever has the turn.

use super::{PendingEvent, TimeStep};
use crate::core::{By, EventKind, Game, PauseReason, Stage};

/// What becomes of a game of which a player is on leave, or none is any more, by an entry of the event's log; nothing where it
/// stands so already, or is over. It rests in whatever stage it is: while it waits for its players, who need not come; and
/// while it is adjourned, when it is resumed later.
pub fn decide_leave(game: &Game, on_leave: bool, event_sequence: u64) -> Option<PendingEvent> {
    let progress = game.progress();
    let is_over = game.is_over() || progress.stage >= Stage::Ended;
    if is_over || progress.pauses.contains(&PauseReason::Leave) == on_leave {
        return None;
    }
    let step = if on_leave { TimeStep::Pause } else { TimeStep::Resume };
    let kind = EventKind::LeaveChanged { on_leave, event_sequence };
    Some(PendingEvent::new(By::Platform, kind, vec![step(PauseReason::Leave)]))
}
