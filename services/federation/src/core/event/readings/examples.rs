//! What each value of each reading comes to in one event, the same for all of them: so it is seen before an event begins what
//! difference a choice makes. The tests play each of these events, under each value.

/// An event in which the values of a reading come to different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Of which reading.
    pub(super) reading: &'static str,
    /// What happens in it, and what is looked at.
    pub event: &'static str,
    /// A value, and what comes of the event under it: every word; of numbers the least; of a list none and each word alone.
    pub outcomes: &'static [(&'static str, &'static str)],
}

/// One for each reading, in their order.
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        reading: "ranking",
        event: "Nine players and five rounds, of whom 7 left after the third; 9 and 5 have five points each and 2 \
                has four. The numbers of all in the order of their places.",
        outcomes: &[("total", "3 4 6 1 5 2 9 8 7"), ("points_opponents", "3 4 6 1 5 9 2 8 7")],
    },
    Example {
        reading: "m_basis",
        event: "The same nine players: M is 8, or 10. Their numbers in the order of places.",
        outcomes: &[("actual", "3 4 6 1 5 2 9 8 7"), ("theoretical", "3 4 6 1 5 9 2 8 7")],
    },
    Example {
        reading: "r_basis",
        event: "The same nine players, of whom 5 had a bye. Their numbers in the order of places.",
        outcomes: &[("own_opponents", "3 4 6 1 5 2 9 8 7"), ("literal", "3 4 6 1 2 5 9 8 7")],
    },
    Example {
        reading: "withdrawal_half",
        event: "A round robin of nine players, one of whom leaves after four of his eight games, and of nine rounds. \
                What he played, and how many of those who did not meet him have two points for that.",
        outcomes: &[
            ("rounds", "void, 0 of the games not played"),
            ("games", "stands, 4 of the games not played"),
        ],
    },
    Example {
        reading: "adjust_a_points",
        event: "Four players and four rounds; 1 had a bye and two points of games and left before the last round. \
                How the total of 2 comes about, who met him.",
        outcomes: &[
            ("all", "P 4, ΣO 10, M 4, R 3: 4 + 10/2 − 3 = 6"),
            ("games", "P 4, ΣO 19/2, M 4, R 3: 4 + (19/2)/2 − 3 = 23/4"),
        ],
    },
    Example {
        reading: "forfeit_opponent",
        event: "1 won by forfeit of 2, and drew with 3. How the total of 1 comes about.",
        outcomes: &[
            ("counts", "P 3, ΣO 1, M 3, R 2: 3 + 1/(3/2) − 2 = 5/3"),
            ("ignored", "P 3, ΣO 1, M 3, R 1: 3 + 1/(3/2) − 1 = 8/3"),
        ],
    },
    Example {
        reading: "po_bye",
        event: "1 and 3 have two points each; 1 was free once and met one who has three points, 3 met two who have \
                one and three. Who is before whom by the opponents' points.",
        outcomes: &[("neutral", "1 before 3"), ("raw", "3 before 1")],
    },
    Example {
        reading: "forfeit_points",
        event: "A round robin in which 1 beat 2 (four points, two of them because 4 had left), 3 (two points) and 4 \
                (none). What his A is.",
        outcomes: &[("count", "4 + 2 + 0 = 6"), ("ignore", "2 + 2 + 0 = 4")],
    },
    Example {
        reading: "ties",
        event: "Four players after one round that was all draws. Their places.",
        outcomes: &[("shared", "1 1 1 1"), ("lot", "1 2 3 4")],
    },
    Example {
        reading: "pab_points",
        event: "Three players and one round, in which 3 has no opponent.",
        outcomes: &[("0", "3 has 0"), ("1", "3 has 1"), ("2", "3 has 2")],
    },
    Example {
        reading: "team_pab_game_points",
        event: "A team of four boards that has no opponent.",
        outcomes: &[("0", "0 game points"), ("1", "4 game points"), ("2", "8 game points")],
    },
    Example {
        reading: "team_leaves",
        event: "Team 1 beat 2 and 3 and left after two of five rounds. Whether its matches stand in a round robin, \
                and the points there of 5, whom it did not meet; how the total of 2 comes about in a Swiss.",
        outcomes: &[
            ("as_player", "void, 5 has 0; P 0, ΣO 7, M 4, R 1: 0 + 7/2 − 1 = 5/2"),
            ("as_match", "stands, 5 has 2; P 0, ΣO 4, M 4, R 1: 0 + 4/2 − 1 = 1"),
        ],
    },
    Example {
        reading: "sum_of",
        event: "Two teams of two players after one round, in which both players of team 1 have won. Place and sum of \
                each team.",
        outcomes: &[("points", "1: place 1, 4; 2: place 2, 0"), ("total", "1: place 1, 2; 2: place 1, 2")],
    },
    Example {
        reading: "tie_breaks",
        event: "Player 5 of the printed round robin: he beat 1, 2 and 3, drew with 4 and 6, and was free in a sixth \
                round; all are rated 2000. What his place follows from.",
        outcomes: &[
            ("", "total 47/5, stayed 1, warnings 0"),
            ("sos", "points 10, sos 22"),
            ("sosos", "points 10, sosos 138"),
            ("sodos", "points 10, sodos 35/2"),
            ("buchholz_cut_1", "points 10, buchholz_cut_1 20"),
            ("buchholz_median", "points 10, buchholz_median 12"),
            ("dummy_buchholz", "points 10, dummy_buchholz 32"),
            ("direct_encounter", "points 10, direct_encounter 0"),
            ("wins", "points 10, wins 3"),
            ("koya", "points 10, koya 2"),
            ("performance", "points 10, performance 2240"),
        ],
    },
    Example {
        reading: "colours",
        event: "1 had the second, the first and the second colour, 2 the first, the second and the second, and they \
                meet. Who has the first colour, in Go, in Jirige and in Tianyi Go.",
        outcomes: &[
            ("game", "2 1 none"),
            ("balance", "2 2 2"),
            ("parity", "1 1 1"),
            ("open", "none none none"),
        ],
    },
    Example {
        reading: "jirige_absolute_first",
        event: "The same two in Jirige, where colours follow parity. Who has the first colour.",
        outcomes: &[("off", "1"), ("on", "2")],
    },
    Example {
        reading: "first_round",
        event: "Round 1 of eight players, in Go and in Jirige.",
        outcomes: &[
            ("game", "drawn, odd against even"),
            ("draw", "drawn, drawn"),
            ("fold", "upper against lower half, upper against lower half"),
            ("odd_even", "odd against even, odd against even"),
        ],
    },
    Example {
        reading: "apart_rounds",
        event: "Four players and four rounds; 1 and 3 are of one club and would meet. In which rounds they may.",
        outcomes: &[("0", "1 2 3 4"), ("1", "2 3 4"), ("2", "3 4"), ("3", "4")],
    },
    Example {
        reading: "half_bye_is_downfloat",
        event: "Of 1 to 5, who have a point each, one goes down; 5 has had a half bye. Who goes.",
        outcomes: &[("off", "5"), ("on", "4")],
    },
    Example {
        reading: "acceleration",
        event: "Round 1 of eight players in an event of eight rounds, paired the upper half against the lower.",
        outcomes: &[("none", "1-5 2-6 3-7 4-8"), ("baku", "1-3 2-4 5-7 6-8")],
    },
    Example {
        reading: "double_order",
        event: "A double round robin of four. In which rounds 1 and 2 meet.",
        outcomes: &[("cycles", "2 5"), ("back_to_back", "3 4")],
    },
    Example {
        reading: "swap_last_two",
        event: "A double round robin of four. In which rounds 1 and 2 meet.",
        outcomes: &[("off", "2 5"), ("on", "3 5")],
    },
    Example {
        reading: "grand_final",
        event: "A double knock-out of two: 1 wins the first game and loses all that follow. How many are played.",
        outcomes: &[("reset", "3 games"), ("simple", "2 games")],
    },
    Example {
        reading: "first_mover_advances",
        event: "A knock-out of four in Tianyi Go. What the two games of its first round and the final are played \
                for.",
        outcomes: &[
            ("final", "league league final"),
            ("knock_out", "knockout knockout final"),
            ("nowhere", "league league league"),
        ],
    },
    Example {
        reading: "pab_points",
        event: "Three players and one round, in which 3 has no opponent.",
        outcomes: &[("0", "3 has 0"), ("1", "3 has 1"), ("2", "3 has 2")],
    },
    Example {
        reading: "team_pab_game_points",
        event: "A team of four boards that has no opponent.",
        outcomes: &[("0", "0 game points"), ("1", "4 game points"), ("2", "8 game points")],
    },
    Example {
        reading: "apart_rounds",
        event: "Four players and four rounds; 1 and 3 are of one club and would meet. In which rounds they may.",
        outcomes: &[("0", "1 2 3 4"), ("1", "2 3 4"), ("2", "3 4"), ("3", "4")],
    },
    Example {
        reading: "pab_points",
        event: "Three players and one round, in which 3 has no opponent.",
        outcomes: &[("0", "3 has 0"), ("1", "3 has 1"), ("2", "3 has 2")],
    },
];
