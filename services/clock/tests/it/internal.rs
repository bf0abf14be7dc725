//! The internal service, without its watch.

use std::time::Duration;

use live::DeadlineStore as _;

use api::{
    board::v1::Side,
    clock::v1::{CreditOutage, PingRequest, StartClock, StepRequest, step_request::Event},
    error,
};
use prost_types::Timestamp;
use tonic::{Code, Status};

use crate::fixture::{Fixture, START, press, request, start, stop, watch};

#[tokio::test(start_paused = true)]
async fn only_services_may_call_it() {
    let fixture = Fixture::new();
    let replica = fixture.replica();
    let step = || request(&fixture.game(), "10m", None, start(), START);
    for mut client in [replica.internal_by_player(), replica.internal_by_nobody()] {
        for refused in [
            client.step(step()).await.map(drop).expect_err("not a service"),
            client.ping(PingRequest {}).await.map(drop).expect_err("not a service"),
        ] {
            assert_eq!(
                (refused.code(), error::reason(&refused).as_str()),
                (Code::PermissionDenied, "SERVICES_ONLY")
            );
        }
    }
    let queue = fixture.live.next_due("clock/flags").await.expect("memory answers");
    assert_eq!(queue, None, "a refused call changes nothing");
    replica.internal().step(step()).await.expect("a service may");
    replica.internal().ping(PingRequest {}).await.expect("a service may");
}

#[tokio::test(start_paused = true)]
async fn the_same_step_gives_the_same_answer() {
    let (fixture, replica, game) = Fixture::with_game();
    let started = replica.step(&game, "5m+3s", None, start()).await.expect("fits").after.expect("a reading");
    let at = START + Duration::from_secs(10);
    let pressed = request(&game, "5m+3s", Some(started.clone()), press(&started), at);
    let once = replica.internal().step(pressed.clone()).await.expect("fits").into_inner();
    let after = once.after.clone().expect("a reading");
    let later = request(&game, "5m+3s", Some(after.clone()), press(&after), at + Duration::from_secs(1));
    let last = replica.internal().step(later).await.expect("fits").into_inner();
    let again = fixture.replica().internal().step(pressed).await.expect("fits").into_inner();
    assert_eq!(once, again);
    let watched =
        fixture.live.next_due("clock/flags").await.expect("memory answers").expect("a flag is watched");
    let due = last.after.and_then(|reading| reading.flag_time).expect("a clock runs");
    assert_eq!(watched.as_micros(), due.seconds * 1_000_000, "an old step does not bring back an old flag");
}

#[tokio::test(start_paused = true)]
async fn a_reading_tells_all_that_follows_from_it() {
    let (fixture, replica, game) = Fixture::with_game();
    let started =
        replica.step(&game, "1m+3x30s", None, start()).await.expect("fits").after.expect("a reading");
    let seconds = |after: u64| Some(api::time::timestamp(START + Duration::from_secs(after)));
    assert_eq!((started.running(), started.revision), (Side::First, 1));
    assert_eq!((started.running_since_time, started.flag_time), (seconds(0), seconds(150)));
    let late =
        request(&game, "1m+3x30s", Some(started.clone()), press(&started), START + Duration::from_secs(95));
    let after = replica.internal().step(late).await.expect("fits").into_inner().after.expect("a reading");
    let first = after.first.expect("a time");
    assert_eq!((first.main_duration.map(|main| main.seconds), first.periods), (Some(0), 2));
    let credit = Event::Credit(CreditOutage { from_time: seconds(100), until_time: seconds(110) });
    let credit = request(&game, "1m+3x30s", Some(after), credit, START + Duration::from_secs(110));
    let credited =
        replica.internal().step(credit).await.expect("fits").into_inner().after.expect("a reading");
    assert_eq!((credited.running_since_time, credited.flag_time), (seconds(105), seconds(255)));
    let end = request(&game, "1m+3x30s", Some(credited.clone()), stop(), START + Duration::from_secs(111));
    let ended = replica.internal().step(end).await.expect("fits").into_inner().after.expect("a reading");
    assert_eq!((ended.running(), ended.running_since_time, ended.flag_time), (Side::Unspecified, None, None));
    assert_eq!(
        fixture.live.next_due("clock/flags").await.expect("memory answers"),
        None,
        "nothing is watched any more"
    );
}

#[tokio::test(start_paused = true)]
async fn what_does_not_fit_is_refused_with_a_reason() {
    let (_fixture, replica, game) = Fixture::with_game();
    let started = replica.step(&game, "10m", None, start()).await.expect("fits").after.expect("a reading");
    let good = request(&game, "10m", Some(started.clone()), press(&started), START);
    let refused = async |bad: StepRequest| -> (Code, String) {
        let status: Status = replica.internal().step(bad).await.expect_err("does not fit");
        (status.code(), error::reason(&status))
    };
    let bad_step = (Code::InvalidArgument, "BAD_CLOCK_STEP".to_owned());
    let no_side = Event::Start(StartClock { running: Side::Unspecified.into() });
    for bad in [
        StepRequest { before: None, ..good.clone() },
        StepRequest { event: None, ..good.clone() },
        StepRequest { event: Some(start()), ..good.clone() },
        StepRequest { event: Some(no_side), before: None, ..good.clone() },
        StepRequest { event_time: None, ..good.clone() },
        StepRequest { event_time: Some(Timestamp { seconds: i64::MAX, nanos: 0 }), ..good.clone() },
    ] {
        assert_eq!(refused(bad.clone()).await, bad_step, "{bad:?}");
    }
    let no_control = StepRequest { time_control: None, ..good.clone() };
    assert_eq!(refused(no_control).await, (Code::InvalidArgument, "BAD_TIME_CONTROL".to_owned()));
    let no_game = StepRequest { game_id: "7".to_owned(), ..good };
    assert_eq!(refused(no_game).await, (Code::InvalidArgument, "BAD_ID".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_watch_changes_nothing_but_finds_a_fallen_flag() {
    let (_fixture, replica, game) = Fixture::with_game();
    let started = replica.step(&game, "10s", None, start()).await.expect("fits").after.expect("a reading");
    let watch = |after_ms: u64| {
        let at = START + Duration::from_millis(after_ms);
        request(&game, "10s", Some(started.clone()), watch(), at)
    };
    let early = replica.internal().step(watch(9_999)).await.expect("fits").into_inner();
    assert_eq!((early.after.as_ref(), early.flagged()), (Some(&started), Side::Unspecified));
    let late = replica.internal().step(watch(10_000)).await.expect("fits").into_inner();
    assert_eq!(late.flagged(), Side::First);
    assert_eq!(late.after.expect("a reading").running(), Side::Unspecified);
}

#[tokio::test(start_paused = true)]
async fn a_step_whose_flag_cannot_be_watched_is_not_answered() {
    let (fixture, replica, game) = Fixture::with_game();
    fixture.live.set_broken(true);
    let unavailable = (Code::Unavailable, "LIVE_STATE_UNAVAILABLE".to_owned());
    let step = replica.step(&game, "10m", None, start()).await.expect_err("the flag is not watched");
    assert_eq!((step.code(), error::reason(&step)), unavailable);
    let ping = replica.internal().ping(PingRequest {}).await.expect_err("does not answer");
    assert_eq!((ping.code(), error::reason(&ping)), unavailable);
    fixture.live.set_broken(false);
    replica.step(&game, "10m", None, start()).await.expect("the line is mended");
    replica.internal().ping(PingRequest {}).await.expect("the line is mended");
}
