//! A year by script: what is played in two seasons, and what follows from it, written by hand.

use std::time::Duration;

use super::plan::Course;
use crate::rng::Rng;

/// What is played in a division, or in a play-off.
#[derive(Clone, Copy, Debug)]
pub(super) enum Script {
    /// What these rows say.
    Rows(&'static [Row]),
    /// Whatever chance has it, match by match or board by board.
    Chance { by_match: bool },
}

/// Two teams, and what becomes of their match; of each of its boards, where they are arranged by themselves.
pub(super) type Row = (&'static str, &'static str, &'static [Course]);

/// What the first season plays: the first division, the second. Captains agree on one time for a match.
#[rustfmt::skip]
pub(super) const FIRST: [&[Row]; 2] = [
    &[
        ("Ants", "Bears", &[agreed(0, 3, 4, [1, 1])]), ("Ants", "Cranes", &[agreed(2, 47, 13, [2, 2])]),
        ("Ants", "Deer", &[agreed(5, 30, 8, [2, 1])]), ("Bears", "Cranes", &[agreed(1, 1, 3, [0, 1])]),
        ("Bears", "Deer", &[UNANSWERED]), ("Cranes", "Deer", &[agreed(8, 20, 11, [2, 0])]),
    ],
    &[
        ("Eagles", "Foxes", &[agreed(1, 12, 6, [2, 2])]), ("Eagles", "Geese", &[agreed(0, 1, 2, [0, 1])]),
        ("Eagles", "Hares", &[agreed(10, 5, 12, [2, 2])]), ("Foxes", "Geese", &[agreed(4, 36, 9, [2, 1])]),
        ("Foxes", "Hares", &[agreed(3, 2, 7, [1, 2])]), ("Geese", "Hares", &[Course::Silent]),
    ],
];

/// Its play-off: the lower team goes up.
pub(super) const FIRST_PLAY_OFF: &[Row] = &[("Foxes", "Cranes", &[agreed(1, 4, 5, [2, 1])])];

/// The tables after it: who, 场分, 局分.
#[rustfmt::skip]
pub(super) const FIRST_TABLES: [&[Line]; 2] = [
    // Ants: 1 + 2 + 2; 2 + 4 + 3. Bears: 1 + 0 + 2; 2 + 1 + 4. Cranes: 0 + 2 + 1; 0 + 3 + 2. Deer: 0 + 0 + 1; 1 + 0 + 2.
    &[("Ants", 5, 9), ("Bears", 3, 7), ("Cranes", 3, 5), ("Deer", 1, 3)],
    // Eagles: 2 + 0 + 2; 4 + 1 + 4. Foxes: 0 + 2 + 2; 0 + 3 + 3. Geese: 2 + 0 + 0; 3 + 1 + 0. Hares: 0 + 0 + 0; 0 + 1 + 0.
    &[("Eagles", 4, 9), ("Foxes", 4, 6), ("Geese", 2, 4), ("Hares", 0, 1)],
];

/// Who plays in which division in the second season.
pub(super) const SECOND_DIVISIONS: [[&str; 4]; 2] =
    [["Ants", "Bears", "Eagles", "Foxes"], ["Cranes", "Deer", "Geese", "Hares"]];

/// Whose entry into the second season ends with its first round: what it has played is void (Art. 29.2).
pub(super) const LEAVES: &str = "Bears";

/// The second season, in which each board is arranged by its players.
#[rustfmt::skip]
pub(super) const SECOND: [&[Row]; 2] = [
    &[
        ("Eagles", "Ants", &[agreed(0, 2, 2, [2, 0]), agreed(3, 40, 10, [2, 0])]),
        ("Ants", "Foxes", &[agreed(2, 9, 6, [2, 0]), DECLINED]),
        ("Foxes", "Eagles", &[UNANSWERED, agreed(1, 1, 4, [1, 0])]),
        ("Bears", "Ants", &[agreed(1, 1, 3, [0, 0]), agreed(1, 2, 5, [0, 0])]),
        ("Bears", "Eagles", &[agreed(1, 1, 3, [0, 0]), agreed(1, 2, 5, [0, 0])]),
        ("Bears", "Foxes", &[agreed(1, 1, 3, [0, 0]), agreed(1, 2, 5, [0, 0])]),
    ],
    &[
        ("Cranes", "Deer", &[agreed(6, 24, 9, [2, 0]), DECLINED]),
        ("Cranes", "Geese", &[agreed(0, 6, 2, [1, 0]), agreed(9, 47, 13, [2, 0])]),
        ("Cranes", "Hares", &[agreed(2, 1, 7, [2, 0]), UNANSWERED]),
        ("Deer", "Geese", &[agreed(4, 8, 6, [2, 0]), agreed(4, 9, 6, [1, 0])]),
        ("Deer", "Hares", &[agreed(1, 30, 4, [0, 0]), agreed(11, 2, 13, [2, 0])]),
        ("Hares", "Geese", &[agreed(2, 2, 5, [1, 0]), Course::Silent]),
    ],
];

/// Its play-off: it is drawn, also board by board, so that who comes from the upper division holds it.
pub(super) const SECOND_PLAY_OFF: &[Row] =
    &[("Foxes", "Deer", &[agreed(1, 4, 3, [1, 0]), agreed(2, 4, 6, [1, 0])])];

/// The tables after it.
#[rustfmt::skip]
pub(super) const SECOND_TABLES: [&[Line]; 2] = [
    // Each of three has won and lost once: Eagles 4 + 1, Ants 0 + 4, Foxes 0 + 3.
    &[("Eagles", 2, 5), ("Ants", 2, 4), ("Foxes", 2, 3), ("Bears", 0, 0)],
    // Cranes: 4 + 3 + 4. Deer: 0 + 2 + 1; 0 + 3 + 2. Hares: 0 + 1 + 1; 0 + 2 + 1. Geese: 0 + 0 + 1; 1 + 1 + 1.
    &[("Cranes", 6, 11), ("Deer", 3, 5), ("Hares", 2, 3), ("Geese", 1, 3)],
];

/// Who plays in which division after it.
pub(super) const THIRD_DIVISIONS: [[&str; 4]; 2] =
    [["Eagles", "Ants", "Foxes", "Cranes"], ["Bears", "Deer", "Hares", "Geese"]];

/// A line of a table: a team, its points of matches and of boards.
pub(super) type Line = (&'static str, u32, i64);

const DECLINED: Course = Course::Declined { proposed: hours(30), answered: hours(20) };
const UNANSWERED: Course = Course::Unanswered { proposed: hours(50) };

impl Script {
    /// What becomes of a match of two teams, and whether the first of them is the script's first.
    pub(super) fn courses(self, rng: &Rng, named: [&str; 2]) -> (Vec<Course>, bool) {
        let rows = match self {
            Script::Rows(rows) => rows,
            Script::Chance { by_match } => {
                let count = if by_match { 1 } else { super::league::BOARDS };
                return ((0..count).map(|_| Course::of_chance(rng)).collect(), rng.chance(0.5));
            }
        };
        let [one, other] = named;
        let find = |one, other| rows.iter().find(|row| row.0 == one && row.1 == other);
        match (find(one, other), find(other, one)) {
            (Some(row), _) => (row.2.to_vec(), true),
            (None, Some(row)) => (row.2.to_vec(), false),
            (None, None) => panic!("{one} and {other} do not meet in the script"),
        }
    }
}

/// Proposed after so many days, accepted after so many hours, and played after so many days of the round.
const fn agreed(proposed: u64, answered: u64, played: u64, points: [u32; 2]) -> Course {
    Course::Agreed {
        proposed: hours(24 * proposed + 2),
        answered: hours(answered),
        played: hours(24 * played),
        points,
    }
}

const fn hours(hours: u64) -> Duration {
    Duration::from_hours(hours)
}
