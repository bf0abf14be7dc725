//! What a database promises when it, or the way to it, fails.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::future::try_join_all;
use sea_orm::{ConnectionTrait as _, Statement};
use sea_orm_migration::prelude::*;
use tokio::{io::AsyncWriteExt as _, net::TcpStream, sync::Notify};

use super::{Database, STATEMENT_MAX};
use crate::{outbox, testing::databases};

struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(CreateOutbox)]
    }
}

struct CreateOutbox;

impl MigrationName for CreateOutbox {
    fn name(&self) -> &'static str {
        "m0001_create_outbox"
    }
}

#[expect(
    elided_lifetimes_in_paths,
    reason = "async_trait's signature must be that of the trait, letter by letter"
)]
#[async_trait::async_trait]
impl MigrationTrait for CreateOutbox {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        outbox::create_table(manager).await
    }
}

#[tokio::test]
async fn replicas_that_start_together_migrate_once() {
    for fresh in databases().await.into_iter().filter(|fresh| fresh.kind == "postgres") {
        let replicas = try_join_all((0..4).map(|_| Database::open(&fresh.url))).await.expect("they open");
        let migrations = replicas.iter().map(Database::migrate::<Migrator>);
        try_join_all(migrations).await.expect("nobody gets in another's way");
    }
}

#[tokio::test]
async fn what_is_committed_after_a_full_disk_is_there() {
    let fresh = databases().await.remove(0);
    let database = Database::open(&fresh.url).await.expect("it opens");
    let write = database.write();
    write.execute_unprepared("CREATE TABLE notes (text blob)").await.expect("a table is made");
    // As good as a full disk, for this one connection.
    write.execute_unprepared("PRAGMA max_page_count = 8").await.expect("the file may not grow");
    for _ in 0..4 {
        let transaction = database.begin().await.expect("a transaction begins");
        let filled = transaction.execute_unprepared("INSERT INTO notes VALUES (randomblob(100000))").await;
        if filled.is_ok() {
            break; // the connection with the limit is gone
        }
    }
    assert!(!database.is_writable(), "a full disk is noticed");
    let transaction = database.begin().await.expect("a transaction begins");
    transaction.execute_unprepared("INSERT INTO notes VALUES ('kept')").await.expect("inserts");
    transaction.commit().await.expect("it is committed");
    let other = Database::open(&fresh.url).await.expect("it opens again");
    let count = "SELECT text FROM notes WHERE text = 'kept'";
    let rows =
        other.read().query_all_raw(Statement::from_string(other.backend(), count)).await.expect("reads");
    assert_eq!(rows.len(), 1, "another connection sees what was committed");
}

/// A way to a server on which connections can fall silent.
struct Wire {
    url: String,
    silence: Arc<Mutex<Arc<Notify>>>,
}

impl Wire {
    async fn to(url: &str) -> Self {
        let (server, name) = url.rsplit_once('/').expect("a URL ends in the name of a database");
        let (user, server) = server.rsplit_once('@').expect("a URL has a user");
        let server = server.to_owned();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = listener.local_addr().expect("it has an address").port();
        let silence = Arc::new(Mutex::new(Arc::new(Notify::new())));
        let current = Arc::clone(&silence);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let silent = Arc::clone(&current.lock().expect("nobody panics with it"));
                let far = TcpStream::connect(&server).await.expect("the server answers");
                tokio::spawn(carry(near, far, silent));
            }
        });
        Wire { url: format!("{user}@127.0.0.1:{port}/{name}"), silence }
    }

    /// Whatever is open now carries nothing any more, and does not say so. What is opened later works.
    fn fall_silent(&self) {
        let silent = std::mem::take(&mut *self.silence.lock().expect("nobody panics with it"));
        silent.notify_waiters();
    }
}

async fn carry(mut near: TcpStream, mut far: TcpStream, silent: Arc<Notify>) {
    tokio::select! {
        biased;
        () = silent.notified() => std::future::pending().await,
        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
    }
    let _closed = near.shutdown().await;
}

#[tokio::test]
async fn connections_that_died_without_a_word_are_given_up_after_one_deadline() {
    for fresh in databases().await.into_iter().filter(|fresh| fresh.kind == "postgres") {
        let wire = Wire::to(&fresh.url).await;
        let database = Database::open(&wire.url).await.expect("it opens");
        let ask = || database.read().execute_unprepared("SELECT 1");
        // As many as there are: each would be waited for in turn.
        try_join_all((0..6).map(|_| ask())).await.expect("it answers");
        wire.fall_silent();
        let began = tokio::time::Instant::now();
        ask().await.expect_err("nobody answers on a dead connection");
        try_join_all((0..12).map(|_| ask())).await.expect("new connections are made");
        assert!(began.elapsed() < STATEMENT_MAX + Duration::from_secs(3), "took {:?}", began.elapsed());
    }
}

#[tokio::test]
async fn sessions_that_became_read_only_are_not_used_again() {
    for fresh in databases().await.into_iter().filter(|fresh| fresh.kind == "postgres") {
        let name = fresh.url.rsplit_once('/').expect("a URL ends in the name of a database").1.to_owned();
        let admin = fresh.database.write();
        admin.execute_unprepared("CREATE TABLE notes (text text)").await.expect("a table is made");
        let read_only = |on: &str| format!("ALTER DATABASE {name} SET default_transaction_read_only = {on}");
        admin.execute_unprepared(&read_only("on")).await.expect("it is set");
        let database = Database::open(&fresh.url).await.expect("it opens");
        let write = async || {
            let transaction = database.begin().await?;
            transaction.execute_unprepared("INSERT INTO notes VALUES ('x')").await?;
            transaction.commit().await
        };
        write().await.expect_err("the session is read-only");
        assert!(!database.is_writable(), "that is noticed");
        admin.execute_unprepared(&read_only("off")).await.expect("it is set");
        write().await.expect("a new session is opened");
    }
}

#[tokio::test]
async fn a_url_that_cannot_be_read_is_not_shown() {
    for url in
        ["postgres://me:s3cret@host:port/name", "mysql://me:s3cret@host/name", "postgres://me:s3cret@[/x"]
    {
        let error = Database::open(url).await.expect_err("it cannot be opened");
        assert!(!format!("{error:?} {error}").contains("s3cret"), "{error}");
    }
}

#[tokio::test]
async fn the_beat_is_not_kept_waiting_by_readers() {
    for fresh in databases().await.into_iter().filter(|fresh| fresh.kind == "postgres") {
        let apart = fresh.database.apart().await.expect("it opens");
        let slow =
            try_join_all((0..30).map(|_| fresh.database.read().execute_unprepared("SELECT pg_sleep(1)")));
        let quick = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let began = tokio::time::Instant::now();
            apart.read().execute_unprepared("SELECT 1").await.expect("it answers");
            began.elapsed()
        };
        let (_some_may_be_refused, took) = futures::future::join(slow, quick).await;
        assert!(took < Duration::from_millis(500), "took {took:?}");
    }
}
