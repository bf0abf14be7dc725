//! A new version goes live: every process is replaced in turn while two hundred games go on.
//!
//! Players notice nothing but a pause: whatever call fails is answered when it is sent again with the same
//! request id. Watchers miss no event and see none twice, and whoever is connected and says nothing delays nobody.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use api::client::{GameStream, GameUpdate, RetryPolicy};
use futures::{StreamExt as _, TryStreamExt as _};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rules::RuleSet;
use tests::{Bot, Pairing, Platform, Shape, ask, game_settings, guest, opposite_shapes, pair_up};
use tokio::{io::AsyncWriteExt as _, net::TcpStream, time::Instant};

const GAMES: usize = 200;
/// How long games go on between two replacements.
const BETWEEN: Duration = Duration::from_millis(500);
/// How long a player goes on sending an act. Far more than a replacement takes.
pub(crate) const RETRY: RetryPolicy = RetryPolicy(Duration::from_mins(1));

/// One game of so many is watched.
const WATCHED_ONE_OF: usize = 5;
/// How long one process may take to be replaced, whatever is connected to it.
const REPLACED_WITHIN: Duration = Duration::from_secs(40);
/// How long a watcher may take to have seen everything.
const SEEN_WITHIN: Duration = Duration::from_mins(1);

/// The numbers of the events that a watcher was sent.
pub(crate) type Numbers = Arc<Mutex<Vec<u64>>>;

/// What a driver did in its game.
pub(crate) struct Driven {
    pub(crate) pairing: Pairing,
    pub(crate) acts: Vec<String>,
    /// How long each act took to be acknowledged.
    pub(crate) took: Vec<Duration>,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_process_is_replaced_under_two_hundred_games() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let players: Vec<Bot> = futures::stream::iter(0..2 * GAMES)
            .map(|_| guest(&transport))
            .buffer_unordered(16)
            .try_collect()
            .await
            .expect("everybody signs in");
        let settings = game_settings("go", &[("size", "13")], "10m", false);
        let pairings = pair_up(players, &settings).await.expect("everybody is matched");
        assert_eq!(pairings.len(), GAMES);
        let watched: Vec<(String, Numbers)> = pairings
            .iter()
            .step_by(WATCHED_ONE_OF)
            .map(|pairing| watch(&platform, &pairing.game_id))
            .collect();
        let (finish, mut calm) = (Arc::new(AtomicBool::new(false)), Vec::new());
        let drivers: Vec<_> = pairings
            .into_iter()
            .enumerate()
            .map(|(seed, pairing)| tokio::spawn(drive(pairing, seed as u64, Arc::clone(&finish))))
            .collect();
        let began = Instant::now();
        replace_everything(&mut platform, shape).await;
        let replacing = began.elapsed();
        finish.store(true, Ordering::SeqCst);
        for driver in drivers {
            let driven = driver.await.expect("every call is answered in the end");
            let game = ask(&transport, &driven.pairing.game_id).await.expect("the game can be read");
            let kept: Vec<&str> = game.acts.iter().map(|act| act.text.as_str()).collect();
            assert_eq!(kept, driven.acts, "{}", platform.logs());
            calm.extend(driven.took);
        }
        for (game_id, numbers) in watched {
            let game = ask(&transport, &game_id).await.expect("the game can be read");
            let last = game.state.expect("a game has a state").sequence;
            let seen = seen_up_to(&numbers, last).await;
            assert_eq!(seen, (1..=last).collect::<Vec<_>>(), "game {game_id}\n{}", platform.logs());
        }
        calm.sort_unstable();
        let percentile = |percent: usize| calm[(calm.len() * percent / 100).min(calm.len() - 1)];
        eprintln!(
            "{shape:?} {store:?}: {} acts in the {replacing:.1?} of replacing everything, p50 {:.1?}, p99 {:.1?}, \
             longest {:.1?}",
            calm.len(),
            percentile(50),
            percentile(99),
            percentile(100)
        );
    }
}

/// Where processes can share a port, the new one takes over before the old one stops; otherwise one stops and
/// starts.
async fn replace_everything(platform: &mut Platform, shape: Shape) {
    let mut idle = Vec::new();
    for name in platform.names() {
        tokio::time::sleep(BETWEEN).await;
        idle.extend(say_nothing(platform.address_of(name).expect("there is one")).await);
        let replaced = tokio::time::timeout(REPLACED_WITHIN, async {
            match shape {
                Shape::One => {
                    let bad = platform.stop().await.expect("it can be asked");
                    platform.restart(name).await.expect("it comes up again");
                    bad.is_empty()
                }
                Shape::Six => platform.replace(name).await.expect("the new one comes up"),
            }
        });
        let ended = replaced.await.unwrap_or_else(|_| panic!("{name} does not end\n{}", platform.logs()));
        assert!(ended, "{name} did not end well\n{}", platform.logs());
    }
    tokio::time::sleep(BETWEEN).await;
}

/// Connections that say nothing: one not a word, one no more than that it would speak HTTP/2.
async fn say_nothing(address: &str) -> [TcpStream; 2] {
    let silent = TcpStream::connect(address).await.expect("it listens");
    let mut polite = TcpStream::connect(address).await.expect("it listens");
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    polite.write_all(preface).await.expect("it is sent");
    [silent, polite]
}

/// Watches a game from its first event on, without an account, on a connection of its own.
pub(crate) fn watch(platform: &Platform, game_id: &str) -> (String, Numbers) {
    let mut watched = GameStream::new(platform.transport(), game_id).after(0);
    let numbers = Numbers::default();
    let seen = Arc::clone(&numbers);
    tokio::spawn(async move {
        while let Ok(Some(step)) = watched.next().await {
            if let GameUpdate::Event(event) = step {
                seen.lock().unwrap_or_else(PoisonError::into_inner).push(event.sequence);
            }
        }
    });
    (game_id.to_owned(), numbers)
}

/// What a watcher was sent, once it has the last event, or when there is no more hope of it.
pub(crate) async fn seen_up_to(numbers: &Numbers, last: u64) -> Vec<u64> {
    let seen = || numbers.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let complete = async {
        while seen().last() != Some(&last) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let _what_is_missing_is_seen_by_the_caller = tokio::time::timeout(SEEN_WITHIN, complete).await;
    seen()
}

/// Plays random legal acts for both sides until it is time to finish.
pub(crate) async fn drive(pairing: Pairing, seed: u64, finish: Arc<AtomicBool>) -> Driven {
    let variant = rules::variant("go").expect("Go is a variant");
    let mut game = (variant.start)(&RuleSet::named("").with("size", "13")).expect("the rule set is sound");
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut acts, mut took) = (Vec::new(), Vec::new());
    while !finish.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(rng.random_range(200..800))).await;
        let side =
            if game.actors().include(rules::Side::First) { rules::Side::First } else { rules::Side::Second };
        let choices: Vec<_> = game.hints(side).into_iter().filter(|hint| hint.text != "pass").collect();
        let Some(act) = choices.get(rng.random_range(0..choices.len().max(1))) else { break };
        let began = Instant::now();
        let player = &pairing.players[side.index()];
        player
            .play(&pairing.game_id, &act.text, game.ply(), RETRY)
            .await
            .expect("sent again with the same request id, an act is accepted");
        took.push(began.elapsed());
        game.play(side, &act.text).expect("the hint is legal");
        acts.push(act.text.clone());
    }
    Driven { pairing, acts, took }
}
