//! How play begins at its time, and what becomes of who is not there.

use rules::{Reason, Side, Verdict};

use super::{PendingEvent, TimeStep, end};
use crate::core::{By, CommandError, EventKind, Game, Task};

/// A player has come.
pub(super) fn check_in(game: &Game, side: Side) -> Result<PendingEvent, CommandError> {
    match &game.progress().check_in {
        None => Err(CommandError::NotWaiting),
        Some(check_in) if check_in.is_there(side) => Err(CommandError::CheckedIn),
        Some(_) => Ok(PendingEvent::new(By::Side(side), EventKind::CheckedIn, Vec::new())),
    }
}

/// What happens by itself in a game that waits for its start; none if the task is another's.
pub(super) fn task(game: &Game, task: Task) -> Option<PendingEvent> {
    let check_in = game.progress().check_in.as_ref()?;
    match task {
        Task::Begin => {
            let late = Side::BOTH.map(|side| (side, check_in.late[side.index()]));
            let deducted = late.into_iter().filter(|(_, late)| !late.is_zero());
            let deducted = deducted.map(|(side, late)| TimeStep::Deduct(side, late));
            let start = game.position.on_clock().map(TimeStep::Start);
            Some(PendingEvent::new(By::Platform, EventKind::Started, deducted.chain(start).collect()))
        }
        Task::Forfeit if game.info.regulations.arrival.is_some() => {
            Some(end(By::Platform, Verdict::Void, Reason::NotAppeared))
        }
        Task::Forfeit => {
            let verdict = match Side::BOTH.into_iter().find(|side| check_in.is_there(*side)) {
                Some(side) => Verdict::Win(side),
                None => Verdict::BothLose,
            };
            Some(end(By::Platform, verdict, Reason::Late))
        }
        _ => None,
    }
}
