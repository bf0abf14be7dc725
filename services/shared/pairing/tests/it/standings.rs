//! Standings: the worked examples of sections 1.6 and 1.7 to the fraction, and the readings one by one.

use pairing::{
    AdjustPoints, Colour, Entry, ForfeitOpponent, ForfeitPoints, Fraction, MBasis, Number, Player, PoBye,
    RBasis, Ranking, ResultCode, StandingsSettings, Status, Ties, WithdrawalHalf,
    standings::{
        Cycles, Line, Sheet, TieBreak, individual,
        team::{self, Team, TeamMatch, TeamSheet},
        withdrawal,
    },
};

fn ratio(numerator: i128, denominator: i128) -> Fraction {
    Fraction::new(numerator, denominator)
}

fn field(players: u32) -> Vec<Player> {
    (1..=players).map(Player::new).collect()
}

/// A game with this score of `a`.
fn game(players: &mut [Player], round: u16, a: u32, b: u32, score: usize) {
    let codes = [ResultCode::Loss, ResultCode::Draw, ResultCode::Win];
    players[a as usize - 1].history.push(Entry::game(round, Number(b), Colour::First, codes[score]));
    players[b as usize - 1].history.push(Entry::game(round, Number(a), Colour::Second, codes[2 - score]));
}

fn bye(players: &mut [Player], round: u16, number: u32, code: ResultCode) {
    players[number as usize - 1].history.push(Entry::bye(round, code));
}

fn sheet<'a>(players: &'a [Player], rounds: u16, settings: &'a StandingsSettings) -> Sheet<'a> {
    Sheet { players, rounds, settings, seed: [3; 32] }
}

fn line(table: &[Line], number: u32) -> &Line {
    table.iter().find(|line| line.number == Number(number)).expect("everybody has a line")
}

fn order(table: &[Line]) -> Vec<u32> {
    table.iter().map(|line| line.number.0).collect()
}

fn places(table: &[Line]) -> Vec<Option<u32>> {
    table.iter().map(|line| line.place).collect()
}

/// The six players of the printed table of a round robin.
fn printed_robin() -> Vec<Player> {
    let table: [[usize; 6]; 6] = [
        [9, 0, 0, 2, 0, 0],
        [2, 9, 2, 2, 0, 2],
        [2, 0, 9, 0, 0, 1],
        [0, 0, 2, 9, 1, 2],
        [2, 2, 2, 1, 9, 1],
        [2, 0, 1, 0, 1, 9],
    ];
    let mut players = field(6);
    for (round, games) in (1..).zip(pairing::berger::single(6)) {
        for (a, b) in games.games {
            game(&mut players, round, a.0, b.0, table[a.0 as usize - 1][b.0 as usize - 1]);
        }
    }
    players
}

#[test]
fn the_printed_round_robin_comes_out_to_the_half() {
    let players = printed_robin();
    let settings = StandingsSettings::default();
    let table = individual::round_robin(&sheet(&players, 5, &settings), Cycles::Single);
    assert_eq!(order(&table), [5, 2, 4, 6, 3, 1]);
    assert_eq!(places(&table), (1..=6).map(Some).collect::<Vec<_>>());
    let expected = [
        (2, ratio(5, 1)),
        (8, ratio(14, 1)),
        (3, ratio(4, 1)),
        (5, ratio(11, 1)),
        (8, ratio(35, 2)),
        (4, ratio(15, 2)),
    ];
    for (number, (points, a)) in (1..).zip(expected) {
        let line = line(&table, number);
        assert_eq!((line.points, line.criteria[1].value), (points, a), "{number}");
    }
    assert_eq!(line(&table, 6).criteria[1].explain(), "2 + ½·8 + ½·3 = 15/2");
}

