//! Readings of the rules (1.10, 1.11) that have no test where the thing itself is tested, with each value.

use pairing::{
    Colour, ColourLaw, Entry, FirstRound, MBasis, Number, Player, RBasis, Reason, ResultCode,
    StandingsSettings, Status, WithdrawalHalf, check,
    standings::{
        Cycles, Line, Sheet, individual,
        team::{self, Team, TeamMatch, TeamSheet},
    },
    swiss::{self, Input, Round},
};

fn players(number: u32) -> Vec<Player> {
    (1..=number).map(Player::new).collect()
}

/// The first of the two has the first colour, and this result.
fn game(players: &mut [Player], round: u16, first: u32, second: u32, code: ResultCode) {
    let reply = match code {
        ResultCode::Win => ResultCode::Loss,
        ResultCode::Loss => ResultCode::Win,
        ResultCode::ForfeitWin => ResultCode::ForfeitLoss,
        same => same,
    };
    players[first as usize - 1].history.push(Entry::game(round, Number(second), Colour::First, code));
    players[second as usize - 1].history.push(Entry::game(round, Number(first), Colour::Second, reply));
}

fn bye(players: &mut [Player], round: u16, number: u32, code: ResultCode) {
    players[number as usize - 1].history.push(Entry::bye(round, code));
}

fn swiss_table(players: &[Player], rounds: u16, settings: &StandingsSettings) -> Vec<Line> {
    individual::swiss(&Sheet { players, rounds, settings, seed: [0; 32] })
}

fn total(table: &[Line], number: u32) -> String {
    table.iter().find(|it| it.number == Number(number)).expect("he is there").criteria[0].explain()
}

fn place(table: &[Line], number: u32) -> Option<u32> {
    table.iter().find(|it| it.number == Number(number)).expect("he is there").place
}

fn event(players: Vec<Player>, round: u16, rounds: u16) -> Input {
    let mut event = Input::new(round, rounds, players);
    event.settings.first_round = FirstRound::Fold;
    event
}

fn pair(event: &Input) -> Round {
    let round = swiss::pair(event).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((check::round(event, &round), check::audit(event, &round)), (vec![], vec![]));
    round
}

fn pairs(round: &Round) -> Vec<[u32; 2]> {
    round.pairs.iter().map(|it| it.players.map(|it| it.0)).collect()
}

fn free(round: &Round) -> Option<u32> {
    round.out.iter().find(|it| it.code == ResultCode::Pab).map(|it| it.number.0)
}

#[test]
fn of_equal_totals_who_left_comes_after_who_stayed_whatever_the_warnings() {
    // 1.11, 6: 1, who has left, 3 and 4 have a total of 1. 2 has more: his opponent counts as 3.
    let mut all = players(4);
    game(&mut all, 1, 1, 2, ResultCode::Win);
    game(&mut all, 1, 3, 4, ResultCode::Win);
    all[0].states.push(Status::Withdrawn { after_round: 1 });
    all[2].warnings = 5;
    let table = swiss_table(&all, 2, &StandingsSettings::default());
    assert_eq!([1, 2, 3, 4].map(|it| place(&table, it)), [4, 1, 3, 2].map(Some));
}

#[test]
fn the_own_place_of_who_left_is_by_real_points_and_his_opponents_sum_by_adjusted_ones() {
    // 1.10, 6: 1 has left with 2 points of one game, and counts as 4 for 2 after three rounds.
    let mut all = players(4);
    game(&mut all, 1, 1, 2, ResultCode::Win);
    game(&mut all, 1, 3, 4, ResultCode::Win);
    game(&mut all, 2, 3, 2, ResultCode::Draw);
    game(&mut all, 3, 4, 2, ResultCode::Draw);
    all[0].states.push(Status::Withdrawn { after_round: 1 });
    let table = swiss_table(&all, 3, &StandingsSettings::default());
    assert_eq!(total(&table, 1), "P 2, ΣO 2, M 3, R 1: 2 + 2/(3/2) − 1 = 7/3");
    assert_eq!(total(&table, 2), "P 2, ΣO 8, M 3, R 3: 2 + 8/(3/2) − 3 = 13/3");
}

