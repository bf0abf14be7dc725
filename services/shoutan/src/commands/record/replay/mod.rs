//! `shoutan record replay`: two new accounts play a record through a server.
//!
//! It is a client like any other: it queues, plays act by act, watches as a spectator, and believes nothing but
//! what the server answers. It then compares what came of it with the record.

mod ending;
mod pairing;
mod score_sheet;
mod spectator;

use std::{path::Path, time::Duration};

use anyhow::{Context as _, bail};
use api::{
    board::v1::{Outcome, Verdict},
    client::{Credentials, Player},
    game::v1::GameInfo,
    matchmaking::v1::GameSettings,
    time_control::TimeControl,
};
use rules::{Act, Record, Side, Variant};

use self::{
    pairing::{Manner, Table},
    spectator::Spectator,
};
use super::{
    file::{Loaded, RecordFile},
    result::{compare, stated_line},
};
use crate::commands::{
    ratings::{Rated, change_line},
    render::{outcome_line, sanitize},
    server::{Server, ServerArg},
    terminal::say,
};

/// Lets two new accounts play a record through a server, act by act, and compares what came of it.
///
/// It ends with an error if the server refuses an act, counts another result, or exports other acts.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    file: RecordFile,
    #[command(flatten)]
    server: ServerArg,
    /// The time control: 10m, 5m+3s, 20m+3x30s.
    #[arg(long, default_value = "1h")]
    control: TimeControl,
    /// Plays a game that does not count for the ratings.
    #[arg(long)]
    unrated: bool,
    /// The stones of a Go record that both sides agree on as dead, one of each chain: D4,Q16. Records seldom tell
    /// them; by default nothing is dead.
    #[arg(long, value_name = "POINTS", default_value = "-", allow_hyphen_values = true)]
    dead: String,
    /// Waits so many milliseconds after each act.
    #[arg(long, value_name = "MS")]
    delay: Option<u64>,
    /// Shows neither board nor progress.
    #[arg(long)]
    quiet: bool,
}

/// Carries the command out.
pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    let loaded = args.file.load()?;
    announce(&args.file, &loaded)?;
    if loaded.record.acts.iter().any(|act| act.side().is_none()) {
        bail!("lots were drawn in this game, and a server draws its own: `record check` replays it here");
    }
    let server = args.server.reach().await?;
    let players = [new_player(&server).await?, new_player(&server).await?];
    let replayed = Box::pin(replay(&args, &server, &loaded, &players)).await;
    for player in &players {
        // These accounts have done what they were made for. A session that stays open expires by itself.
        let _signed_out = player.sign_out().await;
    }
    replayed
}

async fn replay(args: &Args, server: &Server, loaded: &Loaded, players: &[Player; 2]) -> anyhow::Result<()> {
    let Loaded { variant, record, .. } = loaded;
    let table = pairing::pair(players, &settings(record, args)).await?;
    let spectator = Spectator::enter(server, &table.game_id).await?;
    let info = spectator.info().clone();
    announce_game(&table, &info, record, variant)?;
    let deviations = deviations(server, &info).await?;

    let show = (!args.quiet).then_some(record.acts.len());
    let manner = Manner { delay: Duration::from_millis(args.delay.unwrap_or(0)), dead: args.dead.clone() };
    let watched = async { spectator.watch(show).await.context("watching the game") };
    let played = table.play_through(server, record, variant, &manner);
    let (end, played) = match tokio::try_join!(watched, played) {
        Ok(both) => both,
        Err(error) => {
            table.give_up().await;
            return Err(error.context(format!("game {}", table.game_id)));
        }
    };
    for remark in &played.remarks {
        say(remark)?;
    }
    if !args.quiet && !end.shown {
        for line in end.picture.lines() {
            say(line)?;
        }
    }
    say(format_args!("result   {}", outcome_line(&end.outcome)))?;

    compare_result(record, variant, &end.outcome, played.loosely)?;
    let board = server.game(&table.game_id).await?.board.context("the server's answer lacks the board")?;
    if let Some(what) = end.picture.difference(&board) {
        bail!("the board drawn from the events is not the server's: {what} differs");
    }
    compare_export(server, &table.game_id, variant, record, &played.acts).await?;
    tell_ratings(server, &info, &deviations, &end.outcome).await
}

/// A new account that nobody is waiting for.
async fn new_player(server: &Server) -> anyhow::Result<Player> {
    let name = format!("replay-{}", server.random_hex::<6>());
    let credentials = Credentials::New { name, password: server.random_hex::<16>() };
    server.sign_in(credentials).await.context("making an account for the replay")
}

