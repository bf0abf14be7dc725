//! A child process that can be killed and started again.

use std::{path::PathBuf, process::Stdio, sync::OnceLock, time::Duration};

use anyhow::Context as _;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    sync::mpsc,
};

/// How long a service may take to say that it is up, a machine busy with other tests included.
const UP_TIMEOUT: Duration = Duration::from_mins(1);

/// How the argument begins that says where it listens.
const LISTEN: &str = "--listen=";

/// A service, or all of them, as a process.
#[derive(Debug)]
pub(crate) struct Process {
    name: &'static str,
    /// The program, where it is another than the command under test.
    program: Option<PathBuf>,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    child: Option<Child>,
    /// Where its metrics are, without the scheme.
    metrics: Option<String>,
    log: PathBuf,
}

impl Process {
    /// A process that does not run yet; its log goes to a file.
    pub(crate) fn new(
        name: &'static str,
        arguments: Vec<String>,
        environment: Vec<(String, String)>,
        log: PathBuf,
    ) -> Self {
        Process { name, program: None, arguments, environment, child: None, metrics: None, log }
    }

    /// The same with another program, which only this one runs: whatever is started after it is the command under test.
    pub(crate) fn running(self, program: Option<PathBuf>) -> Self {
        Process { program, ..self }
    }

    /// The same process once more, not started yet; both write the same log.
    pub(crate) fn another(&self) -> Self {
        let Process { name, arguments, environment, log, .. } = self;
        Process::new(name, arguments.clone(), environment.clone(), log.clone())
    }

    /// The same process once more at another address.
    pub(crate) fn another_at(&self, address: &str) -> Self {
        let mut another = self.another();
        another.arguments.retain(|argument| !argument.starts_with(LISTEN));
        another.arguments.push(format!("{LISTEN}{address}"));
        another
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Starts it, and waits until it says that it is up.
    pub(crate) async fn start(&mut self) -> anyhow::Result<()> {
        (self.child, self.metrics) =
            self.spawn(self.program.clone()).await.map(|(child, metrics)| (Some(child), metrics))?;
        Ok(())
    }

    /// Starts a new one, and once it is up asks the old one to stop; answers whether that ended well.
    pub(crate) async fn replace(&mut self) -> anyhow::Result<bool> {
        let (new, metrics) = self.spawn(None).await?;
        let ended = self.stop().await;
        (self.child, self.metrics, self.program) = (Some(new), metrics, None);
        ended
    }

    /// A new one that is up, and where its metrics are, if they are anywhere.
    async fn spawn(&self, program: Option<PathBuf>) -> anyhow::Result<(Child, Option<String>)> {
        let log = std::fs::File::options().create(true).append(true).open(&self.log)?;
        let mut child = Command::new(program.map_or_else(binary, Ok)?)
            .args(&self.arguments)
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {}", self.name))?;
        let mut lines = BufReader::new(child.stdout.take().context("standard output is piped")?).lines();
        let up = async {
            let mut metrics = None;
            while let Some(line) = lines.next_line().await? {
                if let Some(place) = line.strip_prefix("Metrics are at http://") {
                    metrics = Some(place.to_owned());
                }
                if line.contains(" is up at ") {
                    return Ok(metrics);
                }
            }
            let log = std::fs::read_to_string(&self.log).unwrap_or_default();
            Err(anyhow::anyhow!("{} ended before it was up; its log:\n{log}", self.name))
        };
        let metrics = tokio::time::timeout(UP_TIMEOUT, up)
            .await
            .with_context(|| format!("waiting for {}", self.name))??;
        // Whatever else it prints must not fill the pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok((child, metrics))
    }

    /// Kills it with SIGKILL, as a crash would.
    pub(crate) async fn kill(&mut self) -> anyhow::Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill().await.with_context(|| format!("killing {}", self.name))?;
        }
        Ok(())
    }

    /// Asks it to stop with SIGTERM, and answers whether it ended well.
    pub(crate) async fn stop(&mut self) -> anyhow::Result<bool> {
        self.signal("TERM").await?;
        self.ended().await
    }

    /// Sends it a signal.
    pub(crate) async fn signal(&self, signal: &str) -> anyhow::Result<()> {
        if let Some(id) = self.id() {
            Command::new("kill").arg(format!("-{signal}")).arg(id.to_string()).status().await?;
        }
        Ok(())
    }

    /// Waits until it has ended, and answers whether it ended well.
    pub(crate) async fn ended(&mut self) -> anyhow::Result<bool> {
        let Some(mut child) = self.child.take() else { return Ok(true) };
        Ok(child.wait().await?.success())
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> Option<&str> {
        self.arguments.iter().find_map(|argument| argument.strip_prefix(LISTEN))
    }

    /// Where its metrics are, without the scheme, if they are anywhere.
    pub(crate) fn metrics(&self) -> Option<&str> {
        self.metrics.as_deref()
    }

    /// Its id, while it runs.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.as_ref().and_then(Child::id)
    }
}

