//! Readings that change tables of players.

use pairing::{
    Entry, Number, Player, ResultCode, Status, berger,
    standings::{Cycles, Line, Sheet, individual},
};

use super::{Case, Readings, add, bye, field, game, listed};

pub(super) const CASES: &[Case] = &[
    Case {
        reading: "ranking",
        // T as in section 1.6: of 9 with 5 points and 2 with 4, 2 is ahead by 73/12 to 6. Points come first otherwise, and
        // of 5 and 9, who have 5 each, 5 has the opponents: 24 and 20, with 4 for a bye each.
        play: |readings| order(&swiss(&nine(), 5, readings)),
    },
    Case {
        reading: "m_basis",
        // Section 1.6: M is 8 or 10.
        play: |readings| order(&swiss(&nine(), 5, readings)),
    },
    Case {
        reading: "r_basis",
        // Section 1.6: under the letter the bye of 5 costs him a point.
        play: |readings| order(&swiss(&nine(), 5, readings)),
    },
    Case {
        reading: "withdrawal_half",
        // Section 1.7: nine players have nine rounds and eight games each; four games are fewer than half of nine and half of
        // eight. Where they stand, whoever has not met him has two points more.
        play: leaves_after_four,
    },
    Case {
        reading: "adjust_a_points",
        // 1 has two points of a bye and one of two games, and left with one of four rounds to come. A is 3/2 and so 1, or
        // 1/2: he counts as 4 or 7/2. 2 has met him, 3 (2 points) and 4 (4 points); M is 4.
        play: |readings| explained(&swiss(&with_a_leaver(), 4, readings), 2, 0),
    },
    Case {
        reading: "forfeit_opponent",
        // 1 has won by forfeit of 2, who has nothing, and drawn with 3, who has one point.
        play: forfeited,
    },
    Case {
        reading: "po_bye",
        // 1 and 3 have two points each. 1 was free and met 2 (3 points); 3 met 4 (1) and 5 (3). M is 3: with 3/2 for the
        // free round 1 has 9/2 to 4, without it 3 to 4.
        play: free_round,
    },
    Case {
        reading: "forfeit_points",
        // 1 has beaten 2 (4 points, two of them because 4 has left), 3 (2 points) and 4 (none).
        play: won_of_one_who_left,
    },
    Case {
        reading: "ties",
        // After one round that was all draws everybody is equal in everything.
        play: |readings| {
            let mut players = field(4);
            game(&mut players, 1, [1, 2], 1);
            game(&mut players, 1, [3, 4], 1);
            listed(swiss(&players, 1, readings).iter().filter_map(|line| line.place))
        },
    },
    Case {
        reading: "pab_points",
        // What 3 has for the round without an opponent.
        play: |readings| {
            let mut players = field(3);
            game(&mut players, 1, [1, 2], 2);
            bye(&mut players, 1, 3, ResultCode::Pab);
            format!("3 has {}", line(&swiss(&players, 1, readings), 3).points)
        },
    },
    Case {
        reading: "tie_breaks",
        // Of 5, who beat 1, 2 and 3, drew with 4 and 6, and was free in a sixth round. Points: 2, 8, 3, 5, 10, 4; 32 in all.
        // Everybody but 5 has as SOS what is not his own: 30, 24, 29, 27, 28. SODOS: 2 + 8 + 3 + (5 + 4)/2. Half of twelve
        // possible points has 2 alone. 8 of 10 points in games against 2000: 240 more.
        play: |readings| {
            let table = swiss(&printed(), 6, readings);
            let criteria = &line(&table, 5).criteria;
            let shown =
                criteria.iter().map(|it| format!("{} {}", it.name, pairing::fraction_text(&it.value)));
            shown.collect::<Vec<_>>().join(", ")
        },
    },
];

fn swiss(players: &[Player], rounds: u16, readings: &Readings) -> Vec<Line> {
    individual::swiss(&Sheet { players, rounds, settings: &readings.standings(), seed: [3; 32] })
}

fn robin(players: &[Player], rounds: u16, readings: &Readings) -> Vec<Line> {
    let settings = readings.standings();
    individual::round_robin(&Sheet { players, rounds, settings: &settings, seed: [3; 32] }, Cycles::Single)
}

fn line(table: &[Line], number: u32) -> &Line {
    table.iter().find(|line| line.number == Number(number)).expect("everybody has a line")
}

fn explained(table: &[Line], number: u32, criterion: usize) -> String {
    line(table, number).criteria[criterion].explain()
}

fn order(table: &[Line]) -> String {
    listed(table.iter().map(|line| line.number.0))
}

/// The second example of section 1.6: nine players, five rounds, and 7 left after the third.
fn nine() -> Vec<Player> {
    let rounds: [&[([u32; 2], usize)]; 5] = [
        &[([3, 4], 2), ([6, 5], 2), ([1, 2], 2), ([8, 7], 0)],
        &[([3, 6], 2), ([4, 5], 2), ([1, 9], 2), ([2, 7], 2)],
        &[([3, 1], 2), ([4, 2], 2), ([6, 7], 2), ([9, 8], 2)],
        &[([3, 9], 1), ([4, 1], 2), ([6, 2], 2), ([5, 8], 2)],
        &[([3, 5], 1), ([4, 6], 1), ([1, 8], 2), ([2, 9], 2)],
    ];
    let mut players = field(9);
    for (round, games) in (1..).zip(rounds) {
        for (pair, score) in games {
            game(&mut players, round, *pair, *score);
        }
        if let Some(free) = [9, 8, 5].get(usize::from(round) - 1) {
            bye(&mut players, round, *free, ResultCode::Pab);
        }
    }
    players[6].states.push(Status::Withdrawn { after_round: 3 });
    players
}

