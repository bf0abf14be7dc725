//! Events themselves: made, shown, listed, changed; their supplements and readings.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::{Context as _, anyhow};
use api::federation::v1::{
    CreateEventRequest, Event, EventSettings, GetEventRequest, GetSupplementRequest, ListEventsRequest,
    ListReadingsRequest, ReadingOutcome,
};
use serde_json::json;

use super::{
    change::{Target, change, event, told},
    example,
    people::People,
    print,
    session::{Session, all, ask, name},
    settings::File,
    shown, words,
};
use crate::commands::terminal::say;

/// What is done with events themselves.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes an event of a federation, as a draft.
    Create {
        /// The federation's id.
        federation: String,
        /// The name in its own script.
        name: String,
        /// The name in Latin letters, where it is in others.
        #[arg(long)]
        latin: Option<String>,
        #[command(flatten)]
        settings: SettingsArg,
        /// Only says whether it could be made.
        #[arg(long)]
        dry_run: bool,
    },
    /// Prints the settings of an event as a file that can be changed and given to `update`; or a file to begin with.
    #[command(arg_required_else_help = true)]
    Settings {
        /// The event's id.
        event: Option<String>,
        /// Prints a file to begin with, with comments, for an event of this format.
        #[arg(long, value_name = "FORMAT", value_parser = example::FORMATS, conflicts_with = "event")]
        example: Option<String>,
    },
    /// Shows an event: how far it is, and what is missing before its next stage.
    Show {
        /// The event's id.
        event: String,
        /// As it was after this entry of its log.
        #[arg(long, value_name = "SEQUENCE", default_value_t = 0, hide_default_value = true)]
        as_of_sequence: u64,
    },
    /// Lists the events of a federation, newest first.
    List {
        /// The federation's id.
        federation: String,
        /// Only those in this stage.
        #[arg(long, value_parser = words::stages(), default_value = None)]
        stage: Option<i32>,
    },
    /// Prints the supplement to the rules, which everybody accepts who enters.
    Supplement {
        /// The event's id.
        event: String,
    },
    /// Lists the readings of the printed rules that an event can choose.
    Readings,
    /// Changes the settings of an event. After the adoption it makes a new version of the supplement.
    Update {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        settings: SettingsArg,
        /// Why; required after the adoption.
        #[arg(long, default_value = "")]
        reason: String,
    },
}

/// Where settings come from.
#[derive(Debug, clap::Args)]
pub(super) struct SettingsArg {
    /// A file of settings; see `shoutan event settings --example`.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Chooses a reading of the printed rules, as m_basis=theoretical; may be repeated.
    #[arg(long = "set", value_name = "READING=VALUE", value_parser = reading)]
    chosen: Vec<(String, String)>,
}

impl SettingsArg {
    /// The settings that are asked for; without a file those that there are, with the readings chosen.
    fn read(self, before: Option<EventSettings>) -> anyhow::Result<EventSettings> {
        let mut file = match (&self.settings, before) {
            (Some(path), _) => File::read(path)?,
            (None, Some(before)) if !self.chosen.is_empty() => before.try_into()?,
            (None, Some(_)) => {
                return Err(anyhow!("say what to change: --settings FILE or --set READING=VALUE"));
            }
            (None, None) => {
                return Err(anyhow!(
                    "name a --settings FILE; `shoutan event settings --example swiss` prints one"
                ));
            }
        };
        file.choose(&self.chosen);
        Ok(file.into())
    }
}

