//! A Redis server of this process's own, for a platform on one machine.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::LiveError;

/// The servers that will do, in order of preference.
const SERVERS: [&str; 2] = ["valkey-server", "redis-server"];
/// How long a server may take to read its files and answer.
const START_MAX: Duration = Duration::from_secs(30);
/// How long a server may take to write its files and end.
const STOP_MAX: Duration = Duration::from_secs(10);
/// The longest path of a socket, in bytes: macOS takes 103, Linux 107.
const SOCKET_LEN_MAX: usize = 103;
/// How many lines of its log are told if a server does not start.
const LOG_LINES: usize = 8;

/// A Redis or Valkey server that lives as long as this value: no TCP port, a Unix socket in its folder, which
/// also holds its append-only file (flushed each second).
///
/// Dropping it kills the server, which loses nothing that was answered: what is written is the system's
/// already. [`ChildRedis::stop`] ends it in good order.
#[derive(Debug)]
pub struct ChildRedis {
    process: Child,
    server: PathBuf,
    folder: PathBuf,
    socket: PathBuf,
    /// Locked as long as the server may run; the system unlocks it if this process dies.
    _lock: File,
}

impl ChildRedis {
    /// Starts `valkey-server` or `redis-server`, whichever is found first in PATH, in `folder`, which is made if
    /// it is missing; returns when it answers. A server that a dead process left behind in the same folder is
    /// ended before.
    ///
    /// # Errors
    /// [`LiveError::Child`] if neither is installed, another process uses the folder, the path of the folder is
    /// too long for a socket, or the server does not answer within thirty seconds; with its last words.
    pub async fn start(folder: &Path) -> Result<Self, LiveError> {
        let server = Self::find().ok_or_else(|| {
            failed("neither valkey-server nor redis-server is in PATH: install the package `valkey` or `redis` (`redis-server` on Debian)")
        })?;
        fs::create_dir_all(folder).map_err(|error| failed(format!("{}: {error}", folder.display())))?;
        let folder =
            folder.canonicalize().map_err(|error| failed(format!("{}: {error}", folder.display())))?;
        let socket = folder.join("redis.sock");
        if socket.as_os_str().len() > SOCKET_LEN_MAX {
            let len = socket.as_os_str().len();
            return Err(failed(format!(
                "the path {} has {len} bytes, a socket may have {SOCKET_LEN_MAX}: choose a shorter folder",
                socket.display()
            )));
        }
        let lock = lock(&folder.join("redis.lock"))?;
        end_orphan(&socket).await?;
        let (process, log) = spawn(&server, &folder, &socket).map_err(|error| failed(error.to_string()))?;
        let child = Self { process, server, folder, socket, _lock: lock };
        up(log).await?;
        Ok(child)
    }

    /// Starts the server again, in the same folder and on the same socket, after it has ended; one that has not is
    /// killed.
    ///
    /// # Errors
    /// [`LiveError::Child`] if it does not answer within thirty seconds; with its last words. It may be tried again.
    pub async fn restart(&mut self) -> Result<(), LiveError> {
        if self.process.id().is_some() {
            self.process.kill().await.map_err(|error| failed(error.to_string()))?;
        }
        let spawned = spawn(&self.server, &self.folder, &self.socket);
        let (process, log) = spawned.map_err(|error| failed(error.to_string()))?;
        self.process = process;
        up(log).await
    }

    /// By what it is told whether it still answers, whatever its process does.
    pub fn pulse(&self) -> Pulse {
        Pulse { socket: self.socket.clone() }
    }

    /// The id of its process, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// The server that would be started.
    pub fn find() -> Option<PathBuf> {
        let path = env::var_os("PATH")?;
        let in_path = |server| env::split_paths(&path).map(move |folder| folder.join(server));
        SERVERS.into_iter().flat_map(in_path).find(|file| file.is_file())
    }

    /// Its URL, for [`Config::new`](crate::Config::new).
    pub fn url(&self) -> String {
        url(&self.socket)
    }

    /// Waits until the server ends, which it does not do by itself: whoever started it may start it again.
    ///
    /// # Errors
    /// [`LiveError::Child`] if the system cannot tell.
    pub async fn ended(&mut self) -> Result<ExitStatus, LiveError> {
        self.process.wait().await.map_err(|error| failed(error.to_string()))
    }

    /// Ends the server in good order, or kills it if it does not end within ten seconds.
    ///
    /// # Errors
    /// [`LiveError::Child`] if it cannot be killed.
    pub async fn stop(mut self) -> Result<(), LiveError> {
        let ended = timeout(STOP_MAX, async {
            shut_down(&self.socket).await;
            self.process.wait().await
        });
        match ended.await {
            Ok(_) => Ok(()),
            Err(_) => self.kill().await,
        }
    }

