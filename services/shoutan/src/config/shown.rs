//! Which settings are in force, and where they come from.

use std::{ffi::OsString, fmt::Write as _};

use clap::{Arg, ArgMatches, Command, parser::ValueSource};

use super::{COMMANDS, Settings};

/// What stands for a secret.
const MASK: &str = "***";
/// Settings that are secrets as a whole.
const SECRETS: [&str; 2] = ["cluster-secret", "key"];

/// The settings of a command line as TOML, each with where it comes from; secrets are masked. Nothing of a command that has none.
///
/// # Errors
/// When the command line is wrong.
pub(crate) fn show(
    command: &Command,
    settings: &Settings,
    line: &[OsString],
) -> Result<Option<String>, clap::Error> {
    let mut applied = settings.apply(command.clone());
    let mut text = String::new();
    let matches = applied.try_get_matches_from_mut(line)?;
    let Some((name, matches)) = matches.subcommand().filter(|(name, _)| COMMANDS.contains(name)) else {
        return Ok(None);
    };
    let lower = command.find_subcommand(name);
    let mut known: Vec<&Arg> =
        lower.into_iter().flat_map(Command::get_arguments).filter(|it| it.get_env().is_some()).collect();
    known.sort_by_key(|argument| argument.get_long());
    for argument in known {
        if let Some(line) = line_of(argument, matches, settings) {
            let _infallible = writeln!(text, "{line}");
        }
    }
    Ok(Some(text))
}

fn line_of(argument: &Arg, matches: &ArgMatches, settings: &Settings) -> Option<String> {
    let (name, variable) = (argument.get_long()?, argument.get_env()?.to_str()?);
    let id = argument.get_id().as_str();
    let raw = matches.try_get_raw(id).ok().flatten();
    let values: Vec<String> =
        raw.into_iter().flatten().map(|value| masked(name, &value.to_string_lossy())).collect();
    let from = match matches.value_source(id) {
        Some(ValueSource::CommandLine) => format!("the flag --{name}"),
        Some(ValueSource::EnvVariable) => format!("the variable {variable}"),
        _ => match settings.file(variable) {
            Some(file) => file.display().to_string(),
            None if values.is_empty() => "not set".to_owned(),
            None => "the default".to_owned(),
        },
    };
    let shown = match &values[..] {
        [] => return Some(format!("# {name} =  # {from}")),
        [value] if matches!(value.as_str(), "true" | "false") || value.parse::<i64>().is_ok() => {
            value.clone()
        }
        [value] => quoted(value),
        values => format!("[{}]", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", ")),
    };
    Some(format!("{name} = {shown}  # {from}"))
}

fn quoted(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// A value without what is secret in it: the whole, or the password of an address.
fn masked(name: &str, value: &str) -> String {
    if SECRETS.contains(&name) {
        return MASK.to_owned();
    }
    let Some((scheme, rest)) = value.split_once("://") else { return value.to_owned() };
    let (before, parameters) =
        rest.split_once('?').map_or((rest, None), |(before, after)| (before, Some(after)));
    let hidden = match before.rsplit_once('@') {
        Some((user, host)) => {
            // Who has no password shows that he is one: his name is the secret then.
            let user = user.split_once(':').map(|(user, _)| format!("{user}:")).unwrap_or_default();
            format!("{user}{MASK}@{host}")
        }
        None => before.to_owned(),
    };
    // A password may also be a parameter.
    let is_secret = |pair: &&str| pair.to_ascii_lowercase().contains("pass");
    let shown = |pair: &str| {
        if is_secret(&pair) {
            format!("{}={MASK}", pair.split('=').next().unwrap_or_default())
        } else {
            pair.to_owned()
        }
    };
    let parameters = parameters.map(|all| all.split('&').map(shown).collect::<Vec<_>>().join("&"));
    let parameters = parameters.map(|all| format!("?{all}")).unwrap_or_default();
    format!("{scheme}://{hidden}{parameters}")
}
