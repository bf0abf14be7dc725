//! `shoutan pairing check FILE`.

use std::{
    io::{Read as _, Write as _},
    path::Path,
    process::ExitCode,
};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use pairing::{
    ColourLaw, Number,
    check::{self, RoundVerdict, Verdict},
    trf::{EventError, FILE_BYTES_MAX, Report, TrfError},
};
use serde_json::{Value, json};

use crate::commands::regular_file;

/// Judges every round of a report.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The report; `-` is standard input.
    file: String,
    /// Answers one JSON object.
    #[arg(long)]
    json: bool,
    /// How the event gives its colours, which reports do not say: by balance, by parity as in Jirige, or by the game itself.
    #[arg(
        long,
        default_value = "balance",
        value_parser = PossibleValuesParser::new(ColourLaw::ALL.iter().map(|it| it.name())).map(|name| law(&name)),
    )]
    colours: ColourLaw,
}

fn law(name: &str) -> ColourLaw {
    ColourLaw::named(name).unwrap_or_default()
}

/// What ended the command with 2.
fn error_in_json(error: &anyhow::Error) -> Value {
    let text = error.to_string();
    if let Some(TrfError { line, column, fault }) = error.downcast_ref() {
        return json!({ "reason": fault.name(), "line": line, "column": column, "text": text });
    }
    let reason = error.downcast_ref::<EventError>().map_or("file", |it| it.reason());
    json!({ "reason": reason, "text": text })
}

/// Carries the command out.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (text, code) = match judge(args) {
        Ok(verdict) => {
            let code = if verdict.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
            (if args.json { in_json(&verdict).to_string() } else { in_words(&verdict) }, code)
        }
        Err(error) => {
            unreadable(&args.file, &error);
            let text =
                if args.json { json!({ "error": error_in_json(&error) }).to_string() } else { String::new() };
            (text, ExitCode::from(2))
        }
    };
    let ended = if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" };
    match std::io::stdout().lock().write_all(ended.as_bytes()) {
        // A reader who goes away has seen enough; what was found still decides.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        written => written?,
    }
    Ok(code)
}

#[expect(clippy::print_stderr, reason = "this is what the person at the terminal reads")]
fn unreadable(file: &str, error: &anyhow::Error) {
    eprintln!("shoutan: {file}: {error}");
}

fn judge(args: &Args) -> anyhow::Result<Verdict> {
    Ok(check::report(&Report::read(&bytes(&args.file)?)?, args.colours)?)
}

/// The file, or a byte more than is read of one.
fn bytes(file: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = FILE_BYTES_MAX as u64 + 1;
    if file == "-" {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        regular_file::open(Path::new(file))?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn listed(numbers: &[Number]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A line for each round, one for each fault, first of players and then of teams, and what could not be judged.
fn in_words(verdict: &Verdict) -> String {
    let mut lines = table("games", &verdict.rounds);
    if !verdict.teams.is_empty() {
        lines.push("of teams:".to_owned());
        lines.extend(table("match", &verdict.teams));
    }
    lines.push("not judged, or only so:".to_owned());
    lines.extend(verdict.doubts.iter().map(|it| format!("  {it}")));
    lines.push(if verdict.is_clean() { "no rule is broken" } else { "rules are broken" }.to_owned());
    lines.join("\n")
}

fn table(games: &str, rounds: &[RoundVerdict]) -> Vec<String> {
    let mut lines = vec![format!("round  {games}  pairing bye  H1 H2 H3 H4 H5")];
    for round in rounds {
        let RoundVerdict { round: number, games, byes, faults } = round;
        let count = |rule: &str| match faults.iter().filter(|it| it.rule() == Some(rule)).count() {
            0 => " -".to_owned(),
            broken => format!("{broken:>2}"),
        };
        let counts = ["H1", "H2", "H3", "H4", "H5"].map(count).join(" ");
        lines.push(format!("{number:>5}  {games:>5}  {:>11}  {counts}", listed(byes)));
    }
    let faults = rounds.iter().flat_map(|round| round.faults.iter().map(|it| (round.round, it)));
    for (round, fault) in faults {
        lines.push(format!("round {round}: {}: {fault}", fault.rule().unwrap_or("-")));
    }
    lines
}

fn in_json(verdict: &Verdict) -> Value {
    let numbers = |all: &[Number]| all.iter().map(|it| it.0).collect::<Vec<u32>>();
    let round = |it: &RoundVerdict| {
        let faults = it.faults.iter().map(|fault| {
            json!({ "rule": fault.rule(), "players": numbers(&fault.players()), "text": fault.to_string() })
        });
        let faults: Vec<Value> = faults.collect();
        json!({ "round": it.round, "games": it.games, "byes": numbers(&it.byes), "faults": faults })
    };
    let doubts = verdict.doubts.iter().map(|it| json!({ "name": it.name(), "text": it.to_string() }));
    json!({
        "clean": verdict.is_clean(),
        "rounds": verdict.rounds.iter().map(round).collect::<Vec<Value>>(),
        "teams": verdict.teams.iter().map(round).collect::<Vec<Value>>(),
        "not_judged": doubts.collect::<Vec<Value>>(),
    })
}