fn leaves_after_four(readings: &Readings) -> String {
    let rounds = berger::single(9);
    let free: Vec<Number> = rounds.iter().take(4).filter_map(|round| round.free).collect();
    let gone = (1..=9).map(Number).find(|it| !free.contains(it)).expect("five play in all of the four");
    let mut players = field(9);
    for (round, laid) in (1..).zip(&rounds) {
        let playing = |pair: &&(Number, Number)| round <= 4 || (pair.0 != gone && pair.1 != gone);
        for (one, other) in laid.games.iter().filter(playing) {
            // The lower number wins.
            game(&mut players, round, [one.0.min(other.0), one.0.max(other.0)], 2);
        }
    }
    players[gone.0 as usize - 1].states.push(Status::Withdrawn { after_round: 4 });
    let table = robin(&players, 9, readings);
    let stands = line(&table, gone.0).place.is_some();
    let of_games = |player: &Player| {
        let counted = player.history.iter().filter(|it| it.opponent != Some(gone));
        counted.map(|it| it.code.points(0)).sum::<u32>()
    };
    let has_met = |player: &Player| player.history.iter().any(|it| it.opponent == Some(gone));
    let others = players.iter().filter(|it| it.number != gone && !has_met(it));
    let given = others.filter(|it| line(&table, it.number.0).points == of_games(it) + 2).count();
    format!("{}, {given} of the games not played", if stands { "stands" } else { "void" })
}

fn with_a_leaver() -> Vec<Player> {
    let mut players = field(4);
    bye(&mut players, 1, 1, ResultCode::Pab);
    game(&mut players, 1, [2, 3], 2);
    game(&mut players, 2, [1, 2], 1);
    game(&mut players, 2, [3, 4], 1);
    game(&mut players, 3, [1, 4], 0);
    game(&mut players, 4, [2, 4], 1);
    bye(&mut players, 4, 3, ResultCode::ByeHalf);
    players[0].states.push(Status::Withdrawn { after_round: 3 });
    players
}

fn forfeited(readings: &Readings) -> String {
    let mut players = field(3);
    add(&mut players, 1, Entry { opponent: Some(Number(2)), ..Entry::bye(1, ResultCode::ForfeitWin) });
    add(&mut players, 2, Entry { opponent: Some(Number(1)), ..Entry::bye(1, ResultCode::ForfeitLoss) });
    game(&mut players, 2, [3, 1], 1);
    explained(&swiss(&players, 2, readings), 1, 0)
}

fn free_round(readings: &Readings) -> String {
    let mut readings = readings.clone();
    readings.set("ranking", "points_opponents").expect("it may be chosen");
    let mut players = field(5);
    bye(&mut players, 1, 1, ResultCode::Pab);
    game(&mut players, 1, [5, 2], 1);
    game(&mut players, 1, [3, 4], 2);
    game(&mut players, 2, [2, 1], 2);
    game(&mut players, 2, [5, 3], 2);
    bye(&mut players, 2, 4, ResultCode::ByeHalf);
    let table = swiss(&players, 2, &readings);
    let place = |number| line(&table, number).place;
    assert_ne!(place(1), place(3));
    if place(1) < place(3) { "1 before 3".to_owned() } else { "3 before 1".to_owned() }
}

fn won_of_one_who_left(readings: &Readings) -> String {
    let mut players = field(4);
    game(&mut players, 1, [1, 4], 2);
    game(&mut players, 1, [2, 3], 2);
    game(&mut players, 2, [1, 2], 2);
    game(&mut players, 2, [3, 4], 2);
    players[3].states.push(Status::Withdrawn { after_round: 2 });
    game(&mut players, 3, [1, 3], 2);
    let table = robin(&players, 3, readings);
    // The terms stand in the order of the games.
    let mut terms = explained(&table, 1, 1);
    if let Some((sum, value)) = terms.split_once(" = ") {
        let mut sorted: Vec<&str> = sum.split(" + ").collect();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        terms = format!("{} = {value}", sorted.join(" + "));
    }
    terms
}

/// The printed round robin of section 1.6, its players all rated 2000, with a sixth round in which 5 was free.
fn printed() -> Vec<Player> {
    let table: [[usize; 6]; 6] = [
        [9, 0, 0, 2, 0, 0],
        [2, 9, 2, 2, 0, 2],
        [2, 0, 9, 0, 0, 1],
        [0, 0, 2, 9, 1, 2],
        [2, 2, 2, 1, 9, 1],
        [2, 0, 1, 0, 1, 9],
    ];
    let mut players = field(6);
    for (round, laid) in (1..).zip(berger::single(6)) {
        for (a, b) in laid.games {
            game(&mut players, round, [a.0, b.0], table[a.0 as usize - 1][b.0 as usize - 1]);
        }
    }
    for player in &mut players {
        player.rating = Some(2000);
    }
    bye(&mut players, 6, 5, ResultCode::Pab);
    players
}
