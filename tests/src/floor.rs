//! The floors under a move: a bare tonic server that answers any call with an empty message (an echo), and one that first checks
//! the caller's token and commits an event of a usual size with those of all who wait. Each is a process of its own.

use std::{
    net::Ipv4Addr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use anyhow::Context as _;
use axum::{Router, extract::State};
use chassis::{
    Env,
    jwt::{Claims, ISSUER, SigningKey, VerifyingKeys, verify},
    testing::PostgresDatabase,
};
use http::{HeaderMap, HeaderValue, Response, header};
use tokio::{
    process::Child,
    sync::{mpsc, oneshot},
};
use tonic::{body::Body, service::Routes};
use uuid::Uuid;

use crate::platform::new_database;

/// An empty message in its frame: not compressed, no bytes.
const EMPTY: [u8; 5] = [0; 5];
/// How large the event of a move is.
const EVENT_BYTES: usize = 181;
/// Events that are committed together at most, as in the journal of the games.
const TOGETHER: usize = 256;
/// The most bytes of a call that are read.
const CALL_BYTES_MAX: usize = 64 * 1024;
/// Games over which the events are spread.
const GAMES: u64 = 64;
/// For whom the tokens are.
const AUDIENCE: &str = "floor";
const SEED: [u8; 32] = [7; 32];

/// What a server does with a call before it answers.
#[derive(Clone)]
enum Floor {
    /// Nothing.
    Echo,
    /// It checks the token, and commits an event.
    Durable(Arc<Journal>),
}

struct Journal {
    keys: VerifyingKeys,
    env: Env,
    number: AtomicU64,
    waiting: mpsc::UnboundedSender<Append>,
}

/// An event that waits to be committed, and who waits for it.
struct Append {
    game: Uuid,
    sequence: i64,
    done: oneshot::Sender<()>,
}

impl Append {
    fn answer(self) {
        let _nobody_may_wait = self.done.send(());
    }
}

/// Serves until the process is killed: what a program does that is called with `--floor PORT`, and where events are kept if any are:
/// in a file, or at a `postgres:` address.
///
/// # Errors
/// When it cannot.
pub async fn serve(port: u16, kept: Option<&str>) -> anyhow::Result<()> {
    let floor = match kept {
        None => Floor::Echo,
        Some(kept) => Floor::Durable(Arc::new(Journal::open(kept).await?)),
    };
    let router = Router::new().fallback(answer).with_state(floor);
    tonic::transport::Server::builder()
        .tcp_nodelay(true)
        .add_routes(Routes::from(router))
        .serve((Ipv4Addr::LOCALHOST, port).into())
        .await?;
    Ok(())
}

async fn answer(
    State(floor): State<Floor>,
    headers: HeaderMap,
    body: axum::body::Body,
) -> Response<axum::body::Body> {
    let status = match floor {
        Floor::Echo => HeaderValue::from_static("0"),
        Floor::Durable(journal) => HeaderValue::from(journal.take(&headers, body).await.map_or(16, |()| 0)),
    };
    let mut response = Response::new(Body::new(http_body_util::Full::from(EMPTY.as_slice())));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert("grpc-status", status);
    response.map(axum::body::Body::new)
}

impl Journal {
    async fn open(kept: &str) -> anyhow::Result<Self> {
        let (waiting, appends) = mpsc::unbounded_channel();
        if kept.starts_with("postgres") {
            let connection = postgres(kept).await?;
            tokio::spawn(write_postgres(connection, appends));
        } else {
            let connection = sqlite(kept.as_ref())?;
            std::thread::spawn(move || write_sqlite(connection, appends));
        }
        Ok(Journal { keys: keys(), env: Env::system(), number: AtomicU64::default(), waiting })
    }

    async fn take(&self, headers: &HeaderMap, body: axum::body::Body) -> Option<()> {
        let token = headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")?;
        verify(token, &self.keys, AUDIENCE, self.env.now()).ok()?;
        axum::body::to_bytes(body, CALL_BYTES_MAX).await.ok()?;
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let (done, committed) = oneshot::channel();
        let (game, sequence) = (Uuid::from_u64_pair(number % GAMES, 7), (number / GAMES).cast_signed());
        self.waiting.send(Append { game, sequence, done }).ok()?;
        committed.await.ok()
    }
}

fn sqlite(file: &Path) -> anyhow::Result<rusqlite::Connection> {
    let connection = rusqlite::Connection::open(file)?;
    // As the platform keeps its own.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch(
        "CREATE TABLE events (game_id BLOB NOT NULL, sequence INTEGER NOT NULL, payload BLOB NOT NULL, \
         PRIMARY KEY (game_id, sequence))",
    )?;
    Ok(connection)
}

