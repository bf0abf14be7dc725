//! Lists by example, and the laws that every list keeps.

use proptest::{collection::vec, prelude::*};

use super::*;
use crate::{Digest, EventGames, Expectation, Game, Imported, KRule, Policy, Start};

fn id(number: u8) -> Id {
    [number; 16]
}

/// An input of games, each between two with the half points of the first.
fn input(system: System, games: &[(u8, u8, u8)]) -> ListInput {
    let mut input = ListInput::new(1, 2_461_000, Policy { system, listed_from: 0 });
    let score = |halves: u8| [Score::Loss, Score::Draw, Score::Win][usize::from(halves)];
    let game = |(table, (one, other, halves)): (u32, &(u8, u8, u8))| Game {
        round: 1,
        table,
        players: [id(*one), id(*other)],
        scores: [score(*halves), score(2 - *halves)],
    };
    let mut members: Vec<u8> = games.iter().flat_map(|game| [game.0, game.1]).collect();
    members.sort_unstable();
    members.dedup();
    input.players = members.iter().map(|member| Player { member: id(*member), grade: None }).collect();
    input.events =
        vec![EventGames { event: id(200), sequence: 1, games: (1..).zip(games).map(game).collect() }];
    input
}

fn import(input: &mut ListInput, ratings: &[(u8, i32)]) {
    for (member, rating) in ratings {
        let row = Imported { member: id(*member), rating: Points::whole(*rating), games: 50, day: 2_460_000 };
        input.imported.push(row);
        if !input.players.iter().any(|player| player.member == id(*member)) {
            input.players.push(Player { member: id(*member), grade: None });
        }
    }
    input.order();
}

fn points(list: &List, member: u8) -> Option<i32> {
    Some(list.find(&id(member))?.rating?.points.0)
}

fn started() -> Elo {
    let start = Start { by_grade: Vec::new(), otherwise: 1500 };
    Elo { first: First::Start(start), ..Elo::default() }
}

/// The list that follows one, with other games.
fn after(list: &List, system: System, games: &[(u8, u8, u8)]) -> ListInput {
    let mut next = input(system, games);
    (next.number, next.day, next.before) = (list.number + 1, list.day + 30, Some(digest(list)));
    next
}

fn digest(list: &List) -> Digest {
    bytes::digest_of_list(list)
}

#[test]
fn a_list_by_fide_s_tables() {
    let mut first = input(System::Elo(Elo::default()), &[(1, 2, 2), (1, 3, 1), (3, 4, 2), (5, 1, 2)]);
    import(&mut first, &[(1, 2000), (2, 2100), (3, 1800), (4, 2500)]);
    let list = compute(&first, None).expect("a list");
    // Of 1, who has played 50 games, K is 20: he wins where 0.36 was expected, and draws where 0.76 was. That he lost to 5
    // counts for 5 alone, who has no rating yet.
    assert_eq!(points(&list, 1), Some(200_000 + 20 * (64 - 26)));
    assert_eq!(points(&list, 2), Some(210_000 - 20 * 64));
    assert_eq!(points(&list, 5), None);
    let fifth = list.find(&id(5)).expect("there");
    assert_eq!(
        (fifth.evidence, fifth.games, fifth.place),
        (Evidence { games: 1, halves: 2, opponents: 2000 }, 1, None)
    );
    assert_eq!((fifth.provisional, list.find(&id(1)).map(|it| it.provisional)), (true, Some(false)));
    // 1800 against 2500 counts as 400 apart: 0.92 was expected of the other one.
    assert_eq!(points(&list, 4), Some(250_000 - 10 * 92));
    let places: Vec<(u8, Option<u32>)> = list.ranked().iter().map(|it| (it.member[0], it.place)).collect();
    assert_eq!(places, [(4, Some(1)), (2, Some(2)), (1, Some(3)), (3, Some(4))]);
}

#[test]
fn first_games_of_several_lists_add_up() {
    let system = || System::Elo(Elo::default());
    let mut first = input(system(), &[(9, 1, 2), (9, 2, 1)]);
    import(&mut first, &[(1, 1600), (2, 1700)]);
    let first = compute(&first, None).expect("a list");
    let second = after(&first, system(), &[(9, 1, 2), (9, 2, 1), (1, 9, 0)]);
    let second = compute(&second, Some(&first)).expect("a list");
    assert_eq!(points(&first, 9), None);
    let ninth = second.find(&id(9)).expect("there");
    assert_eq!((ninth.games, ninth.new_games, ninth.change), (5, 3, 0));
    // 1600, 1700, 1600, 1700, 1600 and two of 1800: 1686, with 5 of 7, which is 71 hundredths: 158 more.
    assert_eq!(points(&second, 9), Some(100 * (1686 + 158)));
}