/// `NAME=VALUE`.
pub(super) fn reading(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write READING=VALUE, such as m_basis=theoretical")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Create { federation, name, latin, settings, dry_run } => {
            create(session, (federation, name, latin), settings, dry_run).await
        }
        Command::Settings { event: None, .. } => Err(anyhow!("name an event, or --example FORMAT")),
        Command::Settings { event: Some(id), .. } => {
            let settings =
                event(session, &id).await?.settings.context("the server's answer lacks the settings")?;
            say(serde_json::to_string_pretty(&File::try_from(settings)?)?)
        }
        Command::Show { event: event_id, as_of_sequence } => {
            let request = GetEventRequest { event_id, as_of_sequence, as_of_time: None };
            let event = ask!(session.events(), get_event, request)?.event;
            show(session, &event.context("the server's answer lacks the event")?).await
        }
        Command::List { federation: federation_id, stage } => {
            let request =
                ListEventsRequest { federation_id, stage: stage.unwrap_or_default(), ..Default::default() };
            let found = all!(session.events(), list_events, request, events);
            let records: Vec<_> = found.iter().map(|event: &Event| shown::row(event)).collect();
            print::list(session.json, &records)
        }
        Command::Supplement { event: event_id } => supplement(session, event_id).await,
        Command::Readings => readings(session).await,
        Command::Update { target, settings, reason } => {
            let before = event(session, &target.event).await?;
            let settings = Some(settings.read(before.settings)?);
            // A file of settings is a whole.
            let update_mask = None;
            let event =
                change!(session, target, update_event(UpdateEventRequest { settings, reason, update_mask }))?;
            told(session, &target, &event).await
        }
    }
}

async fn create(
    session: &Session,
    (federation_id, native, latin): (String, String, Option<String>),
    settings: SettingsArg,
    dry_run: bool,
) -> anyhow::Result<()> {
    let request = CreateEventRequest {
        event_id: session.new_id(),
        federation_id,
        name: Some(name(native, latin)),
        settings: Some(settings.read(None)?),
        validate_only: dry_run,
    };
    let event = ask!(session.events(), create_event, request)?.event;
    let event = event.context("the server's answer lacks the event")?;
    if dry_run && !session.json {
        return say(format_args!("{}: it can be made; nothing is written", shown::name(&event)));
    }
    if !session.json {
        return show(session, &event).await;
    }
    let mut record = shown::event(session, &event);
    record.push(("only_checked", json!(dry_run)));
    print::one(true, &record)
}

/// An event with the names of its officials; for scripts with all of its settings.
async fn show(session: &Session, event: &Event) -> anyhow::Result<()> {
    if session.json {
        return print::one(true, &shown::whole(session, event)?);
    }
    let mut people = People::default();
    people.look_up(session, event.officials.iter().map(|it| it.account_id.clone())).await?;
    let mut named = event.clone();
    for official in &mut named.officials {
        official.account_id = people.account(&official.account_id);
    }
    print::one(false, &shown::event(session, &named))
}

async fn supplement(session: &Session, event_id: String) -> anyhow::Result<()> {
    let it = ask!(session.events(), get_supplement, GetSupplementRequest { event_id })?;
    if session.json {
        let record = vec![
            ("version", json!(it.version)),
            ("adopted", json!(it.adopted)),
            ("hash", json!(shown::hex(&it.text_hash))),
            ("text", json!(it.text)),
        ];
        return print::one(true, &record);
    }
    for line in it.text.lines() {
        say(crate::commands::render::sanitize(line))?;
    }
    let adopted = if it.adopted { "adopted" } else { "not adopted yet" };
    say(format_args!("\n{adopted}; SHA-256 {}", shown::hex(&it.text_hash)))
}

/// What comes of each value; that a list is empty is said by a word.
fn outcomes(all: &[ReadingOutcome]) -> serde_json::Value {
    let name = |value: &str| if value.is_empty() { "none".to_owned() } else { value.to_owned() };
    json!(all.iter().map(|it| (name(&it.value), it.outcome.clone())).collect::<BTreeMap<_, _>>())
}

async fn readings(session: &Session) -> anyhow::Result<()> {
    let found = ask!(session.events(), list_readings, ListReadingsRequest {})?.readings;
    let records: Vec<_> = found
        .into_iter()
        .map(|it| {
            vec![
                ("reading", json!(it.name)),
                ("default", json!(it.default_value)),
                ("article", json!(it.article)),
                ("about", json!(it.about)),
                ("values", json!(it.values)),
                ("example", json!(it.example)),
                ("outcomes", outcomes(&it.outcomes)),
            ]
        })
        .collect();
    if session.json {
        return print::list(true, &records);
    }
    for record in &records {
        print::one(false, record)?;
        say("")?;
    }
    Ok(())
}
