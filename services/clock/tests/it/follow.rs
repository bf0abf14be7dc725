//! The stream of calls: on time, for everybody who listens, whichever replica he asks.

use std::time::Duration;

use api::{
    board::v1::Side,
    clock::v1::{
        AdjustClock, Announcement, AnnouncementKind, ClockReading, GetRemainingTimeRequest, PauseClock,
        PauseReason, RepeatAnnouncementRequest, ResumeClock, WatchAnnouncementsRequest,
        WatchAnnouncementsResponse, adjust_clock::Adjustment, step_request::Event,
        watch_announcements_response::Step,
    },
    error, time,
};
use tokio::time::timeout;
use tonic::{Code, Streaming};

use crate::fixture::{Fixture, Replica, START, press, running, stop};

/// How late a call may come on an idle machine.
const LATE_MAX: Duration = Duration::from_millis(50);
/// Longer than any silence of a game here.
const PATIENCE: Duration = Duration::from_mins(10);
/// A game whose first move is counted from the start.
const CONTROL: &str = "2m-keep2m";

struct Ear {
    stream: Streaming<WatchAnnouncementsResponse>,
    fixture: chassis::Env,
}

impl Ear {
    async fn open(fixture: &Fixture, replica: &Replica, game: &str) -> (Self, ClockReading) {
        let request = WatchAnnouncementsRequest { game_id: game.to_owned() };
        let stream = replica.public().watch_announcements(request).await.expect("a clock runs").into_inner();
        let mut ear = Ear { stream, fixture: fixture.env.clone() };
        let first = ear.clock().await;
        (ear, first)
    }

    async fn next(&mut self) -> Option<Step> {
        let next = timeout(PATIENCE, self.stream.message()).await.expect("something is said");
        next.expect("the stream goes on").map(|told| told.step.expect("a step"))
    }

    async fn clock(&mut self) -> ClockReading {
        match self.next().await {
            Some(Step::Clock(state)) => state.reading.expect("a reading"),
            other => panic!("no clock, but {other:?}"),
        }
    }

    /// The next call, which must be on time unless it is made again.
    async fn call(&mut self) -> Announcement {
        let Some(Step::Announcement(call)) = self.next().await else { panic!("no call") };
        let due = call.announce_time.as_ref().and_then(time::moment).expect("a time");
        let late = Duration::try_from(self.fixture.now() - due).expect("no call comes before it is due");
        assert!(call.again || late < LATE_MAX, "{call:?} is late by {late:?}");
        call
    }

    async fn calls(&mut self, number: usize) -> Vec<(AnnouncementKind, u32)> {
        let mut calls = Vec::new();
        for _ in 0..number {
            let call = self.call().await;
            calls.push((call.kind(), call.number));
        }
        calls
    }
}

const MINUTE: [(AnnouncementKind, u32); 7] = [
    (AnnouncementKind::Seconds, 30),
    (AnnouncementKind::Seconds, 40),
    (AnnouncementKind::Seconds, 50),
    (AnnouncementKind::Seconds, 55),
    (AnnouncementKind::Seconds, 58),
    (AnnouncementKind::Seconds, 60),
    (AnnouncementKind::PeriodsLeft, 1),
];

#[tokio::test(start_paused = true)]
async fn every_call_is_made_on_time_until_the_flag_falls() {
    let mut fixture = Fixture::new();
    // The replica that is asked is not the one that stepped the clock.
    let (one, two) = (fixture.replica(), fixture.replica());
    let game = fixture.game();
    one.start(&fixture, &game, CONTROL).await;
    let (mut ear, first) = Ear::open(&fixture, &two, &game).await;
    assert_eq!((first.running(), first.revision), (Side::First, 1));
    assert_eq!(ear.calls(7).await, MINUTE);
    let last = ear.calls(13).await;
    assert_eq!(last[..3], [30, 40, 50].map(|number| (AnnouncementKind::Seconds, number)));
    assert_eq!(last[3..12], [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|number| (AnnouncementKind::Count, number)));
    assert_eq!(last[12], (AnnouncementKind::Time, 10));
    let (called, _) = fixture.fall().await;
    let end = ear.clock().await;
    assert_eq!(Some(end), called.request.reading, "the game has ended by it");
    assert!(ear.next().await.is_none(), "nothing is called in a game that has ended");
}

