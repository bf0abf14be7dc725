//! In a pool that is played out most of those who lose on purpose are found, and few of the honest are reported. How many
//! exactly, `tests/bench/scrutiny` says.

#[path = "../examples/population/mod.rs"]
mod population;

use population::{Company, DAYS, Manner, Strategy, USUAL_ACTS, population, strategies};
use rand::{SeedableRng as _, rngs::StdRng};
use scrutiny::{Finding, scrutinise};

#[test]
fn most_are_found_and_few_of_the_honest_reported() {
    const HONEST: u32 = 800;
    let pool = population(HONEST, &mut StdRng::seed_from_u64(7));
    let found = scrutinise(&pool.games);
    let reported = |of: &dyn Fn(usize, Option<&Strategy>) -> bool| {
        let players = pool.strategies.iter().enumerate().filter(|(player, it)| of(*player, it.as_ref()));
        let players: Vec<u32> = players.map(|(player, _)| u32::try_from(player).expect("few")).collect();
        let is_reported = |player: &&u32| {
            found.get(*player).is_some_and(|it| it.findings.iter().any(Finding::is_suspicious))
        };
        (players.iter().filter(is_reported).count(), players.len())
    };
    let (honest, of_honest) = reported(&|_, strategy| strategy.is_none());
    let (guilty, of_guilty) = reported(&|player, strategy| strategy.is_some() && pool.on_purpose[player] > 0);
    assert!(of_honest == 800 && honest * 50 < of_honest, "{honest} of {of_honest} honest players");
    assert!(of_guilty > 90 && guilty * 100 > of_guilty * 85, "{guilty} of {of_guilty} who did it");
}

#[test]
fn a_pool_is_what_it_says() {
    let pool = population(300, &mut StdRng::seed_from_u64(1));
    assert_eq!(strategies().count(), 24);
    assert_eq!(pool.strategies.len(), 300 + 8 * (4 + 4 + 5));
    let span = i64::from(DAYS) * 86_400;
    assert!(pool.games.iter().all(|game| (0..span).contains(&game.ended)));
    assert!(pool.games.is_sorted_by_key(|game| game.ended));
    // Of a strategy that loses 30 of 100 slowly and alone about that many are lost on purpose.
    let mut share = (0, 0);
    for (player, strategy) in (0_u32..).zip(&pool.strategies) {
        if *strategy == Some(Strategy { company: Company::Alone, manner: Manner::Slowly, percent: 30 }) {
            share.0 += pool.on_purpose[player as usize];
            share.1 += pool.games.iter().filter(|game| game.players.contains(&player)).count();
        }
    }
    let part = f64::from(share.0) / f64::from(u32::try_from(share.1).expect("few"));
    assert!((0.25..0.35).contains(&part), "{share:?}");
    assert!(pool.games.iter().any(|game| f64::from(game.acts) > USUAL_ACTS));
}
