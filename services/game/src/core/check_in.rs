//! How a game begins at its time: who has come, how late, and until when the others are waited for.

use std::time::Duration;

use rules::Side;
use time::OffsetDateTime;

use super::{Due, Regulations, Task};

/// The least step of the platform's time. Who comes at the limit itself has kept it.
const INSTANT: Duration = Duration::from_micros(1);

/// Who has come to a game that waits for its start: Go article 23.2, competition.md 1.7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckIn {
    /// Since when each side is there, first side first.
    pub since: [Option<OffsetDateTime>; 2],
    /// How late each side came.
    pub late: [Duration; 2],
    /// From when on a player is late, and play begins if both are there.
    pub start: OffsetDateTime,
    /// Who is not there by then loses; or the game counts for nothing, if it begins as soon as both have come.
    pub limit: OffsetDateTime,
}

impl CheckIn {
    /// What a game waits for that is made now; nothing if it begins at once. Nobody is late for a game that was
    /// not there yet.
    pub fn of(regulations: &Regulations, now: OffsetDateTime) -> Option<Self> {
        let (start, patience) = match (regulations.start, regulations.arrival) {
            (Some(start), _) => (start.max(now), regulations.lateness),
            (None, Some(arrival)) => (now, arrival),
            (None, None) => return None,
        };
        Some(CheckIn { since: [None; 2], late: [Duration::ZERO; 2], start, limit: start + patience })
    }

    /// Whether a side is there.
    pub const fn is_there(&self, side: Side) -> bool {
        self.since[side.index()].is_some()
    }

    /// What happens by itself: play begins if both are there, and who is not there by the limit loses, or has not
    /// appeared.
    pub fn due(&self) -> Due {
        if Side::BOTH.into_iter().all(|side| self.is_there(side)) {
            Due { at: self.start, task: Task::Begin }
        } else {
            Due { at: self.limit + INSTANT, task: Task::Forfeit }
        }
    }

    /// A side has come. Nobody is late for a game that begins as soon as both have.
    pub(super) fn arrive(&mut self, side: Side, time: OffsetDateTime, regulations: &Regulations) {
        self.since[side.index()] = Some(time);
        if regulations.start.is_some() {
            self.late[side.index()] = (time - self.start).try_into().unwrap_or(Duration::ZERO);
        }
    }

    /// Nobody could come for a while. What of it falls into the time after the start puts start and limit off; how
    /// late those were who have come stays as it is.
    pub(super) fn credit(&mut self, from: OffsetDateTime, until: OffsetDateTime) {
        let lost = Duration::try_from(until - from.max(self.start)).unwrap_or(Duration::ZERO);
        self.start += lost;
        self.limit += lost;
    }
}
