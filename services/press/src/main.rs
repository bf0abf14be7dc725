//! `shoutan-press`: reads a paper as JSON and writes it as PDF.
#![forbid(unsafe_code)]

mod input;
mod output;

use std::{path::PathBuf, process::ExitCode, sync::mpsc, thread, time::Duration};

use anyhow::Context as _;
use catalogue::Catalogue;
use clap::Parser;
use papers::Paper;
use press::{Fonts, Printed, pdf};

/// How long a paper may take. The largest one that is printed takes a third of it on a slow machine.
const PRINTING: Duration = Duration::from_mins(3);
/// The stack of the thread that sets: tables in boxes in pages go deep.
const STACK_BYTES: usize = 64 << 20;

/// Prints a paper of an event, which `shoutan event paper … --format json` gives, as PDF on A4.
#[derive(Debug, Parser)]
#[command(name = "shoutan-press", version, about, max_term_width = 100)]
struct Args {
    /// The paper; - is standard input.
    #[arg(default_value = "-", hide_default_value = true)]
    paper: PathBuf,
    /// Writes the PDF to this file, and not to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Writes it although there is such a file, whose contents are lost.
    #[arg(long, requires = "output")]
    force: bool,
    /// Its languages, at most three, with commas between them: zh,bo. Those that the paper names when none is said.
    #[arg(long = "lang", value_name = "LANGUAGES", value_delimiter = ',')]
    languages: Vec<String>,
    /// A folder with fonts; may be given several times. Debian's fonts-noto-core and fonts-noto-cjk have everything that
    /// papers usually need.
    #[arg(
        long = "fonts",
        env = "SHOUTAN_PRESS_FONTS",
        value_name = "FOLDER",
        value_delimiter = ':',
        default_value = "/usr/share/fonts"
    )]
    fonts: Vec<PathBuf>,
    /// A file with words of a federation's own, which go before those that come with the paper, as JSON:
    /// [{"language": "bo", "key": "papers.name", "text": "མིང་"}, …].
    #[arg(long, value_name = "FILE")]
    words: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "it is where commands complain")]
fn complain(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}

fn run(args: Args) -> anyhow::Result<()> {
    let (mut paper, own) = input::paper(&args.paper)?;
    if !args.languages.is_empty() {
        paper.languages = args.languages;
    }
    let catalogue = input::catalogue(own, args.words.as_deref())?;
    let fonts = Fonts::of(&args.fonts)?;
    let printed = print(paper, catalogue, fonts)?;
    output::write(&printed.pdf, args.output.as_deref(), args.force)
}

/// Prints beside this thread, which stops waiting in time: typst cannot be stopped, but the process can.
fn print(paper: Paper, catalogue: Catalogue, fonts: Fonts) -> anyhow::Result<Printed> {
    let (tell, told) = mpsc::sync_channel(1);
    let work = move || {
        // Nobody may be waiting any more.
        let _ = tell.send(pdf(&paper, &catalogue, fonts));
    };
    thread::Builder::new().stack_size(STACK_BYTES).spawn(work).context("starting to print")?;
    match told.recv_timeout(PRINTING) {
        Ok(printed) => printed.context("the paper is not printed"),
        Err(mpsc::RecvTimeoutError::Timeout) => {
            anyhow::bail!("the paper is not printed: it takes more than {} seconds", PRINTING.as_secs())
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            anyhow::bail!("the paper is not printed: typst has failed")
        }
    }
}
