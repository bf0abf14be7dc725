//! Settings from a file and from files of secrets: each flag of `up` and `serve` by its name. The environment stands over them, and
//! flags over both.
//!
//! A value is text, a number or a truth, as `listen = "0.0.0.0:7400"`; a list, as `trusted-proxy = ["10.0.0.0/8"]`; or a file that
//! holds it, as `database = { file = "/run/secrets/database" }`.
//!
//! What a file says takes the place of a flag's default in every command that has the flag. A variable `SHOUTAN_DATABASE_FILE` names
//! a file with what `SHOUTAN_DATABASE` would be; so does one of every setting in which a secret may stand.

mod shown;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use chassis::limit::{Amount, Limit};
use clap::{Arg, ArgAction, Command};
use toml::{Table, Value};

use crate::commands::regular_file;

pub(crate) use shown::show;

/// The variable with the name of the file.
pub(crate) const VARIABLE: &str = "SHOUTAN_CONFIG";
/// The flag with it.
pub(crate) const FLAG: &str = "config";
/// What the name of a variable ends with that names a file with its value.
const FILE: &str = "_FILE";
/// Bytes of a file of settings, and of one with a secret.
const BYTES_MAX: u64 = 64 << 10;

/// The limits of files of settings.
pub(crate) const LIMITS: &[Limit] = &[Limit {
    name: "bytes of a file of settings, and of one with a secret",
    amount: Amount::Bytes(BYTES_MAX),
    setting: None,
    reason: "some hundred times what stands in them",
}];

/// The commands whose flags are settings.
const COMMANDS: [&str; 2] = ["up", "serve"];

/// What files say, by the variables of the flags that it is for, with the name of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings(BTreeMap<String, Setting>);

/// What a file says of a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Setting {
    values: Vec<String>,
    file: PathBuf,
}

/// A flag that may stand in a file.
struct Flag {
    /// Its variable.
    variable: String,
    /// Whether it is there or not, and has no value.
    is_switch: bool,
    /// Whether a secret may stand in it.
    may_be_secret: bool,
}

impl Settings {
    /// What the file says that the command line or the environment names, and what files of secrets do.
    ///
    /// # Errors
    /// When a file cannot be read, or says something that no flag is.
    pub(crate) fn find(
        args: &[OsString],
        variable: impl Fn(&str) -> Option<OsString>,
        command: &Command,
    ) -> anyhow::Result<Settings> {
        let flags = flags(command);
        let given = |name: &str| variable(name).filter(|value| !value.is_empty());
        let place = named(args).or_else(|| given(VARIABLE)).map(PathBuf::from);
        let mut settings = Settings::default();
        if let Some(file) = place {
            let reading = || format!("reading the settings in {}", file.display());
            settings = read(&file).and_then(|text| parse(&text, &file, &flags)).with_context(reading)?;
        }
        for Flag { variable: name, .. } in flags.values().filter(|flag| flag.may_be_secret) {
            let Some(file) = given(&format!("{name}{FILE}")).map(PathBuf::from) else { continue };
            anyhow::ensure!(
                given(name).is_none(),
                "{name} and {name}{FILE} say the same thing: one of them is enough"
            );
            let values = vec![secret(&file)?];
            settings.0.insert(name.clone(), Setting { values, file });
        }
        Ok(settings)
    }

    /// The same commands, in which what the files say takes the place of defaults.
    pub(crate) fn apply(&self, command: Command) -> Command {
        if self.0.is_empty() {
            return command;
        }
        command.mut_args(|argument| self.argument(argument)).mut_subcommands(|lower| self.apply(lower))
    }

    fn argument(&self, argument: Arg) -> Arg {
        let variable = argument.get_env().map(|name| name.to_string_lossy().into_owned());
        match variable.and_then(|name| self.0.get(&name)) {
            Some(setting) => argument.default_values(setting.values.clone()).required(false),
            None => argument,
        }
    }

    /// The file that says what a variable would.
    fn file(&self, variable: &str) -> Option<&Path> {
        self.0.get(variable).map(|setting| setting.file.as_path())
    }
}

/// The file that the command line names: the last, as clap has it.
fn named(args: &[OsString]) -> Option<OsString> {
    let mut args = args.iter().skip(1).take_while(|arg| *arg != "--");
    let (mut found, flag) = (None, format!("--{FLAG}"));
    while let Some(arg) = args.next() {
        if *arg == *flag {
            found = args.next().cloned().or(found);
        } else if let Some(value) = arg.to_str().and_then(|arg| arg.strip_prefix(&flag)?.strip_prefix('=')) {
            found = Some(value.into());
        }
    }
    found
}

/// The flags that may stand in a file, by their names.
fn flags(command: &Command) -> BTreeMap<String, Flag> {
    let lower = command.get_subcommands().filter(|lower| COMMANDS.contains(&lower.get_name()));
    let arguments = lower.flat_map(Command::get_arguments);
    let flag = |argument: &Arg| {
        let (name, variable) = (argument.get_long()?.to_owned(), argument.get_env()?.to_str()?.to_owned());
        let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
        Some((name, Flag { variable, is_switch, may_be_secret: argument.is_hide_env_values_set() }))
    };
    arguments.filter_map(flag).collect()
}

fn parse(text: &str, file: &Path, flags: &BTreeMap<String, Flag>) -> anyhow::Result<Settings> {
    let table: Table = text.parse().context("it is not TOML")?;
    let mut settings = Settings::default();
    for (name, value) in table {
        let name = name.replace('_', "-");
        let flag = flags
            .get(&name)
            .with_context(|| format!("{name} is no setting; `shoutan config print` lists all"))?;
        let values = values(&value, file).with_context(|| format!("the value of {name}"))?;
        if flag.is_switch {
            anyhow::ensure!(value.is_bool(), "{name} is true or false");
        }
        settings.0.insert(flag.variable.clone(), Setting { values, file: file.to_owned() });
    }
    Ok(settings)
}

/// What a value is as text, as it would stand in the environment.
fn values(value: &Value, file: &Path) -> anyhow::Result<Vec<String>> {
    Ok(match value {
        Value::String(text) => vec![text.clone()],
        Value::Integer(number) => vec![number.to_string()],
        Value::Float(number) => vec![number.to_string()],
        Value::Boolean(is_on) => vec![is_on.to_string()],
        Value::Array(list) => {
            let texts = list.iter().map(|value| values(value, file)).collect::<anyhow::Result<Vec<_>>>()?;
            texts.concat()
        }
        Value::Table(table) => {
            let named = table.get("file").and_then(Value::as_str).filter(|_| table.len() == 1);
            let named = named.context("the only table is { file = \"…\" }, a file with the value")?;
            // Beside the file of settings, where it is not named from the root.
            vec![secret(&file.parent().unwrap_or(Path::new("")).join(named))?]
        }
        Value::Datetime(_) => anyhow::bail!("no setting is a time"),
    })
}

/// What stands in a file of a secret, without the end of its line.
fn secret(file: &Path) -> anyhow::Result<String> {
    let text = read(file).with_context(|| format!("reading {}", file.display()))?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    anyhow::ensure!(!text.is_empty(), "{} is empty", file.display());
    Ok(text.to_owned())
}

fn read(file: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    regular_file::open(file)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
    anyhow::ensure!(text.len() as u64 <= BYTES_MAX, "it has more than {BYTES_MAX} bytes");
    Ok(text)
}
