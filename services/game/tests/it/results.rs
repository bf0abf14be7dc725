//! Results on their way to the ratings.

use std::{sync::atomic::Ordering, time::Duration};

use api::{board::v1::Verdict, game::v1::ResignRequest};

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
