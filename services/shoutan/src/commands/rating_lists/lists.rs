//! Lists: published, shown, verified, exported; ratings taken in.

use std::{
    io::{Read as _, Write as _},
    path::PathBuf,
};

use anyhow::{Context as _, anyhow, ensure};
use api::federation::v1::{
    DocumentKind, ExportRatingListRequest, ImportRatingsRequest, ListImportedRatingsRequest,
    ListRatingEntriesRequest, ListRatingListsRequest, PublishRatingListRequest, RatingListPreview,
    ReadRatingListBytesRequest, RenderDocumentRequest, VerifyRatingListRequest,
};
use serde_json::json;

use super::{
    client, print,
    session::{Session, all, ask},
    shown, waiting,
};
use crate::commands::{
    federation::shown::Shown,
    paper::{Words, Writing, write_paper},
    regular_file,
    terminal::say,
};

/// What is done with lists.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Publishes the next list of a policy. It never changes afterwards.
    Publish {
        /// The policy's id.
        policy: String,
        /// The day of the list, as 2026-12-31; today if it is not said.
        #[arg(long, value_name = "DATE", default_value = "")]
        date: String,
        /// Only shows what is new in it, and writes nothing.
        #[arg(long)]
        check: bool,
    },
    /// Lists the lists of a policy, the last first.
    Lists {
        /// The policy's id.
        policy: String,
    },
    /// Shows a list, or one member in all lists.
    List(List),
    /// Computes a list anew from its stored input, and says whether it is what was published. Fails if it is not.
    Verify {
        /// The policy's id.
        policy: String,
        /// Which list; the last if it is not said.
        #[arg(long, default_value_t = 0)]
        number: u32,
    },
    /// Prints a list as a paper, or keeps it in a file.
    Paper {
        /// The policy's id.
        policy: String,
        /// Which list; the last if it is not said.
        #[arg(long, default_value_t = 0)]
        number: u32,
        #[command(flatten)]
        words: Words,
        #[command(flatten)]
        writing: Writing,
    },
    /// Writes a list as CSV.
    Export {
        /// The policy's id.
        policy: String,
        /// The file that is written; standard output if none is named.
        file: Option<PathBuf>,
        /// Which list; the last if it is not said.
        #[arg(long, default_value_t = 0)]
        number: u32,
        /// Begins with a byte order mark, as some spreadsheets need it.
        #[arg(long)]
        byte_order_mark: bool,
    },
    /// Writes the canonical bytes of a list, or of the input from which it is recomputed.
    Bytes(Bytes),
    /// Takes the ratings of a CSV file in, all or none: of members whom no list rates. The next list knows them.
    ///
    /// The first line names the columns, in any order: id or number:LIST (number:fide), rating (1613.25), games, and date
    /// (2026-12-31). The same file twice changes nothing.
    Import {
        /// The policy's id.
        policy: String,
        /// The file, in UTF-8.
        file: PathBuf,
        /// Who vouches for them.
        #[arg(long, value_name = "WHO")]
        vouched_by: String,
        /// Only says what it would do, and what is wrong with which line.
        #[arg(long)]
        check: bool,
    },
    /// Lists the ratings that were taken in.
    Imported {
        /// The policy's id.
        policy: String,
    },
}

/// Which entries to show.
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// The policy's id.
    policy: String,
    /// Which list; the last if it is not said.
    #[arg(long, default_value_t = 0)]
    number: u32,
    /// Only those who were in this club on the day of the list; its id.
    #[arg(long, default_value = "")]
    club: String,
    /// One member in all lists; his id.
    #[arg(long, default_value = "", conflicts_with_all = ["number", "club"])]
    member: String,
}

