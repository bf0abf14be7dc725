//! Swiss rounds, one rule at a time.

use core::ops::ControlFlow;

use pairing::{
    Acceleration, Colour, ColourLaw, Entry, FirstRound, Number, Player, Relaxed, ResultCode, Status, check,
    swiss::{self, Input, PairingError, Prohibited, Round, Why},
};

/// An event of so many players before a round, by fold.
fn event(players: u32, round: u16, rounds: u16) -> Input {
    let mut event = Input::new(round, rounds, (1..=players).map(Player::new).collect());
    event.settings.first_round = FirstRound::Fold;
    event
}

fn player(event: &mut Input, number: u32) -> &mut Player {
    event.players.iter_mut().find(|player| player.number == Number(number)).expect("he is there")
}

/// The first of the two has the first colour; `score` is his.
fn game(event: &mut Input, round: u16, first: u32, second: u32, score: u32) {
    let codes = [ResultCode::Loss, ResultCode::Draw, ResultCode::Win];
    let (code, reply) = (codes[score as usize], codes[2 - score as usize]);
    player(event, first).history.push(Entry::game(round, Number(second), Colour::First, code));
    player(event, second).history.push(Entry::game(round, Number(first), Colour::Second, reply));
}

fn bye(event: &mut Input, round: u16, number: u32, code: ResultCode) {
    player(event, number).history.push(Entry::bye(round, code));
}

/// Pairs, and lets the checker look at it.
fn pair(event: &Input) -> Round {
    let round = swiss::pair(event).expect("it can be paired");
    assert_eq!(check::round(event, &round), []);
    assert_eq!(check::audit(event, &round), []);
    round
}

fn pairs(round: &Round) -> Vec<[u32; 2]> {
    round.pairs.iter().map(|pair| pair.players.map(|it| it.0)).collect()
}

fn out(round: &Round) -> Vec<(u32, ResultCode)> {
    round.out.iter().map(|out| (out.number.0, out.code)).collect()
}

#[test]
fn winners_meet_winners_by_fold() {
    let mut event = event(8, 2, 3);
    for (first, second) in [(1, 5), (2, 6), (3, 7), (4, 8)] {
        game(&mut event, 1, first, second, 2);
    }
    let round = pair(&event);
    assert_eq!(pairs(&round), [[1, 3], [2, 4], [5, 7], [6, 8]]);
    assert_eq!(round.pools.len(), 2);
}

#[test]
fn the_lowest_of_an_odd_pool_floats() {
    let mut event = event(6, 2, 3);
    game(&mut event, 1, 1, 4, 2);
    game(&mut event, 1, 5, 2, 0);
    game(&mut event, 1, 3, 6, 2);
    let round = pair(&event);
    assert_eq!(round.pools[0].left_over, [Number(3)]);
    assert_eq!((round.pools[0].tiers.left_over, round.pools[1].from_above), (1, 1));
}

#[test]
fn a_bye_is_given_once_and_not_after_a_forfeit_win() {
    let mut event = event(5, 3, 3);
    game(&mut event, 1, 1, 3, 2);
    game(&mut event, 1, 2, 4, 2);
    bye(&mut event, 1, 5, ResultCode::Pab);
    game(&mut event, 2, 5, 1, 0);
    game(&mut event, 2, 3, 2, 0);
    player(&mut event, 4).history.push(Entry::bye(2, ResultCode::ForfeitWin));
    // Number 3 has no point and neither bye nor forfeit win.
    assert_eq!(out(&pair(&event)), [(3, ResultCode::Pab)]);
}

#[test]
fn a_full_bye_bars_the_pairing_bye_and_a_half_bye_does_not() {
    let made = |code: ResultCode| {
        let mut event = event(3, 2, 2);
        bye(&mut event, 1, 1, ResultCode::Pab);
        bye(&mut event, 1, 2, ResultCode::ForfeitWin);
        bye(&mut event, 1, 3, code);
        swiss::pair(&event).map(|round| out(&round)).map_err(|error| error.reason())
    };
    assert_eq!(made(ResultCode::ByeHalf), Ok(vec![(3, ResultCode::Pab)]));
    assert_eq!(made(ResultCode::ByeFull), Err("no_bye"));
}

