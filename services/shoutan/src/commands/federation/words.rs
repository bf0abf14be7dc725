//! Words of federations of their own.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::Context as _;
use api::federation::v1::{
    FederationLanguage, ListLanguagesRequest, ListWordsRequest, UpdateWordsRequest, Word, WordArea,
    language_service_client::LanguageServiceClient,
};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde_json::json;

use super::{
    print,
    session::{Session, all, ask},
};
use crate::{commands::paper::Output, speech::read_words};

/// Longer files hold something else: eight languages of 512 KiB.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The areas by the names that keys begin with.
const AREAS: [(&str, WordArea); 5] = [
    ("papers", WordArea::Papers),
    ("calendar", WordArea::Calendar),
    ("refusals", WordArea::Refusals),
    ("terminal", WordArea::Terminal),
    ("help", WordArea::Help),
];

/// What is done with words.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Lists the languages in which a federation has words of its own, and how many it lacks.
    List {
        /// The federation's id.
        federation: String,
    },
    /// Writes the words of a language as TOML: to translate them, or for SHOUTAN_WORDS.
    ///
    /// Where the language lacks a word, the one stands there that its readers find in its place, in the language that has it;
    /// --own leaves those out. Words under [bo.papers] become those of the papers in Tibetan.
    Show {
        /// The federation's id.
        federation: String,
        /// The language, as a tag: bo, or mn-Mong.
        #[arg(long, value_name = "LANGUAGE")]
        lang: String,
        /// Only words of this area; of all when none is said.
        #[arg(long, value_parser = PossibleValuesParser::new(AREAS.map(|(name, _)| name)).try_map(|name| area(&name)))]
        area: Option<WordArea>,
        /// Only the federation's own.
        #[arg(long)]
        own: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Writes the words of a file to a federation: of each language in it all, in the place of those that it had.
    Write {
        /// The federation's id.
        federation: String,
        /// The file of words, in TOML.
        file: PathBuf,
        /// Only says whether it could be done; nothing is written.
        #[arg(long)]
        dry_run: bool,
    },
    /// Takes all words of a language away from a federation.
    Remove {
        /// The federation's id.
        federation: String,
        /// The language, as a tag: bo, or mn-Mong.
        language: String,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let client = LanguageServiceClient::new(session.transport());
    match command {
        Command::List { federation: federation_id } => {
            let found = ask!(client, list_languages, ListLanguagesRequest { federation_id })?.languages;
            let records: Vec<_> = found.iter().map(|it| record(session, it)).collect();
            print::list(session.json, &records)
        }
        Command::Show { federation: federation_id, lang: language, area, own, output } => {
            let area = area.unwrap_or_default().into();
            let asked = ListWordsRequest {
                federation_id,
                language,
                area,
                own_only: own,
                page_size: 200,
                ..Default::default()
            };
            let language = asked.language.clone();
            let found = all!(client.clone(), list_words, asked, words);
            // Whoever translates a word replaces it where it stands.
            let word = |word: Word| catalogue::Word {
                language: language.clone(),
                key: word.key,
                text: word.text,
                one: (!word.one.is_empty()).then_some(word.one),
            };
            let words: Vec<_> = found.into_iter().filter_map(|it| it.word).map(word).collect();
            output.write(catalogue::write_own(&words).as_bytes())?;
            Ok(())
        }
        Command::Write { federation: federation_id, file, dry_run } => {
            let mut records = Vec::new();
            for (language, words) in read(&file)? {
                let request = UpdateWordsRequest {
                    federation_id: federation_id.clone(),
                    language,
                    words,
                    revision: 0,
                    request_id: session.new_id(),
                    validate_only: dry_run,
                };
                let written = ask!(client.clone(), update_words, request)?.language;
                records.push(record(session, &written.context("the server's answer lacks the language")?));
            }
            print::list(session.json, &records)
        }
        Command::Remove { federation: federation_id, language } => {
            let request_id = session.new_id();
            let request =
                UpdateWordsRequest { federation_id, language, request_id, ..UpdateWordsRequest::default() };
            let left = ask!(client.clone(), update_words, request)?.language;
            print::one(
                session.json,
                &record(session, &left.context("the server's answer lacks the language")?),
            )
        }
    }
}

/// The words of a file, by languages.
fn read(file: &std::path::Path) -> anyhow::Result<BTreeMap<String, Vec<Word>>> {
    let mut languages: BTreeMap<String, Vec<Word>> = BTreeMap::new();
    for word in read_words(file, FILE_BYTES_MAX)? {
        let catalogue::Word { language, key, text, one } = word;
        let word = Word { key, text, one: one.unwrap_or_default() };
        languages.entry(language).or_default().push(word);
    }
    Ok(languages)
}

fn area(name: &str) -> anyhow::Result<WordArea> {
    let found = AREAS.iter().find(|(known, _)| *known == name);
    found.map(|(_, area)| *area).with_context(|| format!("{name} is no area of words"))
}

/// A language as it is printed.
fn record(session: &Session, it: &FederationLanguage) -> print::Record {
    let mut record = vec![("language", json!(it.language)), ("words", json!(it.word_count))];
    let missing = AREAS.map(|(name, _)| it.missing_counts.get(name).copied().unwrap_or(0));
    let named =
        ["papers_missing", "calendar_missing", "refusals_missing", "terminal_missing", "help_missing"];
    record.extend(named.into_iter().zip(missing).map(|(name, count)| (name, json!(count))));
    record.push(("written", session.time(it.update_time.as_ref())));
    record
}
