//! A PostgreSQL that a test may fill, break, stop and kill: no other test uses it.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::Context as _;
use chassis::Database;
use tokio::process::{Child, Command};

/// How long a server may take to come up, recovery and a busy machine included.
const UP_TIMEOUT: Duration = Duration::from_mins(1);

/// A server with a cluster of its own.
#[derive(Debug)]
pub struct Postgres {
    bin: PathBuf,
    folder: PathBuf,
    log: PathBuf,
    port: u16,
    user: Option<(u32, u32)>,
    settings: Vec<String>,
    environment: Vec<(String, String)>,
    child: Option<Child>,
}

impl Postgres {
    /// Makes a cluster below this folder and starts a server on it. Its log goes elsewhere, so that it can still be
    /// written when the folder cannot.
    ///
    /// # Errors
    /// When PostgreSQL is not installed or does not start.
    pub async fn start(
        folder: &Path,
        log: &Path,
        settings: &[&str],
        environment: Vec<(String, String)>,
    ) -> anyhow::Result<Self> {
        let user = other_user().await?;
        std::os::unix::fs::chown(folder, user.map(|(uid, _)| uid), user.map(|(_, gid)| gid))?;
        let port = crate::ports::free_ports(1)?[0];
        let mut server = Postgres {
            bin: bin()?,
            folder: folder.to_owned(),
            log: log.to_owned(),
            port,
            user,
            settings: settings.iter().map(|&setting| setting.to_owned()).collect(),
            environment,
            child: None,
        };
        let made = server
            .command("initdb")
            .args(["--username=postgres", "--auth=trust", "--wal-segsize=1", "--no-sync"])
            .output()
            .await?;
        anyhow::ensure!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        server.ensure_running().await?;
        Ok(server)
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The port on which it listens.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Gives a file to the user that servers run as, and to nobody else: so it wants the key of its certificate.
    ///
    /// # Errors
    /// When there is no such file or user.
    pub async fn give(path: &Path) -> anyhow::Result<()> {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
        if let Some((uid, gid)) = other_user().await? {
            std::os::unix::fs::chown(path, Some(uid), Some(gid))?;
        }
        Ok(())
    }

    /// Starts it if it has ended, as whoever supervises a server does.
    ///
    /// # Errors
    /// When it does not come up.
    pub async fn ensure_running(&mut self) -> anyhow::Result<()> {
        tokio::time::timeout(UP_TIMEOUT, async {
            loop {
                if self
                    .child
                    .as_mut()
                    .is_none_or(|child| child.try_wait().is_ok_and(|status| status.is_some()))
                {
                    self.child = Some(self.spawn()?);
                }
                if let Ok(database) = Database::open(&self.url()).await {
                    database.close().await;
                    return anyhow::Ok(());
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        })
        .await
        .with_context(|| format!("PostgreSQL does not come up\n{}", self.log()))?
    }

    /// Kills it, as the loss of its machine would.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill().await?;
        }
        Ok(())
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn spawn(&self) -> anyhow::Result<Child> {
        let log = std::fs::File::options().create(true).append(true).open(&self.log)?;
        let mut command = self.command("postgres");
        command.args(["-p", &self.port.to_string(), "-c", "listen_addresses=127.0.0.1"]);
        command.args(["-c", "unix_socket_directories="]);
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        command.envs(self.environment.iter().cloned()).stderr(log).spawn().context("starting PostgreSQL")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.bin.join(program));
        command.arg("-D").arg(self.folder.join("cluster")).current_dir("/");
        command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        command
    }
}

/// PostgreSQL refuses to run as root: then it runs as the user that it was installed with.
async fn other_user() -> anyhow::Result<Option<(u32, u32)>> {
    let id = async |arguments: &[&str]| -> anyhow::Result<u32> {
        let output = Command::new("id").args(arguments).output().await?;
        anyhow::ensure!(output.status.success(), "there is no user postgres");
        Ok(String::from_utf8_lossy(&output.stdout).trim().parse()?)
    };
    if id(&["-u"]).await? != 0 {
        return Ok(None);
    }
    Ok(Some((id(&["-u", "postgres"]).await?, id(&["-g", "postgres"]).await?)))
}

/// Where the programs of PostgreSQL are.
fn bin() -> anyhow::Result<PathBuf> {
    let packaged = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let path = std::env::var_os("PATH").unwrap_or_default();
    packaged
        .map(|version| version.path().join("bin"))
        .chain(std::env::split_paths(&path))
        .find(|folder| folder.join("initdb").exists())
        .context("PostgreSQL is not installed")
}
