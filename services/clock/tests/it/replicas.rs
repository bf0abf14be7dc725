//! Several replicas over one live state.

use std::time::Duration;

use crate::{
    fake_games::Mood,
    fixture::{Fixture, request, running, start},
};

/// For how long a replica has a fallen flag to itself.
const LEASE: Duration = Duration::from_secs(5);
const LATE_MAX: Duration = Duration::from_millis(50);

#[tokio::test(start_paused = true)]
async fn another_replica_calls_the_flag_of_one_that_died_in_its_call() {
    let mut fixture = Fixture::new();
    let first = fixture.replica();
    let game = fixture.game();
    first.start(&fixture, &game, "10s").await;
    fixture.games.set_mood(Mood::Silent);
    fixture.call().await;
    let second = fixture.replica();
    first.kill().await;
    fixture.games.set_mood(Mood::Well);
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late >= LEASE && called.late < LEASE + LATE_MAX, "{:?}", called.late);
    fixture.quiet(Duration::from_mins(1)).await;
    second.kill().await;
}

#[tokio::test(start_paused = true)]
async fn a_flag_is_called_when_the_replica_that_set_it_is_gone() {
    let mut fixture = Fixture::new();
    let (first, _second) = (fixture.replica(), fixture.replica());
    let game = fixture.game();
    first.start(&fixture, &game, "10s").await;
    first.kill().await;
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    // The other was not woken, but never sleeps for more than a second.
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn of_many_replicas_one_calls() {
    let mut fixture = Fixture::new();
    let replicas: Vec<_> = (0..5).map(|_| fixture.replica()).collect();
    for round in 0..20 {
        let game = fixture.game();
        replicas[round % 5].start(&fixture, &game, "10s").await;
        let (called, in_vain) = fixture.fall().await;
        assert_eq!((called.request.game_id, in_vain), (game, 0));
    }
    fixture.quiet(Duration::from_mins(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_replica_sees_soon_what_another_has_set() {
    let mut fixture = Fixture::new();
    fixture.live.set_shared();
    let (first, _second) = (fixture.replica(), fixture.replica());
    fixture.quiet(Duration::from_millis(350)).await;
    let game = fixture.game();
    // 300 ms are left of that second.
    let step = request(&game, "1s", None, start(), fixture.env.now() - Duration::from_millis(700));
    let started = first.internal().step(step).await.expect("a start fits").into_inner();
    fixture.games.append(running(&game, "1s", started.after.expect("a reading")));
    // The only replica that was woken dies at once.
    first.kill().await;
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}
