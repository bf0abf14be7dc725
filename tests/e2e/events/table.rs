//! The table of the Swiss of the script, worked out by hand from the printed rules (Art. 28.1.2 and 29.3).
//!
//! T = P + ΣO ÷ (M/2) − R: P are a player's points, ΣO the sum of his opponents' points, M the highest score, R the rounds in
//! which he had an opponent. The highest score is 12, of 1, 2 and 4, so that a bonus is ΣO/6 − R.
//!
//! Two have left. 23 went after round 3, with 2 points of 3 games, so A = 2/3, and for his opponents he has
//! 2 + 2/3 · 4 = 14/3. 24 went in round 5, whose game he lost with that: 2 points (the bye of round 3) and 4 games, so
//! A = 2/4, and for his opponents he has 2 + 1/2 · 2 = 3. For their own places both have 2.
//!
//! A round without an opponent adds nothing to the bonus: so R is 5 for 22 (half a bye in round 6, the bye of round 7) and
//! for 25 (late: not there in round 1, the bye of round 2).
//!
//! Of equal T who has fewer warnings is before: 12 has two, 10 none. The two of 12 are of two games, rounds 6 and 7, and he has
//! lost neither by them, as 6 has lost that of round 3 by two in it (Art. 25.2): B counts those of the whole event. 3 has one too, by the ruling of the committee on his
//! appeal (Art. 16.4), and 8 has none, so that 8 is fourth and 3 fifth. 1 and 4 are equal in that, too, and share the first
//! place. The chief arbiter's ruling, by which 3 had lost his game of round 6, is taken back: it is nowhere in the table.

/// A line of the table.
pub(super) struct Row {
    pub place: u32,
    pub number: u32,
    /// P.
    pub points: u32,
    /// ΣO, as a fraction.
    pub opponents: (i64, i64),
    /// R.
    pub rounds: u32,
    /// T, as a fraction.
    pub total: (i64, i64),
    /// B of Art. 28.1.
    pub warnings: i64,
}

/// M.
pub(super) const HIGHEST: u32 = 12;