#[tokio::test(start_paused = true)]
async fn the_calls_follow_the_clock() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.replica(), fixture.replica());
    let game = fixture.game();
    let started = one.start(&fixture, &game, CONTROL).await;
    let (mut near, _) = Ear::open(&fixture, &one, &game).await;
    let (mut far, _) = Ear::open(&fixture, &two, &game).await;
    let (heard_near, heard_far) = tokio::join!(near.calls(2), far.calls(2));
    assert_eq!((&heard_near[..], heard_near == heard_far), (&MINUTE[..2], true));
    // A move: the other side's minute is counted from its beginning.
    let pressed = one.act(&fixture, &game, CONTROL, started).await;
    assert_eq!((near.clock().await, far.clock().await), (pressed.clone(), pressed.clone()));
    let (call, the_same) = tokio::join!(near.call(), far.call());
    assert_eq!((call.side(), call.number, call.revision, call == the_same), (Side::Second, 30, 2, true));
    // A pause: silence, then the count goes on where it was.
    let reason = PauseReason::Arbiter.into();
    let step = async |before: &ClockReading, event| {
        two.step(&game, CONTROL, Some(before.clone()), event).await.expect("fits").after.expect("a reading")
    };
    let paused = step(&pressed, Event::Pause(PauseClock { reason })).await;
    assert_eq!((paused.held(), paused.flag_time), (Side::Second, None));
    assert_eq!(near.clock().await, paused);
    tokio::time::sleep(Duration::from_hours(1)).await;
    let resumed = step(&paused, Event::Resume(ResumeClock { reason })).await;
    assert_eq!(near.clock().await, resumed);
    assert_eq!(near.call().await.number, 40);
    // A stop: the stream ends.
    step(&resumed, stop()).await;
    assert_eq!(near.clock().await.running(), Side::Unspecified);
    assert!(near.next().await.is_none());
    drop(far);
}

#[tokio::test(start_paused = true)]
async fn a_paused_clock_loses_no_game_and_is_found_again() {
    let (mut fixture, replica, game) = Fixture::with_game();
    let started = replica.start(&fixture, &game, "10s").await;
    let reason = PauseReason::EventBreak.into();
    let paused = replica.step(&game, "10s", Some(started), Event::Pause(PauseClock { reason })).await;
    let paused = paused.expect("fits").after.expect("a reading");
    fixture.games.append(running(&game, "10s", paused.clone()));
    fixture.quiet(Duration::from_mins(30)).await;
    let (_, held) = Ear::open(&fixture, &replica, &game).await;
    assert_eq!(held, paused);
    let resumed = replica.step(&game, "10s", Some(paused), Event::Resume(ResumeClock { reason })).await;
    fixture.games.append(running(&game, "10s", resumed.expect("fits").after.expect("a reading")));
    let (called, _) = fixture.fall().await;
    assert_eq!(called.request.revision, 3);
}

#[tokio::test(start_paused = true)]
async fn a_player_may_ask_what_is_left() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.replica(), fixture.replica());
    let game = fixture.game();
    one.start(&fixture, &game, "1m+3x30s:none").await;
    tokio::time::sleep(Duration::from_secs(95)).await;
    let asked = GetRemainingTimeRequest { game_id: game.clone() };
    let left = two.public().get_remaining_time(asked).await.expect("a clock runs").into_inner();
    let first = left.first.expect("what is left");
    let seconds = |span: Option<prost_types::Duration>| span.map(|span| span.seconds);
    assert_eq!((seconds(first.main_duration), first.periods), (Some(0), 2));
    assert_eq!(seconds(first.period_duration), Some(25));
    assert_eq!((left.running(), left.second.expect("what is left").unlimited), (Side::First, true));
    let unknown = GetRemainingTimeRequest { game_id: fixture.game() };
    let refused = one.public().get_remaining_time(unknown).await.expect_err("no such clock");
    assert_eq!((refused.code(), error::reason(&refused).as_str()), (Code::NotFound, "UNKNOWN_CLOCK"));
    let bad = WatchAnnouncementsRequest { game_id: "7".to_owned() };
    let refused = one.public().watch_announcements(bad).await.map(drop).expect_err("no id");
    assert_eq!((refused.code(), error::reason(&refused).as_str()), (Code::InvalidArgument, "BAD_ID"));
}

