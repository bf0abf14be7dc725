//! What a live state has lost is read back from the game service.

use std::time::Duration;

use live::DeadlineStore as _;

use crate::{fake_games::Mood, fixture::World};

const LATE_MAX: Duration = Duration::from_millis(50);

#[tokio::test(start_paused = true)]
async fn a_restart_with_an_empty_live_state_watches_what_ran_before() {
    let mut world = World::new();
    let before = world.replica();
    let mut games: Vec<String> = (0..7).map(|_| world.game()).collect();
    for game in &games {
        before.start(&world, game, "30s").await;
    }
    world.quiet(Duration::from_secs(10)).await;
    before.kill().await;
    world.wipe();
    let _after = world.replica();
    let mut fallen = Vec::new();
    for _ in 0..games.len() {
        let (called, in_vain) = world.fall().await;
        assert!(in_vain == 0 && called.late < LATE_MAX, "{:?}", called.late);
        fallen.push(called.request.game_id);
    }
    games.sort();
    fallen.sort();
    assert_eq!(fallen, games, "every page was read");
    world.quiet(Duration::from_mins(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_flag_that_fell_while_nobody_watched_is_called_at_the_start() {
    let mut world = World::new();
    let before = world.replica();
    let game = world.game();
    let reading = before.start(&world, &game, "10s").await;
    before.kill().await;
    world.wipe();
    world.quiet(Duration::from_mins(1)).await;
    let _after = world.replica();
    let (called, _) = world.fall().await;
    assert_eq!((called.request.game_id, called.request.fall_time), (game, reading.flag_time));
    assert!(called.late < Duration::from_secs(50) + LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_flag_that_the_live_state_lost_is_found_again() {
    let mut world = World::new();
    let replica = world.replica();
    let game = world.game();
    let reading = replica.start(&world, &game, "30s").await;
    world.quiet(Duration::from_secs(1)).await;
    let key = game.parse().expect("a UUID");
    world.live.clear_deadline("clock/flags", key, reading.revision).await.expect("memory answers");
    assert_eq!(world.live.next_due("clock/flags").await.expect("memory answers"), None);
    let (called, in_vain) = world.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_game_service_that_starts_later_is_waited_for() {
    let mut world = World::new();
    let before = world.replica();
    let game = world.game();
    before.start(&world, &game, "30s").await;
    before.kill().await;
    world.wipe();
    world.games.set_mood(Mood::Unavailable);
    let pages = world.games.pages();
    let _after = world.replica();
    world.quiet(Duration::from_secs(20)).await;
    assert_eq!(world.games.pages(), pages, "no page was given");
    world.games.set_mood(Mood::Well);
    let (called, in_vain) = world.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn the_running_clocks_are_read_every_fifteen_seconds() {
    let mut world = World::new();
    let _replica = world.replica();
    world.quiet(Duration::from_secs(61)).await;
    assert_eq!(world.games.pages(), 5, "at the start, and after 15, 30, 45 and 60 seconds");
}
