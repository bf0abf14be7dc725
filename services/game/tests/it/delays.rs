//! What of a turn the platform itself took is charged to nobody.

use std::time::Duration;

use api::{
    clock::v1::ClockReading,
    game::v1::{GameEvent, game_event::Event},
};

use super::fixture::{Fixture, Replica, refused};

const SECOND: Duration = Duration::from_secs(1);

async fn clock(replica: &Replica, id: &str) -> ClockReading {
    replica.look(id).await.state.and_then(|state| state.clock).expect("a clock")
}

/// What is left on the clock of a side of a game of a minute each.
async fn left(replica: &Replica, id: &str, side: usize) -> Duration {
    let clock = clock(replica, id).await;
    let time = [clock.first, clock.second][side].expect("a side");
    time.main_duration.as_ref().and_then(api::time::span).expect("main time")
}

/// A game in which the first player is to move, who was told so just now.
async fn game(fixture: &Fixture, replica: &Replica) -> String {
    let id = replica.new_game(fixture).await;
    replica.play_all(fixture, &id, &["C3", "G7"]).await;
    id
}

fn is_credit(event: &GameEvent) -> bool {
    matches!(event.event, Some(Event::OutageCredited(_)))
}

#[tokio::test]
async fn an_act_that_could_not_be_taken_counts_as_when_it_came() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = game(&fixture, &replica).await;
        replica.pass(&fixture, &id, 2 * SECOND).await;
        // The clocks are there, and take no step: no outage, as a heartbeat comes through.
        fixture.clock.set_stuck(true);
        let request = fixture.id();
        for _ in 0..6 {
            let answer = replica.play(&fixture, &id, 0, "C7", 2, &request).await;
            assert_eq!(refused(answer), "CLOCK_UNAVAILABLE");
            fixture.time.advance(SECOND / 2);
        }
        fixture.clock.set_stuck(false);
        let played = replica.play(&fixture, &id, 0, "C7", 2, &request).await.expect("accepted");
        assert!(!is_credit(&played));
        assert_eq!(left(&replica, &id, 0).await, 58 * SECOND, "two seconds of thought");
        // The other one is told only now, and pays for what he thinks from now on.
        replica.pass(&fixture, &id, SECOND).await;
        replica.play(&fixture, &id, 1, "G3", 3, &fixture.id()).await.expect("accepted");
        assert_eq!(left(&replica, &id, 1).await, 59 * SECOND);
        assert_eq!(replica.look(&id).await.state.expect("a state").sequence, 5, "no event but acts");
    }
}

#[tokio::test]
async fn who_thinks_again_after_a_refusal_pays_for_it() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = game(&fixture, &replica).await;
        fixture.clock.set_stuck(true);
        refused(replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await);
        fixture.clock.set_stuck(false);
        replica.pass(&fixture, &id, 10 * SECOND).await;
        replica.play(&fixture, &id, 0, "E5", 2, &fixture.id()).await.expect("accepted");
        assert_eq!(left(&replica, &id, 0).await, 50 * SECOND);
    }
}

#[tokio::test]
async fn how_long_an_act_takes_is_not_charged_to_who_waits_for_it() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = game(&fixture, &replica).await;
        fixture.clock.set_slow(Some((fixture.time.clone(), Duration::from_millis(400))));
        replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await.expect("accepted");
        fixture.clock.set_slow(None);
        replica.pass(&fixture, &id, SECOND).await;
        replica.play(&fixture, &id, 1, "G3", 3, &fixture.id()).await.expect("accepted");
        assert_eq!(left(&replica, &id, 0).await, 60 * SECOND, "it was there at once");
        assert_eq!(left(&replica, &id, 1).await, 59 * SECOND, "a second of thought");
    }
}

