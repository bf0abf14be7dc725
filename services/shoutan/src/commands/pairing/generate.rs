//! `shoutan pairing generate`.

use std::{io::Write as _, process::ExitCode};

use pairing::{
    generate::{Shape, event_until},
    trf::{Form, Header, LineEnd, Report},
};

/// Writes the report of an event by chance, paired by this platform: the same seed, the same event.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What the event follows from.
    #[arg(long)]
    seed: u64,
    /// Players on the list: some come late, stay away, ask for a bye or leave.
    #[arg(long, default_value_t = 32)]
    players: u32,
    /// Rounds. With more than half as many as players the event may end early.
    #[arg(long, default_value_t = 7)]
    rounds: u16,
    /// Rounds that have been played, all of them when absent: the report of an event that goes on says who is away in the
    /// rounds to come.
    #[arg(long)]
    played: Option<u16>,
    /// In the form of 2016, with the extensions of JaVaFo.
    #[arg(long)]
    trf16: bool,
    /// Ends lines with LF, for people and tools of lines. The format wants CR, which is the default.
    #[arg(long)]
    lf: bool,
}

/// Carries the command out.
///
/// # Errors
/// When there is no event of this size.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let shape = Shape { players: args.players, rounds: args.rounds };
    let played = event_until(args.seed, shape, args.played.unwrap_or(args.rounds))?;
    let name = format!("Event by chance, seed {}", args.seed);
    let header = Header { name, kind: "Individual: Swiss System".to_owned(), ..Header::default() };
    let report = Report { header, ..Report::of(&played, |number| format!("Test{:04}, Player", number.0)) };
    let form = if args.trf16 { Form::Trf16 } else { Form::Trf26 };
    let text = report.write_lines(form, if args.lf { LineEnd::Lf } else { LineEnd::Cr })?;
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // A reader who goes away has seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        written => written?,
    }
    Ok(ExitCode::SUCCESS)
}
