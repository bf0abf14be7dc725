//! The watch: flags fall on time, once, whoever is connected.

use std::{collections::BTreeMap, time::Duration};

use api::board::v1::Side;

use live::DeadlineStore as _;

use crate::{
    fake_games::Mood,
    fixture::{Fixture, press, running, start, stop, watch},
};

/// How late a flag may be called.
const LATE_MAX: Duration = Duration::from_millis(50);
/// For how long a replica has a fallen flag to itself.
const LEASE: Duration = Duration::from_secs(5);

#[tokio::test(start_paused = true)]
async fn a_flag_falls_with_nobody_connected() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let reading = replica.start(&fixture, &game, "10s").await;
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.game_id.as_str(), called.request.revision, in_vain), (game.as_str(), 1, 0));
    assert_eq!((called.request.side(), called.request.fall_time), (Side::First, reading.flag_time));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
    let at_fall = called.request.reading.expect("the reading at the fall");
    assert_eq!((at_fall.running(), at_fall.revision, at_fall.second), (Side::Unspecified, 2, reading.second));
    fixture.quiet(Duration::from_mins(1)).await;
    assert_eq!(fixture.live.next_due("clock/flags").await.expect("memory answers"), None);
}

#[tokio::test(start_paused = true)]
async fn only_the_last_reading_counts() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let mut reading = replica.start(&fixture, &game, "10s").await;
    for _ in 0..4 {
        fixture.quiet(Duration::from_secs(4)).await;
        reading = replica.act(&fixture, &game, "10s", reading).await;
    }
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.revision, called.request.fall_time, in_vain), (5, reading.flag_time, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn an_earlier_flag_wakes_a_watch_that_sleeps_for_a_later_one() {
    let mut fixture = Fixture::new();
    let replica = fixture.replica();
    let (slow, quick) = (fixture.game(), fixture.game());
    replica.start(&fixture, &slow, "10s").await;
    fixture.quiet(Duration::from_millis(8_550)).await;
    replica.start(&fixture, &quick, "1s").await;
    for game in [quick, slow] {
        let (called, _) = fixture.fall().await;
        assert_eq!(called.request.game_id, game);
        assert!(called.late < LATE_MAX, "{:?}", called.late);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stopped_clock_has_no_flag() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let reading = replica.start(&fixture, &game, "10s").await;
    let stopped = replica.step(&game, "10s", Some(reading.clone()), stop()).await.expect("a stop fits");
    fixture.games.append(running(&game, "10s", stopped.after.expect("a reading")));
    fixture.quiet(Duration::from_mins(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_fall_that_a_step_has_found_is_called_all_the_same() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let reading = replica.start(&fixture, &game, "10s").await;
    fixture.games.set_mood(Mood::Unavailable);
    fixture.quiet(Duration::from_secs(9)).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    // The game service learns of the fall from a late move, and dies before it is in the log.
    let late = replica.step(&game, "10s", Some(reading.clone()), press(&reading)).await.expect("fits");
    assert_eq!(late.flagged(), Side::First);
    let watched = fixture.live.next_due("clock/flags").await.expect("memory answers");
    assert!(watched.is_some(), "the flag is watched until the game says that it has ended");
    fixture.games.set_mood(Mood::Well);
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.revision, in_vain), (1, 1));
    assert!(called.late < LEASE + LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_game_service_that_is_away_is_called_until_it_is_back() {
    let (mut fixture, replica, game) = Fixture::with_game();
    replica.start(&fixture, &game, "10s").await;
    fixture.games.set_mood(Mood::Unavailable);
    tokio::time::sleep(Duration::from_secs(32)).await;
    assert!(!fixture.games.ended(&game));
    fixture.games.set_mood(Mood::Well);
    let (called, in_vain) = fixture.fall().await;
    assert_eq!(in_vain, 5, "at 10, 15, 20, 25 and 30 seconds");
    assert!(called.late >= LEASE * 5 && called.late < LEASE * 5 + LATE_MAX, "{:?}", called.late);
    fixture.quiet(Duration::from_mins(1)).await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_never_answered_is_given_up_and_made_again() {
    let (mut fixture, replica, game) = Fixture::with_game();
    replica.start(&fixture, &game, "10s").await;
    fixture.games.set_mood(Mood::Silent);
    fixture.call().await;
    fixture.games.set_mood(Mood::Well);
    let (called, in_vain) = fixture.fall().await;
    assert_eq!(in_vain, 0);
    assert!(called.late >= LEASE && called.late < LEASE + LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn an_act_that_is_taken_again_has_its_flag_set_anew() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let reading = replica.start(&fixture, &game, "10s").await;
    // This act is answered, but its append is lost; the same act comes again later, and is appended.
    let lost = replica.step(&game, "10s", Some(reading.clone()), press(&reading)).await.expect("fits");
    fixture.quiet(Duration::from_secs(3)).await;
    let kept = replica.act(&fixture, &game, "10s", reading).await;
    assert_eq!(lost.after.map(|lost| lost.revision), Some(kept.revision));
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.fall_time, in_vain), (kept.flag_time, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_flag_of_a_lost_act_gives_way_to_the_log() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let reading = replica.start(&fixture, &game, "10s").await;
    fixture.quiet(Duration::from_secs(3)).await;
    let lost = replica.step(&game, "10s", Some(reading.clone()), press(&reading)).await.expect("fits");
    assert_eq!(lost.after.map(|lost| lost.revision), Some(2));
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.revision, called.request.fall_time), (1, reading.flag_time));
    assert!(in_vain <= 1 && called.late < Duration::from_secs(4), "{in_vain}, {:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_watch_of_the_log_replaces_the_flag_of_a_lost_act() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let reading = replica.start(&fixture, &game, "10s").await;
    fixture.quiet(Duration::from_secs(5)).await;
    replica.step(&game, "10s", Some(reading.clone()), press(&reading)).await.expect("fits");
    let watched = replica.step(&game, "10s", Some(reading.clone()), watch()).await.expect("fits");
    assert_eq!(watched.after.as_ref(), Some(&reading));
    let (called, in_vain) = fixture.fall().await;
    assert_eq!((called.request.revision, called.request.fall_time, in_vain), (1, reading.flag_time, 0));
    assert!(called.late < LATE_MAX, "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_does_not_exist_is_forgotten() {
    let mut fixture = Fixture::new();
    let replica = fixture.replica();
    replica.step(&fixture.game(), "10s", None, start()).await.expect("a start fits");
    let called = fixture.call().await;
    assert!(!called.ended_the_game);
    fixture.quiet(Duration::from_mins(1)).await;
    assert_eq!(fixture.live.next_due("clock/flags").await.expect("memory answers"), None);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_flags_at_once_fall_once_each_and_not_all_in_one_go() {
    let mut fixture = Fixture::new();
    let replicas = [fixture.replica(), fixture.replica()];
    for number in 0..1000 {
        let game = fixture.game();
        replicas[number % 2].start(&fixture, &game, "30s").await;
    }
    let mut falls = BTreeMap::<String, u32>::new();
    for _ in 0..1000 {
        let (called, in_vain) = fixture.fall().await;
        assert_eq!(in_vain, 0);
        assert!(called.late < LATE_MAX, "{:?}", called.late);
        *falls.entry(called.request.game_id).or_default() += 1;
    }
    assert!(falls.len() == 1000 && falls.values().all(|falls| *falls == 1));
    fixture.quiet(Duration::from_mins(1)).await;
    let most = fixture.games.most_under_way();
    assert!((2..=512).contains(&most), "{most} calls at once");
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_is_told_to_stop_finishes_its_calls() {
    let (mut fixture, replica, game) = Fixture::with_game();
    replica.start(&fixture, &game, "10s").await;
    let called = fixture.call().await;
    assert!(called.ended_the_game);
    replica.lifecycle.drain(Duration::from_secs(10)).await;
    assert_eq!(
        fixture.live.next_due("clock/flags").await.expect("memory answers"),
        None,
        "the answer was heeded"
    );
}

#[tokio::test(start_paused = true)]
async fn a_flag_that_falls_while_the_live_state_fails_is_called_when_it_is_back() {
    let (mut fixture, replica, game) = Fixture::with_game();
    replica.start(&fixture, &game, "10s").await;
    fixture.quiet(Duration::from_secs(5)).await;
    fixture.live.set_broken(true);
    fixture.quiet(Duration::from_secs(10)).await;
    fixture.live.set_broken(false);
    let (called, in_vain) = fixture.fall().await;
    let back = Duration::from_secs(5);
    assert_eq!((called.request.game_id, in_vain), (game, 0));
    assert!(called.late >= back && called.late < back + Duration::from_millis(250), "{:?}", called.late);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_never_answered_does_not_keep_the_watch_from_stopping() {
    let (mut fixture, replica, game) = Fixture::with_game();
    replica.start(&fixture, &game, "10s").await;
    fixture.games.set_mood(Mood::Silent);
    fixture.call().await;
    let told = fixture.env.now();
    replica.lifecycle.drain(Duration::from_mins(1)).await;
    assert!(fixture.env.now() - told < LEASE, "the call is given up before its lease ends");
}