#[tokio::test]
async fn those_who_wait_for_a_slow_heartbeat_wait_for_one() {
    const GAMES: usize = 20;
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let mut games = Vec::new();
        for _ in 0..GAMES {
            games.push(game(&fixture, &replica).await);
        }
        let before = fixture.clock.pings();
        // So long that a heartbeat is old when it has come through.
        fixture.clock.set_ping_slow(Some((fixture.time.clone(), Duration::from_millis(600))));
        let play = async |id: &String| replica.play(&fixture, id, 0, "C7", 2, &fixture.id()).await;
        for answer in futures::future::join_all(games.iter().map(play)).await {
            answer.expect("accepted");
        }
        fixture.clock.set_ping_slow(None);
        let heartbeats = fixture.clock.pings() - before;
        assert!(heartbeats <= 6, "{heartbeats} heartbeats for {GAMES} acts at the same time");
    }
}

#[tokio::test]
async fn an_outage_does_not_begin_before_the_last_act_that_was_taken() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = game(&fixture, &replica).await;
        replica.touch(&fixture, &id).await;
        fixture.clock.set_deaf(true);
        fixture.time.advance(Duration::from_millis(400));
        let taken = fixture.env.now();
        replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await.expect("the heartbeat is fresh");
        fixture.time.advance(3 * SECOND);
        fixture.clock.set_deaf(false);
        replica.play(&fixture, &id, 1, "G3", 3, &fixture.id()).await.expect("accepted");
        let mut watched = api::client::GameStream::new(replica.public_transport(), &id).after(4);
        let Ok(Some(api::client::GameUpdate::Event(event))) = watched.next().await else {
            panic!("an event")
        };
        let Some(Event::OutageCredited(outage)) = event.event else { panic!("an outage: {event:?}") };
        let from = outage.from_time.as_ref().and_then(api::time::moment);
        assert_eq!(from, Some(taken), "until then acts were taken");
    }
}

#[tokio::test]
async fn a_flag_does_not_fall_in_time_that_the_platform_took() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = game(&fixture, &replica).await;
        replica.pass(&fixture, &id, 59 * SECOND).await;
        let request = fixture.id();
        fixture.clock.set_stuck(true);
        for _ in 0..4 {
            refused(replica.play(&fixture, &id, 0, "C7", 2, &request).await);
            fixture.time.advance(SECOND / 2);
        }
        fixture.clock.set_stuck(false);
        let fall = replica.flag_fall(&id).await;
        let answer = replica.internal().call_flag(fall).await.expect("answered").into_inner();
        assert!(!answer.ended, "the act was there before");
        replica.play(&fixture, &id, 0, "C7", 2, &request).await.expect("accepted");
        let left = left(&replica, &id, 0).await;
        assert_eq!(left, SECOND, "59 of thought");
        // Nobody is given time without end.
        fixture.time.advance(SECOND / 2);
        replica.pass(&fixture, &id, 62 * SECOND).await;
        replica.play(&fixture, &id, 1, "G3", 3, &fixture.id()).await.expect_err("his flag has fallen");
    }
}

#[tokio::test]
async fn what_held_a_flag_up_is_not_given_back_again_as_an_outage() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = game(&fixture, &replica).await;
        replica.pass(&fixture, &id, 59 * SECOND).await;
        let request = fixture.id();
        fixture.clock.set_stuck(true);
        for tenths in [6, 6, 4] {
            refused(replica.play(&fixture, &id, 0, "C7", 2, &request).await);
            fixture.time.advance(SECOND * tenths / 10);
        }
        fixture.clock.set_stuck(false);
        // The last heartbeat is young enough to go by it; the next one comes after an outage, which begins with it.
        let fall = replica.flag_fall(&id).await;
        let answer = replica.internal().call_flag(fall).await.expect("answered").into_inner();
        assert!(!answer.ended, "the act was there before");
        fixture.time.advance(2 * SECOND);
        replica.play(&fixture, &id, 0, "C7", 2, &request).await.expect("accepted");
        let log = replica.log(&id).await;
        assert_eq!(log.iter().filter(|event| is_credit(event)).count(), 2, "the flag's and the outage's");
        assert_eq!(left(&replica, &id, 0).await, SECOND, "59 of thought");
    }
}

