//! A platform of six processes whose live state is a Redis Cluster.

use std::time::Duration;

use api::{
    board::v1::{Reason, Verdict},
    client::with_retry,
    game::v1::{PlayRequest, ResignRequest},
};
use tests::{Ground, Platform, RETRY, Shape, Store, ask, bots, game_settings, pair_up};

/// Tickets, deadlines of flags, presence, leases and messages lie on different nodes, and none of them is missed.
#[tokio::test(flavor = "multi_thread")]
async fn on_a_redis_cluster_games_are_made_played_and_flagged() {
    let Ok(cluster) = std::env::var("SHOUTAN_TEST_REDIS_CLUSTER") else {
        let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!in_ci, "in CI the tests must run on a Redis Cluster");
        eprintln!("NOTE: SHOUTAN_TEST_REDIS_CLUSTER is not set: not tested on a Redis Cluster");
        return;
    };
    let ground = Ground { live: Some(cluster), ..Ground::default() };
    let mut platform =
        Platform::start_on(Shape::Six, Store::Embedded, ground).await.expect("the platform starts");
    let transport = platform.transport();
    let players = bots(&transport, 4).await.expect("in");
    let settings = game_settings("go", &[("size", "9")], "10s", false);
    let pairs = pair_up(players.clone(), &settings).await.expect("all are matched");
    assert_eq!(pairs.len(), 2);
    for (number, pair) in pairs.iter().enumerate() {
        let [first, second] = &pair.players;
        for player in [first, second] {
            player.come_to(&pair.game_id).await.expect("it is there");
        }
        let play = PlayRequest {
            game_id: pair.game_id.clone(),
            act: "E5".to_owned(),
            ply: 0,
            request_id: first.new_id(),
            lag_duration: None,
        };
        let call = || async { first.games().play(play.clone()).await };
        with_retry(RETRY, call).await.expect("played");
        // One is given up; of the other the flag falls.
        if number == 0 {
            let resign = ResignRequest { game_id: pair.game_id.clone(), request_id: second.new_id() };
            let call = || async { second.games().resign(resign.clone()).await };
            with_retry(RETRY, call).await.expect("resigned");
        }
        let ended = async {
            loop {
                let game = ask(&transport, &pair.game_id).await.expect("told");
                if let Some(outcome) = game.state.and_then(|state| state.outcome) {
                    break outcome;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let outcome = tokio::time::timeout(Duration::from_mins(1), ended).await.expect("it ends");
        let reason = if number == 0 { Reason::Resignation } else { Reason::Time };
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::FirstWins, reason), "{outcome:?}");
    }
    assert!(platform.stop().await.expect("it can be asked").is_empty(), "{}", platform.logs());
}