/// The first worked example of the Swiss: 1 is P, 2 is Q, the others give the points that are printed.
fn first_example() -> Vec<Player> {
    let mut players = field(12);
    let (p, q) = ([3, 4, 5, 6, 7, 4, 5], [8, 9, 4, 6, 4, 5, 6]);
    let has = |players: &mut [Player], number: u32, points: usize| {
        for round in 1..=7 {
            let code =
                if usize::from(round) * 2 <= points { ResultCode::ByeFull } else { ResultCode::ByeZero };
            bye(players, round, number, code);
        }
    };
    // 3 has 12, 4 has 8, 5 has 10, 6 has 6, 8 has 4, 9 has 2, 10 the highest score of 14.
    for (number, points) in [(3, 12), (4, 8), (5, 10), (6, 6), (8, 4), (9, 2), (10, 14)] {
        has(&mut players, number, points);
    }
    // 7 won three games of four and left: 6 + 1 × 3.
    for round in 1..=4 {
        let code = if round < 4 { ResultCode::Win } else { ResultCode::Loss };
        players[6].history.push(Entry::game(round, Number(10), Colour::First, code));
    }
    players[6].states.push(Status::Withdrawn { after_round: 4 });
    for (number, opponents, won) in [(1, p, 5), (2, q, 6)] {
        for (round, opponent) in (1..).zip(opponents) {
            let code = if round <= won { ResultCode::Win } else { ResultCode::Loss };
            let entry = Entry::game(round, Number(opponent), Colour::First, code);
            players[number - 1].history.push(entry);
        }
    }
    players
}

#[test]
fn fewer_points_may_be_ahead_by_the_total() {
    let players = first_example();
    let settings = StandingsSettings::default();
    let table = individual::swiss(&sheet(&players, 7, &settings));
    let (p, q) = (line(&table, 1), line(&table, 2));
    assert_eq!((p.points, p.criteria[0].value), (10, ratio(12, 1)));
    assert_eq!(p.criteria[0].explain(), "P 10, ΣO 63, M 14, R 7: 10 + 63/7 − 7 = 12");
    assert_eq!((q.points, q.criteria[0].value), (12, ratio(79, 7)));
    assert_eq!(q.criteria[0].explain(), "P 12, ΣO 44, M 14, R 7: 12 + 44/7 − 7 = 79/7");
    assert!(p.place < q.place);
}

/// The second worked example: nine players, five rounds, 7 withdrew after the third.
fn second_example() -> Vec<Player> {
    let rounds: [&[(u32, u32, usize)]; 5] = [
        &[(3, 4, 2), (6, 5, 2), (1, 2, 2), (8, 7, 0)],
        &[(3, 6, 2), (4, 5, 2), (1, 9, 2), (2, 7, 2)],
        &[(3, 1, 2), (4, 2, 2), (6, 7, 2), (9, 8, 2)],
        &[(3, 9, 1), (4, 1, 2), (6, 2, 2), (5, 8, 2)],
        &[(3, 5, 1), (4, 6, 1), (1, 8, 2), (2, 9, 2)],
    ];
    let mut players = field(9);
    for (round, games) in (1..).zip(rounds) {
        for (a, b, score) in games {
            game(&mut players, round, *a, *b, *score);
        }
        if let Some(free) = [9, 8, 5].get(usize::from(round) - 1) {
            bye(&mut players, round, *free, ResultCode::Pab);
        }
    }
    players[6].states.push(Status::Withdrawn { after_round: 3 });
    players
}

#[test]
fn three_readings_give_the_three_orders_that_are_shown() {
    let players = second_example();
    let read = |m_basis, r_basis| {
        let settings = StandingsSettings { m_basis, r_basis, ..StandingsSettings::default() };
        individual::swiss(&sheet(&players, 5, &settings))
    };
    let totals =
        |table: &[Line]| [3, 4, 6, 1, 5, 2, 9, 8, 7].map(|number| line(table, number).criteria[0].value);
    let own = read(MBasis::Actual, RBasis::OwnOpponents);
    let expected = [(21, 2), (19, 2), (53, 6), (15, 2), (7, 1), (73, 12), (6, 1), (17, 6), (9, 4)];
    assert_eq!(totals(&own), expected.map(|(n, d)| ratio(n, d)));
    assert_eq!(order(&own), [3, 4, 6, 1, 5, 2, 9, 8, 7]);
    let theoretical = read(MBasis::Theoretical, RBasis::OwnOpponents);
    let expected = [(9, 1), (8, 1), (112, 15), (31, 5), (29, 5), (14, 3), (5, 1), (28, 15), (8, 5)];
    assert_eq!(totals(&theoretical), expected.map(|(n, d)| ratio(n, d)));
    assert_eq!(order(&theoretical), [3, 4, 6, 1, 5, 9, 2, 8, 7]);
    let literal = read(MBasis::Actual, RBasis::Literal);
    let expected = [(21, 2), (19, 2), (53, 6), (15, 2), (6, 1), (73, 12), (5, 1), (11, 6), (1, 4)];
    assert_eq!(totals(&literal), expected.map(|(n, d)| ratio(n, d)));
    assert_eq!(order(&literal), [3, 4, 6, 1, 2, 5, 9, 8, 7]);
    assert_eq!(line(&own, 6).criteria[0].explain(), "P 7, ΣO 82/3, M 8, R 5: 7 + (82/3)/4 − 5 = 53/6");
}

