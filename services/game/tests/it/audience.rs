//! How many watch.

use std::time::Duration;

use api::game::v1::watch_response::Step;
use chassis::testing::player;

use super::{
    fixture::{Fixture, Replica},
    streams::pass,
};

async fn shown(replica: &Replica, id: &str) -> u32 {
    replica.look(id).await.audience.expect("counted").count
}

#[tokio::test]
async fn accounts_are_counted_once_and_streams_of_nobodys_are_not() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game(&fixture).await;
        let spectator = player(&fixture.env, "spectator");
        let _player = one.present(&fixture, 0, &id).await;
        let mut here = one.watch(Some(&spectator), &id, None).await.expect("watched");
        here.audience(1).await;
        let again = one.watch(Some(&spectator), &id, Some(0)).await.expect("watched");
        let mut there = two.watch(Some(&spectator), &id, Some(0)).await.expect("watched");
        there.audience(1).await;
        let mut other = two.watch(Some(&player(&fixture.env, "other")), &id, Some(0)).await.expect("watched");
        other.audience(2).await;
        let mut nobodies = Vec::new();
        for _ in 0..5 {
            let mut nobody = two.watch(None, &id, Some(0)).await.expect("watched");
            nobody.audience(2).await;
            nobodies.push(nobody);
        }
        assert_eq!((shown(&one, &id).await, shown(&two, &id).await), (2, 2));
        // The other replica learns it with its next heartbeat.
        pass(&fixture, &[&one, &two], Duration::from_secs(12)).await;
        here.audience(2).await;
        drop((here, again));
        drop(there);
        other.audience(1).await;
        assert_eq!((shown(&one, &id).await, shown(&two, &id).await), (1, 1));
    }
}

#[tokio::test]
async fn a_replica_that_dies_is_not_counted_for_ever() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game(&fixture).await;
        let [a, b] = ["a", "b"].map(|name| player(&fixture.env, name));
        let mut here = one.watch(Some(&a), &id, Some(0)).await.expect("watched");
        here.audience(1).await;
        let mut there = two.watch(Some(&b), &id, Some(0)).await.expect("watched");
        there.audience(2).await;
        two.lifecycle.drain(Duration::from_secs(5)).await;
        pass(&fixture, &[&one], Duration::from_secs(30)).await;
        assert_eq!(shown(&one, &id).await, 1);
    }
}

#[tokio::test]
async fn a_crowd_is_told_of_in_steps_of_a_second() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let first = player(&fixture.env, "first of many");
        let mut watching = replica.watch(Some(&first), &id, Some(0)).await.expect("watched");
        watching.audience(1).await;
        let told = tokio::time::Instant::now();
        let mut crowd = Vec::new();
        for number in 0..20 {
            let another = player(&fixture.env, &format!("spectator {number}"));
            let mut one = replica.watch(Some(&another), &id, Some(0)).await.expect("watched");
            while !matches!(one.step().await, Some(Step::Audience(_))) {}
            crowd.push(one);
        }
        let mut steps = 0;
        loop {
            let Some(Step::Audience(audience)) = watching.step().await else { continue };
            steps += 1;
            if audience.count == 21 {
                break;
            }
        }
        let waited = told.elapsed();
        assert!(waited >= Duration::from_millis(990) * steps, "{steps} steps in {waited:?}");
    }
}
