use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use catalogue::{Area, Catalogue, Extension, Language, Word};
use clap::{Arg, Command, builder::PossibleValue};
use unicode_width::UnicodeWidthStr as _;

use super::{ANY, below, heading, part, root, value_name};
use crate::{
    cli::command,
    speech::{
        Speech,
        clap_words::{PHRASES, value_key, values},
        wrap::COLUMNS,
    },
};

/// A text of the help in English, and where its word is looked for, in this order.
struct Text {
    keys: Vec<String>,
    english: String,
}

impl Text {
    /// The key that has its word.
    fn key(&self) -> Option<&str> {
        self.keys.iter().map(String::as_str).find(|key| Catalogue::shipped().knows(key))
    }
}

/// Every text of the tree.
fn texts() -> Vec<Text> {
    let mut texts = Vec::new();
    let whole = command();
    of_command(&whole, &root(&whole), &mut texts);
    let mut of_value = |value: &PossibleValue, english: &str| texts.push(at(value_key(value), english));
    values(&whole, &mut of_value);
    texts.push(at(value_name("COMMAND"), "COMMAND"));
    texts.extend(PHRASES.iter().map(|(phrase, name)| at(format!("help.clap.{name}"), phrase)));
    texts
}

fn at(key: String, english: &str) -> Text {
    Text { keys: vec![key], english: english.to_owned() }
}

fn of_command(command: &Command, path: &str, texts: &mut Vec<Text>) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    texts.push(at(format!("{path}.about"), &about));
    if let Some(more) = command.get_long_about().and_then(|long| more(&about, &long.to_string())) {
        texts.push(at(format!("{path}.more"), &more));
    }
    assert!(command.get_after_help().is_none(), "{path}: what stands behind a help has no key");
    for argument in command.get_arguments() {
        of_argument(argument, path, texts);
    }
    for lower in command.get_subcommands() {
        of_command(lower, &below(path, lower), texts);
    }
}

fn of_argument(argument: &Arg, path: &str, texts: &mut Vec<Text>) {
    let id = part(argument.get_id().as_str());
    let mut text = |kind: &str, english: String| {
        let keys = vec![format!("{path}.{kind}.{id}"), format!("{ANY}.{kind}.{id}")];
        texts.push(Text { keys, english });
    };
    let short = argument.get_help().map(ToString::to_string).unwrap_or_default();
    if let Some(more) = argument.get_long_help().and_then(|long| more(&short, &long.to_string())) {
        text("arg_more", more);
    }
    text("arg", short);
    texts.extend(argument.get_help_heading().map(|said| at(heading(said), said)));
    let names = argument.get_value_names().filter(|_| argument.get_action().takes_values());
    // What is no word shows a form: FIRST..LAST.
    let is_word = |name: &str| name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    texts.extend(
        names.into_iter().flatten().filter(|name| is_word(name)).map(|name| at(value_name(name), name)),
    );
}

/// What a long text says after the short one.
fn more(short: &str, long: &str) -> Option<String> {
    if long.trim_end_matches('.') == short {
        return None;
    }
    let (first, more) = long.split_once("\n\n").expect("the first paragraph is the short text");
    assert_eq!(first.trim_end_matches('.'), short, "the first paragraph is the short text");
    Some(more.to_owned())
}

/// Lines of a file of the catalogue, with the English text where the word is to stand.
fn toml(missing: &[&Text]) -> String {
    let mut sections: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for text in missing {
        let (section, name) = text.keys[0].rsplit_once('.').expect("a key has parts");
        sections.entry(section).or_default().insert(name, &text.english);
    }
    sections.iter().fold(String::new(), |mut lines, (section, words)| {
        let _infallible = write!(lines, "\n[{}]\n", section.strip_prefix("help.").unwrap_or(section));
        for (name, english) in words {
            let _infallible = writeln!(lines, "{name} = {english:?}");
        }
        lines
    })
}

#[test]
fn every_text_of_the_help_has_a_word_in_chinese() {
    let texts = texts();
    let missing: Vec<&Text> = texts.iter().filter(|text| text.key().is_none()).collect();
    assert!(
        missing.is_empty(),
        "{} texts of the help are missing in services/shared/catalogue/catalogues/zh/help*.toml; what several arguments of one \
         name have in common may stand once, in [any.arg]:\n{}",
        missing.len(),
        toml(&missing)
    );
}

#[test]
fn no_word_of_the_help_is_left_over() {
    let texts = texts();
    let used: BTreeSet<&str> = texts.iter().filter_map(Text::key).collect();
    let keys = Catalogue::shipped().keys(Area::Help);
    let left: Vec<&&str> = keys.keys().filter(|key| !used.contains(**key)).collect();
    assert!(left.is_empty(), "nothing has the help {left:#?}");
}

#[test]
fn one_word_stands_for_one_english_text() {
    let texts = texts();
    let mut english: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for text in &texts {
        if let Some(key) = text.key() {
            english.entry(key).or_default().insert(&text.english);
        }
    }
    let several: Vec<_> = english.iter().filter(|(_, texts)| texts.len() > 1).collect();
    assert!(several.is_empty(), "each of these needs keys of its own: {several:#?}");
}

