//! What a platform needs, looked at one after the other.

use std::{path::Path, time::Duration};

use axum::body::Body;
use chassis::{
    Ambient, Database,
    auth::ClusterKey,
    health::{Page, READY_PATH},
    schema::Schema,
};
use http::Request;
use rustix::process::{Resource, getrlimit};
use sea_orm::{ConnectionTrait as _, DbBackend, DbErr, Statement};
use secrecy::SecretString;
use shoutan::platform::{self, Service};
use time::OffsetDateTime;
use tokio::time::{Instant, timeout};
use tower::ServiceExt as _;

use super::{Args, Finding};

/// How long something may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Free bytes below which a disk is nearly full: some hundred thousand games.
const FREE_WANTED: u64 = 1 << 30;
/// Free bytes below which a disk is as good as full.
const FREE_NEEDED: u64 = 64 << 20;
/// Open files that a process should be allowed: connections of some thousand players.
const FILES_WANTED: u64 = 4096;
/// How far two clocks may be apart. Outages are told from a second on.
const SKEW_MAX: time::Duration = time::Duration::seconds(1);
/// The longest page that is read.
const PAGE_BYTES_MAX: usize = 64 * 1024;

/// Looks at everything.
pub(super) async fn all(args: &Args) -> Vec<Finding> {
    let mut findings = secret(args);
    findings.push(disk(&args.data));
    findings.push(files());
    for service in Service::ALL.into_iter().filter(|service| service.has_database()) {
        findings.extend(database(service, args).await);
    }
    findings.push(live(args).await);
    findings.extend(server(args).await);
    findings
}

fn secret(args: &Args) -> Vec<Finding> {
    let Some(secret) = &args.cluster_secret else { return Vec::new() };
    vec![match ClusterKey::from_secret(&SecretString::from(secret.clone())) {
        Ok(_) => Finding::good("the secret of the services is long enough"),
        Err(short) => Finding::bad(
            short.to_string(),
            "set SHOUTAN_CLUSTER_SECRET to, say, what `openssl rand -hex 32` prints",
        ),
    }]
}

/// The disk of the data folder, or of the nearest folder above it that exists.
fn disk(data: &Path) -> Finding {
    let absolute = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
    let there = absolute.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    let what = format!("the disk of {}", data.display());
    match rustix::fs::statvfs(there) {
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            let said = format!("{what} has {} MiB free", free >> 20);
            match free {
                free if free < FREE_NEEDED => {
                    Finding::bad(said, "make room: moves are refused when it is full")
                }
                free if free < FREE_WANTED => Finding::warning(said, "make room before it is full"),
                _ => Finding::good(said),
            }
        }
        Err(error) => Finding::bad(format!("{what} cannot be looked at: {error}"), "is it mounted?"),
    }
}

fn files() -> Finding {
    let limit = getrlimit(Resource::Nofile).current;
    let said = limit.map_or_else(|| "any number of".to_owned(), |limit| limit.to_string());
    let said = format!("{said} files may be open at once");
    if limit.is_some_and(|limit| limit < FILES_WANTED) {
        return Finding::warning(said, format!("each player needs one: `ulimit -n {FILES_WANTED}` or more"));
    }
    Finding::good(said)
}

async fn database(service: Service, args: &Args) -> Vec<Finding> {
    let name = service.name();
    let url = platform::database_url(service, &args.data, args.database.as_deref());
    if let Some(file) = url.strip_prefix("sqlite://")
        && !Path::new(file).exists()
    {
        return vec![Finding::note(format!(
            "database of {name}: there is none yet; the first start makes it"
        ))];
    }
    let bad = |error: &DbErr, remedy: &str| {
        // Whatever an error says, it does not say the password.
        let said = error.to_string().replace(&url, "its URL");
        vec![Finding::bad(format!("database of {name}: {said}"), remedy)]
    };
    let reach = "is the server up, and is the URL that of a database that exists?";
    let database = match timeout(PATIENCE, Database::open(&url)).await {
        Ok(Ok(database)) => database,
        Ok(Err(error)) => return bad(&error, reach),
        Err(_) => return bad(&DbErr::Custom("it does not answer in time".to_owned()), reach),
    };
    let schema = match service {
        Service::Identity => identity::schema(&database).await,
        Service::Game => game::audit::schema(&database).await,
        Service::Matchmaking => matchmaking::schema(&database).await,
        Service::Rating => rating::schema(&database).await,
        Service::Clock => Ok(Schema::default()),
    };
    let mut findings = match schema {
        Ok(schema) => vec![told(name, &schema)],
        Err(error) => return bad(&error, reach),
    };
    if database.backend() == DbBackend::Postgres && service == Service::Game {
        match postgres(&database).await {
            Ok(more) => findings.extend(more),
            Err(error) => findings.extend(bad(&error, reach)),
        }
    }
    database.close().await;
    findings
}

fn told(name: &str, schema: &Schema) -> Finding {
    let Schema { applied, pending, unknown } = schema;
    if !unknown.is_empty() {
        return Finding::bad(
            format!("database of {name}: a newer version has been here ({})", unknown.join(", ")),
            "run that version, or restore a backup from before",
        );
    }
    if pending.is_empty() {
        return Finding::good(format!(
            "database of {name}: answers; all {applied} steps of its schema are taken"
        ));
    }
    let said = format!("database of {name}: {} steps of its schema are not taken yet", pending.len());
    Finding::warning(said, "the next start of this version takes them; make a backup before")
}

