//! Events as files: taken over from elsewhere, and written for others.

use std::path::PathBuf;

use api::{
    client::{RetryPolicy, with_retry},
    federation::v1::{
        EventFormat, EventGame, ExportEventRequest, ExportGamesRequest, FileLoss, ImportEventRequest,
        ImportMatch, ImportedEvent, LineUpLaw, Name, event_format as wire, export_event_request::Content,
        import_event_response::Told, imported_player::Known,
    },
};
use clap::ValueEnum;
use futures::StreamExt as _;
use serde_json::json;

use super::{print, session::Session, team_settings::LineUp, words};
use crate::commands::{files, games, render::sanitize, terminal::say};

/// What is done with files of events.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Takes an event over that was held elsewhere, whole, from its file: TRF16, TRF26, OpenGotha, H9 or CSV.
    ///
    /// With --check it is a preview: who of the file is whom of the federation, and what is doubtful. Who takes it over vouches
    /// for it by his name; from then on it has tables, rounds and files like any other event, and is final.
    Import(Import),
    /// Writes an event, or a table of it, into a file for others.
    ///
    /// What the format cannot carry is told on standard error.
    Export(Export),
    /// Writes the games of an event into one archive: their records, and a table of all of them.
    ///
    /// Those that run have no record yet, nor have those that were played off the platform; the table has them all the same.
    Games {
        /// The event's id.
        event: String,
        /// The archive (zip), which must not be there yet.
        file: PathBuf,
        /// Only those of this round.
        #[arg(long, default_value_t = 0, hide_default_value = true)]
        round: u32,
    },
}

/// Takes an event over.
#[derive(Debug, clap::Args)]
pub(super) struct Import {
    /// The federation's id.
    federation: String,
    /// The file.
    file: PathBuf,
    /// How you come to vouch for it; everybody reads it.
    #[arg(long)]
    statement: String,
    /// Only says what would come of it.
    #[arg(long)]
    check: bool,
    /// The event's id, a UUID, to repeat an import that was broken off; a new one when it is not said.
    #[arg(long, default_value = None)]
    event: Option<String>,
    /// The format of the file: trf16, trf26, opengotha, h9 or csv; told by the file when it is not said.
    #[arg(long = "format", default_value = "", hide_default_value = true)]
    file_format: String,
    /// What the event is called; what the file says when it is not said.
    #[arg(long, default_value = None)]
    name: Option<String>,
    /// The same in Latin letters.
    #[arg(long, default_value = None, requires = "name")]
    latin: Option<String>,
    /// The variant that was played; what the file says when it is not said.
    #[arg(long, default_value = "", hide_default_value = true)]
    variant: String,
    /// By which format its table is worked out; by that of the file, or as a Swiss, when it is not said.
    #[arg(long, default_value = None)]
    table: Option<Table>,
    /// Who of the file is whom, as NUMBER=MEMBER, or NUMBER= of one whom the federation does not know; may be repeated.
    #[arg(long = "match", value_name = "NUMBER=MEMBER", value_parser = matched)]
    matches: Vec<(u32, String)>,
    /// Takes it over as an event of players, whatever teams the file has.
    #[arg(long)]
    without_teams: bool,
    /// How the players of its teams came to their boards; told by the file when it is not said.
    #[arg(long, conflicts_with = "without_teams", default_value = None)]
    line_up: Option<LineUp>,
}

/// By which format a table is worked out.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Table {
    /// A Swiss.
    Swiss,
    /// All against all.
    RoundRobin,
    /// All meet all twice.
    DoubleRoundRobin,
}

/// Writes an event.
#[derive(Debug, clap::Args)]
pub(super) struct Export {
    /// The event's id.
    event: String,
    /// The file, which must not be there yet.
    file: PathBuf,
    /// The format: trf16, trf26, opengotha, h9 or csv.
    #[arg(long = "format", default_value = "trf26")]
    file_format: String,
    /// A table in CSV, and not the event.
    #[arg(long, conflicts_with = "file_format", default_value = None)]
    only: Option<Only>,
    /// Up to this round; all when it is not said.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    round: u32,
    /// Begins CSV with a byte order mark, as Excel wants it where it would take the file for another encoding.
    #[arg(long)]
    byte_order_mark: bool,
}

/// A table of an event.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Only {
    /// The players.
    Players,
    /// Every result.
    Results,
    /// Who stands where.
    Standings,
}

fn matched(text: &str) -> Result<(u32, String), String> {
    let (number, member) = text.split_once('=').ok_or("write NUMBER=MEMBER, such as 3=…")?;
    Ok((number.parse().map_err(|_| "a number of the file stands before the =")?, member.to_owned()))
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Import(import) => take_over(session, import).await,
        Command::Export(export) => write(session, export).await,
        Command::Games { event: event_id, file, round } => {
            let of = ExportGamesRequest { event_id, round, ..Default::default() };
            games::write(session, of, &file).await
        }
    }
}

