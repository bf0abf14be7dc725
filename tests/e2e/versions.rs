//! An old version and a new one side by side, on the same databases and the same Redis: nobody notices.
//!
//! Of every service a process of the new version is started beside the old one, and both answer for a while; then the old one
//! stops. Meanwhile games go on that began before, others are matched and rated, and watchers follow them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use api::rating::v1::{ListGameChangesRequest, rating_service_client::RatingServiceClient};
use futures::{StreamExt as _, TryStreamExt as _};
use tests::{
    Bot, Ground, LIFTED_LIMITS, Pairing, Platform, Shape, Store, ask, bots, command, game_settings, guest,
    pair_up,
};

use super::rolling::{Numbers, RETRY, drive, seen_up_to, watch};

/// Games that go on all the time.
const GAMES: usize = 60;
/// Pairs that are matched, play and have their result rated in every state of the platform.
const PAIRS: usize = 6;
/// How long both versions of a service answer, unless `VERSIONS_BESIDE` says otherwise, in seconds.
const BESIDE: u64 = 20;
/// How long a result may take to be rated: services that it passes through are being replaced.
const RATED_WITHIN: Duration = Duration::from_mins(1);

/// The platform of the version before, and how long its services run beside the new ones.
async fn before() -> (Platform, Duration) {
    let program =
        std::env::var("VERSIONS_BEFORE").expect("VERSIONS_BEFORE is the program of the version before");
    let beside = std::env::var("VERSIONS_BESIDE").map_or(BESIDE, |text| text.parse().expect("seconds"));
    // What is lifted are the limits that it knows.
    let help = tokio::process::Command::new(&program).args(["up", "--help"]).output().await.expect("it runs");
    let help = String::from_utf8(help.stdout).expect("text");
    let known = LIFTED_LIMITS.chunks(2).filter(|limit| help.contains(limit[0]));
    let settings = known.flatten().map(|word| (*word).to_owned()).collect();
    let ground = Ground { settings, limited: true, program: Some(program.into()), ..Ground::default() };
    let platform =
        Platform::start_on(Shape::Six, Store::Servers, ground).await.expect("the old version starts");
    (platform, Duration::from_secs(beside))
}

/// New pairs are matched, and each plays a game, whose result changes their ratings.
async fn matched_and_rated(platform: &Platform) {
    let players = bots(&platform.transport(), 2 * PAIRS).await.expect("they sign in");
    let settings = game_settings("go", &[("size", "9")], "5m", true);
    let pairings = pair_up(players, &settings).await.expect("they are matched");
    for Pairing { players, game_id } in &pairings {
        for (player, text, ply) in [(0, "C3", 0), (1, "G7", 1), (0, "C7", 2)] {
            players[player].play(game_id, text, ply, RETRY).await.expect("accepted");
        }
        players[1].resign(game_id, RETRY).await.expect("accepted");
    }
    for Pairing { players, game_id } in &pairings {
        let rated = async {
            while !is_rated(&players[0], game_id).await {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        let rated = tokio::time::timeout(RATED_WITHIN, rated).await;
        assert!(rated.is_ok(), "{game_id} is not rated\n{}", platform.logs());
    }
}

/// Whether a game of a player has changed his rating.
async fn is_rated(player: &Bot, game_id: &str) -> bool {
    let request = ListGameChangesRequest { game_ids: vec![game_id.to_owned()] };
    let ratings = RatingServiceClient::new(player.transport());
    let call = || async { ratings.clone().list_game_changes(request.clone()).await };
    let answer = api::client::with_retry(RETRY, call).await.expect("they can be listed");
    !answer.changes.is_empty()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a soak: it needs a build of the version before"]
async fn the_version_before_runs_beside_this_one() {
    let (mut platform, beside) = before().await;
    let transport = platform.transport();
    let guests = futures::stream::iter(0..2 * GAMES).map(|_| guest(&transport)).buffer_unordered(16);
    let players: Vec<Bot> = guests.try_collect().await.expect("everybody signs in");
    let settings = game_settings("go", &[("size", "13")], "1h", false);
    let pairings = pair_up(players, &settings).await.expect("everybody is matched");
    let watched: Vec<(String, Numbers)> =
        pairings.iter().map(|pairing| watch(&platform, &pairing.game_id)).collect();
    let finish = Arc::new(AtomicBool::new(false));
    let start = |(seed, pairing)| tokio::spawn(drive(pairing, seed as u64, Arc::clone(&finish)));
    let drivers: Vec<_> = pairings.into_iter().enumerate().map(start).collect();
    matched_and_rated(&platform).await;

    for name in platform.names() {
        platform.add(name).await.unwrap_or_else(|error| panic!("{name}: {error:#}\n{}", platform.logs()));
        tokio::time::sleep(beside / 2).await;
        matched_and_rated(&platform).await;
        tokio::time::sleep(beside / 2).await;
        assert!(platform.retire(name).await.expect("it can be asked"), "{name}\n{}", platform.logs());
        matched_and_rated(&platform).await;
    }

    finish.store(true, Ordering::SeqCst);
    let mut longest = Duration::ZERO;
    let mut count = 0;
    for driver in drivers {
        let driven = driver.await.expect("every call is answered in the end");
        let game = ask(&transport, &driven.pairing.game_id).await.expect("the game can be read");
        let kept: Vec<&str> = game.acts.iter().map(|act| act.text.as_str()).collect();
        assert_eq!(kept, driven.acts, "{}", platform.logs());
        count += kept.len();
        longest = longest.max(driven.took.into_iter().max().unwrap_or_default());
    }
    for (game_id, numbers) in watched {
        let game = ask(&transport, &game_id).await.expect("the game can be read");
        let last = game.state.expect("a game has a state").sequence;
        let seen = seen_up_to(&numbers, last).await;
        assert_eq!(seen, (1..=last).collect::<Vec<_>>(), "game {game_id}\n{}", platform.logs());
    }
    let place = platform.place();
    let audit = ["doctor", "--audit"].into_iter().chain(place.iter().map(String::as_str));
    let audited = command(audit.collect::<Vec<_>>()).await.expect("the command runs");
    let audited = String::from_utf8_lossy(&audited.stdout).into_owned();
    assert!(audited.contains("0 games differ"), "{audited}");
    let bad = platform.stop().await.expect("it can be asked");
    assert!(bad.is_empty(), "{bad:?} did not end well\n{}", platform.logs());
    eprintln!(
        "{count} acts of {GAMES} games, the longest took {longest:.1?}; nothing was lost, seen twice or differs"
    );
}
