//! Two builds of the platform side by side: moves and matching, round by round in turn, so that what the machine
//! does meanwhile falls on both alike.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tests::{Ground, LIFTED_LIMITS, Platform, Shape, Store, command};
use tokio::process::Command;

use crate::{matching, moves};

/// Rounds of each build; the median is told.
const ROUNDS: usize = 5;
/// Games that are played at once, and moves in each.
const GAMES: (usize, usize) = (64, 60);
/// Games with a move a second each, and for how many seconds.
const PACED: (usize, u64) = (500, 5);
/// Tickets that arrive at once.
const TICKETS: usize = 1000;
/// What a round measures, in the order in which it prints them, and whether more is better.
const MEASURES: [(&str, bool); 6] = [
    ("moves a second, 64 games at once", true),
    ("  p50, ms", false),
    ("moves of 500 paced games: p50, ms", false),
    ("  p99, ms", false),
    ("pairs a second, 1,000 tickets at once", true),
    ("  ticket to game: p50, ms", false),
];

/// Measures the build that `SHOUTAN_BIN` names once, and prints the numbers.
pub(crate) async fn round() -> anyhow::Result<()> {
    let mut platform = unlimited().await?;
    let closed = moves::closed(&platform, GAMES.0, GAMES.1).await?;
    let (paced, _) = moves::paced(&platform, PACED.0, PACED.1).await?;
    let matched = matching::burst(&platform, TICKETS).await?;
    platform.stop().await?;
    println!(
        "{} {} {} {} {} {}",
        closed.per_s,
        closed.p50_ms(),
        paced.p50_ms(),
        paced.p99_ms(),
        matched.pairs_per_s,
        matched.waits.p50_ms()
    );
    Ok(())
}

/// A platform whose limits are lifted as far as its build has them: an earlier one has not all.
async fn unlimited() -> anyhow::Result<Platform> {
    let help = String::from_utf8(command(["up", "--help"]).await?.stdout)?;
    let known = LIFTED_LIMITS.chunks(2).filter(|limit| help.contains(limit[0]));
    let settings = known.flatten().map(|word| (*word).to_owned()).collect();
    Platform::start_on(Shape::One, Store::Embedded, Ground { settings, limited: true, ..Ground::default() })
        .await
}

/// Measures two builds in turn, and prints the medians and their ratio.
pub(crate) async fn compare(before: &Path) -> anyhow::Result<()> {
    let after = PathBuf::from(std::env::var_os("SHOUTAN_BIN").context("SHOUTAN_BIN is not set")?);
    let mut measured: [Vec<Vec<f64>>; 2] = Default::default();
    for number in 0..ROUNDS {
        for (build, rounds) in [before, &after].into_iter().zip(&mut measured) {
            println!("round {} of {ROUNDS}: {}", number + 1, build.display());
            rounds.push(measure(build).await?);
        }
    }
    println!("\n{:<40} {:>10} {:>10} {:>8}", "medians", "before", "after", "cost");
    for (index, (name, more_is_better)) in MEASURES.into_iter().enumerate() {
        let [before, after] = measured.each_ref().map(|rounds| median(rounds, index));
        let ratio = if more_is_better { before / after } else { after / before };
        println!("{name:<40} {before:>10.2} {after:>10.2} {:>+7.1} %", (ratio - 1.0) * 100.0);
    }
    Ok(())
}

async fn measure(build: &Path) -> anyhow::Result<Vec<f64>> {
    let output = Command::new(std::env::current_exe()?)
        .arg("--round")
        .env("SHOUTAN_BIN", build)
        .stderr(std::process::Stdio::inherit())
        .output()
        .await?;
    anyhow::ensure!(output.status.success(), "the round with {} failed", build.display());
    let printed = String::from_utf8(output.stdout)?;
    let line = printed.lines().last().context("the round printed nothing")?;
    let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    anyhow::ensure!(numbers.len() == MEASURES.len(), "the round printed {line:?}");
    Ok(numbers)
}

fn median(rounds: &[Vec<f64>], index: usize) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(|round| round[index]).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
