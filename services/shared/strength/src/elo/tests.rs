//! FIDE's tables and examples, `skillratings` as an oracle, and the laws of expected scores.

use proptest::prelude::*;
use skillratings::elo::{EloRating, expected_score};

use super::*;

fn any_points() -> impl Strategy<Value = Points> {
    (-50_000..=400_000).prop_map(Points)
}

fn any_elo() -> impl Strategy<Value = Elo> {
    let expectation = prop_oneof![Just(Expectation::Table), Just(Expectation::Logistic)];
    (expectation, proptest::option::of(0_u16..1000)).prop_map(|(expectation, difference_max)| Elo {
        expectation,
        difference_max,
        ..Elo::default()
    })
}

fn expected(elo: &Elo, player: i32, opponent: i32) -> i64 {
    elo.expected(Points::whole(player), Points::whole(opponent))
}

/// Lines of the table of FIDE's handbook, B.02, 8.1.2: the differences from and to, and the hundredths of the stronger one.
#[test]
fn the_table_is_that_of_the_handbook() {
    let elo = Elo { difference_max: None, ..Elo::default() };
    for (from, to, hundredths) in [
        (0, 3, 50),
        (4, 10, 51),
        (11, 17, 52),
        (92, 98, 63),
        (189, 197, 75),
        (198, 206, 76),
        (392, 411, 92),
        (560, 619, 98),
        (620, 735, 99),
        (736, 3000, 100),
    ] {
        for apart in [from, to] {
            assert_eq!(expected(&elo, 1000 + apart, 1000), hundredths * 100, "{apart}");
            assert_eq!(expected(&elo, 1000, 1000 + apart), (100 - hundredths) * 100, "-{apart}");
        }
    }
}

/// A public example (Wikipedia, *Elo rating system*, of a player rated 1613 with K = 32): he loses to 1609, draws with 1477, wins
/// against 1388 and 1586, and loses to 1720, and is rated 1601 then.
#[test]
fn the_public_example_comes_out() {
    let elo = Elo { expectation: Expectation::Logistic, difference_max: None, ..Elo::default() };
    let games = [(1609, 0), (1477, 1), (1388, 2), (1586, 2), (1720, 0)];
    let surplus: i64 =
        games.iter().map(|(opponent, score)| score * GAME / 2 - expected(&elo, 1613, *opponent)).sum();
    assert_eq!(elo.after(Points::whole(1613), 32, surplus).rounded(), 1601);
}

/// By hand, from the tables of FIDE's handbook and its 8.3.1 (400 points) and 8.3.4 (the changes are added up, and rounded).
#[test]
fn a_difference_of_more_than_400_points_counts_as_400() {
    let elo = Elo::default();
    assert_eq!(expected(&elo, 1800, 2400), expected(&elo, 1800, 2200), "the handbook, 8.3.1");
    assert_eq!(expected(&elo, 1800, 2400), 800);
    let surplus: i64 = [1800, 2000, 2400].map(|opponent| 5000 - expected(&elo, 1800, opponent)).iter().sum();
    // 0.50 - 0.50, 0.50 - 0.24 and 0.50 - 0.08: 0.68 of a game, which is 13.6 points with K = 20.
    assert_eq!(surplus, 6800);
    assert_eq!(elo.after(Points::whole(1800), 20, surplus), Points(181_360));
    let whole = Elo { whole_points: true, ..elo };
    assert_eq!(whole.after(Points::whole(1800), 20, surplus), Points::whole(1814));
    assert_eq!(whole.after(Points::whole(1800), 10, -500), Points::whole(1799), "half a point is one");
}

#[test]
fn the_first_rule_that_is_true_gives_the_k() {
    let elo = Elo::default();
    let k = |rating, games, now| elo.k(Points::whole(rating), None, games, now);
    assert_eq!([k(2500, 29, 1), k(2399, 30, 1), k(2400, 30, 1)], [40, 20, 10]);
    assert_eq!(
        [k(1500, 0, 17), k(1500, 0, 18), k(1500, 0, 701)],
        [40, 38, 1],
        "K times games is 700 at most"
    );
    let by_grade = |from, below, k| KRule { grade_from: from, grade_below: below, k, ..KRule::default() };
    let rules = vec![by_grade(None, Some(1), 60), by_grade(Some(1), None, 30)];
    let graded = Elo { k: rules, k_otherwise: 15, k_times_games_max: None, ..Elo::default() };
    let k = |grade| graded.k(Points::whole(1500), grade, 0, 1);
    assert_eq!([k(Some(-4)), k(Some(0)), k(Some(1)), k(None)], [60, 60, 30, 15]);
}

#[test]
fn a_floor_holds() {
    let elo = Elo { floor: Some(1400), ..Elo::default() };
    assert_eq!(elo.after(Points::whole(1405), 40, -9000), Points::whole(1400));
}

proptest! {
    #[test]
    fn two_expected_scores_are_one_game(elo in any_elo(), one in any_points(), other in any_points()) {
        let sum = elo.expected(one, other) + elo.expected(other, one);
        prop_assert_eq!(sum, GAME);
        prop_assert!((0..=GAME).contains(&elo.expected(one, other)));
    }

    #[test]
    fn more_is_expected_of_the_stronger(elo in any_elo(), one in any_points(), two in any_points(), opponent in any_points()) {
        prop_assert_eq!(one <= two || elo.expected(one, opponent) >= elo.expected(two, opponent), true);
    }

    #[test]
    fn with_one_k_nothing_is_made_and_nothing_lost(elo in any_elo(), one in any_points(), other in any_points(), k in 1_u32..200, score in 0_i64..=2) {
        let surplus = |mine, theirs, score: i64| score * GAME / 2 - elo.expected(mine, theirs);
        let after = [
            elo.after(one, k, surplus(one, other, score)),
            elo.after(other, k, surplus(other, one, 2 - score)),
        ];
        prop_assert_eq!(after[0].0 + after[1].0, one.0 + other.0);
    }

    #[test]
    fn logistic_scores_agree_with_skillratings(one in -500_i32..4000, other in -500_i32..4000) {
        let elo = Elo { expectation: Expectation::Logistic, difference_max: None, ..Elo::default() };
        let (theirs, _) = expected_score(&EloRating { rating: one.into() }, &EloRating { rating: other.into() });
        let ours = i32::try_from(expected(&elo, one, other)).expect("a score");
        prop_assert!((f64::from(ours) - theirs * 10_000.0).abs() <= 0.500_001, "{} {}", ours, theirs);
    }
}
