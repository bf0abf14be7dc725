//! States of databases, under somebody who writes all the time.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use sea_orm::ConnectionTrait as _;

use super::*;
use crate::{Database, testing::PostgresDatabase};

/// Cuts that are made while somebody writes.
const CUTS: usize = 20;

/// Two databases, the second of which is told of everything after the first.
struct Pair {
    urls: Vec<String>,
    databases: Vec<Database>,
    /// The places of the databases, which go with it.
    _places: (tempfile::TempDir, Vec<PostgresDatabase>),
}

async fn pairs() -> Vec<Pair> {
    let mut pairs = Vec::new();
    let files = tempfile::tempdir().expect("a folder");
    let urls = ["one", "two"].map(|name| format!("sqlite://{}", files.path().join(name).display()));
    pairs.push((urls.to_vec(), files, Vec::new()));
    if let Ok(server) = std::env::var("SHOUTAN_TEST_POSTGRES") {
        let mut servers = Vec::new();
        for _ in 0..2 {
            servers.push(PostgresDatabase::create(&server).await.expect("it is made"));
        }
        let urls = servers.iter().map(|database| database.url().to_owned()).collect();
        pairs.push((urls, tempfile::tempdir().expect("a folder"), servers));
    }
    let mut made = Vec::new();
    for (urls, folder, servers) in pairs {
        let mut databases = Vec::new();
        for url in &urls {
            let database = Database::open(url).await.expect("it opens");
            let counted = "CREATE TABLE counted (n bigint PRIMARY KEY, said text, bytes integer)";
            database.write().execute_unprepared(counted).await.expect("it is made");
            // What is written to see whether writing works is no part of what is kept.
            let proofs = format!("CREATE TABLE {} (id integer)", super::super::proof::TABLE);
            database.write().execute_unprepared(&proofs).await.expect("it is made");
            databases.push(database);
        }
        made.push(Pair { urls, databases, _places: (folder, servers) });
    }
    made
}

/// Counts in one database, and then in the other, until it is told to stop.
async fn count(databases: Vec<Database>, stop: Arc<AtomicBool>) -> u64 {
    for n in 1.. {
        for database in &databases {
            let insert = format!("INSERT INTO counted VALUES ({n}, 'line\n\tand \\ more', NULL)");
            database.write().execute_unprepared(&insert).await.expect("it is written");
        }
        if stop.load(Ordering::Relaxed) {
            return n;
        }
    }
    unreachable!("nobody counts to the end")
}

/// How far somebody had counted in a database by the copy of it, and its rows.
fn counted(folder: &Path, parts: &[Part]) -> u64 {
    for part in parts {
        let file = File::open(folder.join(&part.file)).expect("it was written");
        assert_eq!(digest(file).expect("it is read"), (part.sha256.clone(), part.bytes));
    }
    let [part] = parts else { panic!("one file: {parts:?}") };
    let Some(table) = &part.table else {
        let copy = rusqlite::Connection::open(folder.join(&part.file)).expect("it is a database");
        let count = copy.query_row("SELECT count(*) FROM counted", [], |row| row.get::<_, i64>(0));
        return u64::try_from(count.expect("it can be asked")).expect("it is no less than none");
    };
    assert_eq!(
        (&*table.name, &table.columns),
        ("counted", &["n", "said", "bytes"].map(str::to_owned).to_vec())
    );
    let text = std::fs::read_to_string(folder.join(&part.file)).expect("it is text");
    assert_eq!(text.lines().count() as u64, table.rows);
    table.rows
}

#[tokio::test(flavor = "multi_thread")]
async fn states_of_several_databases_are_of_one_moment_while_somebody_writes() {
    for pair in pairs().await {
        let stop = Arc::new(AtomicBool::new(false));
        let counting = tokio::spawn(count(pair.databases.clone(), Arc::clone(&stop)));
        let mut seen = Vec::new();
        for _ in 0..CUTS {
            let states = cut(&pair.urls).await.expect("it is cut");
            let mut counts = Vec::new();
            for state in states {
                let folder = tempfile::tempdir().expect("a folder");
                let parts = state.write(folder.path(), |_| {}).await.expect("it is copied");
                counts.push(counted(folder.path(), &parts));
            }
            assert!(counts[0] == counts[1] || counts[0] == counts[1] + 1, "{counts:?}");
            seen.push(counts[0]);
        }
        stop.store(true, Ordering::Relaxed);
        let last = counting.await.expect("it ends");
        assert!(seen.is_sorted() && seen[0] < seen[CUTS - 1] && seen[CUTS - 1] <= last, "{seen:?} of {last}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_a_server_are_put_back_as_they_were_all_of_them_or_none() {
    let Some(pair) = pairs().await.into_iter().nth(1) else { return };
    let [from, to] = &*pair.urls else { panic!("two") };
    count(pair.databases[..1].to_vec(), Arc::new(AtomicBool::new(true))).await;
    let folder = tempfile::tempdir().expect("a folder");
    let state = cut(std::slice::from_ref(from)).await.expect("it is cut").remove(0);
    let mut parts = state.write(folder.path(), |_| {}).await.expect("it is copied");
    fill(to, folder.path(), &parts).await.expect("it is put there");
    let rows = async |url: &str| {
        let state = cut(&[url.to_owned()]).await.expect("it is cut").remove(0);
        let folder = tempfile::tempdir().expect("a folder");
        let parts = state.write(folder.path(), |_| {}).await.expect("it is copied");
        std::fs::read_to_string(folder.path().join(&parts[0].file)).expect("it is text")
    };
    assert_eq!(rows(to).await, rows(from).await);
    // What is not all there changes nothing.
    if let Some(table) = &mut parts[0].table {
        table.rows += 1;
    }
    let refused = fill(to, folder.path(), &parts).await.expect_err("a row is missing");
    assert!(matches!(refused, CutError::Damaged(_)), "{refused}");
    assert_eq!(rows(to).await, rows(from).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_writes_without_an_end_is_not_waited_for_for_ever_and_nothing_is_made_that_was_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing.db");
    let refused = cut(&[format!("sqlite://{}", missing.display())]).await.expect_err("it is not there");
    assert!(matches!(refused, CutError::Sqlite(_)) && !missing.exists(), "{refused}");
    for url in ["sqlite::memory:", "mysql://host/x"] {
        assert!(matches!(cut(&[url.to_owned()]).await, Err(CutError::Url(_))), "{url}");
    }
    let pair = pairs().await.remove(0);
    let writer = rusqlite::Connection::open(pair.urls[1].trim_start_matches("sqlite://")).expect("it opens");
    writer.execute_batch("BEGIN IMMEDIATE").expect("nobody else writes");
    let cutting = tokio::spawn({
        let urls = pair.urls.clone();
        async move { cut(&urls).await.map(|states| states.len()) }
    });
    tokio::time::sleep(HELD_MAX * 3).await;
    assert!(!cutting.is_finished(), "it tries again");
    // Meanwhile nobody is held off for longer than that.
    let insert = "INSERT INTO counted VALUES (1, '', NULL)";
    pair.databases[0].write().execute_unprepared(insert).await.expect("it is written");
    drop(writer);
    assert_eq!(cutting.await.expect("it ends").expect("it is cut"), 2);
}