#[test]
fn half_of_a_round_robin_is_of_rounds_or_of_games() {
    for players in 3..=20_u32 {
        for cycles in [1, 2] {
            let rounds = (if players % 2 == 0 { players - 1 } else { players }) * cycles;
            let games = (players - 1) * cycles;
            let first = |half| (0..=games).find(|it| !withdrawal::is_void(*it, players, cycles, half));
            assert_eq!(first(WithdrawalHalf::Rounds), Some(rounds.div_ceil(2)), "{players}");
            assert_eq!(first(WithdrawalHalf::Games), Some(games.div_ceil(2)), "{players}");
        }
    }
}

#[test]
fn who_leaves_a_round_robin_early_is_void_and_late_loses_the_rest() {
    let settings = StandingsSettings::default();
    for (after, void) in [(2, true), (3, false)] {
        let mut players = printed_robin();
        players[0].history.truncate(usize::from(after));
        for player in &mut players[1..] {
            player.history.retain(|entry| entry.opponent != Some(Number(1)) || entry.round <= after);
        }
        players[0].states.push(Status::Withdrawn { after_round: after });
        let table = individual::round_robin(&sheet(&players, 5, &settings), Cycles::Single);
        assert_eq!(line(&table, 1).place.is_none(), void);
        // 4 lost to 1 in round 4 of the printed table, or whenever; without that game he has his other points, and two
        // more where 1's results stand and the game was never played.
        let met = players[3].history.iter().any(|entry| entry.opponent == Some(Number(1)));
        let without = if void || met { 5 } else { 7 };
        assert_eq!(line(&table, 4).points, without, "{after}");
    }
}

#[test]
fn the_game_of_two_who_left_late_is_nobodys() {
    let mut players = printed_robin();
    let last = players[0].history[4].opponent.expect("everybody plays in round 5");
    for number in [Number(1), last] {
        players[number.0 as usize - 1].history.truncate(4);
        players[number.0 as usize - 1].states.push(Status::Expelled { after_round: 4 });
    }
    let settings = StandingsSettings::default();
    let table = individual::round_robin(&sheet(&players, 5, &settings), Cycles::Single);
    let by_history = |number: Number| players[number.0 as usize - 1].points(0);
    for number in [Number(1), last] {
        assert_eq!(line(&table, number.0).points, by_history(number));
    }
}

#[test]
fn points_given_by_one_who_left_count_in_a_or_not() {
    let mut players = field(4);
    game(&mut players, 1, 1, 4, 2);
    game(&mut players, 1, 2, 3, 2);
    game(&mut players, 2, 1, 2, 2);
    game(&mut players, 2, 3, 4, 2);
    players[3].states.push(Status::Withdrawn { after_round: 2 });
    game(&mut players, 3, 1, 3, 2);
    let a = |forfeit_points| {
        let settings = StandingsSettings { forfeit_points, ..StandingsSettings::default() };
        line(&individual::round_robin(&sheet(&players, 3, &settings), Cycles::Single), 1).criteria[1].value
    };
    // 1 has beaten 2 (4 points, two of them for nothing), 3 (2 points) and 4 (none).
    assert_eq!((a(ForfeitPoints::Count), a(ForfeitPoints::Ignore)), (ratio(6, 1), ratio(4, 1)));
}

