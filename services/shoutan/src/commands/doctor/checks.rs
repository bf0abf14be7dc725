//! What a platform needs, looked at one after the other.

use std::{path::Path, time::Duration};

use crate::platform::Service;
use axum::body::Body;
use chassis::{
    Database, Env, Lifecycle,
    auth::ClusterKey,
    health::{Page, READY_PATH},
    outbox::Dead,
    schema::Schema,
    server::{DESCRIPTORS_RESERVED, Door},
    time::from_micros,
};
use http::Request;
use rustix::process::{Resource, getrlimit};
use sea_orm::{ConnectionTrait as _, DbBackend, DbErr, Statement};
use secrecy::SecretString;
use time::format_description::well_known::Rfc3339;
use tokio::time::{Instant, timeout};
use tower::ServiceExt as _;

use super::{Args, Finding, Verdict};

/// How long something may take to answer.
const RETRY: Duration = Duration::from_secs(10);
/// Free bytes below which a disk is nearly full: some hundred thousand games.
const FREE_WANTED: u64 = 1 << 30;
/// Free bytes below which a disk is as good as full.
const FREE_NEEDED: u64 = 64 << 20;
/// What is owed and can never be delivered: the newest of so many are listed.
const DEAD_MAX: u64 = 20;
/// How far two clocks may be apart. Outages are told from a second on.
const SKEW_MAX: time::Duration = time::Duration::seconds(1);
/// The longest page that is read.
const PAGE_BYTES_MAX: usize = 64 * 1024;

/// Looks at everything.
pub(super) async fn all(args: &Args) -> Vec<Finding> {
    let mut findings = secret(args);
    findings.push(key(args));
    findings.push(connections(args));
    findings.push(disk(&args.data.folder));
    findings.push(files(args.edge.connections));
    for service in Service::ALL.into_iter().filter(|service| service.info().has_database) {
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

/// The key that seals what is secret in the databases.
fn key(args: &Args) -> Finding {
    match args.keys.known(&args.data.folder, &Env::system()) {
        Ok(Some(_)) => Finding::good("secrets in the databases: the key that seals them can be read"),
        Ok(None) => Finding::note("secrets in the databases: there is no key yet; the first start makes it"),
        Err(error) => Finding::bad(
            format!("secrets in the databases: {error:#}"),
            "nothing starts without the key: put it back from where it is kept, for its owner's eyes only",
        ),
    }
}

/// The settings of who may connect, and the certificates.
fn connections(args: &Args) -> Finding {
    let lifecycle = Lifecycle::new();
    let mutual = args.mutual.open(&lifecycle);
    match mutual.and_then(|mutual| args.edge.door(&lifecycle, mutual.as_ref())) {
        Ok(Door { tls: Some(_), .. }) => Finding::good("connections: over TLS; its files can be used"),
        Ok(_) => Finding::good("connections: without TLS"),
        Err(error) => {
            Finding::bad(format!("connections: {error:#}"), "nothing starts with these settings or files")
        }
    }
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

/// How many files may be open at once, for as many connections as are taken.
fn files(connections: u32) -> Finding {
    // A process raises its limit to what it may.
    let limit = getrlimit(Resource::Nofile).maximum;
    let wanted = u64::from(connections) + u64::from(DESCRIPTORS_RESERVED);
    let said = limit.map_or_else(|| "any number of".to_owned(), |limit| limit.to_string());
    let said = format!("{said} files may be open at once");
    if limit.is_some_and(|limit| limit < wanted) {
        let remedy =
            format!("{connections} connections need {wanted}: `ulimit -n {wanted}`, or fewer --connections");
        return Finding::warning(said, remedy);
    }
    Finding::good(said)
}

async fn database(service: Service, args: &Args) -> Vec<Finding> {
    let name = service.name();
    let url = args.data.url(service);
    if let Ok(Some(file)) = Database::file(&url)
        && !file.exists()
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
    let database = match timeout(RETRY, Database::open(&url)).await {
        Ok(Ok(database)) => database,
        Ok(Err(error)) => return bad(&error, reach),
        Err(_) => return bad(&DbErr::Custom("it does not answer in time".to_owned()), reach),
    };
    let mut findings = match service.schema(&database).await {
        Ok(schema) => vec![told(name, &schema)],
        Err(error) => return bad(&error, reach),
    };
    if database.backend() == DbBackend::Postgres && service == Service::Game {
        match postgres(&database, args.pools.in_all()).await {
            Ok(more) => findings.extend(more),
            Err(error) => findings.extend(bad(&error, reach)),
        }
    }
    if findings[0].verdict == Verdict::Good {
        match undelivered(service, &database).await {
            Ok(dead) => findings.extend(dead.iter().map(|entry| undeliverable(name, entry))),
            Err(error) => findings.extend(bad(&error, reach)),
        }
    }
    database.close().await;
    findings
}

/// What a service owes to others and can never deliver.
async fn undelivered(service: Service, database: &Database) -> Result<Vec<Dead>, DbErr> {
    match service {
        Service::Game => game::audit::dead(database, DEAD_MAX).await,
        Service::Federation => federation::admin::dead(database, DEAD_MAX).await,
        _ => Ok(Vec::new()),
    }
}

/// Something that a service owes to another, which has refused it for good.
fn undeliverable(service: &str, entry: &Dead) -> Finding {
    let Dead { id, kind, reason, died_us } = entry;
    let died = from_micros(*died_us).and_then(|died| died.format(&Rfc3339).ok()).unwrap_or_default();
    Finding::bad(
        format!("{service} owes {kind} (entry {id}) and could not deliver it at {died}: {reason}"),
        format!(
            "mend what it says; then have it delivered again in the database of {service}: INSERT INTO outbox (id, \
             kind, payload, due_us, attempts) SELECT id, kind, payload, 0, 0 FROM outbox_dead WHERE id = '{id}'; or \
             give it up; either way DELETE FROM outbox_dead WHERE id = '{id}'"
        ),
    )
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
            "database of {name}: answers; all {} steps of its schema are taken",
            applied.len()
        ));
    }
    let said = format!("database of {name}: {} steps of its schema are not taken yet", pending.len());
    Finding::warning(said, "the next start of this version takes them; make a backup before")
}