#[test]
fn doubles_are_one_person() {
    let system = || System::Elo(started());
    let first = compute(&input(system(), &[(1, 2, 2), (1, 2, 2), (3, 2, 0)]), None).expect("a list");
    let mut next = after(&first, system(), &[(1, 2, 2), (1, 3, 2)]);
    next.merged = vec![(id(3), id(1))];
    let list = compute(&next, Some(&first)).expect("a list");
    assert_eq!(list.find(&id(3)), None);
    let kept = list.find(&id(1)).expect("there");
    // Three games before, and one since: that he met himself is none.
    assert_eq!((kept.games, kept.new_games), (4, 1));
    let before = points(&first, 1).expect("rated");
    assert!(points(&list, 1) > Some(before));
}

#[test]
fn glicko_2_is_the_paper_s_example() {
    let glicko = Glicko2 { imported_deviation: 20_000, ..Glicko2::default() };
    let mut first = input(System::Glicko2(glicko), &[(1, 2, 2), (1, 3, 0), (1, 4, 0)]);
    import(&mut first, &[(1, 1500), (2, 1400), (3, 1550), (4, 1700)]);
    // The opponents have deviations of 30, 100 and 300 in the paper, which no import has: they are put into a list before.
    let mut given = compute(&ListInput { events: Vec::new(), ..first.clone() }, None).expect("a list");
    for (member, deviation) in [(1, 20_000), (2, 3_000), (3, 10_000), (4, 30_000)] {
        let entry = given.entries.iter_mut().find(|entry| entry.member == id(member)).expect("there");
        entry.rating = entry.rating.map(|rating| Rating { deviation, volatility: 60_000, ..rating });
    }
    first.imported.clear();
    (first.number, first.day, first.before) = (2, given.day + 30, Some(digest(&given)));
    let list = compute(&first, Some(&given)).expect("a list");
    let rating = list.find(&id(1)).and_then(|entry| entry.rating).expect("rated");
    assert_eq!(
        (rating.points.0, rating.deviation),
        (146_405, 15_152),
        "1464.06 and 151.52 in the paper, less exactly"
    );
    assert_eq!(rating.volatility, 59_996);
}

#[test]
fn who_does_not_play_is_less_certain() {
    let system = || System::Glicko2(Glicko2::default());
    let first = compute(&input(system(), &[(1, 2, 2), (1, 3, 0)]), None).expect("a list");
    let second = compute(&after(&first, system(), &[(1, 2, 2)]), Some(&first)).expect("a list");
    let deviation = |list: &List| list.find(&id(3)).and_then(|it| it.rating).map(|it| it.deviation);
    assert!(deviation(&second) > deviation(&first));
    assert_eq!(second.find(&id(3)).map(|it| (it.change, it.new_games)), Some((0, 0)));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let good = input(System::Elo(started()), &[(1, 2, 2)]);
    let list = compute(&good, None).expect("a list");
    let refused = |change: &dyn Fn(&mut ListInput)| {
        let mut bad = good.clone();
        change(&mut bad);
        compute(&bad, None).expect_err("refused")
    };
    assert_eq!(refused(&|it| it.players.reverse()), BadInput::Order("players").into());
    assert_eq!(refused(&|it| it.players.truncate(1)), BadInput::Stranger("games").into());
    assert_eq!(refused(&|it| it.merged = vec![(id(1), id(2)), (id(2), id(1))]), BadInput::Merged.into());
    assert_eq!(refused(&|it| it.events[0].games[0].players = [id(1); 2]), BadInput::OwnOpponent.into());
    assert_eq!(refused(&|it| it.before = Some([0; 32])), Fault::Before);
    let mut next = after(&list, System::Elo(started()), &[(1, 2, 2)]);
    assert_eq!(compute(&next, None), Err(Fault::Before));
    next.day = list.day;
    assert_eq!(compute(&next, Some(&list)), Err(Fault::Day));
}

