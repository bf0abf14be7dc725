//! What is played in the two seasons, and what follows from it.

/// The teams, in the order in which they are placed in the first season.
pub(super) const NAMES: [&str; 8] = ["Ants", "Bears", "Cranes", "Deer", "Eagles", "Foxes", "Geese", "Hares"];

/// Whose entry into the second season ends with its first round.
pub(super) const LEAVES: &str = "Bears";

/// What becomes of a match.
#[derive(Debug, Clone, Copy)]
pub(super) enum Course {
    /// The captains agree on a time, and the first team has so many points at each board.
    Played([u32; 2]),
    /// The captain of the first team proposes a time, that of the second declines, and the first team has tried.
    Declined,
    /// Nobody proposes anything, and both teams forfeit.
    Silent,
}
use Course::{Declined, Played, Silent};

/// What is played in a division, or in a play-off.
pub(super) type Matches = &'static [(&'static str, &'static str, Course)];

/// The first season: the first division, the second.
#[rustfmt::skip]
pub(super) const FIRST: [Matches; 2] = [
    &[
        ("Ants", "Bears", Played([1, 1])), ("Ants", "Cranes", Played([2, 2])), ("Ants", "Deer", Played([2, 1])),
        ("Bears", "Cranes", Played([0, 1])), ("Bears", "Deer", Declined), ("Cranes", "Deer", Played([2, 0])),
    ],
    &[
        ("Eagles", "Foxes", Played([2, 2])), ("Eagles", "Geese", Played([0, 1])), ("Eagles", "Hares", Played([2, 2])),
        ("Foxes", "Geese", Played([2, 1])), ("Foxes", "Hares", Played([1, 2])), ("Geese", "Hares", Silent),
    ],
];

/// Its play-off: the lower team goes up.
pub(super) const FIRST_PLAY_OFF: Matches = &[("Foxes", "Cranes", Played([2, 1]))];

/// The tables after it: who, 场分, 局分.
#[rustfmt::skip]
pub(super) const FIRST_TABLES: [&[(&str, u32, i64)]; 2] = [
    // Ants: 1 + 2 + 2; 2 + 4 + 3. Bears: 1 + 0 + 2; 2 + 1 + 4. Cranes: 0 + 2 + 1; 0 + 3 + 2. Deer: 0 + 0 + 1; 1 + 0 + 2.
    &[("Ants", 5, 9), ("Bears", 3, 7), ("Cranes", 3, 5), ("Deer", 1, 3)],
    // Eagles: 2 + 0 + 2; 4 + 1 + 4. Foxes: 0 + 2 + 2; 0 + 3 + 3. Geese: 2 + 0 + 0; 3 + 1 + 0. Hares: 0 + 0 + 0; 0 + 1 + 0.
    &[("Eagles", 4, 9), ("Foxes", 4, 6), ("Geese", 2, 4), ("Hares", 0, 1)],
];

/// Who plays in which division in the second season.
pub(super) const SECOND_DIVISIONS: [[&str; 4]; 2] =
    [["Ants", "Bears", "Eagles", "Foxes"], ["Cranes", "Deer", "Geese", "Hares"]];

/// The second season. Whatever its opponent in the first round has won against the team that leaves is void (Art. 29.2).
#[rustfmt::skip]
pub(super) const SECOND: [Matches; 2] = [
    &[
        ("Eagles", "Ants", Played([2, 2])), ("Ants", "Foxes", Played([2, 2])), ("Foxes", "Eagles", Played([2, 1])),
        ("Bears", "Ants", Played([0, 0])), ("Bears", "Eagles", Played([0, 0])), ("Bears", "Foxes", Played([0, 0])),
    ],
    &[
        ("Cranes", "Deer", Played([2, 2])), ("Cranes", "Geese", Played([1, 2])), ("Cranes", "Hares", Played([2, 2])),
        ("Deer", "Geese", Played([2, 1])), ("Deer", "Hares", Played([0, 2])), ("Hares", "Geese", Played([1, 1])),
    ],
];

/// Its play-off: it is drawn, also board by board, so that who comes from the upper division holds it.
pub(super) const SECOND_PLAY_OFF: Matches = &[("Foxes", "Deer", Played([1, 1]))];

/// The tables after it.
#[rustfmt::skip]
pub(super) const SECOND_TABLES: [&[(&str, u32, i64)]; 2] = [
    // Each of three has won and lost once: Eagles 4 + 1, Ants 0 + 4, Foxes 0 + 3.
    &[("Eagles", 2, 5), ("Ants", 2, 4), ("Foxes", 2, 3), ("Bears", 0, 0)],
    // Cranes: 4 + 3 + 4. Deer: 0 + 2 + 1; 0 + 3 + 2. Hares: 0 + 1 + 1; 0 + 2 + 2. Geese: 0 + 0 + 1; 1 + 1 + 2.
    &[("Cranes", 6, 11), ("Deer", 3, 5), ("Hares", 2, 4), ("Geese", 1, 4)],
];

/// Who plays in which division after it.
pub(super) const THIRD_DIVISIONS: [[&str; 4]; 2] =
    [["Eagles", "Ants", "Foxes", "Cranes"], ["Bears", "Deer", "Hares", "Geese"]];

/// The first lines of the table of all seasons: titles, points and seasons in the first division.
pub(super) const ALL_TIME: [(&str, u32, u32, u32); 3] =
    [("Ants", 1, 7, 2), ("Eagles", 1, 2, 1), ("Bears", 0, 3, 2)];

/// What the first season moves the ratings of each team: its captain's, who sits at the first board, and those of the two who
/// take turns at the second, together. All begin alike, so that of a game with K = 20 a win is 10 and a draw nothing.
#[rustfmt::skip]
pub(super) const RATINGS: [(&str, i32, i32); 8] = [
    // Against Bears, Cranes, Deer: 0 + 10 + 10; 0 + 10 + 0.
    ("Ants", 20, 10),
    // Against Ants, Cranes: 0 - 10; 0 + 0. The match with Deer was forfeited.
    ("Bears", -10, 0),
    // Against Ants, Bears, Deer, and Foxes in the play-off: -10 + 10 + 10 - 10; -10 + 0 - 10 + 0.
    ("Cranes", 0, -20),
    // Against Ants, Cranes: -10 - 10; 0 + 10.
    ("Deer", -20, 10),
    // Against Foxes, Geese, Hares: 10 - 10 + 10; 10 + 0 + 10.
    ("Eagles", 10, 20),
    // Against Eagles, Geese, Hares, and Cranes in the play-off: -10 + 10 + 0 + 10; -10 + 0 + 10 + 0.
    ("Foxes", 10, 0),
    // Against Eagles, Foxes: 10 - 10; 0 + 0.
    ("Geese", 0, 0),
    // Against Eagles, Foxes: -10 + 0; -10 - 10.
    ("Hares", -10, -20),
];