#[test]
fn equals_share_a_place_or_draw_lots() {
    let mut players = field(4);
    game(&mut players, 1, 1, 2, 2);
    game(&mut players, 1, 3, 4, 2);
    let mut settings = StandingsSettings::default();
    // After one round all totals are 1: who has won met somebody with nothing, who has lost somebody with everything.
    assert_eq!(places(&individual::swiss(&sheet(&players, 1, &settings))), [1, 1, 1, 1].map(Some));
    players[2].warnings = 1;
    assert_eq!(places(&individual::swiss(&sheet(&players, 1, &settings))), [1, 1, 1, 4].map(Some));
    players[3].warnings = 1;
    assert_eq!(places(&individual::swiss(&sheet(&players, 1, &settings))), [1, 1, 3, 3].map(Some));
    settings.ties = Ties::Lot;
    assert_eq!(places(&individual::swiss(&sheet(&players, 1, &settings))), [1, 2, 3, 4].map(Some));
}

#[test]
fn an_annulled_player_has_no_place_and_no_influence() {
    let mut players = field(4);
    game(&mut players, 1, 1, 2, 2);
    game(&mut players, 1, 3, 4, 2);
    game(&mut players, 2, 1, 3, 2);
    players[0].states.push(Status::Annulled);
    let settings = StandingsSettings::default();
    let table = individual::swiss(&sheet(&players, 2, &settings));
    assert_eq!((line(&table, 1).place, line(&table, 1).points), (None, 0));
    assert_eq!(line(&table, 3).criteria[0].explain(), "P 2, ΣO 0, M 2, R 1: 2 + 0/1 − 1 = 1");
    assert_eq!(line(&table, 2).criteria[0].explain(), "P 0, ΣO 0, M 2, R 0: 0 + 0/1 − 0 = 0");
}

#[test]
fn an_adjourned_game_gives_nothing_yet() {
    // 1.11, 9: nor does one that is to be played again.
    for code in [ResultCode::Adjourned, ResultCode::ReplayOrdered] {
        let mut players = field(3);
        for (number, opponent) in [(1, 2), (2, 1)] {
            let entry = Entry::game(1, Number(opponent), Colour::First, code);
            players[number - 1].history.push(entry);
        }
        bye(&mut players, 1, 3, ResultCode::Pab);
        let settings = StandingsSettings::default();
        let swiss = individual::swiss(&sheet(&players, 1, &settings));
        let robin = individual::round_robin(&sheet(&players, 1, &settings), Cycles::Single);
        for table in [swiss, robin] {
            let told = [1, 2].map(|it| (line(&table, it).provisional, line(&table, it).points));
            assert_eq!(told, [(true, 0); 2], "{code:?}");
            assert!(!line(&table, 3).provisional, "{code:?}");
        }
    }
}

/// 29.3 and 1.11, 8: 1 has beaten 3, who is annulled, drawn with 2, and left after two of four rounds. Void games drop out
/// of A, both of its points and of its games: it is 1 of 1, and he counts as 1 + 1 × 2.
#[test]
fn a_leaver_s_games_against_one_who_is_annulled_are_no_part_of_a() {
    let mut players = field(3);
    game(&mut players, 1, 1, 3, 2);
    game(&mut players, 2, 1, 2, 1);
    players[0].states.push(Status::Withdrawn { after_round: 2 });
    players[2].states.push(Status::Annulled);
    for adjust_points in [AdjustPoints::All, AdjustPoints::Games] {
        let settings = StandingsSettings { adjust_points, ..StandingsSettings::default() };
        let table = individual::swiss(&sheet(&players, 4, &settings));
        let told = line(&table, 2).criteria[0].explain();
        assert_eq!(told, "P 1, ΣO 3, M 1, R 1: 1 + 3/(1/2) − 1 = 6", "{adjust_points:?}");
    }
}

