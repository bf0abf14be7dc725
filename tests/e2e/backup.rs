//! A backup is made of a platform in use and put back elsewhere: everything that was acknowledged before it began is there, all of
//! it is of one moment, and what was under way goes on.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use api::client::{Credentials, Player};
use chassis::testing::PostgresDatabase;
use futures::future::try_join_all;
use tempfile::TempDir;
use tests::{
    Ground, Pairing, Platform, RETRY, Store, ask, bots, command, game_settings, ids, opposite_shapes, pair_up,
};

use crate::rolling::{Driven, drive};

/// Games that go on while the backup is made.
const GAMES: usize = 20;
/// How long they go on before and after it.
const MEANWHILE: Duration = Duration::from_secs(3);
/// Who plays on when it was put back.
const SURVIVORS: [&str; 2] = ["survivor-one", "survivor-two"];
const PASSWORD: &str = "a password of survivors";

/// Where a platform is put back.
struct Elsewhere {
    folder: TempDir,
    database: Option<PostgresDatabase>,
}

impl Elsewhere {
    async fn new(store: Store, key: &Path) -> Elsewhere {
        let folder = tempfile::tempdir().expect("a folder");
        // Who runs a platform keeps its key apart from backups.
        std::fs::copy(key, folder.path().join("key")).expect("the platform has made one");
        let database = match store {
            Store::Embedded => None,
            Store::Servers => {
                let server = std::env::var("SHOUTAN_TEST_POSTGRES").expect("it was there for the platform");
                Some(PostgresDatabase::create(&server).await.expect("it is made"))
            }
        };
        Elsewhere { folder, database }
    }

    fn place(&self) -> Vec<String> {
        let url = self.database.as_ref().map(|database| format!("--database={}", database.url()));
        [format!("--data={}", self.folder.path().display())].into_iter().chain(url).collect()
    }

    fn ground(&self) -> Ground {
        let database = self.database.as_ref().map(|database| database.url().to_owned());
        Ground { data: Some(self.folder.path().to_owned()), database, ..Ground::default() }
    }
}

/// Runs a command that must end well.
async fn run(words: &[&str], place: &[String]) -> String {
    let output =
        command(words.iter().copied().chain(place.iter().map(String::as_str))).await.expect("it runs");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{words:?}: {}{}", said(&output.stdout), said(&output.stderr));
    said(&output.stdout)
}

