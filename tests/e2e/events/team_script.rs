//! A round robin of four teams with three boards and a reserve, whose line-ups are declared: what is played in it, and its
//! table, worked out by hand from Art. 26.2 and 28.2.1.
//!
//! The players of team 1 are 1 to 3 with the reserve 4, those of team 2 are 5 to 7 with 8, of team 3 9 to 11 with 12, and
//! of team 4 13 to 15 with 16. A game is worth 2, 1 or 0 (局分); more of it wins the match, which is worth 2, 1 or 0, too
//! (场分). Who has equal 场分 is ordered by 局分, then by the 局分 of board 1, then of board 2, and so on.

/// What a captain does about a line-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    /// He declares it and hands it in.
    HandedIn([u32; 3]),
    /// He declares it, and hands nothing in: it does not hold.
    Kept([u32; 3]),
    /// He declares nothing.
    Nothing,
}

/// A match of the script.
#[derive(Debug)]
pub(super) struct Match {
    /// The two teams.
    pub teams: [u32; 2],
    /// What their captains do.
    pub declared: [Declared; 2],
    /// Who sits at each board, for the first of the two and for the second.
    pub seats: [(u32, u32); 3],
    /// What the first of the two gets at each board: 2, 1 or 0.
    pub first_gets: [u32; 3],
}

use Declared::{HandedIn, Kept, Nothing};

/// All meet all once; in which round two meet follows from the draw.
#[rustfmt::skip]
pub(super) const MATCHES: [Match; 6] = [
    // 2 + 0 + 1 = 3 against 0 + 2 + 1 = 3: drawn. The reserve 8 has come in for 6.
    Match {
        teams: [1, 2], declared: [HandedIn([3, 1, 2]), HandedIn([5, 8, 7])],
        seats: [(3, 5), (1, 8), (2, 7)], first_gets: [2, 0, 1],
    },
    // 1 + 2 + 1 = 4 against 1 + 0 + 1 = 2: team 1 wins. It has declared nothing, and sits as it was registered.
    Match {
        teams: [1, 3], declared: [Nothing, HandedIn([10, 9, 11])],
        seats: [(1, 10), (2, 9), (3, 11)], first_gets: [1, 2, 1],
    },
    // 2 + 1 + 1 = 4 against 0 + 1 + 1 = 2: team 1 wins. The reserve 4 has come in for 3.
    Match {
        teams: [1, 4], declared: [HandedIn([2, 4, 1]), HandedIn([15, 14, 13])],
        seats: [(2, 15), (4, 14), (1, 13)], first_gets: [2, 1, 1],
    },
    // 2 + 0 + 2 = 4 against 0 + 2 + 0 = 2: team 2 wins. What team 3 has declared and not handed in does not hold.
    Match {
        teams: [2, 3], declared: [HandedIn([7, 6, 5]), Kept([12, 11, 10])],
        seats: [(7, 9), (6, 10), (5, 11)], first_gets: [2, 0, 2],
    },
    // 1 + 2 + 1 = 4 against 1 + 0 + 1 = 2: team 2 wins.
    Match {
        teams: [2, 4], declared: [Nothing, Nothing],
        seats: [(5, 13), (6, 14), (7, 15)], first_gets: [1, 2, 1],
    },
    // 1 + 1 + 1 = 3 each: drawn. Both reserves have come in.
    Match {
        teams: [3, 4], declared: [HandedIn([12, 10, 9]), HandedIn([13, 16, 15])],
        seats: [(12, 13), (10, 16), (9, 15)], first_gets: [1, 1, 1],
    },
];

/// A line of the table.
pub(super) struct Row {
    pub place: u32,
    pub team: u32,
    /// 场分.
    pub match_points: u32,
    /// 局分.
    pub game_points: i64,
    /// The 局分 of board 1, 2 and 3.
    pub boards: [i64; 3],
}

/// The table after round 3, best first.
#[rustfmt::skip]
pub(super) const TABLE: [Row; 4] = [
    // Against 2, 3, 4: 场分 1 + 2 + 2; 局分 3 + 4 + 4; board 1: 2 + 1 + 2, board 2: 0 + 2 + 1, board 3: 1 + 1 + 1.
    Row { place: 1, team: 1, match_points: 5, game_points: 11, boards: [5, 3, 3] },
    // Against 1, 3, 4: 场分 1 + 2 + 2; 局分 3 + 4 + 4; board 1: 0 + 2 + 1, less than team 1 has; board 2: 2 + 0 + 2,
    // board 3: 1 + 2 + 1.
    Row { place: 2, team: 2, match_points: 5, game_points: 11, boards: [3, 4, 4] },
    // Against 1, 2, 4: 场分 0 + 0 + 1; 局分 2 + 2 + 3; board 1: 1 + 0 + 1, board 2: 0 + 2 + 1, board 3: 1 + 0 + 1.
    Row { place: 3, team: 3, match_points: 1, game_points: 7, boards: [2, 3, 2] },
    // Against 1, 2, 3: 场分 0 + 0 + 1; 局分 2 + 2 + 3; board 1: 0 + 1 + 1, as team 3; board 2: 1 + 0 + 1, less than
    // team 3 has; board 3: 1 + 1 + 1.
    Row { place: 4, team: 4, match_points: 1, game_points: 7, boards: [2, 2, 3] },
];

/// What each player has at his boards: his number, his points, his games. Whoever has more is before, then the lower number.
#[rustfmt::skip]
pub(super) const PLAYERS: [(u32, u32, i64); 16] = [
    // 2: 1 against 7, 2 against 9, 2 against 15.
    (2, 5, 3),
    // 7: 1 against 2, 2 against 9, 1 against 15.
    (7, 4, 3),
    // 10: 1 against 1, 2 against 6, 1 against 16.
    (10, 4, 3),
    // 3: 2 against 5, 1 against 11.
    (3, 3, 2),
    // 5: 0 against 3, 2 against 11, 1 against 13.
    (5, 3, 3),
    // 13: 1 against 1, 1 against 5, 1 against 12.
    (13, 3, 3),
    // 1: 0 against 8, 1 against 10, 1 against 13.
    (1, 2, 3),
    // 6: 0 against 10, 2 against 14.
    (6, 2, 2),
    // 8: 2 against 1.
    (8, 2, 1),
    // 15: 0 against 2, 1 against 7, 1 against 9.
    (15, 2, 3),
    // 4: 1 against 14.
    (4, 1, 1),
    // 9: 0 against 2, 0 against 7, 1 against 15.
    (9, 1, 3),
    // 11: 1 against 3, 0 against 5.
    (11, 1, 2),
    // 12: 1 against 13.
    (12, 1, 1),
    // 14: 1 against 4, 0 against 6.
    (14, 1, 2),
    // 16: 1 against 10.
    (16, 1, 1),
];