#[test]
fn who_asked_for_a_bye_or_is_away_is_not_paired() {
    let mut event = event(7, 1, 3);
    player(&mut event, 2).states.push(Status::Bye { round: 1, code: ResultCode::ByeHalf });
    player(&mut event, 3).states.push(Status::Absent { round: 1 });
    player(&mut event, 4).states.push(Status::Withdrawn { after_round: 0 });
    player(&mut event, 5).states = vec![Status::Active { from_round: 2 }];
    let round = pair(&event);
    let free = [(2, ResultCode::ByeHalf), (3, ResultCode::ByeZero), (7, ResultCode::Pab)];
    assert_eq!((out(&round).as_slice(), pairs(&round)), (free.as_slice(), vec![[1, 6]]));
}

#[test]
fn a_bye_of_the_round_to_come_does_not_mean_that_it_was_played() {
    let mut event = event(4, 2, 3);
    game(&mut event, 1, 1, 3, 2);
    game(&mut event, 1, 4, 2, 0);
    player(&mut event, 4).states.push(Status::Bye { round: 2, code: ResultCode::ByeFull });
    let round = pair(&event);
    assert_eq!((round.pairs.len(), round.out.len()), (1, 2));
}

#[test]
fn nobody_is_left_where_everybody_withdrew() {
    let mut event = event(4, 2, 3);
    event.players.iter_mut().for_each(|player| player.states.push(Status::Withdrawn { after_round: 1 }));
    assert_eq!(swiss::pair(&event), Err(PairingError::TooFewPlayers(0)));
}

#[test]
fn a_forfeited_game_is_not_met_and_has_no_colour() {
    let mut event = event(2, 2, 2);
    for (number, code) in [(1, ResultCode::ForfeitWin), (2, ResultCode::ForfeitLoss)] {
        let mut entry = Entry::game(1, Number(3 - number), Colour::First, code);
        entry.played = None;
        player(&mut event, number).history.push(entry);
    }
    assert_eq!(pairs(&pair(&event)), [[1, 2]]);
}

#[test]
fn who_has_met_all_blocks_the_round_and_is_named() {
    let mut event = event(4, 4, 4);
    for (round, other) in [(1, 2), (2, 3), (3, 4)] {
        game(&mut event, round, 1, other, 1);
    }
    let Err(PairingError::NoLegalPairing(blocking)) = swiss::pair(&event) else {
        panic!("it was paired");
    };
    assert!(blocking.players.contains(&Number(1)) && blocking.left_over == 2, "{blocking:?}");
    event.settings.relaxed = Relaxed::SecondByes;
    assert_eq!(swiss::pair(&event).unwrap_err().reason(), "no_legal_pairing");
    event.settings.relaxed = Relaxed::Rematches;
    assert_eq!(pair(&event).pairs.len(), 2);
}

#[test]
fn a_legal_pairing_is_found_where_greed_repeats_an_opponent() {
    // 1-2 and 3-4 look best, and leave 5 and 6, who have met.
    let mut event = event(6, 2, 3);
    game(&mut event, 1, 5, 6, 1);
    bye(&mut event, 1, 1, ResultCode::ByeHalf);
    bye(&mut event, 1, 2, ResultCode::ByeHalf);
    bye(&mut event, 1, 3, ResultCode::ByeHalf);
    bye(&mut event, 1, 4, ResultCode::ByeHalf);
    assert!(!pairs(&pair(&event)).contains(&[5, 6]));
}

