//! Help in another language: every text of the tree of commands is replaced by its own of the catalogue.
//!
//! The key of a text is where it stands: `help.shoutan.event.enter.about` of a command, `help.shoutan.event.enter.arg.member` of
//! one of its arguments. What several commands have with the same words stands once, below `help.any`.

use catalogue::Arg as Place;
use clap::{Arg, Command};

use super::Speech;
use crate::commands::variants;

/// The table of what stands at several places.
const ANY: &str = "help.any";

/// The width of lines that are not broken by who reads the command line.
const UNBROKEN: usize = 0;

impl Speech {
    /// The same commands with their help in this language.
    pub(crate) fn help(&self, command: Command) -> Command {
        let path = root(&command);
        self.command(command, &path)
    }

    fn command(&self, command: Command, path: &str) -> Command {
        let mut command = command.subcommand_value_name(self.name("COMMAND")).term_width(UNBROKEN);
        if let Some(about) = self.word(&format!("{path}.about")) {
            let more = command.get_long_about().and_then(|_| self.word(&format!("{path}.more")));
            if let Some(more) = more {
                command = command.long_about(format!("{about}\n\n{more}"));
            }
            command = command.about(about);
        }
        command.mut_args(|argument| self.argument(argument, path)).mut_subcommands(|lower| {
            let path = below(path, &lower);
            self.command(lower, &path)
        })
    }

    fn argument(&self, argument: Arg, path: &str) -> Arg {
        let mut argument = argument;
        let id = part(argument.get_id().as_str());
        if let Some(short) = self.placed(path, "arg", &id) {
            if let Some(more) = argument.get_long_help().and_then(|_| self.placed(path, "arg_more", &id)) {
                argument = argument.long_help(format!("{short}\n\n{more}"));
            }
            argument = argument.help(short);
        }
        let heading = argument.get_help_heading().and_then(|said| self.word(&heading(said)));
        if let Some(heading) = heading {
            argument = argument.help_heading(heading);
        }
        if argument.get_action().takes_values()
            && let Some(names) = argument.get_value_names()
        {
            let names: Vec<String> = names.iter().map(|name| self.name(name)).collect();
            argument = argument.value_names(names);
        }
        argument
    }

    /// What a value is called: `<FILE>`. A name that is no word, such as `FIRST..LAST`, is not changed.
    fn name(&self, name: &str) -> String {
        self.word(&value_name(name)).unwrap_or_else(|| name.to_owned())
    }

    /// What an argument of a command is: its own text, or the one of all arguments that are called so.
    fn placed(&self, path: &str, kind: &str, id: &str) -> Option<String> {
        let own = self.filled(&format!("{path}.{kind}.{id}"));
        own.or_else(|| self.filled(&format!("{ANY}.{kind}.{id}")))
    }

    /// A text in whose places stands what is known when the command is built.
    fn filled(&self, key: &str) -> Option<String> {
        self.word(key)?;
        let places: [(&str, Place<'_>); 2] =
            [("variants", variants::ids("、").into()), ("records", variants::records("、").into())];
        self.catalogue.get(&self.language, key, &places).map(|said| said.text)
    }
}

/// The path of the command itself: `help.shoutan`.
pub(super) fn root(command: &Command) -> String {
    below("help", command)
}

/// The path of a command below another one.
pub(super) fn below(path: &str, command: &Command) -> String {
    format!("{path}.{}", part(command.get_name()))
}

/// A name as a part of a key.
pub(super) fn part(name: &str) -> String {
    name.replace('-', "_")
}

/// The key of a heading, such as `Live state`.
pub(super) fn heading(heading: &str) -> String {
    format!("{ANY}.heading.{}", heading.to_lowercase().replace(' ', "_"))
}

/// The key of what a value is called.
pub(super) fn value_name(name: &str) -> String {
    format!("{ANY}.name.{name}")
}

#[cfg(test)]
#[path = "help_tests.rs"]
mod tests;
