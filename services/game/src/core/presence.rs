//! Who is there: players who leave, and come back.
//!
//! A player is there while he watches the game, or has just acted. What is seen of that is decided elsewhere; here
//! is what follows from it. An absence does nothing by itself: it gives the opponent a claim.

use std::time::Duration;

use api::time_control::SpeedClass;
use rules::Side;
use time::OffsetDateTime;

use super::{By, EventKind, GameInfo, TimeControl};

/// How long after his last stream has ended a player counts as gone: who only changes networks, or is up to
/// mischief, writes no more often than this to the log.
pub const LEFT_AFTER: Duration = Duration::from_secs(10);
/// How long a sign of life is trusted: three heartbeats.
pub const SEEN_FOR: Duration = Duration::from_secs(15);
/// Who has left this often comes back only by acting in the game: so a log grows by coming and going no further
/// than the game itself lets it.
pub const DEPARTURES_MAX: u32 = 30;

/// How long a player may be gone before the opponent has a claim, by the pace of the game; for ever where there
/// are days for a move.
const GRACES: [(SpeedClass, Duration); 3] = [
    (SpeedClass::Blitz, Duration::from_secs(45)),
    (SpeedClass::Rapid, Duration::from_mins(2)),
    (SpeedClass::Classical, Duration::from_mins(5)),
];

/// How long a player may be gone before the opponent has a claim; none where nobody is expected to sit there.
pub fn grace(control: Option<TimeControl>) -> Option<Duration> {
    let class = control?.speed_class();
    GRACES.iter().find(|(paced, _)| *paced == class).map(|(_, grace)| *grace)
}

/// A player who is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absence {
    /// When he was last seen.
    pub since: OffsetDateTime,
    /// From when on the opponent may claim; none where officials decide.
    pub claim: Option<OffsetDateTime>,
}

/// Who of the players is gone, first side first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// Those who are.
    pub absences: [Option<Absence>; 2],
    /// How often each has left.
    pub departures: [u32; 2],
}

impl Presence {
    /// Nobody is known to be gone.
    pub const NEW: Self = Presence { absences: [None; 2], departures: [0; 2] };

    /// The absence of a side.
    pub const fn absence(&self, side: Side) -> Option<Absence> {
        self.absences[side.index()]
    }

    /// What is left of it after something that has happened. Time in which nobody could come back does not
    /// count; and whoever acts is there.
    pub(super) fn see(&mut self, kind: &EventKind, by: &By) {
        match (kind, by.side()) {
            (EventKind::Left { since, claim }, Some(side)) => {
                self.absences[side.index()] = Some(Absence { since: *since, claim: *claim });
                self.departures[side.index()] = self.departures[side.index()].saturating_add(1);
            }
            (EventKind::OutageCredited { from, until }, _) => {
                for absence in self.absences.iter_mut().flatten() {
                    let lost = *until - (*from).max(absence.since).min(*until);
                    absence.claim = absence.claim.map(|at| if at > *from { at + lost } else { at });
                }
            }
            (_, Some(side)) => self.absences[side.index()] = None,
            (_, None) => {}
        }
    }

    /// Nobody is expected any more.
    pub(super) const fn forget(&mut self) {
        self.absences = [None; 2];
    }
}

/// Whether anybody has to be there in such a game at all.
pub fn requires_presence(info: &GameInfo) -> bool {
    grace(info.time_control).is_some()
}
