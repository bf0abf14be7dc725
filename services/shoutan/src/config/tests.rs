use std::{ffi::OsString, path::Path};

use clap::Command;

use super::{FLAG, Settings, flags, show};
use crate::cli;

/// Flags of a moment, which a file that stays must not say.
const NOT_SETTINGS: [&str; 3] = ["new-database", "help", "version"];

fn line(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// What files say by the flag `--config FILE`, and these variables.
fn found(file: &Path, variables: &[(&str, &Path)]) -> anyhow::Result<Settings> {
    let line = line(&["shoutan", "up", "--config", &file.display().to_string()]);
    let variable = |name: &str| {
        variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_os_str().into())
    };
    Settings::find(&line, variable, &cli::command())
}

/// What is in force by such a file and this command line.
fn shown(text: &str, words: &[&str]) -> anyhow::Result<String> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("shoutan.toml");
    std::fs::write(&file, text)?;
    let settings = found(&file, &[])?;
    let shown = show(&cli::command(), &settings, &line(words))?.expect("it has settings");
    Ok(shown.replace(&file.display().to_string(), "FILE"))
}

#[test]
fn every_flag_of_the_platform_may_stand_in_a_file() {
    let mut command = cli::command();
    command.build();
    let known = flags(&cli::command());
    for name in ["up", "serve"] {
        let lower: &Command = command.find_subcommand(name).expect("it is there");
        for flag in lower.get_arguments().filter_map(clap::Arg::get_long) {
            let is_of_a_moment = NOT_SETTINGS.contains(&flag) || flag == FLAG || flag == "language";
            assert_eq!(known.contains_key(flag), !is_of_a_moment, "{name} --{flag}");
        }
    }
}

#[test]
fn flags_stand_over_the_file_and_the_file_over_defaults() {
    let text = "listen = \"127.0.0.1:1\"\nconnections = 77\nlog-json = true\nproxy_protocol = false\n\
                trusted-proxy = [\"10.0.0.0/8\", \"192.168.0.0/16\"]\ntraces = 0.5\nlive = \"redis://h:1\"\n";
    let shown = shown(text, &["shoutan", "up", "--connections", "78"]).expect("it is read");
    for expected in [
        "connections = 78  # the flag --connections",
        "listen = \"127.0.0.1:1\"  # FILE",
        "log-json = true  # FILE",
        "proxy-protocol = false  # FILE",
        "trusted-proxy = [\"10.0.0.0/8\", \"192.168.0.0/16\"]  # FILE",
        "live = \"redis://h:1\"  # FILE",
        "stop-within = \"30s\"  # the default",
        "# database =  # not set",
    ] {
        assert!(shown.lines().any(|line| line == expected), "{expected} is not in\n{shown}");
    }
}

#[test]
fn no_secret_is_shown() {
    let text = "cluster-secret = \"canary canary canary canary canary\"\nkey = \"canary\"\n\
                database = \"postgres://user:canary@host/shoutan?sslmode=require&sslpassword=canary\"\n\
                live = \"redis://:canary@host:1/0\"\notlp = \"https://canary@collector:1\"\n";
    let up = shown(text, &["shoutan", "up"]).expect("it is read");
    let serve = shown(text, &["shoutan", "serve", "game"]).expect("it is read");
    for text in [&up, &serve] {
        assert!(!text.contains("canary"), "{text}");
        assert!(text.contains("user:***@host/shoutan?sslmode=require&sslpassword=***"), "{text}");
    }
    assert!(serve.contains("cluster-secret = \"***\""), "{serve}");
}

#[test]
fn secrets_may_stand_in_files_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    std::fs::write(place("secret"), "sqlite:///one\n").expect("it is written");
    std::fs::write(place("other"), "sqlite:///other").expect("it is written");
    std::fs::write(place("shoutan.toml"), "database = { file = \"secret\" }").expect("it is written");
    let of = |variables: &[(&str, &Path)]| {
        let settings = found(&place("shoutan.toml"), variables).expect("it is read");
        show(&cli::command(), &settings, &line(&["shoutan", "up"]))
            .expect("it is right")
            .expect("it has settings")
    };
    assert!(of(&[]).contains("database = \"sqlite:///one\""));
    // The environment stands over the file, also where it names one itself.
    let named = [("SHOUTAN_DATABASE_FILE", &*place("other"))];
    assert!(of(&named).contains("database = \"sqlite:///other\""));
    let twice = [("SHOUTAN_DATABASE_FILE", &*place("other")), ("SHOUTAN_DATABASE", Path::new("sqlite:///x"))];
    assert!(found(&place("shoutan.toml"), &twice).is_err());
    assert!(found(&place("shoutan.toml"), &[("SHOUTAN_DATABASE_FILE", &*place("nowhere"))]).is_err());
}

#[test]
fn what_is_wrong_in_a_file_is_said() {
    let long = format!("listen = \"{}\"", "x".repeat(70_000));
    for (text, said) in [
        ("listn = \"x\"", "listn is no setting"),
        ("listen = ", "it is not TOML"),
        ("log-json = \"yes\"", "log-json is true or false"),
        ("listen = 1979-05-27", "no setting is a time"),
        ("database = { path = \"x\" }", "the only table is"),
        ("database = { file = \"nowhere\" }", "nowhere"),
        (&long, "more than"),
    ] {
        let error = shown(text, &["shoutan", "up"]).expect_err("it is wrong");
        assert!(format!("{error:#}").contains(said), "{text:.40}: {error:#}");
    }
    // What a flag would refuse is refused, with the name of the flag.
    let error = shown("connections = -1", &["shoutan", "up"]).expect_err("it is wrong");
    assert!(error.to_string().contains("--connections"), "{error}");
    assert!(found(Path::new("/nowhere/shoutan.toml"), &[]).is_err());
}