/// The table after round 7, best first. Above each line are the opponents, their points, and T.
#[rustfmt::skip]
pub(super) const TABLE: [Row; 25] = [
    // 13, 2, 4, 7, 3, 5, 25: 7 + 12 + 12 + 7 + 9 + 8 + 8 = 63; 12 + 63/6 − 7 = 31/2
    Row { place: 1, number: 1, points: 12, opponents: (63, 1), rounds: 7, total: (31, 2), warnings: 0 },
    // 16, 5, 1, 3, 2, 8, 6: 6 + 8 + 12 + 9 + 12 + 9 + 7 = 63; 12 + 63/6 − 7 = 31/2
    Row { place: 1, number: 4, points: 12, opponents: (63, 1), rounds: 7, total: (31, 2), warnings: 0 },
    // 14, 1, 11, 8, 4, 7, 5: 6 + 12 + 7 + 9 + 12 + 7 + 8 = 61; 12 + 61/6 − 7 = 91/6
    Row { place: 3, number: 2, points: 12, opponents: (61, 1), rounds: 7, total: (91, 6), warnings: 0 },
    // 20, 9, 7, 2, 11, 4, 13: 6 + 8 + 7 + 12 + 7 + 12 + 7 = 59; 9 + 59/6 − 7 = 71/6
    Row { place: 4, number: 8, points: 9, opponents: (59, 1), rounds: 7, total: (71, 6), warnings: 0 },
    // 15, 12, 10, 4, 1, 16, 7: 7 + 8 + 7 + 12 + 12 + 6 + 7 = 59; 9 + 59/6 − 7 = 71/6
    Row { place: 5, number: 3, points: 9, opponents: (59, 1), rounds: 7, total: (71, 6), warnings: 1 },
    // 17, 4, 6, 9, 13, 1, 2: 6 + 12 + 7 + 8 + 7 + 12 + 12 = 64; 8 + 64/6 − 7 = 35/3
    Row { place: 6, number: 5, points: 8, opponents: (64, 1), rounds: 7, total: (35, 3), warnings: 0 },
    // 19, 6, 8, 1, 25, 2, 3: 4 + 7 + 9 + 12 + 8 + 12 + 9 = 61; 7 + 61/6 − 7 = 61/6
    Row { place: 7, number: 7, points: 7, opponents: (61, 1), rounds: 7, total: (61, 6), warnings: 0 },
    // 21, 8, 12, 5, 6, 10, 11: 4 + 9 + 8 + 8 + 7 + 7 + 7 = 50; 8 + 50/6 − 7 = 28/3
    Row { place: 8, number: 9, points: 8, opponents: (50, 1), rounds: 7, total: (28, 3), warnings: 0 },
    // 1, 15, 14, 17, 5, 6, 8: 12 + 7 + 6 + 6 + 8 + 7 + 9 = 55; 7 + 55/6 − 7 = 55/6
    Row { place: 9, number: 13, points: 7, opponents: (55, 1), rounds: 7, total: (55, 6), warnings: 0 },
    // 23, 10, 2, 12, 8, 17, 9: 14/3 + 7 + 12 + 8 + 9 + 6 + 8 = 164/3; 7 + 164/3/6 − 7 = 82/9
    Row { place: 10, number: 11, points: 7, opponents: (164, 3), rounds: 7, total: (82, 9), warnings: 0 },
    // 15, 21, 7, 14, 1: 7 + 4 + 7 + 6 + 12 = 36; 8 + 36/6 − 5 = 9
    Row { place: 11, number: 25, points: 8, opponents: (36, 1), rounds: 5, total: (9, 1), warnings: 0 },
    // 18, 7, 5, 10, 9, 13, 4: 4 + 7 + 8 + 7 + 8 + 7 + 12 = 53; 7 + 53/6 − 7 = 53/6
    Row { place: 12, number: 6, points: 7, opponents: (53, 1), rounds: 7, total: (53, 6), warnings: 2 },
    // 22, 11, 3, 6, 15, 9, 16: 3 + 7 + 9 + 7 + 7 + 8 + 6 = 47; 7 + 47/6 − 7 = 47/6
    Row { place: 13, number: 10, points: 7, opponents: (47, 1), rounds: 7, total: (47, 6), warnings: 0 },
    // 24, 3, 9, 11, 18, 19, 14: 3 + 9 + 8 + 7 + 4 + 4 + 6 = 41; 8 + 41/6 − 7 = 47/6
    Row { place: 14, number: 12, points: 8, opponents: (41, 1), rounds: 7, total: (47, 6), warnings: 2 },
    // 2, 16, 13, 19, 17, 25, 12: 12 + 6 + 7 + 4 + 6 + 8 + 8 = 51; 6 + 51/6 − 7 = 15/2
    Row { place: 15, number: 14, points: 6, opponents: (51, 1), rounds: 7, total: (15, 2), warnings: 0 },
    // 3, 13, 25, 24, 10, 18, 20: 9 + 7 + 8 + 3 + 7 + 4 + 6 = 44; 7 + 44/6 − 7 = 22/3
    Row { place: 16, number: 15, points: 7, opponents: (44, 1), rounds: 7, total: (22, 3), warnings: 0 },
    // 4, 14, 18, 20, 21, 3, 10: 12 + 6 + 4 + 6 + 4 + 9 + 7 = 48; 6 + 48/6 − 7 = 7
    Row { place: 17, number: 16, points: 6, opponents: (48, 1), rounds: 7, total: (7, 1), warnings: 0 },
    // 5, 18, 19, 13, 14, 11, 21: 8 + 4 + 4 + 7 + 6 + 7 + 4 = 40; 6 + 40/6 − 7 = 17/3
    Row { place: 18, number: 17, points: 6, opponents: (40, 1), rounds: 7, total: (17, 3), warnings: 0 },
    // 8, 19, 22, 16, 24, 21, 15: 9 + 4 + 3 + 6 + 3 + 4 + 7 = 36; 6 + 36/6 − 7 = 5
    Row { place: 19, number: 20, points: 6, opponents: (36, 1), rounds: 7, total: (5, 1), warnings: 0 },
    // 9, 22, 23, 25, 16, 20, 17: 8 + 3 + 14/3 + 8 + 6 + 6 + 6 = 125/3; 4 + 125/3/6 − 7 = 71/18
    Row { place: 20, number: 21, points: 4, opponents: (125, 3), rounds: 7, total: (71, 18), warnings: 0 },
    // 6, 17, 16, 22, 12, 15, 19: 7 + 6 + 6 + 3 + 8 + 7 + 4 = 41; 4 + 41/6 − 7 = 23/6
    Row { place: 21, number: 18, points: 4, opponents: (41, 1), rounds: 7, total: (23, 6), warnings: 0 },
    // 7, 20, 17, 14, 22, 12, 18: 7 + 6 + 6 + 6 + 3 + 8 + 4 = 40; 4 + 40/6 − 7 = 11/3
    Row { place: 22, number: 19, points: 4, opponents: (40, 1), rounds: 7, total: (11, 3), warnings: 0 },
    // 12, 23, 15, 20: 8 + 14/3 + 7 + 6 = 77/3; 2 + 77/3/6 − 4 = 41/18
    Row { place: 23, number: 24, points: 2, opponents: (77, 3), rounds: 4, total: (41, 18), warnings: 0 },
    // 10, 21, 20, 18, 19: 7 + 4 + 6 + 4 + 4 = 25; 3 + 25/6 − 5 = 13/6
    Row { place: 24, number: 22, points: 3, opponents: (25, 1), rounds: 5, total: (13, 6), warnings: 0 },
    // 11, 24, 21: 7 + 3 + 4 = 14; 2 + 14/6 − 3 = 4/3
    Row { place: 25, number: 23, points: 2, opponents: (14, 1), rounds: 3, total: (4, 3), warnings: 0 },
];
