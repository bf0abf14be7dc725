//! A flood of tickets.

use std::time::Duration;

use futures::future::join_all;
use matchmaking::Pace;
use tokio::time::Instant;

use crate::house::{blitz, houses};

const TICKETS: usize = 2000;

/// The goal is a second for the games of two thousand tickets, in release.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: run it in release, with --ignored --nocapture"]
async fn two_thousand_tickets_at_once() {
    for house in houses().await {
        let replica = house.replica_at(Pace::default()).await;
        let players: Vec<_> = (0..TICKETS)
            .map(|number| {
                let player = replica.player(&house.caller(&format!("p{number}")));
                house
                    .ratings
                    .set(player.caller.id, 1500.0 + f64::from(u8::try_from(number % 100).expect("small")));
                (player, house.ticket())
            })
            .collect();
        let start = Instant::now();
        let lines = players.into_iter().map(|(player, ticket)| {
            tokio::spawn(
                async move { player.enqueue(ticket, blitz(true)).await.expect("waits").matched().await },
            )
        });
        let lines: Vec<_> = lines.collect();
        house.games.until(|ledger| ledger.games.len() == TICKETS / 2).await;
        let made = start.elapsed();
        for line in join_all(lines).await {
            line.expect("nobody panics");
        }
        let told = start.elapsed();
        println!("{}: games made after {made:?}, everybody told after {told:?}", house.kind);
        assert!(cfg!(debug_assertions) || made < Duration::from_secs(1), "{}: {made:?}", house.kind);
    }
}
