//! What packing the logs of games that are over comes to.

use anyhow::{Context as _, ensure};
use serde_json::Value;
use tests::{Platform, Shape, Store, command};

use crate::moves;

/// Games that are played.
pub(crate) const GAMES: usize = 10_000;
/// The same of a quick run.
pub(crate) const GAMES_QUICK: usize = 500;
/// Games that are played at once.
const AT_ONCE: usize = 250;
/// Moves of each.
const MOVES: usize = 60;

/// What the command says, if it ended well.
async fn said(arguments: &[&str], place: &[String]) -> anyhow::Result<String> {
    let arguments: Vec<&str> = arguments.iter().copied().chain(place.iter().map(String::as_str)).collect();
    let output = command(&arguments).await?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    Ok(said)
}

/// Plays so many games, packs their logs, has them audited, and answers with what the command says of the packing, and how long it
/// took.
pub(crate) async fn packed(store: Store, games: usize) -> anyhow::Result<(Value, f64)> {
    let platform = Platform::start(Shape::One, store).await?;
    for _ in 0..games / AT_ONCE {
        moves::closed(&platform, AT_ONCE, MOVES).await?;
    }
    let began = tokio::time::Instant::now();
    let packed = said(&["pack", "--older-than", "1ms", "--json"], &platform.kept()).await?;
    let took = began.elapsed().as_secs_f64();
    let audited = said(&["doctor", "--audit"], &platform.place()).await?;
    let clean = format!("{games} games, ");
    ensure!(audited.contains(&clean) && audited.contains("0 games differ"), "the audit finds: {audited}");
    let packed: Value = serde_json::from_str(&packed).context("what packing says")?;
    ensure!(packed["games"] == games, "all are packed: {packed}");
    Ok((packed, took))
}