fn settings(record: &Record, args: &Args) -> GameSettings {
    GameSettings {
        variant: record.variant.to_owned(),
        rule_set: record.rule_set.id.clone(),
        options: record.rule_set.options.clone().into_iter().collect(),
        time_control: Some(args.control.into()),
        rated: !args.unrated,
    }
}

fn announce(file: &RecordFile, loaded: &Loaded) -> anyhow::Result<()> {
    let Loaded { variant, record, .. } = loaded;
    let result =
        record.outcome.as_ref().map_or("no result".to_owned(), |outcome| stated_line(outcome, variant));
    let acts = record.acts.len();
    say(format_args!(
        "record   {}: {} ({}), {acts} acts, {result}",
        file.name(),
        variant.name(),
        variant.native_name()
    ))?;
    if let Some(event) = record.heading("event") {
        say(format_args!("event    {}", sanitize(event)))?;
    }
    match &loaded.placement {
        Some(placement) => {
            let name = placement.file_name().map_or(placement.as_path(), Path::new);
            say(format_args!("placed   by {}; the record holds only the movement", name.display()))
        }
        None => Ok(()),
    }
}

fn announce_game(table: &Table, info: &GameInfo, record: &Record, variant: &Variant) -> anyhow::Result<()> {
    let rated = if info.rated { "rated" } else { "unrated" };
    let control = info.time_control.as_ref().and_then(|control| TimeControl::try_from(control).ok());
    let control = control.map_or(String::new(), |control| control.to_string());
    say(format_args!("game     {}: {rated}, {control}, {}", table.game_id, info.rule_set))?;
    for (side, heading) in [(Side::First, "first"), (Side::Second, "second")] {
        let colour = variant.colours[side.index()].name();
        let name = sanitize(record.heading(heading).unwrap_or("(not named)"));
        say(format_args!("{colour:<8} {name}, played by {}", table.player(side).account().name))?;
    }
    Ok(())
}

/// Says whether the result is the record's.
fn compare_result(
    record: &Record,
    variant: &Variant,
    reached: &Outcome,
    loosely: bool,
) -> anyhow::Result<()> {
    let Some(stated) = &record.outcome else {
        return say("the record states no result to compare this with");
    };
    compare(stated, reached, variant, loosely).map_err(|difference| {
        let counted = stated.reason == rules::Reason::Score;
        let hint = if counted { " (if stones were dead, name one of each chain with --dead)" } else { "" };
        anyhow::anyhow!("{difference}{hint}")
    })?;
    say(format_args!("         as the record says: {}", stated_line(stated, variant)))
}

/// Exports the game and compares its acts with those that were played.
async fn compare_export(
    server: &Server,
    game_id: &str,
    variant: &'static Variant,
    record: &Record,
    acts: &[Act],
) -> anyhow::Result<()> {
    let exported = server.record(game_id).await?;
    let parsed = (variant.parse_record)(&exported.text).context("reading the exported record")?;
    let expected = score_sheet::canonical(variant, &record.rule_set, acts)?;
    score_sheet::same(&expected, &parsed.acts)?;
    say(format_args!("export   {}: the same {} acts", exported.file_name, expected.len()))
}

/// The rating deviations of both sides before the game; nothing for an unrated game.
async fn deviations(server: &Server, info: &GameInfo) -> anyhow::Result<Vec<f64>> {
    let mut found = Vec::new();
    for (_, rated) in rated(info) {
        found.push(rated.now(server).await?.deviation);
    }
    Ok(found)
}

/// Waits until both ratings have moved and prints them.
async fn tell_ratings(
    server: &Server,
    info: &GameInfo,
    deviations: &[f64],
    outcome: &Outcome,
) -> anyhow::Result<()> {
    if !info.rated {
        return say("ratings  unchanged: the game is unrated");
    }
    if outcome.verdict() == Verdict::Void {
        return say("ratings  unchanged: the game counts for nothing");
    }
    for ((name, rated), deviation) in rated(info).into_iter().zip(deviations) {
        let change = rated.changed_by(server, &info.id).await?;
        say(format_args!("rating   {name}: {}", change_line(*deviation, &change)))?;
    }
    Ok(())
}

/// The names and ratings that the game counts for, first side first.
fn rated(info: &GameInfo) -> Vec<(String, Rated)> {
    if !info.rated {
        return Vec::new();
    }
    let seats = info.first.iter().chain(&info.second);
    seats.map(|seat| (seat.name.clone(), Rated::of(&seat.account_id, info))).collect()
}