/// Which bytes to write.
#[derive(Debug, clap::Args)]
pub(super) struct Bytes {
    /// The policy's id.
    policy: String,
    /// The file that is written.
    file: PathBuf,
    /// Which list; the last if it is not said.
    #[arg(long, default_value_t = 0)]
    number: u32,
    /// Of which of the lists that were made anew for it; of itself if it is not said.
    #[arg(long, default_value_t = 0)]
    step: u32,
    /// Those of the list itself rather than of its input.
    #[arg(long)]
    list: bool,
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Publish { policy, date, check } => publish(session, policy, date, check).await,
        Command::Lists { policy: policy_id } => {
            let request = ListRatingListsRequest { policy_id, ..Default::default() };
            let found = all!(client(session), list_rating_lists, request, lists);
            print::list(session.json, &found.iter().map(shown::list).collect::<Vec<_>>())
        }
        Command::List(list) => show(session, list).await,
        Command::Paper { policy: policy_id, number: list_number, words, writing } => {
            let (kind, languages) = (DocumentKind::RatingList.into(), words.languages);
            let of = RenderDocumentRequest { kind, languages, policy_id, list_number, ..Default::default() };
            return write_paper(session, of, writing).await;
        }
        Command::Verify { policy, number } => verify(session, policy, number).await,
        Command::Export { policy, file, number, byte_order_mark } => {
            export(session, policy, file, (number, byte_order_mark)).await
        }
        Command::Bytes(bytes) => write_bytes(session, bytes).await,
        Command::Import { policy, file, vouched_by, check } => {
            import(session, policy, file, (vouched_by, check)).await
        }
        Command::Imported { policy: policy_id } => {
            let request = ListImportedRatingsRequest { policy_id, ..Default::default() };
            let found = all!(client(session), list_imported_ratings, request, ratings);
            print::list(session.json, &found.iter().map(shown::imported).collect::<Vec<_>>())
        }
    }
}

async fn publish(session: &Session, policy: String, date: String, check: bool) -> anyhow::Result<()> {
    let request = PublishRatingListRequest {
        policy_id: policy,
        date,
        request_id: session.new_id(),
        validate_only: check,
    };
    let bar = waiting("the list is worked out");
    let answer = ask!(client(session), publish_rating_list, request);
    bar.finish_and_clear();
    let answer = answer?;
    let mut record = shown::list(&answer.list.context("the server's answer lacks the list")?);
    let Some(preview) = answer.preview.filter(|_| check) else { return print::one(session.json, &record) };
    if session.json {
        let objects = |records: Vec<print::Record>| records.iter().map(print::object).collect::<Vec<_>>();
        let RatingListPreview { events, newcomers, movers, .. } = &preview;
        record.push(("counted", json!(objects(events.iter().map(shown::event).collect()))));
        record.push(("newcomers", json!(objects(newcomers.iter().map(shown::entry).collect()))));
        record.push(("movers", json!(objects(movers.iter().map(shown::entry).collect()))));
        record.push(("too_old", json!(preview.too_old_count)));
        return print::one(true, &record);
    }
    print::one(false, &record)?;
    print_preview(&preview)
}

fn print_preview(preview: &RatingListPreview) -> anyhow::Result<()> {
    say("\nevents that count, or count otherwise:")?;
    print::list(false, &preview.events.iter().map(shown::event).collect::<Vec<_>>())?;
    say(format_args!("\n{} have a rating for the first time:", preview.newcomer_count))?;
    print::list(false, &preview.newcomers.iter().map(shown::entry).collect::<Vec<_>>())?;
    say(format_args!("\n{} ratings move:", preview.mover_count))?;
    print::list(false, &preview.movers.iter().map(shown::entry).collect::<Vec<_>>())?;
    if preview.too_old_count > 0 {
        let count = preview.too_old_count;
        say(format_args!(
            "\n{count} events changed too long after they were counted, and are left as they were"
        ))?;
    }
    say("\nnothing was written")
}

async fn show(session: &Session, list: List) -> anyhow::Result<()> {
    let request = ListRatingEntriesRequest {
        policy_id: list.policy,
        number: list.number,
        club_id: list.club,
        member_id: list.member,
        page_size: 200,
        ..Default::default()
    };
    let found = all!(client(session), list_rating_entries, request, entries);
    print::list(session.json, &found.iter().map(shown::entry).collect::<Vec<_>>())
}

