//! `shoutan doctor --audit`: every game replayed, its clocks and its result computed anew, and held to its rating; every
//! event worked out again.

use std::{collections::BTreeMap, process::ExitCode};

use crate::platform::Service;
use anyhow::Context as _;
use api::clock::v1::ClockEntry;
use chassis::Database;
use game::audit::{Audit, Audited};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Args, ratings::Ratings};
use crate::commands::terminal::say;

/// What was replayed.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    games: usize,
    events: usize,
    steps: usize,
    differing: usize,
    /// Games that are rated and nowhere else.
    strange: u64,
    /// Ratings that do not follow from the games.
    unfounded: usize,
}

/// Replays everything.
pub(super) async fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let url = args.data.url(Service::Game);
    if let Some(file) = Database::file(&url)? {
        anyhow::ensure!(file.exists(), "there is no database {}", file.display());
    }
    let database = args.data.open_beside(Service::Game).await?;
    let schema = game::audit::schema(&database).await?;
    anyhow::ensure!(
        schema.pending.is_empty() && schema.unknown.is_empty(),
        "the database of game is of another version: `shoutan doctor` says more"
    );
    let audit = Audit::new(database.clone());
    let mut ratings = Ratings::open(args).await?;
    let bar = progress(audit.count().await?);
    let mut sum = Sum::default();
    let mut last = None;
    loop {
        let games = audit.games_after(last).await.context("reading the games")?;
        let Some(newest) = games.last() else { break };
        last = Some(*newest);
        let mut page = Vec::with_capacity(games.len());
        for game in games {
            page.push(audit.game(game).await.context("reading a game")?);
            bar.inc(1);
        }
        let results: BTreeMap<_, _> =
            page.iter().map(|audited| (audited.game, audited.result.clone())).collect();
        let mut rated = match &mut ratings {
            Some(ratings) => ratings.hold_running(&audit, &results).await?,
            None => BTreeMap::new(),
        };
        for mut audited in page {
            audited.differences.extend(clocks(&audited));
            audited.differences.extend(rated.remove(&audited.game));
            sum.games += 1;
            sum.events += audited.events;
            sum.steps += audited.steps.len();
            sum.differing += usize::from(!audited.differences.is_empty());
            bar.suspend(|| tell(&audited))?;
        }
    }
    bar.finish_and_clear();
    match ratings {
        Some(ratings) => {
            sum.strange = ratings.strange().await?;
            let unfounded = ratings.unfounded().await?;
            sum.unfounded = unfounded.len();
            for rating in unfounded {
                say(rating)?;
            }
            ratings.close().await;
        }
        None => say("there is no database of the ratings: results were not held to them")?,
    }
    database.close().await;
    if sum.strange > 0 {
        say(format_args!("{} games are rated and are not among the games", sum.strange))?;
    }
    let Sum { games, events, steps, differing, strange, unfounded } = sum;
    say(format_args!(
        "{games} games, {events} events, {steps} steps of clocks computed anew: {differing} games differ"
    ))?;
    let events_are_right = super::events::run(args).await?;
    let is_right = differing == 0 && strange == 0 && unfounded == 0 && events_are_right;
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tell(audited: &Audited) -> anyhow::Result<()> {
    for difference in &audited.differences {
        say(format_args!("game {}: {difference}", audited.game))?;
    }
    Ok(())
}

/// Where the clocks of a game say something else than what follows.
fn clocks(audited: &Audited) -> Option<String> {
    let control = audited.control?;
    let entries: Vec<ClockEntry> = audited.steps.iter().map(|(_, entry)| entry.clone()).collect();
    match clock::history::first_difference(control, &entries) {
        Ok(None) => None,
        Ok(Some(difference)) => {
            let sequence = audited.steps.get(difference.index).map_or(0, |(sequence, _)| *sequence);
            Some(format!(
                "event {sequence}: the clocks are stored otherwise than what follows: {difference:?}"
            ))
        }
        Err(bad) => Some(format!("the clocks cannot be computed anew: {bad}")),
    }
}

/// Shown only on a terminal.
pub(in crate::commands) fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} games, {eta} left");
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
