//! Chance is passed in, also where it hides.

use super::files::tracked;

/// Lines after a `select!` within which it says that it is biased: comments may stand before.
const LINES: usize = 3;

/// A `select!` that is not biased draws lots from a generator that nobody can seed, and the simulation of a seed
/// would not be the same twice. Every crate is held to it: what of the command is simulated today (the gateway's
/// report is) may be more tomorrow.
#[test]
fn no_select_draws_lots() {
    let mut faults = Vec::new();
    // This file speaks of the macro and does not use it.
    for (name, text) in tracked(&[".rs"]).into_iter().filter(|(name, _)| name != "tests/tidy/chance.rs") {
        let lines: Vec<&str> = text.lines().collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.contains("select! {")) {
            if !lines[at + 1..].iter().take(LINES).any(|line| line.trim() == "biased;") {
                faults.push(format!("{name}:{}", at + 1));
            }
        }
    }
    assert!(faults.is_empty(), "not biased: {}", faults.join(", "));
}