async fn take_over(session: &Session, import: Import) -> anyhow::Result<()> {
    let file_id = files::send(session, &import.federation, &import.file).await?;
    let rounds = |double| wire::Format::RoundRobin(wire::RoundRobin { double });
    let event_format = import.table.and_then(|table| match table {
        // The server counts the rounds of the file.
        Table::Swiss => None,
        Table::RoundRobin => Some(EventFormat { format: Some(rounds(false)) }),
        Table::DoubleRoundRobin => Some(EventFormat { format: Some(rounds(true)) }),
    });
    let latin = import.latin.unwrap_or_default();
    let request = ImportEventRequest {
        federation_id: import.federation,
        file_id,
        event_id: import.event.unwrap_or_else(|| session.new_id()),
        validate_only: import.check,
        format: import.file_format,
        name: import.name.map(|native| Name { native, latin }),
        game: Some(EventGame { variant: import.variant, ..EventGame::default() }),
        event_format,
        statement: import.statement,
        matches: import
            .matches
            .into_iter()
            .map(|(number, member_id)| ImportMatch { number, member_id })
            .collect(),
        without_teams: import.without_teams,
        line_up: import.line_up.map_or(LineUpLaw::Unspecified, LineUp::law).into(),
    };
    let bar = files::lines_bar();
    let call = || async {
        let mut answers = session.exchange().import_event(request.clone()).await?.into_inner();
        while let Some(answer) = answers.message().await? {
            match answer.told {
                Some(Told::Progress(progress)) => files::show(&bar, &progress),
                Some(Told::Outcome(outcome)) => return Ok(tonic::Response::new(outcome)),
                None => {}
            }
        }
        Err(tonic::Status::unavailable("the server ended the import without a word"))
    };
    let imported = with_retry(RetryPolicy::default(), call).await;
    bar.finish_and_clear();
    shown(session, &imported?, request.validate_only)
}

/// Prints what came of an import, or would.
fn shown(session: &Session, imported: &ImportedEvent, only_checked: bool) -> anyhow::Result<()> {
    let event = imported.event.clone().unwrap_or_default();
    let player = |it: &api::federation::v1::ImportedPlayer| -> print::Record {
        vec![
            ("number", json!(it.number)),
            ("name", json!(sanitize(&it.name))),
            ("known", json!(known(it.known()))),
            ("member", json!(it.member_id)),
        ]
    };
    let players: Vec<print::Record> = imported.players.iter().map(player).collect();
    let team = |it: &api::federation::v1::ImportedTeam| -> print::Record {
        vec![
            ("team", json!(it.number)),
            ("name", json!(sanitize(&it.name))),
            ("known", json!(if it.is_known { "by name" } else { "new" })),
            ("id", json!(it.team_id)),
        ]
    };
    let teams: Vec<print::Record> = imported.teams.iter().map(team).collect();
    if session.json {
        let object = |record: print::Record| record.into_iter().collect::<std::collections::BTreeMap<_, _>>();
        let doubts = imported
            .doubts
            .iter()
            .map(|it| json!({"what": it.what, "place": it.place, "message": it.message}));
        return print::one(
            true,
            &vec![
                ("event", json!(event.id)),
                ("stage", json!(words::stage(event.stage))),
                ("format", json!(imported.format)),
                ("rounds", json!(event.round)),
                ("games", json!(imported.games)),
                ("players", json!(players.into_iter().map(object).collect::<Vec<_>>())),
                ("teams", json!(teams.into_iter().map(object).collect::<Vec<_>>())),
                ("doubts", json!(doubts.collect::<Vec<_>>())),
                ("only_checked", json!(only_checked)),
            ],
        );
    }
    print::list(false, &players)?;
    if !teams.is_empty() {
        print::list(false, &teams)?;
    }
    for doubt in &imported.doubts {
        say(format_args!("to be looked at: {}", sanitize(&doubt.message)))?;
    }
    let ImportedEvent { format, games, .. } = imported;
    say(format_args!("{format}: {} players, {} rounds, {games} games", imported.players.len(), event.round))?;
    if only_checked { say("nothing is written") } else { say(format_args!("it is the event {}", event.id)) }
}

const fn known(known: Known) -> &'static str {
    match known {
        Known::Unspecified => "",
        Known::Said => "as you say",
        Known::ById => "by id",
        Known::ByNumber => "by number",
        Known::ByName => "by name",
        Known::New => "new",
    }
}

async fn write(session: &Session, export: Export) -> anyhow::Result<()> {
    let content = match export.only {
        None => Content::Event,
        Some(Only::Players) => Content::Players,
        Some(Only::Results) => Content::Results,
        Some(Only::Standings) => Content::Standings,
    };
    let lost: std::cell::RefCell<Vec<FileLoss>> = std::cell::RefCell::default();
    let (exchange, lost_here) = (session.exchange(), &lost);
    let ask = async |offset, sha256| {
        let request = ExportEventRequest {
            event_id: export.event.clone(),
            content: content.into(),
            format: export.file_format.clone(),
            round: export.round,
            byte_order_mark: export.byte_order_mark,
            offset,
            sha256,
        };
        let mut answers = exchange.clone().export_event(request).await?.into_inner();
        // What is lost comes with the first part.
        let first = answers.message().await?.unwrap_or_default();
        lost_here.replace(first.losses);
        let rest = answers.map(|part| part.map(|it| it.part.unwrap_or_default()));
        Ok(futures::stream::iter(first.part.map(Ok)).chain(rest).boxed())
    };
    let bytes = files::receive(ask).await?;
    files::write_new(&export.file, &bytes)?;
    let losses = lost.into_inner();
    losses.iter().for_each(lost_in_it);
    let losses: Vec<_> = losses.iter().map(|it| json!({"what": it.what, "count": it.count})).collect();
    print::one(
        session.json,
        &vec![("file", json!(export.file)), ("bytes", json!(bytes.len())), ("lost", json!(losses))],
    )
}

#[expect(clippy::print_stderr, reason = "this is what the person at the terminal reads, and no script")]
fn lost_in_it(loss: &FileLoss) {
    eprintln!("not in this format: {}", sanitize(&loss.message));
}