/// Commits what waits until nobody can call any more; who waits for what cannot be committed is let go.
fn write_sqlite(mut connection: rusqlite::Connection, mut appends: mpsc::UnboundedReceiver<Append>) {
    let payload = [0x5a; EVENT_BYTES];
    let mut commit = |together: &[Append]| -> rusqlite::Result<()> {
        let transaction = connection.transaction()?;
        let mut insert = transaction.prepare_cached("INSERT INTO events VALUES (?1, ?2, ?3)")?;
        for append in together {
            insert.execute((append.game.as_bytes(), append.sequence, &payload))?;
        }
        drop(insert);
        transaction.commit()
    };
    let mut together = Vec::new();
    while appends.blocking_recv_many(&mut together, TOGETHER) > 0 {
        if commit(&together).is_ok() {
            together.drain(..).for_each(Append::answer);
        }
        together.clear();
    }
}

async fn postgres(url: &str) -> anyhow::Result<sqlx::PgConnection> {
    let mut connection = <sqlx::PgConnection as sqlx::Connection>::connect(url).await?;
    let table = "CREATE TABLE events (game_id UUID NOT NULL, sequence BIGINT NOT NULL, payload BYTEA NOT NULL, \
                 PRIMARY KEY (game_id, sequence))";
    sqlx::query(table).execute(&mut connection).await?;
    Ok(connection)
}

/// The same on PostgreSQL: one prepared statement for however many.
async fn write_postgres(mut connection: sqlx::PgConnection, mut appends: mpsc::UnboundedReceiver<Append>) {
    let payload = vec![0x5a; EVENT_BYTES];
    let mut together = Vec::new();
    while appends.recv_many(&mut together, TOGETHER).await > 0 {
        let games: Vec<Uuid> = together.iter().map(|append| append.game).collect();
        let sequences: Vec<i64> = together.iter().map(|append| append.sequence).collect();
        let payloads = vec![payload.as_slice(); together.len()];
        let insert =
            sqlx::query("INSERT INTO events SELECT * FROM UNNEST($1::uuid[], $2::bigint[], $3::bytea[])");
        let inserted = insert.bind(games).bind(sequences).bind(payloads).execute(&mut connection).await;
        if inserted.is_ok() {
            together.drain(..).for_each(Append::answer);
        }
        together.clear();
    }
}

fn keys() -> VerifyingKeys {
    let key = SigningKey::from_seed(&SEED);
    let mut keys = VerifyingKeys::new();
    keys.insert(key.kid(), key.public_key());
    keys
}

/// A token that a durable floor takes: as long as those of guests.
fn token() -> String {
    let now = Env::system().now().unix_timestamp();
    SigningKey::from_seed(&SEED).sign(&Claims {
        sub: Uuid::nil().to_string(),
        name: "a caller of the floor".to_owned(),
        guest: true,
        bot: false,
        scope: "play queue".to_owned(),
        kind: "sign-in".to_owned(),
        iss: ISSUER.to_owned(),
        aud: AUDIENCE.to_owned(),
        iat: now,
        exp: now + 24 * 3600,
        jti: Uuid::nil().to_string(),
    })
}

/// A floor as a child process.
pub struct Server {
    _child: Child,
    _file: Option<tempfile::TempDir>,
    _database: Option<PostgresDatabase>,
    /// Where it is.
    pub url: String,
    /// The token that it wants to see; the echo wants none.
    pub token: Option<String>,
}

impl Server {
    /// An echo.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn echo() -> anyhow::Result<Self> {
        Server::start(None, None).await
    }

    /// One that commits to SQLite.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn on_sqlite() -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("floor.db").to_string_lossy().into_owned();
        Server::start(Some(file), Some(folder)).await
    }

    /// One that commits to a database of its own at `SHOUTAN_TEST_POSTGRES`.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn on_postgres() -> anyhow::Result<Self> {
        let database = new_database().await?;
        let url = database.url().to_owned();
        Ok(Server { _database: Some(database), ..Server::start(Some(url), None).await? })
    }

    /// Starts this very program with `--floor PORT [KEPT]`, and waits until it takes connections.
    async fn start(kept: Option<String>, file: Option<tempfile::TempDir>) -> anyhow::Result<Self> {
        let port = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let token = kept.is_some().then(token);
        let mut command = tokio::process::Command::new(std::env::current_exe()?);
        command.args(["--floor", &port.to_string()]).args(kept).kill_on_drop(true);
        let child = command.spawn().context("starting the floor")?;
        let up = async {
            while tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(10), up)
            .await
            .context("waiting for the floor")?;
        let url = format!("http://127.0.0.1:{port}");
        Ok(Server { _child: child, _file: file, _database: None, url, token })
    }
}
