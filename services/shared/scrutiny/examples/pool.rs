//! What a pool is like in which some lose on purpose: how many games the honest play and how many they lose early, and the same of each
//! strategy.
//!
//! ```text
//! cargo run --release -p scrutiny --example pool [SEED]
//! ```
#![expect(clippy::print_stdout, reason = "it prints what it looks at")]
#![expect(clippy::cast_precision_loss, reason = "statistics")]

mod population;

use std::{collections::BTreeMap, error::Error};

use population::{Strategy, USUAL_ACTS, population};
use rand::{SeedableRng as _, rngs::StdRng};

/// How many honest players there are.
const HONEST: u32 = 2_000;

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let pool = population(HONEST, &mut StdRng::seed_from_u64(seed));
    let mut games = vec![0_u32; pool.strategies.len()];
    let mut early = games.clone();
    for game in &pool.games {
        for (side, player) in game.players.into_iter().enumerate() {
            games[player as usize] += 1;
            early[player as usize] +=
                u32::from(game.is_lost(side) && f64::from(game.acts) < USUAL_ACTS / 4.0);
        }
    }
    let mut kinds: BTreeMap<Option<Strategy>, Vec<(u32, u32, f64)>> = BTreeMap::new();
    for (player, strategy) in pool.strategies.iter().enumerate() {
        let part = f64::from(early[player]) / f64::from(games[player].max(1));
        kinds.entry(*strategy).or_default().push((games[player], pool.on_purpose[player], part));
    }
    println!("{} games of {} players", pool.games.len(), pool.strategies.len());
    for (strategy, mut of) in kinds {
        of.sort_by(|one, other| one.2.total_cmp(&other.2));
        let mean = |sum: u32| f64::from(sum) / of.len() as f64;
        let games = mean(of.iter().map(|(games, ..)| games).sum());
        let on_purpose = mean(of.iter().map(|(_, on_purpose, _)| on_purpose).sum());
        let at = |part: usize| 100.0 * of[(of.len() - 1) * part / 100].2;
        let name = strategy.map_or_else(|| "honest".to_owned(), |it| format!("{it:?}"));
        println!(
            "{name}: {games:.0} games each, {on_purpose:.0} of them on purpose; lost early, of a hundred: {:.1} (median), {:.1} (of the \
             most impatient hundredth)",
            at(50),
            at(99)
        );
    }
    Ok(())
}
