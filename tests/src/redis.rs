//! A Redis of a test's own, with which it may do what it likes.

use std::{process::Stdio, time::Duration};

use anyhow::Context as _;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
    process::{Child, Command},
};

use crate::ports::free_ports;

/// How long it may take to start, on a busy machine.
const UP_TIMEOUT: Duration = Duration::from_secs(30);

/// A server on a free port of this machine. It ends with this value.
#[derive(Debug)]
pub struct Redis {
    /// Its URL.
    pub url: String,
    port: u16,
    address: &'static str,
    child: Child,
    folder: TempDir,
}

impl Redis {
    /// Starts one.
    ///
    /// # Errors
    /// When none is installed or it does not start.
    pub async fn start() -> anyhow::Result<Self> {
        let port = free_ports(1)?[0];
        let folder = tempfile::tempdir()?;
        let server = ["valkey-server", "redis-server"].into_iter().find(|name| installed(name));
        let mut child = Command::new(server.context("neither valkey-server nor redis-server is in PATH")?)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--daemonize", "no"])
            .arg("--dir")
            .arg(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("standard output is piped")?).lines();
        let up = async {
            while let Some(line) = lines.next_line().await? {
                if line.to_lowercase().contains("ready to accept connections") {
                    return Ok(());
                }
            }
            Err(anyhow::anyhow!("the Redis of the test ended at once"))
        };
        tokio::time::timeout(UP_TIMEOUT, up).await.context("waiting for Redis")??;
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let address = "127.0.0.1";
        Ok(Redis { url: format!("redis://{address}:{port}"), port, address, child, folder })
    }

    /// Says something to it, as words of a line, and gives back the first line of the answer.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn say(&self, line: &str) -> anyhow::Result<String> {
        let mut stream = TcpStream::connect((self.address, self.port)).await?;
        stream.write_all(format!("{line}\r\n").as_bytes()).await?;
        let mut answer = vec![0; 4096];
        let length = stream.read(&mut answer).await?;
        let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
        Ok(answer.lines().next().unwrap_or_default().to_owned())
    }

    /// The same, and gives back what is listed in the answer.
    ///
    /// # Errors
    /// When it does not answer, or with something else than a list.
    pub async fn list(&self, line: &str) -> anyhow::Result<Vec<String>> {
        let mut stream = TcpStream::connect((self.address, self.port)).await?;
        stream.write_all(format!("{line}\r\n").as_bytes()).await?;
        let mut lines = BufReader::new(stream).lines();
        let head = lines.next_line().await?.unwrap_or_default();
        let length: usize =
            head.strip_prefix('*').with_context(|| format!("no list but {head:?}"))?.parse()?;
        let mut list = Vec::with_capacity(length);
        for _ in 0..length {
            let _how_long_it_is = lines.next_line().await?;
            list.push(lines.next_line().await?.context("the list ends early")?);
        }
        Ok(list)
    }

    /// Takes the folder away in which it would write a snapshot. Nobody may write there then, not even root.
    ///
    /// # Errors
    /// When there is something in it.
    pub fn lose_folder(&self) -> std::io::Result<()> {
        std::fs::remove_dir(self.folder.path())
    }

    /// Stops it where it stands, or lets it go on: it is there and does not answer.
    ///
    /// # Errors
    /// When it has ended.
    pub async fn freeze(&self, freeze: bool) -> anyhow::Result<()> {
        let id = self.child.id().context("it has ended")?;
        let signal = if freeze { "-STOP" } else { "-CONT" };
        let done = Command::new("kill").args([signal, &id.to_string()]).status().await?;
        anyhow::ensure!(done.success(), "the signal was not sent");
        Ok(())
    }
}

fn installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}
