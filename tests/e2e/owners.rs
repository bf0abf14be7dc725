//! Whose a database is: one process serves from a file, others look after it beside, and nobody takes an empty one for
//! the one that was there.

use std::{os::unix::fs::PermissionsExt as _, path::Path, process::Output, time::Duration};

use tests::{Ground, Platform, Shape, Store, command};

/// Runs a command that must come to an end by itself.
async fn ends<const N: usize>(arguments: [&str; N]) -> Output {
    let run = command(arguments);
    tokio::time::timeout(Duration::from_secs(30), run).await.expect("it ends").expect("it runs")
}

fn said(output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{out}{err}")
}

async fn up(data: &Path) -> Platform {
    let ground = Ground { data: Some(data.to_owned()), ..Ground::default() };
    Platform::start_on(Shape::One, Store::Embedded, ground).await.expect("the platform starts")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_does_not_serve_from_the_same_file_and_says_who_does() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let data = folder.path().join("data");
    let mut platform = up(&data).await;
    let argument = format!("--data={}", data.display());
    let second = ends(["up", "--listen=127.0.0.1:0", &argument]).await;
    let holder = platform.process_ids()[0];
    assert!(!second.status.success(), "{}", said(&second));
    assert!(said(&second).contains(&format!("served by process {holder}")), "{}", said(&second));
    // Who looks after the database does not serve.
    let rotated = ends(["keys", "rotate", &argument]).await;
    assert!(rotated.status.success(), "{}", said(&rotated));
    // The lock dies with its holder.
    platform.kill("platform").await.expect("it can be killed");
    platform.restart("platform").await.expect("it comes up again");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_the_owner_may_read_the_databases() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let data = folder.path().join("data");
    let _platform = up(&data).await;
    let mode = |path: &Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    for entry in data.read_dir().expect("it can be read") {
        let path = entry.expect("it can be read").path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_database_is_an_error_until_it_is_said_to_be_new() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let data = folder.path().join("data");
    let mut platform = up(&data).await;
    assert!(platform.stop().await.expect("it can be stopped").is_empty(), "{}", platform.logs());
    for suffix in ["", "-wal", "-shm"] {
        let _may_not_be_there = std::fs::remove_file(data.join(format!("game.db{suffix}")));
    }
    let argument = format!("--data={}", data.display());
    let started = ends(["up", "--listen=127.0.0.1:0", &argument]).await;
    assert!(!started.status.success(), "{}", said(&started));
    assert!(said(&started).contains("the database of game is empty"), "{}", said(&started));
    assert!(said(&started).contains("--new-database"), "{}", said(&started));
    let arguments =
        ["up".to_owned(), "--listen=127.0.0.1:0".to_owned(), argument, "--new-database".to_owned()];
    tests::starts(&arguments).await.expect("said to be new, it is taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_in_a_url_is_never_printed() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let argument = format!("--data={}", folder.path().join("data").display());
    for url in [
        "postgres://me:s3cret/word@127.0.0.1:1/x",
        "postgres://me:s3cret@127.0.0.1:notaport/x",
        "oracle://me:s3cret@x",
    ] {
        let started = ends(["up", "--listen=127.0.0.1:0", &argument, "--database", url]).await;
        assert!(!started.status.success(), "{}", said(&started));
        assert!(!said(&started).contains("s3cret"), "{}", said(&started));
    }
}
