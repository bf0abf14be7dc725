//! The way of an event through its stages: adoption, checklist, officials, draws, papers.

use std::{io::Read as _, path::PathBuf};

use anyhow::{Context as _, ensure};
use api::federation::v1::{Event, EventStage};

use super::{
    change::{Target, change, event, told},
    session::Session,
    words,
};
use crate::commands::regular_file;

/// Longer files hold something else: a report has 20,000 characters at most.
const PAPER_BYTES_MAX: u64 = 128 * 1024;

/// What takes an event on.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Adopts the supplement as it stands, for the committee (Art. 31.1).
    Adopt(Target),
    /// Takes an event that is adopted to its next stage.
    Advance(Target),
    /// Calls an event off.
    Cancel {
        #[command(flatten)]
        target: Target,
        /// Why; everybody reads it.
        #[arg(long)]
        reason: String,
    },
    /// Ticks an item of the chief arbiter's checklist off (Art. 31).
    Check {
        #[command(flatten)]
        target: Target,
        /// The items.
        #[arg(required = true, value_parser = words::items())]
        items: Vec<i32>,
        /// Opens them again.
        #[arg(long)]
        open: bool,
    },
    /// Gives an account an office in the event. The next token of the account has it.
    Appoint {
        #[command(flatten)]
        target: Target,
        /// The name of the account.
        account: String,
        /// The office.
        #[arg(value_parser = words::offices())]
        role: i32,
    },
    /// Takes an office away (Art. 31.3).
    Dismiss {
        #[command(flatten)]
        target: Target,
        /// The name of the account.
        account: String,
        /// The office.
        #[arg(value_parser = words::offices())]
        role: i32,
        /// Why; kept beside the log, for officials.
        #[arg(long)]
        reason: String,
    },
    /// Has the server draw the secret from which every lot of the event follows, and commit to it.
    CommitSeed(Target),
    /// Has the places shared, or drawn by lot, that a play-off was to decide and cannot; for the committee.
    SettleTies {
        #[command(flatten)]
        target: Target,
        /// Whether equals share their place, or the lot puts them in order.
        #[arg(value_parser = ["share", "lot"])]
        how: String,
        /// Why no play-off is held; everybody reads it.
        #[arg(long)]
        reason: String,
    },
    /// Files the chief arbiter's report (Art. 31.10).
    Report {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        paper: Paper,
    },
    /// Assesses an arbiter of the event (Art. 31.10).
    Assess {
        #[command(flatten)]
        target: Target,
        /// The name of the arbiter's account.
        account: String,
        #[command(flatten)]
        paper: Paper,
    },
}

/// A text for officials to read.
#[derive(Debug, clap::Args)]
#[group(id = "paper", required = true, multiple = false)]
pub(super) struct Paper {
    /// The text.
    #[arg(long)]
    text: Option<String>,
    /// A file with the text, in UTF-8.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Paper {
    pub(super) fn read(self) -> anyhow::Result<String> {
        let Some(path) = self.file else { return Ok(self.text.unwrap_or_default()) };
        let reading = || format!("reading {}", path.display());
        let mut text = String::new();
        let file = regular_file::open(&path).with_context(reading)?;
        file.take(PAPER_BYTES_MAX).read_to_string(&mut text).with_context(reading)?;
        Ok(text)
    }
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (target, event) = match command {
        Command::Adopt(target) => {
            let event = change!(session, target, adopt_event(AdoptEventRequest {}))?;
            (target, event)
        }
        Command::Advance(target) => {
            let event = advance(session, &target).await?;
            (target, event)
        }
        Command::Cancel { target, reason } => {
            let event = change!(session, target, cancel_event(CancelEventRequest { reason }))?;
            (target, event)
        }
        Command::Check { mut target, items, open } => {
            let mut after = event(session, &target.event).await?;
            for item in items {
                after = change!(session, target, check_off(CheckOffRequest { item, open }))?;
                if target.expect > 0 && !target.dry_run {
                    target.expect = after.sequence;
                }
            }
            (target, after)
        }
        Command::Appoint { target, account, role } => {
            let account_id = session.account(&account).await?;
            let event =
                change!(session, target, appoint_official(AppointOfficialRequest { account_id, role }))?;
            (target, event)
        }
        Command::Dismiss { target, account, role, reason } => {
            let account_id = session.account(&account).await?;
            let event = change!(
                session,
                target,
                dismiss_official(DismissOfficialRequest { account_id, role, reason })
            )?;
            (target, event)
        }
        Command::CommitSeed(target) => {
            let event = change!(session, target, commit_seed(CommitSeedRequest {}))?;
            (target, event)
        }
        Command::SettleTies { target, how, reason } => {
            let by_lot = how == "lot";
            let event = change!(session, target, settle_ties(SettleTiesRequest { by_lot, reason }))?;
            (target, event)
        }
        Command::Report { target, paper } => {
            let text = paper.read()?;
            let event = change!(session, target, file_report(FileReportRequest { text }))?;
            (target, event)
        }
        Command::Assess { target, account, paper } => {
            let (account_id, text) = (session.account(&account).await?, paper.read()?);
            let event = change!(session, target, assess_arbiter(AssessArbiterRequest { account_id, text }))?;
            (target, event)
        }
    };
    told(session, &target, &event).await
}

/// Takes an event to its next stage.
pub(super) async fn advance(session: &Session, target: &Target) -> anyhow::Result<Event> {
    let stage = event(session, &target.event).await?.stage();
    ensure!(stage != EventStage::Draft, "this event is a draft: `adopt` takes it on, with its supplement");
    let stage = next(stage);
    change!(session, target, advance_event(AdvanceEventRequest { stage }))
}

/// The stage after a stage. What comes after the last is refused by the server.
fn next(stage: EventStage) -> i32 {
    use EventStage::{Adopted, Cancelled, Closing, Draft, Final, Registration, Running, Unspecified};
    let next = match stage {
        // A draft is adopted, which is a command of its own.
        Draft | Unspecified => Adopted,
        Adopted => Registration,
        Registration => Running,
        Running => Closing,
        Closing | Final => Final,
        Cancelled => Cancelled,
    };
    next.into()
}
