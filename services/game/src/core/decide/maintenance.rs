//! What a maintenance does to a game: it rests from its begin to its end.

use time::OffsetDateTime;

use super::{PendingEvent, TimeStep};
use crate::core::{By, EventKind, Game, Maintenance, PauseReason, Stage};

/// What becomes of a game now by what is planned, and at what time that is; nothing where it stands so already, or is over.
///
/// A game rests from the begin on, not from when somebody looked at it, and goes on at the end; but no time that was given back as
/// an outage is charged after it.
pub fn decide_maintenance(
    game: &Game,
    plan: Option<&Maintenance>,
    now: OffsetDateTime,
) -> Option<(PendingEvent, OffsetDateTime)> {
    let progress = game.progress();
    if game.is_over() || progress.stage >= Stage::Ended {
        return None;
    }
    // What the log says has happened by a clock that is ahead of this one.
    let now = now.max(game.updated);
    let (kind, step, at) = match (plan, progress.pauses.contains(&PauseReason::Maintenance)) {
        (Some(plan), false) if plan.holds(now) => (
            EventKind::MaintenanceBegun(Box::new(plan.clone())),
            TimeStep::Pause(PauseReason::Maintenance),
            plan.begin,
        ),
        (plan, true) if !plan.is_some_and(|plan| plan.holds(now)) => {
            // Planned anew for later, or called off long ago: nobody knows since when it is over.
            let at = plan.map(|plan| plan.end).filter(|end| *end <= now).unwrap_or(now);
            let since = progress.paused_since.unwrap_or(at);
            let from = plan.map_or(since, |plan| since.max(plan.begin)).min(at);
            (EventKind::MaintenanceEnded { from }, TimeStep::Resume(PauseReason::Maintenance), at)
        }
        _ => return None,
    };
    let pending = PendingEvent::new(By::Platform, kind, vec![step]);
    Some((pending, at.max(game.updated).max(game.credited_until)))
}
