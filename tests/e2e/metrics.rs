//! Every process tells what it measures, all of it, and nothing that is secret.

use std::{
    collections::{BTreeSet, HashSet},
    time::Duration,
};

use api::client::RetryPolicy;
use tests::{Ground, Platform, RETRY, Shape, Store, bots, command, game_settings, opposite_shapes, pair_up};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::Instant,
};

/// What nothing has happened for in a platform that works.
const UNHEARD_OF: [&str; 1] = ["shoutan_task_panics_total"];
/// What only a platform on a Redis tells.
const OF_REDIS: &str = "shoutan_redis_";
/// How long it takes at most until what follows from a game shows.
const SHOWN_WITHIN: Duration = Duration::from_secs(20);

/// The page at a place such as `127.0.0.1:9400/metrics`.
pub(crate) async fn page(place: &str) -> anyhow::Result<String> {
    let (address, path) = place.split_at(place.find('/').unwrap_or(place.len()));
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut page = String::new();
    stream.read_to_string(&mut page).await?;
    Ok(page)
}

/// All pages of a platform.
async fn pages(platform: &Platform) -> anyhow::Result<String> {
    let mut pages = String::new();
    for (name, place) in platform.metrics() {
        let page = page(place).await?;
        anyhow::ensure!(twice(&page).is_empty(), "{name} tells numbers twice: {:?}", twice(&page));
        pages.push_str(&page);
    }
    Ok(pages)
}

/// The names of all numbers of some pages.
fn names(pages: &str) -> BTreeSet<String> {
    let samples = pages.lines().filter(|line| !line.starts_with('#'));
    let name = |line: &str| Some(line.split(['{', ' ']).next()?.trim_end_matches("_bucket").to_owned());
    samples.filter_map(name).collect()
}

/// Numbers that a page tells twice.
fn twice(page: &str) -> Vec<&str> {
    let mut told = HashSet::new();
    let samples = page.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    samples
        .filter_map(|line| line.rsplit_once(' '))
        .map(|(of, _)| of)
        .filter(|of| !told.insert(*of))
        .collect()
}

/// All that is documented.
pub(crate) async fn documented() -> Vec<String> {
    let printed = command(["metrics"]).await.expect("the command runs").stdout;
    let printed = String::from_utf8(printed).expect("text");
    let name = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    printed.lines().filter_map(name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_platform_in_use_tells_all_that_is_documented_and_nothing_secret() {
    let documented = documented().await;
    assert!(documented.len() > 10, "{documented:?}");
    for (shape, store) in opposite_shapes() {
        let is_embedded = (shape, store) == (Shape::One, Store::Embedded);
        let place = ("SHOUTAN_METRICS".to_owned(), "127.0.0.1:0".to_owned());
        let ground = Ground { environment: vec![place], ..Ground::default() };
        let platform = Platform::start_on(shape, store, ground).await.expect("the platform starts");
        let players = bots(&platform.transport(), 2).await.expect("both sign in");
        let settings = game_settings("go", &[("size", "9")], "5m+3s", true);
        let pairing = pair_up(players, &settings).await.expect("they are matched").remove(0);
        let [first, second] = &pairing.players;
        first.play(&pairing.game_id, "C3", 0, RETRY).await.expect("play has begun");
        let refused = first.play(&pairing.game_id, "D4", 0, RetryPolicy(Duration::ZERO)).await;
        refused.expect_err("it is not his turn");
        second.resign(&pairing.game_id, RETRY).await.expect("a player may resign");
        assert_eq!(platform.metrics().len(), platform.names().len(), "every process has its own");
        let until = Instant::now() + SHOWN_WITHIN;
        let pages = loop {
            let pages = pages(&platform).await.expect("every page is answered");
            let found = names(&pages);
            let missing = documented.iter().filter(|name| !found.contains(*name)).map(String::as_str);
            let unheard_of =
                |name: &&str| UNHEARD_OF.contains(name) || is_embedded && name.starts_with(OF_REDIS);
            let missing: Vec<&str> = missing.filter(|name| !unheard_of(name)).collect();
            if missing.is_empty() {
                break pages;
            }
            assert!(Instant::now() < until, "{shape:?} {store:?}: {missing:?} are not told");
            tokio::time::sleep(Duration::from_millis(500)).await;
        };
        for secret in [&pairing.game_id, &platform.game_database()] {
            assert!(!pages.contains(&**secret), "{shape:?} {store:?}: {secret}");
        }
    }
}