    /// Kills the server as `kill -9` would, and waits until it is gone.
    ///
    /// # Errors
    /// [`LiveError::Child`] if it cannot be killed.
    pub async fn kill(mut self) -> Result<(), LiveError> {
        self.process.kill().await.map_err(|error| failed(error.to_string()))
    }
}

/// Feels whether a server answers.
#[derive(Debug)]
pub struct Pulse {
    socket: PathBuf,
}

impl Pulse {
    /// Whether the server says anything within this time. A refusal is an answer, too.
    pub async fn beats(&self, within: Duration) -> bool {
        let answer = async {
            let mut stream = UnixStream::connect(&self.socket).await?;
            stream.write_all(b"PING\r\n").await?;
            stream.read_u8().await
        };
        matches!(timeout(within, answer).await, Ok(Ok(_)))
    }
}

/// Locks the folder for this process.
fn lock(path: &Path) -> Result<File, LiveError> {
    let file = File::options().create(true).truncate(false).write(true).open(path);
    let file = file.map_err(|error| failed(format!("{}: {error}", path.display())))?;
    file.try_lock().map_err(|error| {
        failed(format!("{} is locked: does another process use this folder? ({error})", path.display()))
    })?;
    Ok(file)
}

/// Ends a server whose parent died without ending it. We hold the lock, so it is nobody's, and two servers must
/// not write the same file.
async fn end_orphan(socket: &Path) -> Result<(), LiveError> {
    if UnixStream::connect(socket).await.is_err() {
        return Ok(());
    }
    tracing::warn!("ending a Redis server that was left behind");
    timeout(STOP_MAX, shut_down(socket))
        .await
        .map_err(|_| failed(format!("the server left behind on {} does not end", socket.display())))
}

/// Asks the server to end, and waits until it closes the connection, which it does by ending. It writes its
/// append-only file first; NOSAVE only spares it a snapshot.
async fn shut_down(socket: &Path) {
    let Ok(client) = redis::Client::open(url(socket)) else { return };
    let config = redis::AsyncConnectionConfig::new().set_response_timeout(None);
    if let Ok(mut connection) = client.get_multiplexed_async_connection_with_config(&config).await {
        // The answer is a closed connection, which is an error.
        let _: redis::RedisResult<()> =
            redis::cmd("SHUTDOWN").arg("NOSAVE").exec_async(&mut connection).await;
    }
}

/// Starts the server, in a process group of its own so that an interrupt from the terminal reaches only its
/// parent, which then stops it when it is done with it.
fn spawn(server: &Path, folder: &Path, socket: &Path) -> io::Result<(Child, Receiver)> {
    let (log, write) = io::pipe()?;
    let process = Command::new(server)
        .args(["--port", "0", "--unixsocketperm", "700", "--daemonize", "no", "--loglevel", "notice"])
        .args(["--logfile", "", "--save", "", "--appendonly", "yes", "--appendfsync", "everysec"])
        .arg("--dir")
        .arg(folder)
        .arg("--unixsocket")
        .arg(socket)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(write.try_clone()?)
        .stderr(write)
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    Ok((process, Receiver::from_owned_fd(log.into())?))
}

/// Waits until a server that was started answers.
async fn up(log: Receiver) -> Result<(), LiveError> {
    timeout(START_MAX, ready(log)).await.map_err(|_| failed("it does not become ready"))?
}

/// Reads the server's log until it says that it is ready, then passes it on in the background.
async fn ready(log: Receiver) -> Result<(), LiveError> {
    let mut lines = BufReader::new(log).lines();
    let mut last = Vec::new();
    while let Ok(Some(line)) = lines.next_line().await {
        // Redis 7.0: 'The server is now ready to accept connections at'; later, and Valkey: 'Ready to accept'.
        if line.to_lowercase().contains("ready to accept connections") {
            tokio::spawn(pass_on(lines));
            return Ok(());
        }
        last.push(line);
        if last.len() > LOG_LINES {
            last.remove(0);
        }
    }
    Err(failed(format!("it ended at once:\n{}", last.join("\n"))))
}

/// Passes the server's log on until it ends; unread, it would fill the pipe and block the server.
async fn pass_on(mut lines: Lines<BufReader<Receiver>>) {
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(target: "live::child", "{line}");
    }
}

/// The URL of a socket: all but the plainest bytes are escaped.
fn url(socket: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let escape = |&byte: &u8| {
        if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    let path: String = socket.as_os_str().as_encoded_bytes().iter().map(escape).collect();
    format!("unix://{path}")
}

fn failed(why: impl Into<String>) -> LiveError {
    LiveError::Child(why.into())
}