#[test]
fn prohibited_pairs_hold_for_their_rounds() {
    let mut event = event(4, 1, 4);
    event.prohibited.push(Prohibited { a: Number(3), b: Number(1), from_round: 1, to_round: 1 });
    let round = pair(&event);
    assert!(!pairs(&round).contains(&[1, 3]));
    assert_eq!((round.pairs[0].reasons[0].not, round.pairs[0].reasons[0].why), (Number(3), Why::Prohibited));
    event.prohibited[0].from_round = 2;
    event.prohibited[0].to_round = 2;
    assert_eq!(pairs(&pair(&event)), [[1, 3], [2, 4]]);
}

#[test]
fn clubs_are_kept_apart_in_early_rounds() {
    let mut event = event(4, 1, 4);
    player(&mut event, 1).affiliations = vec![8, 9];
    player(&mut event, 3).affiliations = vec![9];
    assert!(!pairs(&pair(&event)).contains(&[1, 3]));
    event.settings.apart_rounds = 0;
    assert_eq!(pairs(&pair(&event)), [[1, 3], [2, 4]]);
}

#[test]
fn reasons_say_when_two_have_met() {
    let mut event = event(4, 2, 3);
    game(&mut event, 1, 1, 3, 1);
    game(&mut event, 1, 2, 4, 1);
    let round = pair(&event);
    assert_eq!(round.pairs[0].reasons[0].to_string(), "not 3: met in round 1");
}

/// Somebody has drawn in each round so far with a stranger who has left since: with these colours, and the stranger with so
/// many points more.
fn strangers(event: &mut Input, number: u32, colours: &[Colour], more: u32) {
    for (round, colour) in (1..).zip(colours) {
        let mut stranger = Player::new(100 * u32::from(round) + number);
        stranger.start = more;
        stranger.history = vec![Entry::game(round, Number(number), colour.opposite(), ResultCode::Draw)];
        stranger.states.push(Status::Withdrawn { after_round: round });
        player(event, number).history.push(Entry::game(round, stranger.number, *colour, ResultCode::Draw));
        event.players.push(stranger);
    }
    event.players.sort_by_key(|player| player.number);
}

/// Why the first did not meet whom the fold would have had him meet, in an event that is made so.
fn why_not(players: u32, round: u16, prepare: impl Fn(&mut Input)) -> (Number, Why, String) {
    let mut event = event(players, round, 9);
    prepare(&mut event);
    let round = pair(&event);
    let of_first = round.pairs.iter().find(|it| it.players[0] == Number(1)).expect("he is paired");
    let reason = of_first.reasons.first().expect("there is a reason");
    (reason.not, reason.why, reason.to_string())
}

#[test]
fn each_reason_why_two_did_not_meet_is_told() {
    use Colour::{First, Second};
    let colours = |of: [&'static [Colour]; 4]| {
        move |event: &mut Input| (1..).zip(of).for_each(|(number, had)| strangers(event, number, had, 0))
    };
    let told = [
        (
            why_not(4, 2, |it| [[1, 3], [2, 4]].into_iter().for_each(|[a, b]| game(it, 1, a, b, 1))),
            Why::Met { round: 1 },
            "met in round 1",
        ),
        (
            why_not(4, 3, colours([&[First; 2], &[First, Second], &[First; 2], &[Second, First]])),
            Why::AbsoluteColours,
            "both must have the same colour",
        ),
        (
            why_not(4, 1, |it| {
                it.prohibited.push(Prohibited { a: Number(3), b: Number(1), from_round: 1, to_round: 1 });
            }),
            Why::Prohibited,
            "they must not meet",
        ),
        (
            why_not(4, 1, |it| [1, 3].into_iter().for_each(|who| player(it, who).affiliations = vec![8])),
            Why::SameAffiliation,
            "of the same club or federation",
        ),
        // 1 comes from above, and 3 has just met somebody from above.
        (
            why_not(4, 2, |it| {
                it.settings.colours = ColourLaw::Open;
                player(it, 1).start = 9;
                strangers(it, 3, &[First], 5);
                for who in [2, 4] {
                    bye(it, 1, who, ResultCode::ByeHalf);
                }
            }),
            Why::RepeatedFloat,
            "a float would be repeated",
        ),
        (
            why_not(4, 2, colours([&[First], &[Second], &[First], &[Second]])),
            Why::Colours,
            "both are due the same colour",
        ),
        // 2 and 4 have met: 1 and 3 could meet, and would leave those two over.
        (
            why_not(4, 2, |it| {
                it.settings.colours = ColourLaw::Open;
                game(it, 1, 2, 4, 1);
                for who in [1, 3] {
                    bye(it, 1, who, ResultCode::ByeHalf);
                }
            }),
            Why::Pool,
            "the whole pool is better so",
        ),
    ];
    for ((not, why, text), expected, words) in told {
        assert_eq!((not, why, text), (Number(3), expected, format!("not 3: {words}")));
    }
    // 5 has met all who have no points either, and has to meet one of 1 to 4, who have them; so has another. Of ten the fold
    // would have 1 meet 6, who has none; he meets one who has as many as he.
    let gap = why_not(10, 6, |it| {
        it.settings.colours = ColourLaw::Open;
        (1..=4).for_each(|who| player(it, who).start = 10);
        for (round, other) in (1..).zip(6..=10) {
            for (one, two) in [(5, other), (other, 5)] {
                let void = Entry::game(round, Number(two), First, ResultCode::Annulled);
                player(it, one).history.push(void);
            }
        }
    });
    assert_eq!(gap, (Number(6), Why::Gap, "not 6: further apart in points".to_owned()));
}