#[test]
fn readings_of_forfeits_byes_and_adjusted_points_can_be_chosen() {
    let mut players = field(3);
    for (number, opponent, code) in [(1, 2, ResultCode::ForfeitWin), (2, 1, ResultCode::ForfeitLoss)] {
        players[number - 1].history.push(Entry::game(1, Number(opponent), Colour::First, code));
    }
    bye(&mut players, 1, 3, ResultCode::Pab);
    game(&mut players, 2, 3, 1, 1);
    bye(&mut players, 2, 2, ResultCode::ByeZero);
    players[2].states.push(Status::Withdrawn { after_round: 2 });
    let total = |settings: &StandingsSettings| {
        line(&individual::swiss(&sheet(&players, 4, settings)), 1).criteria[0].explain()
    };
    let mut settings = StandingsSettings::default();
    // 3 has 3 points in one game, of which one in the game: A is 1 by all points, capped, and 1 by those of games.
    assert_eq!(total(&settings), "P 3, ΣO 5, M 3, R 2: 3 + 5/(3/2) − 2 = 13/3");
    settings.forfeit_opponent = ForfeitOpponent::Ignored;
    assert_eq!(total(&settings), "P 3, ΣO 5, M 3, R 1: 3 + 5/(3/2) − 1 = 16/3");
    settings.adjust_points = AdjustPoints::Games;
    settings.pab_points = 0;
    assert_eq!(total(&settings), "P 3, ΣO 3, M 3, R 1: 3 + 3/(3/2) − 1 = 4");
    let opponents = |po_bye| {
        let ranking = Ranking::PointsOpponents;
        let settings = StandingsSettings { ranking, po_bye, ..StandingsSettings::default() };
        line(&individual::swiss(&sheet(&players, 4, &settings)), 1).criteria[1].value
    };
    assert_eq!((opponents(PoBye::Neutral), opponents(PoBye::Raw)), (ratio(8, 1), ratio(5, 1)));
}

#[test]
fn tie_breaks_of_go_and_of_fide_are_worked_out() {
    let mut players = printed_robin();
    for player in &mut players {
        player.rating = Some(2000);
    }
    let value = |tie_break, number| {
        let settings = StandingsSettings { tie_breaks: vec![tie_break], ..StandingsSettings::default() };
        line(&individual::swiss(&sheet(&players, 5, &settings)), number).criteria[1].value
    };
    // Points: 2, 8, 3, 5, 8, 4, thirty in all.
    assert_eq!(value(TieBreak::Sos, 5), ratio(22, 1));
    assert_eq!(value(TieBreak::Sosos, 5), ratio(5 * 30 - 22, 1));
    assert_eq!(value(TieBreak::Sodos, 5), ratio(35, 2));
    assert_eq!(value(TieBreak::BuchholzCut1, 5), ratio(20, 1));
    assert_eq!(value(TieBreak::BuchholzMedian, 5), ratio(12, 1));
    assert_eq!(value(TieBreak::DummyBuchholz, 5), ratio(22, 1));
    assert_eq!(
        (value(TieBreak::DirectEncounter, 5), value(TieBreak::DirectEncounter, 2)),
        (ratio(2, 1), ratio(0, 1))
    );
    assert_eq!((value(TieBreak::Wins, 5), value(TieBreak::Wins, 2)), (ratio(3, 1), ratio(4, 1)));
    // Half of the ten possible points have 2, 4 and 5.
    assert_eq!(value(TieBreak::Koya, 5), ratio(3, 1));
    assert_eq!(value(TieBreak::Performance, 5), ratio(2240, 1));
}

fn team(number: u32) -> Team {
    Team { number: Number(number), states: vec![Status::Active { from_round: 1 }], matches: Vec::new() }
}

/// A match with this code on every board of `a`.
fn team_match(teams: &mut [Team], round: u16, a: u32, b: u32, boards: &[ResultCode]) {
    let reply = |code: &ResultCode| match code {
        ResultCode::Win => ResultCode::Loss,
        ResultCode::Loss => ResultCode::Win,
        same => *same,
    };
    for (own, other, boards) in [(a, b, boards.to_vec()), (b, a, boards.iter().map(reply).collect())] {
        let played = TeamMatch { round, opponent: Some(Number(other)), boards, bye: None };
        teams[own as usize - 1].matches.push(played);
    }
}

