//! A child process that can be killed, stopped in its tracks and started again, in a network namespace or not.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::Context as _;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    process::{Child, ChildStdin, Command},
};

/// How long a process may take until it says that it is up.
const UP: Duration = Duration::from_mins(1);
/// How long a process that was asked to stop is waited for; then it is killed.
const ENDING: Duration = Duration::from_secs(5);

/// How a process is started.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    /// Its name, also of its log.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
    /// What it prints, on either output, when it is up.
    pub sign: &'static str,
}

/// A process.
#[derive(Debug)]
pub(crate) struct Service {
    recipe: Recipe,
    log: PathBuf,
    child: Option<Child>,
    input: Option<ChildStdin>,
}

impl Service {
    /// Starts it, and waits until it says that it is up.
    pub(crate) async fn start(recipe: Recipe, logs: &Path) -> anyhow::Result<Self> {
        let log = logs.join(format!("{}.log", recipe.name));
        let mut service = Service { recipe, log, child: None, input: None };
        service.spawn().await?;
        Ok(service)
    }

    pub(crate) fn name(&self) -> &str {
        &self.recipe.name
    }

    /// Starts it again, if it does not run.
    pub(crate) async fn spawn(&mut self) -> anyhow::Result<()> {
        let name = self.recipe.name.clone();
        if self.child.is_some() {
            return Ok(());
        }
        let (program, arguments) = self.recipe.command.split_first().context("a command has a program")?;
        let log = std::fs::File::options().create(true).append(true).open(&self.log)?;
        let before = log.metadata()?.len();
        let mut child = Command::new(program)
            .args(arguments)
            .envs(self.recipe.environment.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {name}"))?;
        self.input = child.stdin.take();
        let up = async {
            loop {
                let text = std::fs::read(&self.log)?;
                let new = text.get(usize::try_from(before)?..).unwrap_or_default();
                if String::from_utf8_lossy(new).contains(self.recipe.sign) {
                    return anyhow::Ok(());
                }
                if let Some(status) = child.try_wait()? {
                    anyhow::bail!(
                        "{name} ended before it was up ({status}): {}",
                        String::from_utf8_lossy(new)
                    );
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(UP, up).await.with_context(|| format!("waiting for {name}"))??;
        self.child = Some(child);
        Ok(())
    }

    /// Kills it and its children as a crash would.
    pub(crate) async fn kill(&mut self) -> anyhow::Result<()> {
        let family = self.family();
        if let Some(mut child) = self.child.take() {
            signal("KILL", &family).await?;
            child.wait().await?;
        }
        Ok(())
    }

    /// Asks it to stop, and kills it when it does not; whether it stopped by itself.
    pub(crate) async fn stop(&mut self, how: &str) -> anyhow::Result<bool> {
        let (Some(mut child), family) = (self.child.take(), self.family()) else { return Ok(true) };
        if let Some(id) = child.id() {
            signal(how, &[id]).await?;
        }
        let ended = tokio::time::timeout(ENDING, child.wait()).await.is_ok();
        if !ended {
            signal("KILL", &family).await?;
            child.wait().await?;
        }
        Ok(ended)
    }

    /// Whether it has not ended by itself.
    pub(crate) fn runs(&mut self) -> anyhow::Result<bool> {
        Ok(match &mut self.child {
            Some(child) => child.try_wait()?.is_none(),
            None => false,
        })
    }

    /// Stops it in its tracks, or lets it go on.
    pub(crate) async fn freeze(&self, frozen: bool) -> anyhow::Result<()> {
        signal(if frozen { "STOP" } else { "CONT" }, &self.family()).await
    }

    /// Writes a line to its input.
    pub(crate) async fn tell(&mut self, line: &str) -> anyhow::Result<()> {
        let input = self.input.as_mut().context("its input is piped")?;
        input.write_all(format!("{line}\n").as_bytes()).await?;
        Ok(())
    }

    /// It and its children: a PostgreSQL is many processes.
    fn family(&self) -> Vec<u32> {
        let Some(id) = self.child.as_ref().and_then(Child::id) else { return Vec::new() };
        let mut family = vec![id];
        for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            // The name of the program is in brackets and may have spaces in it.
            let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
            if parent.and_then(|parent| parent.parse().ok()) == Some(id)
                && let Some(child) = process.file_name().to_str().and_then(|name| name.parse().ok())
            {
                family.push(child);
            }
        }
        family
    }
}

/// Runs a command to its end.
pub(crate) async fn run<S: AsRef<str>>(command: &[S]) -> anyhow::Result<String> {
    let mut words = command.iter().map(AsRef::as_ref);
    let program = words.next().context("a command has a program")?;
    let output = Command::new(program).args(words).stdin(Stdio::null()).kill_on_drop(true).output().await?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let shown = || command.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{}: {errors}{text}", shown());
    Ok(text)
}

/// The lines that come in on standard input, one after the other.
pub(crate) async fn input_lines(mut took: impl FnMut(&str)) -> anyhow::Result<()> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        took(&line);
    }
    Ok(())
}

async fn signal(name: &str, ids: &[u32]) -> anyhow::Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let mut command = vec!["kill".to_owned(), format!("-{name}")];
    command.extend(ids.iter().map(u32::to_string));
    // One of them may have ended meanwhile.
    let _some_are_gone = run(&command).await;
    Ok(())
}