/// The time of a PostgreSQL, and how many may be connected to it.
async fn postgres(database: &Database, wanted: u32) -> Result<Vec<Finding>, DbErr> {
    let ask = async |query: &str| {
        let row = database.read().query_one_raw(Statement::from_string(DbBackend::Postgres, query)).await?;
        row.ok_or_else(|| DbErr::Custom("no answer to a question".to_owned()))?.try_get_by_index::<i64>(0)
    };
    let theirs = ask("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").await?;
    let connections = ask("SELECT current_setting('max_connections')::bigint \
                           - current_setting('superuser_reserved_connections')::bigint")
    .await?;
    let ours = Env::system().now();
    let theirs = from_micros(theirs).unwrap_or(ours);
    let mut findings = vec![clock("the database's clock", theirs - ours)];
    findings.push(room(connections, wanted));
    Ok(findings)
}

/// Whether a PostgreSQL takes as many connections as the services have.
fn room(taken: i64, wanted: u32) -> Finding {
    let said =
        format!("PostgreSQL takes {taken} connections, and the services of one platform have {wanted}");
    let remedy =
        "raise its max_connections, or give the services fewer (--database-readers, --database-writers)";
    match i64::from(wanted) {
        wanted if wanted > taken => Finding::bad(said, remedy),
        wanted if 2 * wanted > taken => {
            Finding::warning(said, format!("a new version cannot be started beside the old one: {remedy}"))
        }
        _ => Finding::good(said),
    }
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
    let asked = timeout(RETRY, async {
        let live = args.redis.connect(&args.live, None).await?;
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
    let Ok(Ok(page)) = timeout(RETRY, ready(url)).await else {
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
        findings.push(clock("the platform's clock", server.now() - Env::system().now()));
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

    #[test]
    fn a_database_of_a_newer_version_is_bad_and_one_of_an_older_is_not() {
        let schema = |pending: &[&str], unknown: &[&str]| Schema {
            applied: ["m1", "m2", "m3"].map(str::to_owned).to_vec(),
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
    fn pools_that_a_server_does_not_take_are_told() {
        for (taken, wanted, verdict) in
            [(97, 42, Verdict::Good), (97, 49, Verdict::Warning), (97, 98, Verdict::Bad)]
        {
            assert_eq!(room(taken, wanted).verdict, verdict, "{wanted} of {taken}");
        }
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