#[test]
fn the_printed_team_swiss_comes_out() {
    let mut teams: Vec<Team> = (1..=9).map(team).collect();
    let has = |team: &mut Team, points: u16| {
        team.matches.extend((1..=5).map(|round| TeamMatch {
            round,
            opponent: None,
            boards: Vec::new(),
            bye: Some(if round * 2 <= points { ResultCode::ByeFull } else { ResultCode::ByeZero }),
        }));
    };
    // 3 has 10, 4 has 4, 5 has 6, 6 has 8, 7 has 2.
    for (number, points) in [(3, 10), (4, 4), (5, 6), (6, 8), (7, 2)] {
        has(&mut teams[number - 1], points);
    }
    // 8 won, drew and lost, and left: 3 + 1 × 2.
    for (round, code) in (1..).zip([ResultCode::Win, ResultCode::Draw, ResultCode::Loss]) {
        team_match(&mut teams, round, 8, 9, &[code]);
    }
    teams[7].states.push(Status::Withdrawn { after_round: 3 });
    for (number, opponents) in [(1_usize, [3, 4, 5, 6, 7]), (2, [7, 6, 4, 5, 8])] {
        for (round, opponent) in (1..).zip(opponents) {
            let code = if round <= 3 { ResultCode::Win } else { ResultCode::Loss };
            let played = TeamMatch { round, opponent: Some(Number(opponent)), boards: vec![code], bye: None };
            teams[number - 1].matches.push(played);
        }
    }
    let settings = StandingsSettings::default();
    let table = team::swiss(&TeamSheet {
        teams: &teams,
        rounds: 5,
        boards: 1,
        games: 1,
        settings: &settings,
        seed: [0; 32],
    });
    let total = |number| line(&table, number).criteria[0].explain();
    assert_eq!(total(1), "P 6, ΣO 30, M 10, R 5: 6 + 30/5 − 5 = 7");
    assert_eq!(total(2), "P 6, ΣO 25, M 10, R 5: 6 + 25/5 − 5 = 6");
}

#[test]
fn teams_are_ranked_by_matches_then_games_then_boards() {
    use ResultCode::{DoubleForfeit, Draw, Loss, Win};
    let mut teams: Vec<Team> = (1..=4).map(team).collect();
    team_match(&mut teams, 1, 1, 4, &[Win, Win, Loss]);
    team_match(&mut teams, 1, 2, 3, &[Loss, Win, Win]);
    team_match(&mut teams, 2, 1, 2, &[Draw, Draw, Draw]);
    team_match(&mut teams, 2, 3, 4, &[DoubleForfeit, DoubleForfeit, DoubleForfeit]);
    team_match(&mut teams, 3, 1, 3, &[Win, Loss, Draw]);
    team_match(&mut teams, 3, 2, 4, &[Draw, Draw, Draw]);
    let settings = StandingsSettings::default();
    let sheet =
        TeamSheet { teams: &teams, rounds: 3, boards: 3, games: 1, settings: &settings, seed: [0; 32] };
    let table = team::round_robin(&sheet, Cycles::Single);
    // 1 and 2 have 4 match points and 10 game points; board 1 decides.
    assert_eq!(order(&table), [1, 2, 3, 4]);
    let line = line(&table, 1);
    let values: Vec<_> = line.criteria.iter().map(|it| it.value).collect();
    assert_eq!(values, [4, 10, 5, 3, 2].map(|it| ratio(it, 1)));
    assert_eq!(places(&table), [1, 2, 3, 4].map(Some));
}

#[test]
fn a_bye_of_a_team_is_worth_a_point_a_board() {
    let mut teams: Vec<Team> = (1..=1).map(team).collect();
    teams[0].matches.push(TeamMatch {
        round: 1,
        opponent: None,
        boards: Vec::new(),
        bye: Some(ResultCode::Pab),
    });
    let settings = StandingsSettings::default();
    let sheet =
        TeamSheet { teams: &teams, rounds: 1, boards: 4, games: 1, settings: &settings, seed: [0; 32] };
    let table = team::swiss(&sheet);
    assert_eq!((table[0].points, table[0].criteria[3].value), (2, ratio(4, 1)));
}
