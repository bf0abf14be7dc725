//! Results on their way to the ratings.

use std::{collections::BTreeSet, sync::atomic::Ordering, time::Duration};

use api::{
    board::v1::Verdict,
    game::v1::ResignRequest,
    rating::v1::{ApplyResultRequest, GameEnding},
};

use super::fixture::Fixture;

/// A test that waits longer than this waits for something that will not happen.
const LIMIT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_rated_result_is_delivered_until_it_is_taken() {
    for fixture in Fixture::all().await {
        fixture.rating.refusals_left.store(2, Ordering::SeqCst);
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let casual = fixture.commission("go", &[("size", "9")], false);
        replica.internal().create_game(casual.clone()).await.expect("made");
        for game_id in [casual.game_id, id.clone()] {
            let request = ResignRequest { game_id, request_id: fixture.id() };
            replica.caller(&fixture.players[0]).resign(request).await.expect("resigned");
        }
        let delivered = async {
            while fixture.rating.applied().is_empty() {
                // Refused deliveries wait longer each time, by the world's time.
                fixture.time.advance(Duration::from_secs(1));
                tokio::task::yield_now().await;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(LIMIT, delivered).await.expect("the result is delivered");
        let applied = fixture.rating.applied();
        assert_eq!(applied.len(), 1, "only the rated game is");
        assert_eq!((applied[0].game_id.as_str(), applied[0].verdict()), (id.as_str(), Verdict::SecondWins));
    }
}

#[tokio::test]
async fn a_result_that_is_refused_for_ever_keeps_no_other_from_the_ratings() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let mut games = Vec::new();
        for _ in 0..5 {
            games.push(replica.new_game(&fixture).await);
        }
        fixture.rating.unwanted().push(games[2].clone());
        // None is taken at first, so that all are told together.
        fixture.rating.refusals_left.store(5, Ordering::SeqCst);
        for game_id in games.clone() {
            let request = ResignRequest { game_id, request_id: fixture.id() };
            replica.caller(&fixture.players[0]).resign(request).await.expect("resigned");
        }
        let told = async {
            loop {
                let dead = game::audit::dead(&fixture.database.database, 10).await.expect("it is read");
                if fixture.rating.applied().len() == 4 && !dead.is_empty() {
                    return dead;
                }
                fixture.time.advance(Duration::from_secs(1));
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let dead = tokio::time::timeout(LIMIT, told).await.expect("all are told");
        assert_eq!(dead.len(), 1);
        assert_eq!(dead[0].reason, format!("{}: BAD_RESULT: nobody wants it", games[2]));
        let applied: BTreeSet<String> =
            fixture.rating.applied().iter().map(|result| result.game_id.clone()).collect();
        games.remove(2);
        assert_eq!(applied, games.into_iter().collect());
    }
}

#[tokio::test]
async fn the_handicap_of_a_game_is_told_with_its_result_and_how_it_ended() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let mut expected = Vec::new();
        for (variant, options, handicap) in [
            ("go", &[("handicap", "4")][..], 4),
            ("go", &[("handicap", "1")], 1),
            ("go", &[], 0),
            ("jiu", &[], 0),
        ] {
            let game = fixture.commission(variant, options, true);
            let game_id = game.game_id.clone();
            replica.internal().create_game(game).await.expect("made");
            expected.push((game_id.clone(), handicap));
            let request = ResignRequest { game_id, request_id: fixture.id() };
            replica.caller(&fixture.players[0]).resign(request).await.expect("resigned");
        }
        let told = async {
            while fixture.rating.applied().len() < expected.len() {
                fixture.time.advance(Duration::from_secs(1));
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(LIMIT, told).await.expect("the results are delivered");
        let mut told: Vec<(String, u32)> =
            fixture.rating.applied().iter().map(|it| (it.game_id.clone(), it.handicap)).collect();
        let ended = |it: &ApplyResultRequest| (it.ending(), it.acts) == (GameEnding::Resigned, 0);
        assert!(fixture.rating.applied().iter().all(ended));
        told.sort();
        expected.sort();
        assert_eq!(told, expected);
    }
}
