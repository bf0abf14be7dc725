//! The estimate finds what results were made by, and says how sure it is.

use proptest::prelude::*;
use rand::{SeedableRng as _, rngs::StdRng};

use super::*;

/// Games of which the first sides had one to five of something that is worth so much, and were rated the lower for it.
fn games(seed: u64, count: usize, worth: f64) -> Vec<Observed> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut game = || {
        let had = f64::from(rng.random_range(1..=5_u8));
        let difference = rng.random_range(-200.0..200.0) - had * 50.0;
        let certainty = rng.random_range(0.8..1.0);
        let expected = 1.0 / (1.0 + (-certainty * (difference + worth * had) / SCALE).exp());
        let score = match rng.random::<f64>() {
            lot if lot < expected => 1.0,
            _ => 0.0,
        };
        Observed { difference, certainty, had, score }
    };
    (0..count).map(|_| game()).collect()
}

/// How likely results are, as a logarithm, by the plainest reading of what the module says.
fn likelihood(games: &[Observed], points: f64, before: f64) -> f64 {
    let of = |game: &Observed| {
        let ahead = game.difference + points * game.had;
        let expected = 1.0 / (1.0 + (-game.certainty * ahead / SCALE).exp());
        game.score * expected.ln() + (1.0 - game.score) * (1.0 - expected).ln()
    };
    games.iter().map(of).sum::<f64>() - (points - before) * (points - before) / (2.0 * 200.0 * 200.0)
}

#[test]
fn what_results_were_made_by_is_found() {
    for (seed, truth) in [(1, 0.0), (2, 90.0), (3, -40.0)] {
        let worth = Worth::of(&games(seed, 20_000, truth), 66.0);
        assert!((worth.points - truth).abs() < 3.5 * worth.deviation, "{worth:?} is not {truth}");
        assert!(worth.deviation < 2.0 && worth.games == 20_000, "{worth:?}");
    }
}

#[test]
fn it_is_as_uncertain_as_it_says() {
    let off = |seed| {
        let worth = Worth::of(&games(seed, 1_000, 70.0), 66.0);
        (worth.points - 70.0) / worth.deviation
    };
    let spread = (0..200).map(off).map(|off| off * off).sum::<f64>() / 200.0;
    assert!((0.7..1.35).contains(&spread), "{spread}");
}

#[test]
fn without_games_nothing_has_changed() {
    let Estimate { first_move, stone } = Evidence::default().estimate();
    assert_eq!((first_move.points, stone.points), (0.0, 66.0));
    assert!([first_move, stone].iter().all(|worth| (worth.deviation - 200.0).abs() < 1e-9));
}

#[test]
fn who_only_won_is_not_infinitely_ahead() {
    let won = Observed { difference: 0.0, certainty: 1.0, had: 1.0, score: 1.0 };
    let evidence = Evidence { even: vec![won; 100_000], ..Evidence::default() };
    let estimate = evidence.estimate();
    assert!(estimate.first_move.points.is_finite(), "{estimate:?}");
    let before = Advantage::new(10.0, 50.0).expect("in range");
    let held = |games| {
        let held = estimate.advantage(games, before);
        (held.first_move(), held.stone())
    };
    assert_eq!(held(100_000), (500.0, 50.0), "no game says anything of stones");
    assert_eq!(held(100_001), (10.0, 50.0), "too few say anything");
}

proptest! {
    #[test]
    fn nothing_near_is_more_likely(seed in any::<u64>(), count in 0..400_usize, truth in -300.0..300.0_f64) {
        let games = games(seed, count, truth);
        let top = Worth::of(&games, 66.0).points;
        for near in [top - 1.0, top + 1.0] {
            prop_assert!(likelihood(&games, near, 66.0) <= likelihood(&games, top, 66.0), "{near} from {top}");
        }
    }
}