#[test]
fn absolute_colours_do_not_meet_unless_in_the_last_round_in_front() {
    let mut event = event(4, 3, 4);
    for (round, first, second) in [(1, 1, 3), (1, 2, 4), (2, 1, 4), (2, 2, 3)] {
        game(&mut event, round, first, second, 2);
    }
    // 1 and 2 have had the first colour twice; each has met 3 and 4.
    let Err(PairingError::NoLegalPairing(blocking)) = swiss::pair(&event) else {
        panic!("it was paired");
    };
    assert_eq!(blocking.left_over, 4);
    event.rounds = 3;
    // In the last round 1 and 2, who have all the points, may meet, and 3 and 4, who have none, may not.
    assert_eq!(swiss::pair(&event).unwrap_err().reason(), "no_legal_pairing");
    event.settings.relaxed = Relaxed::AbsoluteColours;
    let round = pair(&event);
    assert_eq!(pairs(&round), [[1, 2], [3, 4]]);
}

#[test]
fn the_stronger_need_gets_its_colour() {
    let mut event = event(2, 4, 5);
    event.settings.relaxed = Relaxed::Rematches;
    let mut colours = |number: u32, colours: [Colour; 3]| {
        for (round, colour) in (1..).zip(colours) {
            let entry = Entry::game(round, Number(3 - number), colour, ResultCode::Draw);
            player(&mut event, number).history.push(entry);
        }
    };
    // Both are due the second colour: 1 strongly, 2 absolutely.
    colours(1, [Colour::First, Colour::Second, Colour::First]);
    colours(2, [Colour::Second, Colour::First, Colour::First]);
    assert_eq!(pair(&event).pairs[0].by_colour(), Some((Number(1), Number(2))));
}

#[test]
fn equal_needs_alternate_from_the_last_difference() {
    use Colour::{First, Second};
    let mut event = event(2, 5, 5);
    event.settings.relaxed = Relaxed::Rematches;
    let histories = [[Second, First, First, Second], [First, Second, First, Second]];
    for (number, history) in (1..).zip(histories) {
        for (round, colour) in (1..).zip(history) {
            let entry = Entry::game(round, Number(3 - number), colour, ResultCode::Draw);
            player(&mut event, number).history.push(entry);
        }
    }
    // Both are due the first colour mildly. They differed last in round 2, where 1 had it.
    assert_eq!(pair(&event).pairs[0].by_colour(), Some((Number(2), Number(1))));
    for number in [1, 2] {
        player(&mut event, number).history.drain(..2);
    }
    // Now they never differed: the higher ranked player has his wish.
    assert_eq!(pair(&event).pairs[0].by_colour(), Some((Number(1), Number(2))));
}

