//! Engines in other languages, run by scripts beside this crate.

use std::{path::PathBuf, process::Command, time::Duration};

use crate::measure::{Row, Work};

/// What a script is asked to do with the games it is given.
#[derive(Clone, Copy)]
pub enum Task {
    /// To play them.
    Apply,
    /// To count the area of their last boards.
    Area,
}

/// A row of a script that prints how many units it did in how many seconds; the row is absent where the
/// script, its language or its library is.
pub fn row<'a>(name: &'a str, command: &'a str, script: &'a str, task: Task, games: &'a str) -> Row<'a> {
    let work = move || {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts"));
        let games_file = std::env::temp_dir().join(format!("rules-peers-{}.txt", std::process::id()));
        std::fs::write(&games_file, games).ok()?;
        let task = match task {
            Task::Apply => "apply",
            Task::Area => "area",
        };
        let output = Command::new(command).arg(folder.join(script)).arg(task).arg(&games_file).output();
        let _ = std::fs::remove_file(&games_file);
        let output = output.ok().filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?;
        let (units, seconds) = text.trim().split_once(' ')?;
        let within = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
        Some(Work { units: units.parse().ok()?, within })
    };
    Row { name: String::from(name), work: Box::new(work) }
}
