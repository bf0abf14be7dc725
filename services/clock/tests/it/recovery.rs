//! What a live state has lost is read back from the game service.

use std::time::Duration;

use live::DeadlineStore as _;

use crate::{fake_games::Mood, fixture::Fixture};

const LATE_MAX: Duration = Duration::from_millis(50);

#[tokio::test(start_paused = true)]
async fn a_restart_with_an_empty_live_state_watches_what_ran_before() {
    let mut fixture = Fixture::new();
    let before = fixture.replica();
    let mut games: Vec<String> = (0..7).map(|_| fixture.game()).collect();
    for game in &games {
        before.start(&fixture, game, "30s").await;
    }
    fixture.quiet(Duration::from_secs(10)).await;
    before.kill().await;
    fixture.wipe();
    let _after = fixture.replica();
    let mut fallen = Vec::new();
    for _ in 0..games.len() {
        let (called, in_vain) = fixture.fall().await;
        assert!(in_vain == 0 && called.late < LATE_MAX, "{:?}", called.late);
        fallen.push(called.request.game_id);
    }
    games.sort();
    fallen.sort();
    assert_eq!(fallen, games, "every page was read");
    fixture.quiet(Duration::from_mins(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_flag_that_fell_while_nobody_watched_is_called_at_the_start() {
    let mut fixture = Fixture::new();
    let before = fixture.replica();
    let game = fixture.game();
    let reading = before.start(&fixture, &game, "10s").await;
    before.kill().await;
    fixture.wipe();
    fixture.quiet(Duration::from_mins(1)).await;
    let _after = fixture.replica();
    let (called, _) = fixture.fall().await;
    assert_eq!((called.request.game_id, called.request.fall_time), (game, reading.flag_time));
    assert!(called.late < Duration::from_secs(50) + LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_flag_that_the_live_state_lost_is_found_again() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let reading = replica.start(&fixture, &game, "30s").await;
    fixture.quiet(Duration::from_secs(1)).await;
    let key = game.parse().expect("a UUID");
    fixture.live.clear_deadline("clock/flags", key, reading.revision).await.expect("memory answers");
    assert_eq!(fixture.live.next_due("clock/flags").await.expect("memory answers"), None);
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_game_service_that_starts_later_is_waited_for() {
    let mut fixture = Fixture::new();
    let before = fixture.replica();
    let game = fixture.game();
    before.start(&fixture, &game, "30s").await;
    before.kill().await;
    fixture.wipe();
    fixture.games.set_mood(Mood::Unavailable);
    let pages = fixture.games.pages();
    let _after = fixture.replica();
    fixture.quiet(Duration::from_secs(20)).await;
    assert_eq!(fixture.games.pages(), pages, "no page was given");
    fixture.games.set_mood(Mood::Well);
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn the_running_clocks_are_read_every_fifteen_seconds() {
    let mut fixture = Fixture::new();
    let _replica = fixture.replica();
    fixture.quiet(Duration::from_secs(61)).await;
    assert_eq!(fixture.games.pages(), 5, "at the start, and after 15, 30, 45 and 60 seconds");
}