#[test]
fn jirige_begins_by_parity_alternates_and_ends_by_lot() {
    let mut event = event(8, 1, 3);
    event.settings.colours = ColourLaw::Parity;
    event.settings.first_round = FirstRound::OddEven;
    let first = pair(&event);
    assert_eq!(pairs(&first), [[1, 2], [3, 4], [5, 6], [7, 8]]);
    for pair in &first.pairs {
        let (_, black) = pair.by_colour().unwrap();
        assert_eq!(black.0 % 2, 1, "odd numbers have black, which moves second");
    }
    for pair in &first.pairs {
        let (first, second) = pair.by_colour().unwrap();
        game(&mut event, 1, first.0, second.0, 2);
    }
    event.round = 2;
    for made in &pair(&event).pairs {
        let (first, second) = made.by_colour().unwrap();
        // Both of a pair are due the same, which the lower number gets: winners had the first colour, losers the second.
        assert_eq!(first < second, made.pool == 1);
    }
    event.round = 3;
    event.settings.relaxed = Relaxed::Rematches;
    let coins: Vec<Option<Colour>> = pair(&event).pairs.iter().map(|pair| pair.colour).collect();
    let by_lot =
        |table| if pairing::lots::coin(&event.seed, 3, table) { Colour::First } else { Colour::Second };
    // The coin is for the lower number, which is the higher rank in a score group.
    assert_eq!(coins, [1, 2, 3, 4].map(|table| Some(by_lot(table))));
}

#[test]
fn jirige_keeps_its_row_even_for_a_third_equal_colour() {
    // Black is the second colour. 1 had B W B, 2 had W B B; both are due white, both had it once.
    let histories = [[1, 0, 1], [0, 1, 1]];
    let mut event = event(2, 4, 9);
    event.settings.colours = ColourLaw::Parity;
    event.settings.relaxed = Relaxed::Rematches;
    for (number, history) in (1..).zip(histories) {
        for (round, black) in (1..).zip(history) {
            let colour = if black == 1 { Colour::Second } else { Colour::First };
            let entry = Entry::game(round, Number(3 - number), colour, ResultCode::Draw);
            player(&mut event, number).history.push(entry);
        }
    }
    assert_eq!(pair(&event).pairs[0].by_colour(), Some((Number(1), Number(2))));
    event.settings.absolute_first = true;
    assert_eq!(pair(&event).pairs[0].by_colour(), Some((Number(2), Number(1))));
}

#[test]
fn odd_and_even_are_paired_as_far_as_they_go() {
    let mut event = event(8, 1, 3);
    event.settings.first_round = FirstRound::OddEven;
    player(&mut event, 2).states.push(Status::Absent { round: 1 });
    player(&mut event, 4).states.push(Status::Absent { round: 1 });
    let round = pair(&event);
    assert_eq!(round.pools[0].tiers.same_parity, 1);
}

#[test]
fn tianyi_is_paired_without_colours() {
    let mut event = event(4, 1, 3);
    event.settings.colours = ColourLaw::Open;
    assert!(pair(&event).pairs.iter().all(|pair| pair.colour.is_none() && pair.by_colour().is_none()));
}

#[test]
fn later_rounds_read_the_colour_that_was_assigned() {
    let mut event = event(2, 2, 2);
    event.settings.relaxed = Relaxed::Rematches;
    game(&mut event, 1, 1, 2, 1);
    let before = pair(&event).pairs[0].colour;
    player(&mut event, 1).history[0].played = Some(Colour::Second);
    player(&mut event, 2).history[0].played = Some(Colour::First);
    assert_eq!((pair(&event).pairs[0].colour, before), (Some(Colour::Second), Some(Colour::Second)));
}

#[test]
fn the_draw_of_the_first_round_follows_the_seed() {
    let mut event = event(16, 1, 4);
    event.settings.first_round = FirstRound::Draw;
    let one = pair(&event);
    event.seed = [1; 32];
    let other = pair(&event);
    assert_ne!(pairs(&one), pairs(&other));
    assert_ne!(one.input_hash, other.input_hash);
    assert_eq!(one.pools[0].tiers.fold, 0);
}