#[tokio::test]
async fn what_is_thought_between_two_faults_is_charged() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = game(&fixture, &replica).await;
        let request = fixture.id();
        for _ in 0..2 {
            fixture.clock.set_stuck(true);
            refused(replica.play(&fixture, &id, 0, "C7", 2, &request).await);
            fixture.clock.set_stuck(false);
            replica.pass(&fixture, &id, 20 * SECOND).await;
        }
        replica.play(&fixture, &id, 0, "C7", 2, &request).await.expect("accepted");
        assert_eq!(left(&replica, &id, 0).await, 26 * SECOND, "40 s but for two times 3 s to try again");
    }
}

#[tokio::test]
async fn what_was_tried_in_an_earlier_turn_does_not_hold_a_flag_up() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, other) = (fixture.replica().await, fixture.replica().await);
        let id = game(&fixture, &replica).await;
        fixture.clock.set_stuck(true);
        refused(replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await);
        fixture.clock.set_stuck(false);
        fixture.time.advance(SECOND / 2);
        other.play_all(&fixture, &id, &["C7", "G3"]).await;
        replica.pass(&fixture, &id, 59 * SECOND + SECOND * 8 / 10).await;
        fixture.time.advance(SECOND * 4 / 10);
        let fall = replica.flag_fall(&id).await;
        let answer = replica.internal().call_flag(fall).await.expect("answered").into_inner();
        assert!(answer.ended, "nothing was taken of this turn");
    }
}

#[tokio::test]
async fn who_does_not_play_pushes_nobody_s_attempt_out() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = game(&fixture, &replica).await;
        fixture.clock.set_stuck(true);
        let request = fixture.id();
        let strangers = async || {
            for _ in 0..8 {
                let stranger = chassis::testing::player(&fixture.env, "stranger");
                let call = api::game::v1::PlayRequest {
                    game_id: id.clone(),
                    act: "C7".to_owned(),
                    ply: 2,
                    request_id: fixture.id(),
                    lag_duration: None,
                };
                fixture.clock.set_deaf(true);
                fixture.time.advance(SECOND * 6 / 10);
                let answer = replica.caller(&stranger).play(call).await;
                assert_eq!(refused(answer.map(drop)), "CLOCK_UNAVAILABLE");
                fixture.clock.set_deaf(false);
                replica.touch(&fixture, &id).await;
            }
        };
        strangers().await;
        refused(replica.play(&fixture, &id, 0, "C7", 2, &request).await);
        strangers().await;
        refused(replica.play(&fixture, &id, 0, "C7", 2, &request).await);
        fixture.clock.set_stuck(false);
        replica.play(&fixture, &id, 0, "C7", 2, &request).await.expect("accepted");
        let left = left(&replica, &id, 0).await;
        assert_eq!(left, SECOND * 534 / 10, "9.6 s but for the 3 s to try again");
    }
}

#[tokio::test]
async fn what_an_act_waits_before_an_outage_is_charged_to_nobody() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let (id, other) = (game(&fixture, &replica).await, game(&fixture, &replica).await);
        replica.touch(&fixture, &id).await;
        let (step, ping) = (fixture.clock.hold_step(), fixture.clock.hold_ping());
        let taken = tokio::sync::Notify::new();
        let takes_long = async {
            replica.play(&fixture, &other, 0, "C7", 2, &fixture.id()).await.expect("accepted");
            taken.notify_one();
        };
        let waits = async {
            step.came().await;
            fixture.time.advance(SECOND * 6 / 10);
            replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await.expect("accepted");
        };
        let time_passes = async {
            ping.came().await;
            // Both acts are there. The platform works: two seconds later it takes one of them, and then none.
            fixture.time.advance(2 * SECOND);
            step.open();
            taken.notified().await;
            fixture.time.advance(2 * SECOND);
            ping.open();
        };
        tokio::join!(takes_long, waits, time_passes);
        let log = replica.log(&id).await;
        let credit = log.iter().rfind(|event| is_credit(event)).expect("an outage");
        let Some(Event::OutageCredited(outage)) = &credit.event else { panic!("an outage: {credit:?}") };
        let [from, until] = [&outage.from_time, &outage.until_time]
            .map(|at| at.as_ref().and_then(api::time::moment).expect("a moment"));
        assert_eq!(until - from, 2 * SECOND, "the outage begins with what was taken last");
        assert_eq!(left(&replica, &id, 0).await, SECOND * 594 / 10, "what he thought");
    }
}