#[test]
fn both_languages_name_the_same_things() {
    let speech = chinese();
    let mut faults = String::new();
    let names = format!("{ANY}.name.");
    for text in texts().into_iter().filter(|text| !text.keys[0].starts_with(&names)) {
        let Some(word) = text.key().and_then(|key| speech.filled(key)) else { continue };
        let (english, chinese) = (marks(&text.english), marks(&word));
        if english != chinese {
            let _infallible =
                writeln!(faults, "{}: {english:?} in English, {chinese:?} in {word}", text.keys[0]);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// What is no word of a language: what stands in backticks, flags, variables, addresses, numbers.
fn marks(text: &str) -> BTreeSet<String> {
    let mut marks = BTreeSet::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 1 {
            marks.insert(part.to_owned());
            continue;
        }
        let ends = |c: char| !c.is_ascii_graphic() || "()[]{},;\"'".contains(c);
        for word in part.split(ends).map(|word| word.trim_end_matches(['.', ':'])) {
            let is_name = word.contains('_') && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
            if word.starts_with("--") || word.contains("://") || is_name {
                marks.insert(word.to_owned());
            } else {
                let numbers = word.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
                marks.extend(numbers.map(str::to_owned));
            }
        }
    }
    marks
}

#[test]
fn what_is_no_word_is_found() {
    let found: Vec<String> =
        marks("`a b`, --c of SHOUTAN_D (redis://e), 12 to 24h. FILE").into_iter().collect();
    assert_eq!(found, ["--c", "12", "24", "SHOUTAN_D", "a b", "redis://e"]);
}

fn chinese() -> Speech {
    Speech::new(Language::chinese(), None).expect("it is spoken")
}

/// What every command shows as its help, short and long, without colours.
fn shown(speech: &Speech) -> Vec<String> {
    fn of(lower: &mut Command, speech: &Speech, all: &Command, shown: &mut Vec<String>) {
        for help in [lower.render_help(), lower.render_long_help()] {
            let text = speech.shown(all, &help, COLUMNS);
            shown.push(format!("{}\n{}", lower.get_name(), anstream::adapter::strip_str(&text)));
        }
        for command in lower.get_subcommands_mut() {
            of(command, speech, all, shown);
        }
    }
    let mut whole = speech.help(command());
    whole.build();
    let mut shown = Vec::new();
    of(&mut whole.clone(), speech, &whole, &mut shown);
    shown
}

#[test]
fn no_help_has_a_line_of_english() {
    // Two words of small letters in a row, outside of backticks and of what is typed.
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
    let is_english = |line: &&str| {
        let unmarked: String = line.split('`').step_by(2).collect::<Vec<_>>().join("|");
        let words: Vec<&str> = unmarked.split(' ').collect();
        words.windows(2).any(|pair| is_word(pair[0]) && is_word(pair[1]))
    };
    let mut faults = String::new();
    let all = shown(&chinese());
    assert!(all.len() > 400, "{} helps", all.len());
    for help in all {
        let (name, text) = help.split_once('\n').expect("it has a name");
        let usage = |line: &&str| !line.starts_with("用法：");
        for line in text.lines().filter(usage).filter(is_english) {
            let _infallible = writeln!(faults, "{name}: {line}");
        }
        let is_wide = |line: &&str| line.width() > COLUMNS && line.contains(|sign: char| !sign.is_ascii());
        for line in text.lines().filter(is_wide) {
            let _infallible = writeln!(faults, "{name} is wide: {line}");
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn a_federation_s_words_go_before_those_of_the_platform() {
    let word = |language: &str, key: &str, text: &str| Word {
        language: language.to_owned(),
        key: key.to_owned(),
        text: text.to_owned(),
        one: None,
    };
    let own = [word("bo", "help.shoutan.event.about", "འགྲན་སྡུར།"), word("bo", "help.any.name.FILE", "ཡིག་ཆ།")];
    let own = Extension::of(&Area::ALL, &own).expect("they are fine");
    let tibetan = Speech::new("bo-CN".parse().expect("a language"), Some(own)).expect("it is spoken");
    let command = tibetan.help(command());
    let about = |name: &str| {
        let lower = command.find_subcommand(name).expect("it is there");
        lower.get_about().map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!(about("event"), "འགྲན་སྡུར།");
    assert_eq!(
        Some(about("play")),
        chinese().word("help.shoutan.play.about"),
        "Tibetan falls back to Chinese"
    );
    let file = command.find_subcommand("up").and_then(|up| {
        up.get_arguments().find(|argument| argument.get_id() == "tls_cert").and_then(Arg::get_value_names)
    });
    assert_eq!(file.map(|names| names[0].as_str()), Some("ཡིག་ཆ།"));
    assert!(Speech::new("de".parse().expect("a language"), None).is_none(), "German falls back to English");
}