/// Runs a command that must be refused; what it says.
async fn refused(words: &[&str], place: &[String]) -> String {
    let output =
        command(words.iter().copied().chain(place.iter().map(String::as_str))).await.expect("it runs");
    assert!(!output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn acts(platform: &Platform, game_id: &str) -> Vec<String> {
    let game = ask(&platform.transport(), game_id).await.expect("the game can be read");
    game.acts.into_iter().map(|act| act.text).collect()
}

async fn survivors(platform: &Platform, are_new: bool) -> Vec<Player> {
    let credentials = |name: &str| {
        let (name, password) = (name.to_owned(), PASSWORD.to_owned());
        if are_new { Credentials::New { name, password } } else { Credentials::Existing { name, password } }
    };
    let sign_in = |name| Player::sign_in(platform.transport(), credentials(name), ids());
    try_join_all(SURVIVORS.map(sign_in)).await.expect("both sign in")
}

/// A platform in use: its games, how far each had come when the backup began, and what was played in them in the end.
struct Use {
    before: Vec<(String, Vec<String>)>,
    played: Vec<Driven>,
    /// The game of those who play on.
    game_id: String,
    /// The account of who is first in it.
    first: String,
}

/// Makes a backup of a platform while it is used.
#[expect(clippy::print_stderr, reason = "what a backup costs those who play must be seen")]
async fn back_up(platform: &Platform, file: &str, password: &str) -> Use {
    let players = survivors(platform, true).await;
    let rated = game_settings("go", &[("size", "9")], "10m", true);
    let Pairing { game_id, players } = pair_up(players, &rated).await.expect("they are matched").remove(0);
    players[0].play(&game_id, "C3", 0, RETRY).await.expect("play has begun");
    let first = players[0].account().id.clone();
    let ended = bots(&platform.transport(), 6).await.expect("all sign in");
    for Pairing { game_id, players } in pair_up(ended, &rated).await.expect("they are matched") {
        players[1].resign(&game_id, RETRY).await.expect("a player may resign");
    }
    let players = bots(&platform.transport(), 2 * GAMES).await.expect("all sign in");
    let settings = game_settings("go", &[("size", "13")], "10m", true);
    let pairings = pair_up(players, &settings).await.expect("they are matched");
    let games: Vec<String> = pairings.iter().map(|pairing| pairing.game_id.clone()).collect();
    let finish = Arc::new(AtomicBool::new(false));
    let driver = |(seed, pairing)| tokio::spawn(drive(pairing, seed, Arc::clone(&finish)));
    let drivers: Vec<_> = (0..).zip(pairings).map(driver).collect();
    let server = ["demo", "event", "--server", &platform.url, "--players", "4", "--rounds", "2"];
    run(&server, &[]).await;
    tokio::time::sleep(MEANWHILE).await;
    let mut before = Vec::new();
    for game in games {
        before.push((game.clone(), acts(platform, &game).await));
    }
    let said = run(&["backup", file, "--seal", "--password-file", password], &platform.kept()).await;
    assert!(said.contains("databases as they were at"), "{said}");
    tokio::time::sleep(MEANWHILE).await;
    finish.store(true, Ordering::SeqCst);
    let played = try_join_all(drivers).await.expect("every call is answered in the end");
    let longest = played.iter().flat_map(|driven| &driven.took).max().copied().unwrap_or_default();
    eprintln!("the longest that an act took around a backup: {longest:.1?}");
    Use { before, played, game_id, first }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_backed_up_in_use_is_put_back_whole_and_goes_on() {
    for (shape, store) in opposite_shapes() {
        let kept = tempfile::tempdir().expect("a folder");
        let path = |name: &str| -> PathBuf { kept.path().join(name) };
        let (file, password) = (path("backup"), path("password"));
        let (file, password) = (file.to_str().expect("text"), password.to_str().expect("text"));
        std::fs::write(password, "seal\n").expect("written");
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let used = back_up(&platform, file, password).await;
        let again = refused(&["backup", file], &platform.kept()).await;
        assert!(again.contains("is there already"), "{again}");
        assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());

        let elsewhere = Elsewhere::new(store, &platform.folder().join("key")).await;
        let without = refused(&["restore", file], &elsewhere.place()).await;
        assert!(without.contains("takes a password"), "{without}");
        run(&["restore", file, "--password-file", password], &elsewhere.place()).await;
        let restored = Platform::start_on(shape, store, elsewhere.ground()).await.expect("it starts");
        for Driven { pairing, acts: played, .. } in &used.played {
            let kept = acts(&restored, &pairing.game_id).await;
            let known = used.before.iter().find(|(game, _)| *game == pairing.game_id);
            let (_, before) = known.expect("it was asked for");
            assert!(kept.starts_with(before), "what was acknowledged before the backup is there");
            assert!(played.starts_with(&kept), "and nothing else than was played");
        }
        let mut players = survivors(&restored, false).await;
        players.sort_by_key(|player| player.account().id != used.first);
        players[1].play(&used.game_id, "G7", 1, RETRY).await.expect("the game goes on");
        players[0].resign(&used.game_id, RETRY).await.expect("and ends");
        let said = run(&["doctor", "--audit"], &restored.place()).await;
        assert!(said.contains("0 events differ"), "{said}");
        let twice = refused(&["restore", file, "--password-file", password], &elsewhere.place()).await;
        assert!(twice.contains("is there already") || twice.contains("is not empty"), "{twice}");
    }
}
