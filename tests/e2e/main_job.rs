//! The main job: two players are matched, play a ranked game that the server referees, and are rated.

use std::{path::PathBuf, process::Output};

use tests::{Platform, shapes};
use tokio::process::Command;

/// Records of real games that stand with the rules.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../services/shared/rules/tests/golden");

async fn replay(platform: &Platform, record: &str) -> Output {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(std::path::Path::parent).expect("tests are built in target/*/deps");
    let binary = std::env::var_os("SHOUTAN_BIN").map_or_else(|| folder.join("shoutan"), PathBuf::from);
    Command::new(binary)
        .args(["record", "replay", &format!("{GOLDEN}/{record}"), "--server", &platform.url])
        .output()
        .await
        .expect("the command runs")
}

/// Replays a record through a platform of every shape; the command itself compares result and record.
async fn replays_everywhere(record: &str, result: &str) {
    for (shape, store) in shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let output = replay(&platform, record).await;
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{shape:?} {store:?}\n{out}\n{err}\n{}", platform.logs());
        assert!(out.contains(result), "{shape:?} {store:?}: the result {result} is not in\n{out}");
        let bad = platform.stop().await.expect("the processes can be stopped");
        assert!(bad.is_empty(), "{shape:?} {store:?}: {bad:?} did not stop cleanly\n{}", platform.logs());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_jiu_game_is_played_and_rated() {
    replays_everywhere("jiu/awang-renqing.txt", "B+R").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_go_game_is_played_counted_and_rated() {
    replays_everywhere("go/gnugo_19x19_00.sgf", "B+3.5").await;
}