#[test]
fn acceleration_lets_the_upper_half_meet() {
    let mut event = event(8, 1, 8);
    event.settings.acceleration = Acceleration::Baku;
    let round = pair(&event);
    assert_eq!(pairs(&round), [[1, 3], [2, 4], [5, 7], [6, 8]]);
    for made in round.pairs {
        let [a, b] = made.players.map(|it| it.0);
        game(&mut event, 1, a, b, 1);
    }
    event.round = 5;
    assert_eq!(pair(&event).pools.len(), 1);
}

#[test]
fn a_long_computation_can_be_watched_and_stopped() {
    let event = event(8, 1, 3);
    let mut told = Vec::new();
    swiss::pair_watched(&event, &mut |progress| {
        told.push((progress.placed, progress.players));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(told, [(0, 8)]);
    assert_eq!(swiss::pair_watched(&event, &mut |_| ControlFlow::Break(())), Err(PairingError::Stopped));
}

#[test]
fn nonsense_is_refused_with_its_reason() {
    let mut twice = event(3, 1, 3);
    twice.players.push(Player::new(3));
    let mut future = event(4, 1, 3);
    game(&mut future, 1, 1, 2, 2);
    let mut stranger = event(4, 2, 3);
    player(&mut stranger, 1).history.push(Entry::game(1, Number(9), Colour::First, ResultCode::Win));
    let mut himself = event(4, 2, 3);
    player(&mut himself, 1).history.push(Entry::game(1, Number(1), Colour::First, ResultCode::Win));
    let mut one_sided = event(4, 2, 3);
    player(&mut one_sided, 1).history.push(Entry::game(1, Number(2), Colour::First, ResultCode::Win));
    let reason = |event: &Input| swiss::pair(event).unwrap_err().reason();
    assert_eq!(
        [&twice, &future, &stranger, &himself].map(reason),
        ["unordered", "history", "history", "history"]
    );
    assert_eq!(reason(&event(4, 5, 3)), "no_such_round");
}

#[test]
fn points_beyond_all_reason_are_refused() {
    let mut rich = event(4, 1, 3);
    rich.players[2].start = swiss::START_MAX + 1;
    assert_eq!(swiss::pair(&rich), Err(PairingError::Points(Number(3))));
    rich.players[2].start = swiss::START_MAX;
    assert_eq!(pairs(&pair(&rich)).len(), 2);
    let mut generous = event(4, 1, 3);
    generous.settings.pab_points = 3;
    assert_eq!(swiss::pair(&generous).unwrap_err().reason(), "points");
}

#[test]
fn rematches_are_few_where_they_are_lifted() {
    let mut event = event(4, 2, 3);
    game(&mut event, 1, 1, 3, 1);
    game(&mut event, 1, 2, 4, 1);
    event.settings.relaxed = Relaxed::Rematches;
    // The fold would have 1 meet 3 again.
    let round = pair(&event);
    assert_eq!((pairs(&round), round.pools[0].tiers.rematches), (vec![[1, 4], [2, 3]], 0));
    for (round, first, second) in [(2, 1, 4), (2, 2, 3), (3, 1, 2), (3, 3, 4)] {
        game(&mut event, round, first, second, 1);
    }
    (event.round, event.rounds) = (4, 4);
    assert_eq!(pair(&event).pools[0].tiers.rematches, 2);
}

#[test]
fn a_late_entrant_is_paired_when_he_comes() {
    let mut event = event(3, 2, 3);
    game(&mut event, 1, 1, 2, 2);
    player(&mut event, 3).states = vec![Status::Active { from_round: 2 }];
    let mut more = event.clone();
    more.players.push(Player::new(4));
    more.players[3].states = vec![Status::Active { from_round: 2 }];
    assert_eq!(pairs(&pair(&more)).len(), 2);
}
