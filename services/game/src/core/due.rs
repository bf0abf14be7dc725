//! What happens in a game by itself, and when.

use rules::{Actors, SystemAct};
use time::OffsetDateTime;

use super::{Due, GameState, Stage, Task};

/// What happens next by itself in a game that stands here; the earliest, if several things do. While the game
/// is paused the house waits.
pub fn due(position: &dyn rules::Game, updated: OffsetDateTime, state: &GameState) -> Option<Due> {
    let house = position.system_due().filter(|_| state.outcome.is_none() && state.progress.in_play());
    let house = house.and_then(|due| {
        let at = match due {
            SystemAct::Seed => Some(updated),
            SystemAct::Expire { .. } => state.expires,
        };
        Some(Due { at: at?, task: Task::House(due) })
    });
    [house, state.progress.due(), sealing(state)].into_iter().flatten().min_by_key(|due| due.at)
}

/// When the side whose turn it is has to seal its move: at the time for it, but not while neither side has the turn
/// alone or the game is paused.
fn sealing(state: &GameState) -> Option<Due> {
    let turn = state.progress.stage == Stage::Playing && matches!(state.actors, Actors::One(_));
    state.progress.adjournment.sealing.filter(|_| turn).map(|at| Due { at, task: Task::Seal })
}

/// When the house acts in the place of others, in a position that began at this time. `before` is when it was
/// to act until then: other acts do not put it off.
pub(super) fn expiry(
    position: &dyn rules::Game,
    time: OffsetDateTime,
    before: Option<OffsetDateTime>,
) -> Option<OffsetDateTime> {
    match position.system_due() {
        Some(SystemAct::Expire { since, after_ms }) if since == position.ply() => {
            Some(time + std::time::Duration::from_millis(after_ms))
        }
        Some(SystemAct::Expire { .. }) => before,
        Some(SystemAct::Seed) | None => None,
    }
}