async fn verify(session: &Session, policy_id: String, number: u32) -> anyhow::Result<()> {
    let bar = waiting("the list is computed anew");
    let answer = ask!(client(session), verify_rating_list, VerifyRatingListRequest { policy_id, number });
    bar.finish_and_clear();
    let answer = answer?;
    let record = |step: &api::federation::v1::VerifiedStep| {
        vec![
            ("step", json!(step.number)),
            ("equal", json!(step.fault.is_empty())),
            ("list", json!(shown::hex(&step.list_digest))),
            ("input", json!(shown::hex(&step.input_digest))),
            ("fault", json!(step.fault)),
            ("differing", json!(step.differing_member_ids.join(" "))),
        ]
    };
    print::list(session.json, &answer.steps.iter().map(record).collect::<Vec<_>>())?;
    ensure!(answer.equal, "the list is not what follows from its input");
    Ok(())
}

async fn export(
    session: &Session,
    policy_id: String,
    file: Option<PathBuf>,
    (number, byte_order_mark): (u32, bool),
) -> anyhow::Result<()> {
    // Of the last list all parts are, also when the next one is published meanwhile.
    let asked = api::federation::v1::GetRatingListRequest { policy_id: policy_id.clone(), number };
    let list =
        ask!(client(session), get_rating_list, asked)?.list.context("the server's answer lacks the list")?;
    let mut request = ExportRatingListRequest {
        policy_id,
        number: list.number,
        byte_order_mark,
        page_token: String::new(),
    };
    let mut csv = Vec::new();
    loop {
        let part = ask!(client(session), export_rating_list, request.clone())?;
        csv.extend(part.csv);
        if part.next_page_token.is_empty() {
            break;
        }
        request.page_token = part.next_page_token;
    }
    match file {
        Some(file) => std::fs::write(&file, csv).with_context(|| format!("writing {}", file.display())),
        None => Ok(std::io::stdout().lock().write_all(&csv)?),
    }
}

async fn write_bytes(session: &Session, asked: Bytes) -> anyhow::Result<()> {
    let Bytes { policy, file, number, step, list } = asked;
    let mut request =
        ReadRatingListBytesRequest { policy_id: policy, number, step, of_list: list, offset: 0 };
    let mut bytes = Vec::new();
    loop {
        let part = ask!(client(session), read_rating_list_bytes, request.clone())?;
        bytes.extend(&part.part);
        request.offset = bytes.len() as u64;
        if part.part.is_empty() || request.offset >= part.total {
            break;
        }
    }
    std::fs::write(&file, &bytes).with_context(|| format!("writing {}", file.display()))?;
    print::one(
        session.json,
        &vec![("file", json!(file.display().to_string())), ("bytes", json!(bytes.len()))],
    )
}

async fn import(
    session: &Session,
    policy_id: String,
    file: PathBuf,
    (vouched_by, check): (String, bool),
) -> anyhow::Result<()> {
    let mut csv = Vec::new();
    let reading = || format!("reading {}", file.display());
    regular_file::open(&file).with_context(reading)?.read_to_end(&mut csv).with_context(reading)?;
    let request = ImportRatingsRequest {
        policy_id,
        csv,
        vouched_by,
        request_id: session.new_id(),
        validate_only: check,
    };
    let answer = ask!(client(session), import_ratings, request)?;
    if !answer.problems.is_empty() {
        let problems: Vec<_> = answer.problems.iter().map(Shown::record).collect();
        print::list(session.json, &problems)?;
        return Err(anyhow!("{}: {} bad lines", file.display(), answer.problem_count));
    }
    let counts = vec![
        ("created", json!(answer.created)),
        ("changed", json!(answer.changed)),
        ("unchanged", json!(answer.unchanged)),
        ("only_checked", json!(check)),
    ];
    print::one(session.json, &counts)
}
