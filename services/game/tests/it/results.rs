//! Results on their way to the ratings.

use std::{sync::atomic::Ordering, time::Duration};

use api::{board::v1::Verdict, game::v1::ResignRequest};

use super::scene::World;

/// A test that waits longer than this waits for something that will not happen.
const LIMIT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_rated_result_is_delivered_until_it_is_taken() {
    for world in World::all().await {
        world.rating.refusals_left.store(2, Ordering::SeqCst);
        let replica = world.replica().await;
        let id = replica.new_game(&world).await;
        let casual = world.commission("go", &[("size", "9")], false);
        replica.internal().create_game(casual.clone()).await.expect("made");
        for game_id in [casual.game_id, id.clone()] {
            let request = ResignRequest { game_id, request_id: world.id() };
            replica.caller(&world.players[0]).resign(request).await.expect("resigned");
        }
        let delivered = async {
            while world.rating.applied().is_empty() {
                // Refused deliveries wait longer each time, by the world's time.
                world.time.advance(Duration::from_secs(1));
                tokio::task::yield_now().await;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(LIMIT, delivered).await.expect("the result is delivered");
        let applied = world.rating.applied();
        assert_eq!(applied.len(), 1, "only the rated game is");
        assert_eq!((applied[0].game_id.as_str(), applied[0].verdict()), (id.as_str(), Verdict::SecondWins));
    }
}
