//! Crashes: `kill -9` of the platform and of each single service, in the middle of fifty running games.
//!
//! Afterwards every acknowledged act is there, the time of the outage was charged to nobody, every game can
//! be finished, and every result is rated once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use api::{
    board::v1::Side,
    client::RetryPolicy,
    game::v1::{Game, GameEvent},
    rating::v1::{ListRatingsRequest, rating_service_client::RatingServiceClient},
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rules::RuleSet;
use tests::{Pairing, Platform, Shape, ask, bots, game_settings, pair_up, shapes};

const GAMES: usize = 50;
/// How long a service stays down: longer than what counts as an outage.
const DOWN: Duration = Duration::from_secs(2);
/// How long games go on between two crashes.
const BETWEEN: Duration = Duration::from_secs(1);
/// Time that a side may be charged beyond what its player took: scheduling on a busy machine, and the part
/// of an outage that is too short to be told from it.
const SLACK: Duration = Duration::from_secs(3);
const MAIN: Duration = Duration::from_mins(10);

/// What a driver knows of its game when it is over.
struct Driven {
    pairing: Pairing,
    acts: Vec<String>,
    /// Time that each side really took to think, first side first.
    thought: [Duration; 2],
    /// Time that was spent waiting for answers while the platform was up.
    waited: Duration,
    last: GameEvent,
}

#[tokio::test(flavor = "multi_thread")]
async fn no_crash_takes_a_game_from_its_players() {
    for (shape, store) in shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let players = bots(&transport, 2 * GAMES).await.expect("everybody signs in");
        let settings = game_settings("go", &[("size", "9")], "10m", true);
        let pairings = pair_up(players, &settings).await.expect("everybody is matched");
        assert_eq!(pairings.len(), GAMES);

        let finish = Arc::new(AtomicBool::new(false));
        let drivers: Vec<_> = pairings
            .into_iter()
            .enumerate()
            .map(|(seed, pairing)| tokio::spawn(drive(pairing, seed as u64, Arc::clone(&finish))))
            .collect();
        crash_everything(&mut platform, shape).await;
        finish.store(true, Ordering::SeqCst);
        for driver in drivers {
            let driven = driver.await.expect("no driver panics");
            let game = ask(&transport, &driven.pairing.game_id).await.expect("the game can be read");
            check(&driven, &game, &platform);
        }
    }
}

async fn crash_everything(platform: &mut Platform, shape: Shape) {
    let rounds = if shape == Shape::One { 2 } else { 1 };
    for name in platform.names().repeat(rounds) {
        tokio::time::sleep(BETWEEN).await;
        platform.kill(name).await.expect("it can be killed");
        tokio::time::sleep(DOWN).await;
        platform.restart(name).await.expect("it comes up again");
    }
    tokio::time::sleep(BETWEEN).await;
}

/// Plays random legal acts for both sides until it is time to finish, then resigns.
async fn drive(pairing: Pairing, seed: u64, finish: Arc<AtomicBool>) -> Driven {
    const RETRY: RetryPolicy = RetryPolicy(Duration::from_mins(2));
    let variant = rules::variant("go").expect("Go is a variant");
    let mut game = (variant.start)(&RuleSet::named("").with("size", "9")).expect("the rule set is sound");
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut acts, mut thought, mut waited) = (Vec::new(), [Duration::ZERO; 2], Duration::ZERO);
    loop {
        let side =
            if game.actors().include(rules::Side::First) { rules::Side::First } else { rules::Side::Second };
        let player = &pairing.players[side.index()];
        let pause = Duration::from_millis(rng.random_range(20..200));
        tokio::time::sleep(pause).await;
        thought[side.index()] += pause;
        let choices: Vec<_> = game.hints(side).into_iter().filter(|hint| hint.text != "pass").collect();
        if finish.load(Ordering::SeqCst) || choices.is_empty() || acts.len() > 200 {
            let last = player.resign(&pairing.game_id, RETRY).await.expect("a player may resign");
            return Driven { pairing, acts, thought, waited, last };
        }
        let act = choices[rng.random_range(0..choices.len())].text.clone();
        let ply = game.ply();
        let sent = tokio::time::Instant::now();
        player.play(&pairing.game_id, &act, ply, RETRY).await.expect("a legal act is accepted");
        let took = sent.elapsed();
        // An answer that took longer than a service was down was waited for in vain that long: it is not to be
        // charged. The rest is, above all the pause before the act is sent again.
        waited += if took >= DOWN { took.saturating_sub(DOWN) } else { took };
        game.play(side, &act).expect("the hint is legal");
        acts.push(act);
    }
}

fn check(driven: &Driven, game: &Game, platform: &Platform) {
    let id = &driven.pairing.game_id;
    let kept: Vec<&str> = game.acts.iter().map(|act| act.text.as_str()).collect();
    assert_eq!(kept, driven.acts, "game {id} lost or gained acts\n{}", platform.logs());
    let state = game.state.as_ref().expect("a game has a state");
    assert_eq!(state.sequence, driven.last.sequence, "game {id} ended with the resignation");
    let clock = state.clock.as_ref().expect("a game has clocks");
    assert_eq!(clock.running, Side::Unspecified as i32, "game {id} is over and no clock runs");
    for (time, thought) in [&clock.first, &clock.second].into_iter().zip(driven.thought) {
        let left = time.as_ref().and_then(|time| time.main_duration.as_ref()).and_then(api::time::span);
        let charged = MAIN.saturating_sub(left.expect("a side has time"));
        // The calls take time too, and one side's clock or the other's runs meanwhile.
        let waited = driven.waited;
        assert!(
            charged <= thought + waited + SLACK,
            "game {id}: charged {charged:?} for {thought:?} of thought and {waited:?} of waiting\n{}",
            platform.logs()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_rated_although_the_rating_service_was_down() {
    for (shape, store) in shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let players = bots(&transport, 2).await.expect("both sign in");
        let settings = game_settings("go", &[("size", "9")], "10m", true);
        let pairing = pair_up(players, &settings).await.expect("both are matched").remove(0);
        let down = if shape == Shape::One { "platform" } else { "rating" };
        if shape == Shape::Six {
            platform.kill(down).await.expect("it can be killed");
        }
        let policy = RetryPolicy(Duration::from_mins(1));
        pairing.players[0].resign(&pairing.game_id, policy).await.expect("a player may resign");
        if shape == Shape::One {
            platform.kill(down).await.expect("it can be killed");
        }
        platform.restart(down).await.expect("it comes up again");
        let winner = &pairing.players[1].account().id;
        let ratings = RatingServiceClient::new(transport.clone());
        let request = ListRatingsRequest { account_id: winner.clone() };
        let games = async {
            loop {
                let answer = api::client::with_retry(policy, || async {
                    ratings.clone().list_ratings(request.clone()).await
                });
                let answer = answer.await.expect("ratings can be read");
                if let Some(rating) = answer.ratings.first() {
                    break rating.games;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let games = tokio::time::timeout(Duration::from_mins(1), games).await;
        assert_eq!(games.ok(), Some(1), "{shape:?} {store:?}\n{}", platform.logs());
    }
}