#[tokio::test(start_paused = true)]
async fn calls_are_repeated_for_everybody() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.replica(), fixture.replica());
    let game = fixture.game();
    one.start(&fixture, &game, CONTROL).await;
    let (mut ear, _) = Ear::open(&fixture, &two, &game).await;
    let order = |from_time| RepeatAnnouncementRequest { game_id: game.clone(), from_time };
    let early = one.internal().repeat_announcement(order(None)).await.expect_err("nothing has been called");
    assert_eq!((early.code(), error::reason(&early).as_str()), (Code::FailedPrecondition, "NOTHING_CALLED"));
    assert_eq!(ear.calls(3).await, MINUTE[..3]);
    let from = Some(time::timestamp(START + Duration::from_secs(40)));
    let ordered = one.internal().repeat_announcement(order(from)).await.expect("ordered").into_inner();
    assert_eq!(ordered.announcements.len(), 2);
    for call in ordered.announcements {
        let heard = ear.call().await;
        assert!(heard.again && heard == call);
    }
    assert_eq!(ear.calls(1).await, MINUTE[3..4], "the count goes on");
    for mut client in [one.internal_by_player(), one.internal_by_nobody()] {
        let refused = client.repeat_announcement(order(None)).await.expect_err("not a service");
        assert_eq!(error::reason(&refused), "SERVICES_ONLY");
    }
}

#[tokio::test(start_paused = true)]
async fn a_listener_outlives_what_the_live_state_loses() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.replica(), fixture.replica());
    let game = fixture.game();
    let started = one.start(&fixture, &game, "3m-keep3m").await;
    let (mut ear, _) = Ear::open(&fixture, &two, &game).await;
    // What is stepped now is told to nobody.
    fixture.live.set_deaf(true);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let event = press(&started);
    let pressed = one.step(&game, "3m-keep3m", Some(started), event).await.expect("fits").after;
    assert_eq!(Some(ear.clock().await), pressed, "but it is found within seconds");
    assert_eq!(ear.call().await.side(), Side::Second);
    two.kill().await;
    let end = timeout(PATIENCE, ear.stream.message()).await.expect("it ends").expect_err("shut down");
    assert_eq!((end.code(), error::reason(&end).as_str()), (Code::Unavailable, "STOPPING"));
}

#[tokio::test(start_paused = true)]
async fn a_deduction_of_everything_is_told_as_a_fall() {
    let (fixture, replica, game) = Fixture::with_game();
    let started = replica.start(&fixture, &game, "10m").await;
    let all = Adjustment::DeductDuration(prost_types::Duration { seconds: 600, nanos: 0 });
    let deduct = AdjustClock { side: Side::First.into(), adjustment: Some(all) };
    let fallen =
        replica.step(&game, "10m", Some(started.clone()), Event::Adjust(deduct)).await.expect("fits");
    assert_eq!((fallen.flagged(), fallen.after.expect("a reading").revision), (Side::First, 2));
    let nothing = Adjustment::AddDuration(prost_types::Duration::default());
    for bad in [None, Some(nothing)] {
        let bad = AdjustClock { side: Side::First.into(), adjustment: bad };
        let refused = replica.step(&game, "10m", Some(started.clone()), Event::Adjust(bad)).await;
        assert_eq!(error::reason(&refused.expect_err("no correction")), "BAD_CLOCK_STEP");
    }
}
