//! How long a report takes to be read and judged, by its size: the greatest that the format has is judged, too.
//!
//! ```text
//! cargo run --release -p pairing --example reports [FILE …]
//! ```
//! Without a file it makes reports of round robins that were broken off, which break no rule but that of colours.
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::disallowed_methods, reason = "it measures real time, outside of every service")]

use std::{fmt::Write as _, time::Instant};

use pairing::{Colour, ColourLaw, berger, check, trf::Report};

/// Players and rounds: a club, a great open, and the most that a report can have.
const SIZES: [(u32, u16); 4] = [(500, 9), (9_999, 11), (2_000, 250), (9_999, 250)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        measure(file, &std::fs::read(file)?)?;
    }
    for (players, rounds) in SIZES.into_iter().filter(|_| files.is_empty()) {
        measure(&format!("{players} players, {rounds} rounds"), broken_off(players, rounds).as_bytes())?;
    }
    Ok(())
}

fn measure(name: &str, bytes: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let began = Instant::now();
    let report = Report::read(bytes)?;
    let read = began.elapsed();
    let began = Instant::now();
    let verdict = check::report(&report, ColourLaw::Balance)?;
    let judged = began.elapsed();
    let faults: usize = verdict.rounds.iter().map(|it| it.faults.len()).sum();
    println!("{name}: {} bytes read in {read:.2?}, judged in {judged:.2?}, {faults} faults", bytes.len());
    Ok(())
}

/// The report of the first rounds of a round robin, all of whose games were drawn.
fn broken_off(players: u32, rounds: u16) -> String {
    let mut slots = vec![String::new(); players as usize];
    for laid in berger::single(players).into_iter().take(rounds.into()) {
        for (first, second) in laid.games {
            for (own, other, colour) in [(first, second, Colour::First), (second, first, Colour::Second)] {
                let letter = if colour == Colour::First { 'w' } else { 'b' };
                let _ = write!(slots[own.0 as usize - 1], "  {:4} {letter} =", other.0);
            }
        }
        if let Some(free) = laid.free {
            slots[free.0 as usize - 1].push_str("  0000 - U");
        }
    }
    let mut text = format!("142 {rounds}\n");
    for (number, slots) in (1..).zip(slots) {
        let _ = writeln!(text, "{:<89}{slots}", format!("001 {number:4}      Player {number}"));
    }
    text
}