#[test]
fn an_expulsion_is_a_withdrawal_at_that_moment() {
    // 1.10, 8.
    let tables = [Status::Withdrawn { after_round: 1 }, Status::Expelled { after_round: 1 }].map(|state| {
        let mut all = players(4);
        game(&mut all, 1, 1, 2, ResultCode::Win);
        game(&mut all, 1, 3, 4, ResultCode::Win);
        game(&mut all, 2, 3, 2, ResultCode::Win);
        all[0].states.push(state);
        assert!(!all[0].plays_in(2));
        swiss_table(&all, 2, &StandingsSettings::default())
    });
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn a_team_that_leaves_a_round_robin_is_void_or_loses_the_rest_as_a_player_would() {
    // 1.10, 25; 29.2: five teams have five rounds and four matches each.
    let table = |left_after: u16, withdrawal_half| {
        let new = |number| Team {
            number: Number(number),
            states: vec![Status::Active { from_round: 1 }],
            matches: Vec::new(),
        };
        let mut teams: Vec<Team> = (1..=5).map(new).collect();
        // Team 1 wins what it plays, with a game to nothing on each of two boards.
        for round in 2..=left_after + 1 {
            let played = |opponent: u32, code| TeamMatch {
                round,
                opponent: Some(Number(opponent)),
                boards: vec![code; 2],
                bye: None,
            };
            teams[0].matches.push(played(round.into(), ResultCode::Win));
            teams[usize::from(round) - 1].matches.push(played(1, ResultCode::Loss));
        }
        teams[0].states.push(Status::Withdrawn { after_round: left_after + 1 });
        let settings = StandingsSettings { withdrawal_half, ..StandingsSettings::default() };
        let sheet =
            TeamSheet { teams: &teams, rounds: 5, boards: 2, games: 1, settings: &settings, seed: [0; 32] };
        team::round_robin(&sheet, Cycles::Single)
    };
    let of =
        |table: &[Line], number: u32| table.iter().find(|it| it.number == Number(number)).map(|it| it.points);
    // Two of five rounds are fewer than half, and two of four matches are half.
    let void = table(2, WithdrawalHalf::Rounds);
    assert_eq!((place(&void, 1), of(&void, 5)), (None, Some(0)));
    for stands in [table(2, WithdrawalHalf::Games), table(3, WithdrawalHalf::Rounds)] {
        assert!(place(&stands, 1).is_some());
        assert_eq!((of(&stands, 2), of(&stands, 5)), (Some(0), Some(2)));
    }
}

#[test]
fn an_interim_table_counts_the_rounds_so_far() {
    // 1.11, 2: an event of any length, of which one round has been played.
    let mut all = players(2);
    game(&mut all, 1, 1, 2, ResultCode::Win);
    let total = |m_basis, r_basis| {
        let settings = StandingsSettings { m_basis, r_basis, ..StandingsSettings::default() };
        total(&swiss_table(&all, 1, &settings), 1)
    };
    assert_eq!(total(MBasis::Theoretical, RBasis::Literal), "P 2, ΣO 0, M 2, R 1: 2 + 0/1 − 1 = 1");
    assert_eq!(total(MBasis::Actual, RBasis::OwnOpponents), "P 2, ΣO 0, M 2, R 1: 2 + 0/1 − 1 = 1");
}

#[test]
fn the_highest_score_may_be_that_of_one_who_left_and_of_byes() {
    // 1.11, 3.
    let mut all = players(3);
    game(&mut all, 1, 2, 3, ResultCode::Win);
    bye(&mut all, 1, 1, ResultCode::Pab);
    game(&mut all, 2, 1, 2, ResultCode::Win);
    all[0].states.push(Status::Withdrawn { after_round: 2 });
    assert!(total(&swiss_table(&all, 2, &StandingsSettings::default()), 2).contains("M 4"));
    all[0].states.push(Status::Annulled);
    assert!(total(&swiss_table(&all, 2, &StandingsSettings::default()), 2).contains("M 2"));
}

#[test]
fn who_has_no_results_has_no_place_and_shared_places_leave_a_gap() {
    // 1.11, 8.
    let mut all = players(5);
    game(&mut all, 1, 1, 2, ResultCode::Draw);
    game(&mut all, 1, 3, 4, ResultCode::Draw);
    all[3].warnings = 1;
    let table = swiss_table(&all, 1, &StandingsSettings::default());
    assert_eq!([1, 2, 3, 4].map(|it| place(&table, it)), [1, 1, 1, 4].map(Some));
    assert_eq!(place(&table, 5), None);
}

#[test]
fn adjourned_and_annulled_games_and_replays_are_met_and_only_the_first_counts_as_a_draw() {
    // 1.11, 9 and 12.
    for (code, points) in
        [(ResultCode::Adjourned, 1), (ResultCode::ReplayOrdered, 0), (ResultCode::Annulled, 0)]
    {
        let mut all = players(4);
        game(&mut all, 1, 1, 3, code);
        game(&mut all, 1, 2, 4, ResultCode::Win);
        let round = pair(&event(all.clone(), 2, 3));
        assert!(!pairs(&round).contains(&[1, 3]), "{code:?} is not met");
        assert_eq!((code.pairing_points(2), code.points(2)), (points, 0));
        assert_eq!(
            round.pools.iter().map(|it| it.members.len() - it.from_above as usize).collect::<Vec<_>>(),
            match points {
                1 => vec![1, 2, 1],
                _ => vec![1, 3],
            }
        );
    }
}

#[test]
fn of_equal_scores_who_has_played_more_games_is_free_and_forfeits_are_games() {
    // 1.3, S1; 1.11, 12: 4 and 5 have nothing. 4 has lost by forfeit, 5 was away.
    let mut all = players(5);
    game(&mut all, 1, 1, 2, ResultCode::Draw);
    all[2].history.push(Entry::game(1, Number(4), Colour::First, ResultCode::ForfeitWin));
    all[3].history.push(Entry {
        reason: Reason::Late,
        ..Entry::game(1, Number(3), Colour::Second, ResultCode::ForfeitLoss)
    });
    bye(&mut all, 1, 5, ResultCode::ByeZero);
    assert_eq!(free(&pair(&event(all, 2, 3))), Some(4));
}

#[test]
fn a_half_bye_is_a_downfloat_only_where_the_event_says_so() {
    // 1.11, 13: of 1 to 5, who have a point each, one goes down: 5, or, where his bye was a float, 4.
    let left_over = |half_bye_is_downfloat| {
        let mut all = players(6);
        game(&mut all, 1, 1, 3, ResultCode::Draw);
        game(&mut all, 1, 2, 4, ResultCode::Draw);
        bye(&mut all, 1, 5, ResultCode::ByeHalf);
        bye(&mut all, 1, 6, ResultCode::ByeZero);
        let mut event = event(all, 2, 4);
        event.settings.half_bye_is_downfloat = half_bye_is_downfloat;
        pair(&event).pools[0].left_over.iter().map(|it| it.0).collect::<Vec<_>>()
    };
    assert_eq!((left_over(false), left_over(true)), (vec![5], vec![4]));
}

#[test]
fn a_pairing_bye_is_a_downfloat_that_is_not_repeated() {
    // 1.11, 13.
    let mut all = players(5);
    game(&mut all, 1, 1, 3, ResultCode::Win);
    game(&mut all, 1, 2, 4, ResultCode::Win);
    bye(&mut all, 1, 5, ResultCode::Pab);
    let round = pair(&event(all, 2, 4));
    // 5 is the lowest of those with two points and has just been down.
    assert_eq!(round.pools[0].left_over, [Number(2)]);
}

#[test]
fn the_rank_inside_a_group_is_the_number_and_not_the_rating() {
    // 1.11, 15.
    let mut all = players(4);
    for (player, rating) in all.iter_mut().zip([1000, 2000, 3000, 4000]) {
        player.rating = Some(rating);
    }
    assert_eq!(pairs(&pair(&event(all, 1, 3))), [[1, 3], [2, 4]]);
}

#[test]
fn the_difference_goes_before_two_equal_colours_running() {
    // 1.11, 14.
    let history = |number: u32, colours: &str| {
        let mut player = Player::new(number);
        player.history = (1..)
            .zip(colours.chars())
            .map(|(round, it)| {
                let colour = if it == 'W' { Colour::First } else { Colour::Second };
                Entry::game(round, Number(3 - number), colour, ResultCode::Draw)
            })
            .collect();
        player
    };
    let colour = |one: &str, other: &str| {
        let mut event = event(vec![history(1, one), history(2, other)], 9, 20);
        event.settings.relaxed = pairing::Relaxed::Rematches;
        pair(&event).pairs[0].colour
    };
    // Two more white and the last two black: absolutely black all the same.
    assert_eq!(colour("WWWWBB", "WBWBWB"), Some(Colour::Second));
    // As many of each, the last two black: absolutely white, before a mild wish for white.
    assert_eq!(colour("WWBWBB", "BWBWWB"), Some(Colour::First));
    assert_eq!(colour("BWWBWB", "WWBWBB"), Some(Colour::Second));
}

/// Two of these histories of colours, who have met nobody but people who have left, before a round; both drew every game
/// but so many of the first's, which he won.
fn two_by_colours(histories: [&str; 2], won: usize, is_last: bool) -> Input {
    let round = u16::try_from(histories[0].len()).expect("it is short") + 1;
    let mut all = players(2);
    for (number, history) in (1..).zip(histories) {
        for (round, had) in (1..).zip(history.chars()) {
            let other = Number(u32::from(round) * 10 + number);
            let code =
                if number == 1 && usize::from(round) <= won { ResultCode::Win } else { ResultCode::Draw };
            let reply = if code == ResultCode::Win { ResultCode::Loss } else { ResultCode::Draw };
            let own = &mut all[number as usize - 1].history;
            let colour = match had {
                'W' => Colour::First,
                'B' => Colour::Second,
                _ => {
                    own.push(Entry::bye(round, ResultCode::ByeHalf));
                    continue;
                }
            };
            own.push(Entry::game(round, other, colour, code));
            let mut gone = Player::new(other.0);
            gone.history = vec![Entry::game(round, Number(number), colour.opposite(), reply)];
            gone.states.push(Status::Withdrawn { after_round: round });
            all.push(gone);
        }
    }
    all.sort_by_key(|player| player.number);
    event(all, round, if is_last { round } else { round + 9 })
}

/// Whether the two may meet, of which the pairing and the checker say the same.
fn may_meet(event: &Input) -> bool {
    let faults = check::laws(event, &[[Number(1), Number(2)]], &[]);
    let made = swiss::pair(event).map_err(|error| error.reason());
    match &faults[..] {
        [] => assert!(made.is_ok(), "{made:?}"),
        faults => {
            assert_eq!(faults, [check::Fault::AbsoluteColours(Number(1), Number(2))]);
            assert_eq!(made, Err("no_legal_pairing"));
        }
    }
    faults.is_empty()
}

#[test]
fn two_equal_colours_running_go_before_a_difference_of_one() {
    // 1.11, 14: one white more, which alone would be a strong need of black, and the last two black: absolutely white.
    let mut event = two_by_colours(["WWBWWBB", "BWBWBWB"], 0, false);
    let mut round = pair(&event);
    assert_eq!(round.pairs[0].colour, Some(Colour::First), "before a strong need of white");
    round.pairs[0].colour = Some(Colour::Second);
    assert_eq!(check::round(&event, &round), [check::Fault::Colours(1)]);
    event = two_by_colours(["WWBWWBB", "WBWBWBB"], 0, false);
    assert!(!may_meet(&event), "both must have white");
    event = two_by_colours(["WWBWWBB", "WBWBWBW"], 0, false);
    assert_eq!(pair(&event).pairs[0].colour, Some(Colour::First), "and the other black");
}

#[test]
fn rounds_without_colour_are_skipped_where_two_run_on() {
    // 1.11, 14.
    assert!(!may_meet(&two_by_colours(["W-W", "W-W"], 0, false)));
    // Here the difference is one, and only the last two colours make it absolute.
    assert!(!may_meet(&two_by_colours(["BW-W", "BW-W"], 0, false)));
    assert!(may_meet(&two_by_colours(["BW-W", "WB-W"], 0, false)));
}

#[test]
fn half_of_the_points_is_not_above_half() {
    // 1.3, H3; 1.11, 14: points of more than one a round lift it in the last round.
    assert!(!may_meet(&two_by_colours(["WW", "WW"], 0, true)), "two points of two rounds");
    assert!(may_meet(&two_by_colours(["WW", "WW"], 1, true)), "three of two rounds");
    assert!(!may_meet(&two_by_colours(["WW", "WW"], 1, false)), "not the last");
}

#[test]
fn of_two_absolute_needs_the_larger_difference_goes_first() {
    // 1.4, (3): both must have black; three more white go before one more. By the last round with different colours, the
    // fourth, it would be the other way round.
    let mut event = two_by_colours(["WWWBW", "BWBWW"], 0, false);
    event.settings.relaxed = pairing::Relaxed::AbsoluteColours;
    let mut round = pair(&event);
    assert_eq!(round.pairs[0].colour, Some(Colour::Second));
    round.pairs[0].colour = Some(Colour::First);
    assert_eq!(check::round(&event, &round), [check::Fault::Colours(1)]);
}

#[test]
fn in_jirige_the_lower_of_two_odd_numbers_follows_its_parity() {
    // 1.10, 13: fold pairing makes 1–5 of eight, both odd.
    let mut event = event(players(8), 1, 5);
    event.settings.colours = ColourLaw::Parity;
    for made in pair(&event).pairs {
        let (_, black) = made.by_colour().expect("colours are given");
        let lower = made.players[0].min(made.players[1]);
        assert_eq!(black == lower, lower.0 % 2 == 1, "{:?}", made.players);
    }
}

#[test]
fn in_jirige_who_has_no_history_takes_what_the_other_is_not_due() {
    // 1.11, 17.
    for (had, due) in [(Colour::First, Colour::Second), (Colour::Second, Colour::First)] {
        let mut all = players(4);
        for (number, opponent) in [(1, 2), (2, 1)] {
            let colour = if number == 1 { had } else { had.opposite() };
            all[number - 1].history.push(Entry::game(1, Number(opponent), colour, ResultCode::Draw));
        }
        for player in &mut all[2..] {
            player.states = vec![Status::Active { from_round: 2 }];
        }
        let mut event = event(all, 2, 5);
        event.settings.colours = ColourLaw::Parity;
        let round = pair(&event);
        let of_one = round.pairs.iter().find(|it| it.players.contains(&Number(1))).expect("1 is paired");
        let (first, _) = of_one.by_colour().expect("colours are given");
        assert_eq!(if first == Number(1) { Colour::First } else { Colour::Second }, due);
    }
}