/// Runs the command under test to its end. It speaks English, whatever whoever tests it does.
///
/// # Errors
/// When it cannot be run.
pub async fn command<A: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = A>,
) -> anyhow::Result<std::process::Output> {
    command_with(&[("SHOUTAN_LANGUAGE", "en")], arguments).await
}

/// The same with variables of the environment; those of the language are no others' than these.
///
/// # Errors
/// When it cannot be run.
pub async fn command_with<A: AsRef<std::ffi::OsStr>>(
    variables: &[(&str, &str)],
    arguments: impl IntoIterator<Item = A>,
) -> anyhow::Result<std::process::Output> {
    Ok(prepared(variables, arguments)?.output().await?)
}

/// The same as [`command`], and tells each line that is printed as soon as it is.
///
/// # Errors
/// When it cannot be run, or does not print text.
pub async fn command_telling<A: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = A>,
    told: mpsc::UnboundedSender<String>,
) -> anyhow::Result<std::process::Output> {
    let mut command = prepared(&[("SHOUTAN_LANGUAGE", "en")], arguments)?;
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn()?;
    let mut lines = BufReader::new(process.stdout.take().context("it is piped")?).lines();
    let reading = async {
        let mut printed = String::new();
        while let Some(line) = lines.next_line().await? {
            printed.extend([&line, "\n"]);
            let _nobody_may_listen = told.send(line);
        }
        Ok(printed)
    };
    let (printed, done) = tokio::try_join!(reading, process.wait_with_output())?;
    Ok(std::process::Output { stdout: printed.into_bytes(), ..done })
}

fn prepared<A: AsRef<std::ffi::OsStr>>(
    variables: &[(&str, &str)],
    arguments: impl IntoIterator<Item = A>,
) -> anyhow::Result<Command> {
    let mut command = Command::new(binary()?);
    for variable in ["SHOUTAN_LANGUAGE", "SHOUTAN_WORDS", "LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(variable);
    }
    command.envs(variables.iter().copied()).args(arguments).stdin(Stdio::null());
    Ok(command)
}

/// Starts the command under test, waits until it says that it is up, and ends it.
///
/// # Errors
/// When it does not come up.
pub async fn starts(arguments: &[String]) -> anyhow::Result<()> {
    let log = tempfile::NamedTempFile::new()?;
    let mut process = Process::new("platform", arguments.to_vec(), Vec::new(), log.path().to_owned());
    process.start().await?;
    process.kill().await
}

/// The command under test where it is none of the workspace's own.
static BINARY: OnceLock<PathBuf> = OnceLock::new();

/// Tests this command from now on, whatever else is there. Only the first call counts.
pub fn run_binary(path: &str) {
    let _ = BINARY.set(path.into());
}

/// The command under test: `SHOUTAN_BIN`, or the one that was built with the tests.
///
/// # Errors
/// When it is not there.
pub fn binary() -> anyhow::Result<PathBuf> {
    if let Some(path) = BINARY.get() {
        return Ok(path.clone());
    }
    if let Ok(path) = std::env::var("SHOUTAN_BIN") {
        return Ok(path.into());
    }
    let test = std::env::current_exe()?;
    let folder =
        test.parent().and_then(std::path::Path::parent).context("tests are built in target/*/deps")?;
    let binary = folder.join("shoutan");
    anyhow::ensure!(binary.exists(), "{} is missing: run `cargo build` first", binary.display());
    Ok(binary)
}