fn any_system() -> impl Strategy<Value = System> {
    let k = KRule { rating_below: Some(1600), k: 40, ..KRule::default() };
    let elo = Elo { k: vec![k], k_times_games_max: None, ..started() };
    let logistic = Elo { expectation: Expectation::Logistic, whole_points: true, ..elo.clone() };
    prop_oneof![
        Just(System::Elo(Elo::default())),
        Just(System::Elo(elo)),
        Just(System::Elo(logistic)),
        Just(System::Glicko2(Glicko2::default())),
    ]
}

fn any_games() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    let game = (0_u8..12, 1_u8..12, 0_u8..=2);
    vec(game.prop_map(|(one, step, halves)| (one, (one + step) % 12, halves)), 0..60)
}

fn any_ratings() -> impl Strategy<Value = Vec<(u8, i32)>> {
    proptest::collection::btree_map(0_u8..12, 100_i32..4000, 0..8).prop_map(|map| map.into_iter().collect())
}

proptest! {
    #[test]
    fn the_order_of_rows_and_the_names_of_places_decide_nothing(
        system in any_system(),
        games in any_games(),
        ratings in any_ratings(),
        turn in 0_usize..60,
    ) {
        let mut straight = input(system, &games);
        import(&mut straight, &ratings);
        let mut turned = straight.clone();
        turned.players.reverse();
        turned.imported.reverse();
        let mid = turn % turned.events[0].games.len().max(1);
        if !turned.events[0].games.is_empty() {
            turned.events[0].games.rotate_left(mid);
        }
        turned.order();
        prop_assert_eq!(bytes::of_input(&turned), bytes::of_input(&straight));
        prop_assert_eq!(compute(&turned, None), compute(&straight, None));
    }

    #[test]
    fn lists_follow_each_other_and_keep_their_laws(
        system in any_system(),
        first in any_games(),
        second in any_games(),
        ratings in any_ratings(),
    ) {
        let mut one = input(system.clone(), &first);
        import(&mut one, &ratings);
        let before = compute(&one, None).expect("a list");
        let next = after(&before, system, &second);
        let list = compute(&next, Some(&before)).expect("a list");
        prop_assert_eq!(bytes::to_list(&bytes::of_list(&list)), Ok(list.clone()));
        prop_assert_eq!(&compute(&next, Some(&before)).expect("again"), &list);
        // Nobody is lost, places are in the order of ratings, and nobody is beyond the range.
        prop_assert!(before.entries.iter().all(|entry| list.find(&entry.member).is_some()));
        let ranked = list.ranked();
        for pair in ranked.windows(2) {
            let of = |entry: &Entry| entry.rating.map(|it| it.points);
            prop_assert!(of(pair[0]) >= of(pair[1]));
            prop_assert_eq!(pair[0].place == pair[1].place, of(pair[0]) == of(pair[1]));
        }
        for entry in &list.entries {
            prop_assert_eq!(entry.place.is_some(), entry.rating.is_some());
            let then = before.find(&entry.member).and_then(|it| it.rating);
            if let (Some(now), Some(then)) = (entry.rating, then) {
                prop_assert_eq!(now.points.0 - then.points.0, entry.change);
                prop_assert_eq!(now.points, now.points.within());
            }
        }
    }

    /// With one K for all and a start for all, nothing is made and nothing lost.
    #[test]
    fn elo_s_sum_stays(games in any_games()) {
        let elo = Elo { k: Vec::new(), k_otherwise: 20, k_times_games_max: None, ..started() };
        let list = compute(&input(System::Elo(elo), &games), None).expect("a list");
        let sum: i32 = list.entries.iter().filter_map(|entry| entry.rating).map(|it| it.points.0 - 150_000).sum();
        prop_assert_eq!(sum, 0);
    }

    #[test]
    fn whoever_wins_more_is_not_rated_less(system in any_system(), games in any_games()) {
        let mut better = games.clone();
        for game in &mut better {
            if game.0 == 0 { game.2 = 2; }
            if game.1 == 0 { game.2 = 0; }
        }
        let rated = |games: &[(u8, u8, u8)]| {
            points(&compute(&input(system.clone(), games), None).expect("a list"), 0)
        };
        prop_assert!(rated(&better) >= rated(&games));
    }
}
