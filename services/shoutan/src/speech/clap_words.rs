//! What the reader of the command line says by itself: its headings in a help, and what is wrong with a command line.
//!
//! It has no words in other languages. So what it has rendered is gone through: in a help its few phrases are replaced, which
//! are found in nothing else there; an error is told line by line, each a sentence of the catalogue.

use clap::{
    Command,
    builder::{PossibleValue, StyledStr},
    error::ErrorKind,
};

use super::{
    Speech,
    wrap::{COLUMNS, wrapped},
};
use crate::commands::terminal;

/// The phrases of a help, each with the name of its word. One that another one begins with stands after it.
pub(super) const PHRASES: &[(&str, &str)] = &[
    ("Print help (see more with '--help')", "print_help_more"),
    ("Print help (see a summary with '-h')", "print_help_less"),
    ("Print help", "print_help"),
    ("Print version", "print_version"),
    ("Print this message or the help of the given subcommand(s)", "print_help_of"),
    ("Usage:", "usage"),
    ("Commands:", "commands"),
    ("Arguments:", "arguments"),
    ("Options:", "options"),
    ("[OPTIONS]", "options_place"),
    ("[default: ", "default"),
    ("[env: ", "env"),
    ("[possible values: ", "possible_values"),
    ("Possible values:", "possible_values_heading"),
    ("[aliases: ", "aliases"),
];

impl Speech {
    /// What the reader of the command line says, in this language: a help with its colours, an error without.
    pub(crate) fn of_clap(&self, said: &clap::Error, command: &Command) -> String {
        match said.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            | ErrorKind::DisplayVersion => {
                let columns = terminal::size().map_or(COLUMNS, |(columns, _)| columns.into());
                self.shown(command, &said.render(), columns.min(COLUMNS))
            }
            _ => self.lines(&said.render().to_string()),
        }
    }

    /// A help of one of these commands as it is shown.
    pub(super) fn shown(&self, all: &Command, help: &StyledStr, columns: usize) -> String {
        wrapped(&self.phrases(self.values(all, &help.ansi().to_string())), columns)
    }

    /// A help with the phrases in this language.
    fn phrases(&self, text: String) -> String {
        PHRASES.iter().fold(text, |text, (phrase, name)| match self.word(&format!("help.clap.{name}")) {
            Some(word) => text.replace(phrase, &word),
            None => text,
        })
    }

    /// A help with the meanings of possible values in this language. They belong to the types of values and cannot be set
    /// beforehand; in the help they are whole lines.
    fn values(&self, command: &Command, text: &str) -> String {
        let mut words = Vec::new();
        values(command, &mut |value: &PossibleValue, english: &str| {
            words.extend(self.word(&value_key(value)).map(|word| (english.to_owned(), word)));
        });
        // The name of the value stands before it, with a colon and as many blanks as the longest name asks for.
        let said = |line: &str, english: &str, word: &str| {
            let name = line.strip_suffix(english)?;
            name.trim_end_matches(' ').ends_with(':').then(|| format!("{name}{word}"))
        };
        let line = |line: &str| {
            let word = words.iter().find_map(|(english, word)| said(line, english, word));
            word.unwrap_or_else(|| line.to_owned())
        };
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    fn lines(&self, text: &str) -> String {
        let line = |line: &str| {
            let said = line.trim_start();
            let indent = &line[..line.len() - said.len()];
            format!("{indent}{}", self.sentence(said).unwrap_or_else(|| said.to_owned()))
        };
        self.phrases(text.split('\n').map(line).collect::<Vec<_>>().join("\n"))
    }
}

/// Goes through every possible value that has a help, which two of one name have in common.
pub(super) fn values(command: &Command, see: &mut impl FnMut(&PossibleValue, &str)) {
    for argument in command.get_arguments().filter(|argument| argument.get_action().takes_values()) {
        for value in argument.get_possible_values() {
            if let Some(help) = value.get_help() {
                see(&value, &help.to_string());
            }
        }
    }
    for lower in command.get_subcommands() {
        values(lower, see);
    }
}

/// The key of what a value means.
pub(super) fn value_key(value: &PossibleValue) -> String {
    format!("help.any.value.{}", super::help::part(value.get_name()))
}