/// The time of a PostgreSQL, and how many may be connected to it.
async fn postgres(database: &Database) -> Result<Vec<Finding>, DbErr> {
    let ask = async |query: &str| {
        let row = database.read().query_one_raw(Statement::from_string(DbBackend::Postgres, query)).await?;
        row.ok_or_else(|| DbErr::Custom("no answer to a question".to_owned()))?.try_get_by_index::<i64>(0)
    };
    let theirs = ask("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").await?;
    let connections = ask("SELECT current_setting('max_connections')::bigint").await?;
    let ours = Ambient::system().now();
    let theirs = OffsetDateTime::from_unix_timestamp_nanos(i128::from(theirs) * 1000).unwrap_or(ours);
    let mut findings = vec![clock("the database's clock", theirs - ours)];
    let said = format!("PostgreSQL takes {connections} connections");
    findings.push(if connections < 100 {
        Finding::warning(
            said,
            "five services want up to 100 in all: raise max_connections, or make their pools smaller",
        )
    } else {
        Finding::good(said)
    });
    Ok(findings)
}

fn clock(whose: &str, ahead: time::Duration) -> Finding {
    let apart_ms = ahead.abs().whole_milliseconds();
    if ahead.abs() > SKEW_MAX {
        let remedy = "keep the clocks of all machines together (NTP): players are charged by them";
        return Finding::warning(format!("{whose} is {apart_ms} ms apart from ours"), remedy);
    }
    Finding::good(format!("{whose} and ours agree within {apart_ms} ms"))
}

async fn live(args: &Args) -> Finding {
    if args.live == "memory" {
        return Finding::good("live state: in memory, for a platform in one process");
    }
    if args.live == "redis" {
        return match live::ChildRedis::find() {
            Some(server) => Finding::good(format!("live state: {} will be started for it", server.display())),
            None => Finding::bad(
                "live state: neither valkey-server nor redis-server is in PATH",
                "install the package `valkey` or `redis` (`redis-server` on Debian)",
            ),
        };
    }
    let remedy = "is the server up, its URL and password right, does it take writes, and has it memory left?";
    let asked = timeout(PATIENCE, async {
        let live = args.redis.connect(&args.live).await?;
        let began = Instant::now();
        live.prove().await?;
        anyhow::Ok(began.elapsed())
    });
    match asked.await {
        Ok(Ok(took)) => {
            Finding::good(format!("live state: takes what a move writes, in {} ms", took.as_millis()))
        }
        Ok(Err(error)) => Finding::bad(format!("live state: {error:#}"), remedy),
        Err(_) => Finding::bad("live state: it does not answer in time", remedy),
    }
}

/// A running platform, if there is one.
async fn server(args: &Args) -> Vec<Finding> {
    let url = args.server.url();
    let Ok(Ok(page)) = timeout(PATIENCE, ready(url)).await else {
        return vec![Finding::note(format!("no platform answers at {url}"))];
    };
    let mut findings = Vec::new();
    for part in page.parts.iter().filter(|part| !part.working) {
        let why = part.reason.as_deref().unwrap_or("it fails");
        let said =
            format!("{} of {} at {url} does not work since {}: {why}", part.part, part.service, part.since);
        findings.push(Finding::bad(said, "mend what it says; it comes back by itself"));
    }
    for (task, panics) in &page.panics {
        let said = format!("the task {task} at {url} has panicked {panics} times since the start");
        findings.push(Finding::warning(said, "its log has the place: this is a fault of the program"));
    }
    if page.ready {
        findings.push(Finding::good(format!("the platform at {url} is ready")));
    }
    if let Ok(server) = args.server.reach().await {
        findings.push(clock("the platform's clock", server.now() - Ambient::system().now()));
    }
    findings
}

async fn ready(url: &str) -> anyhow::Result<Page> {
    let request = Request::get(READY_PATH).body(tonic::body::Body::empty())?;
    let answer = api::client::connect(url)?.oneshot(request).await?;
    let body = axum::body::to_bytes(Body::new(answer.into_body()), PAGE_BYTES_MAX).await?;
    Ok(serde_json::from_slice(&body)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::Verdict;

    #[test]
    fn a_database_of_a_newer_version_is_bad_and_one_of_an_older_is_not() {
        let schema = |pending: &[&str], unknown: &[&str]| Schema {
            applied: 3,
            pending: pending.iter().map(|&step| step.to_owned()).collect(),
            unknown: unknown.iter().map(|&step| step.to_owned()).collect(),
        };
        assert_eq!(told("game", &schema(&[], &[])).verdict, Verdict::Good);
        assert_eq!(told("game", &schema(&["m4"], &[])).verdict, Verdict::Warning);
        let newer = told("game", &schema(&[], &["m9"]));
        assert_eq!(newer.verdict, Verdict::Bad);
        assert!(newer.to_string().contains("m9"), "{newer}");
    }

    #[test]
    fn clocks_that_are_apart_are_told_in_either_direction() {
        for (ahead_ms, verdict) in
            [(0, Verdict::Good), (-900, Verdict::Good), (1500, Verdict::Warning), (-1500, Verdict::Warning)]
        {
            assert_eq!(
                clock("a clock", time::Duration::milliseconds(ahead_ms)).verdict,
                verdict,
                "{ahead_ms}"
            );
        }
    }
}
