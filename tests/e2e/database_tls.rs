//! TLS to PostgreSQL: with `sslmode=verify-full` a platform speaks to the server that it was told of, and to no other.

use std::{path::Path, time::Duration};

use chassis::Database;
use sea_orm::ConnectionTrait as _;
use tempfile::TempDir;
use tests::{Ground, Platform, Shape, Store, faults::Postgres, guest};

use crate::certificates::Maker;

/// What nobody may find in a message.
const PASSWORD: &str = "s3cret";

/// A server that shows a certificate for `localhost`, and nothing else.
struct Scene {
    server: Postgres,
    /// The file with the authority that has signed it.
    authority: String,
    folder: TempDir,
}

impl Scene {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let maker = Maker::new();
        let paths = maker.make_for(&["localhost"]).write(folder.path());
        for path in &paths {
            Postgres::give(Path::new(path)).await.expect("the server may read it");
        }
        let authority = folder.path().join("ca.pem");
        std::fs::write(&authority, maker.pem()).expect("it is written");
        let [certificate, key] = paths.map(|path| path.clone());
        let tls =
            ["ssl=on".to_owned(), format!("ssl_cert_file={certificate}"), format!("ssl_key_file={key}")];
        let server = start(&folder, &tls).await;
        Scene { server, authority: authority.display().to_string(), folder }
    }

    fn url(&self, host: &str, authority: &str) -> String {
        url(&self.server, host, authority)
    }
}

async fn start(folder: &TempDir, settings: &[String]) -> Postgres {
    let settings: Vec<_> = settings.iter().map(String::as_str).collect();
    let log = folder.path().join("postgres.log");
    Postgres::start(folder.path(), &log, &settings, Vec::new()).await.expect("a PostgreSQL")
}

fn url(server: &Postgres, host: &str, authority: &str) -> String {
    let port = server.port();
    format!(
        "postgres://postgres:{PASSWORD}@{host}:{port}/postgres?sslmode=verify-full&sslrootcert={authority}"
    )
}

/// Why a database cannot be opened.
async fn refused(url: &str) -> String {
    let opened = tokio::time::timeout(Duration::from_secs(20), Database::open(url));
    let error = opened.await.expect("within seconds").expect_err("it is refused");
    let text = format!("{error} {error:?}");
    assert!(!text.contains(PASSWORD), "{text}");
    error.to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_proves_who_it_is_is_used_and_no_other() {
    let scene = Scene::start().await;
    let database = Database::open(&scene.url("localhost", &scene.authority)).await.expect("it is believed");
    let encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let statement = sea_orm::Statement::from_string(sea_orm::DbBackend::Postgres, encrypted);
    let row = database.read().query_one_raw(statement).await.expect("it answers").expect("a row");
    assert!(row.try_get_by_index::<bool>(0).expect("a truth"), "what is said is encrypted");
    database.close().await;

    // Its certificate is for another host.
    let why = refused(&scene.url("127.0.0.1", &scene.authority)).await;
    assert!(why.contains("not believed") && why.contains("host of the URL"), "{why}");
    // Nobody who is believed has signed it.
    let other = scene.folder.path().join("other.pem");
    std::fs::write(&other, Maker::new().pem()).expect("it is written");
    let why = refused(&scene.url("localhost", &other.display().to_string())).await;
    assert!(why.contains("not believed") && why.contains("sslrootcert"), "{why}");
    let why = refused(&scene.url("localhost", "/nowhere/ca.pem")).await;
    assert!(why.contains("is not there") && why.contains("sslrootcert"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_tls_is_refused_where_tls_is_asked_for() {
    let (folder, plain) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let server = start(&plain, &[]).await;
    let authority = folder.path().join("ca.pem");
    std::fs::write(&authority, Maker::new().pem()).expect("it is written");
    let why = refused(&url(&server, "localhost", &authority.display().to_string())).await;
    assert!(why.contains("does not support TLS"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_platform_keeps_its_games_in_a_database_that_it_reaches_over_tls() {
    let scene = Scene::start().await;
    let on = |url: String| Ground { database: Some(url), ..Ground::default() };
    let ground = on(scene.url("localhost", &scene.authority));
    let platform = Platform::start_on(Shape::One, Store::Embedded, ground).await.expect("it starts");
    guest(&platform.transport()).await.expect("a guest signs in");
    let ground = on(scene.url("127.0.0.1", &scene.authority));
    let error = Platform::start_on(Shape::One, Store::Embedded, ground).await.expect_err("it does not start");
    let said = format!("{error:#}");
    assert!(said.contains("the certificate of the database is not believed"), "{said}");
    assert!(!said.contains(PASSWORD), "{said}");
}
