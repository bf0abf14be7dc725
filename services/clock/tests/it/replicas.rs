//! Several replicas over one live state.

use std::time::Duration;

use crate::{
    fake_games::Mood,
    fixture::{World, request, running, start},
};

/// For how long a replica has a fallen flag to itself.
const LEASE: Duration = Duration::from_secs(5);
const LATE_MAX: Duration = Duration::from_millis(50);

#[tokio::test(start_paused = true)]
async fn another_replica_calls_the_flag_of_one_that_died_in_its_call() {
    let mut world = World::new();
    let first = world.replica();
    let game = world.game();
    first.start(&world, &game, "10s").await;
    world.games.set_mood(Mood::Silent);
    world.call().await;
    let second = world.replica();
    first.kill().await;
    world.games.set_mood(Mood::Well);
    let (called, in_vain) = world.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late >= LEASE && called.late < LEASE + LATE_MAX, "{:?}", called.late);
    world.quiet(Duration::from_mins(1)).await;
    second.kill().await;
}

#[tokio::test(start_paused = true)]
async fn a_flag_is_called_when_the_replica_that_set_it_is_gone() {
    let mut world = World::new();
    let (first, _second) = (world.replica(), world.replica());
    let game = world.game();
    first.start(&world, &game, "10s").await;
    first.kill().await;
    let (called, in_vain) = world.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    // The other was not woken, but never sleeps for more than a second.
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn of_many_replicas_one_calls() {
    let mut world = World::new();
    let replicas: Vec<_> = (0..5).map(|_| world.replica()).collect();
    for round in 0..20 {
        let game = world.game();
        replicas[round % 5].start(&world, &game, "10s").await;
        let (called, in_vain) = world.fall().await;
        assert_eq!((called.request.game_id, in_vain), (game, 0));
    }
    world.quiet(Duration::from_mins(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_replica_sees_soon_what_another_has_set() {
    let mut world = World::new();
    world.live.set_shared();
    let (first, _second) = (world.replica(), world.replica());
    world.quiet(Duration::from_millis(350)).await;
    let game = world.game();
    // 300 ms are left of that second.
    let step = request(&game, "1s", None, start(), world.ambient.now() - Duration::from_millis(700));
    let started = first.internal().step(step).await.expect("a start fits").into_inner();
    world.games.append(running(&game, "1s", started.after.expect("a reading")));
    // The only replica that was woken dies at once.
    first.kill().await;
    let (called, in_vain) = world.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}
