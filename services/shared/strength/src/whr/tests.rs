use proptest::prelude::*;

use super::*;

/// Made with PyPI's `whr` 2.2.0: 150 games of twelve players in 400 days, draws and advantages among them, `w2` 120.
const GAMES: &str = include_str!("games.csv");
/// What it made of them after 2,000 iterations.
const CURVES: &str = include_str!("curves.csv");
/// By how much its deviations may be smaller, in points: it adds a thousandth to the diagonal of its matrices.
const DAMPED: f64 = 2.0;

fn game(first: u32, second: u32, score: Score, day: i32) -> Game {
    Game { first, second, day, score, advantage: 0.0 }
}

fn settled(players: u32, games: &[Game], variance_a_day: f64) -> History {
    let parameters = Parameters { variance_a_day, ..Parameters::default() };
    let mut history = History::new(players, games, parameters).expect("the games are sound");
    let (_, moved) = history.settle(1e-9, 10_000);
    assert!(moved <= 1e-9, "{moved}");
    history
}

fn golden() -> Vec<Game> {
    let read = |line: &str| {
        let [first, second, score, day, advantage] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("five columns: {line}")
        };
        let score = match score {
            "win" => Score::Win,
            "draw" => Score::Draw,
            _ => Score::Loss,
        };
        Game {
            first: first.parse().expect("a number"),
            second: second.parse().expect("a number"),
            day: day.parse().expect("a number"),
            score,
            advantage: advantage.parse().expect("a number"),
        }
    };
    GAMES.lines().skip(1).map(read).collect()
}

#[test]
fn the_example_of_the_reference_comes_out() {
    // Alice, Bob, Carol, Dave.
    let games = [
        game(0, 2, Score::Draw, 0),
        game(1, 3, Score::Win, 10),
        game(3, 0, Score::Loss, 30),
        game(1, 2, Score::Loss, 60),
    ];
    let history = settled(4, &games, 30.0);
    let expected = [
        [(0, 78.509_762, 185.552_309), (30, 79.471_833, 187.123_274)],
        [(10, -15.262_552, 180.950_870), (60, -18.086_031, 183.082_005)],
        [(0, 103.918_777, 180.558_126), (60, 107.306_952, 183.125_004)],
        [(10, -176.677_394, 201.152_821), (30, -177.318_774, 202.031_798)],
    ];
    for (player, expected) in (0..).zip(expected) {
        let curve = history.curve(player);
        assert_eq!(curve.len(), expected.len());
        for (point, (day, rating, deviation)) in curve.iter().zip(expected) {
            assert_eq!(point.day, day);
            assert!((point.rating - rating).abs() < 1e-3, "{point:?}, not {rating}");
            assert!((point.deviation - deviation).abs() < DAMPED, "{point:?}, not {deviation}");
        }
    }
}

#[test]
fn a_hundred_games_come_out_as_with_the_reference() {
    let history = settled(12, &golden(), 120.0);
    let mut expected = CURVES.lines().skip(1);
    for player in 0..12 {
        for point in history.curve(player) {
            let line = expected.next().expect("as many days");
            let [of, day, rating, deviation] = line.split(',').collect::<Vec<_>>()[..] else {
                panic!("four columns: {line}")
            };
            assert_eq!((of, day), (&*player.to_string(), &*point.day.to_string()));
            let off = |is: f64, text: &str| (is - text.parse::<f64>().expect("a number")).abs();
            assert!(off(point.rating, rating) < 1e-3, "{point:?}: {line}");
            assert!(off(point.deviation, deviation) < DAMPED, "{point:?}: {line}");
        }
    }
    assert_eq!(expected.next(), None);
}

#[test]
fn games_that_cannot_be_are_refused() {
    let new = |games: &[Game]| History::new(2, games, Parameters::default()).map(drop);
    let sound = game(0, 1, Score::Win, 0);
    assert_eq!(new(&[sound, game(0, 2, Score::Win, 0)]), Err(BadHistory::Player(1)));
    assert_eq!(new(&[game(1, 1, Score::Win, 0)]), Err(BadHistory::Himself(0)));
    assert_eq!(new(&[Game { advantage: f64::NAN, ..sound }]), Err(BadHistory::Advantage(0)));
    for (variance_a_day, virtual_draws) in [(0.0, 2.0), (f64::NAN, 2.0), (300.0, 0.0), (300.0, f64::INFINITY)]
    {
        let parameters = Parameters { variance_a_day, virtual_draws };
        assert_eq!(History::new(2, &[sound], parameters).map(drop), Err(BadHistory::Parameters));
    }
}

#[test]
fn who_has_not_played_has_no_curve_and_who_only_won_has_an_end() {
    let games: Vec<Game> = (0..200).map(|day| game(1, 3, Score::Win, day)).collect();
    let history = settled(5, &games, 300.0);
    assert!([0, 2, 4, 5, u32::MAX].iter().all(|player| history.curve(*player).is_empty()));
    let best = history.curve(1);
    assert_eq!(best.len(), 200);
    assert!(best.iter().all(|point| point.rating > 0.0 && point.rating < 3_000.0), "{:?}", best[0]);
}

fn any_game() -> impl Strategy<Value = Game> {
    let score = prop_oneof![Just(Score::Win), Just(Score::Draw), Just(Score::Loss)];
    (0..8_u32, 1..8_u32, score, 0..300_i32, -200..200_i32).prop_map(|(first, step, score, day, advantage)| {
        Game { first, second: (first + step) % 8, day, score, advantage: advantage.into() }
    })
}

proptest! {
    /// At the top of the hill it is level: what everybody scored is what was to be expected, but for the ties between days.
    #[test]
    fn a_settled_history_is_the_top_of_its_hill(games in prop::collection::vec(any_game(), 1..60)) {
        let history = settled(8, &games, 200.0);
        let mut system = System::default();
        for player in 0..8 {
            history.linearise(player, &mut system);
            prop_assert!(system.right.iter().all(|slope| slope.abs() < 1e-6), "{:?}", system.right);
            prop_assert!(history.curve(player.try_into().expect("few")).iter().all(|it| it.deviation.is_finite()));
        }
    }

    /// In whatever order games are told, and whoever is called first in them, the same comes of them.
    #[test]
    fn the_order_of_games_says_nothing(
        games in prop::collection::vec(any_game(), 1..40),
        turned in prop::collection::vec(any::<bool>(), 40),
    ) {
        let other: Vec<Game> = games
            .iter()
            .zip(&turned)
            .rev()
            .map(|(game, turned)| if *turned {
                let score = match game.score {
                    Score::Win => Score::Loss,
                    Score::Draw => Score::Draw,
                    Score::Loss => Score::Win,
                };
                Game { first: game.second, second: game.first, score, advantage: -game.advantage, ..*game }
            } else {
                *game
            })
            .collect();
        let (one, other) = (settled(8, &games, 200.0), settled(8, &other, 200.0));
        for player in 0..8 {
            for (one, other) in one.curve(player).iter().zip(other.curve(player)) {
                prop_assert!((one.rating - other.rating).abs() < 1e-4, "{one:?} {other:?}");
            }
        }
    }
}
