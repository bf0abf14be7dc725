//! Pauses, and time in which the platform was down: the clocks run when the last reason to rest has gone.

use std::{sync::Arc, time::Duration};

use api::{
    board::v1::{Reason, Side, Verdict},
    client::RetryPolicy,
    clock::v1::{
        GetRemainingTimeRequest, GetRemainingTimeResponse, PauseReason, WatchAnnouncementsRequest,
        watch_announcements_response::Step,
    },
    game::v1::{
        GameEvent, game_event,
        proposal::{Pause, Proposal, Resume},
        ruling::{self, Act, AddTime, DeductTime},
    },
};
use chassis::auth::{Role, RoleScope};
use simulation::in_every_shape;
use time::OffsetDateTime;
use tonic::Status;

use super::{
    clocks::{LATE, Waiting as _, assert_left, clocks, flag, main_left, reading_after, since, span},
    table::{ONCE, Officials, Table, go, refused, rule, time_of},
};

const SECOND: Duration = Duration::from_secs(1);
/// How long before the platform went down it may last have been seen to be up, and how long after its start it is
/// seen again: that much more is given back.
const UNSEEN: Duration = Duration::from_millis(600);

fn pause(reason: PauseReason) -> Act {
    Act::Pause(ruling::Pause { reason: reason as i32 })
}

fn resume(reason: PauseReason) -> Act {
    Act::Resume(ruling::Resume { reason: reason as i32 })
}

fn to_pause() -> Proposal {
    Proposal::Pause(Pause {})
}

fn to_resume() -> Proposal {
    Proposal::Resume(Resume {})
}

/// An outage that was given back: from when until when.
fn credited(event: &GameEvent) -> Option<(OffsetDateTime, OffsetDateTime)> {
    match event.event.as_ref()? {
        game_event::Event::OutageCredited(outage) => {
            let moment = |time: Option<&prost_types::Timestamp>| time.and_then(api::time::moment);
            Some((moment(outage.from_time.as_ref())?, moment(outage.until_time.as_ref())?))
        }
        _ => None,
    }
}

impl Table {
    /// What anybody is told who asks.
    async fn remaining(&self) -> Result<GetRemainingTimeResponse, Status> {
        let request = GetRemainingTimeRequest { game_id: self.id.clone() };
        Ok(clocks(self.stage.public()).get_remaining_time(request).await?.into_inner())
    }

    /// Makes sure that the clock of the side whose turn it is stands for these reasons at what it had left, in the
    /// game, for whoever asks, and for whoever begins to listen; and that nobody can play.
    async fn assert_held(&self, reasons: &[PauseReason], left: Duration) {
        let (progress, reading) = (self.progress().await, self.reading().await);
        assert_eq!(progress.pauses().collect::<Vec<_>>(), reasons);
        assert_eq!(reading.pauses().collect::<Vec<_>>(), reasons);
        assert_eq!((reading.running(), reading.held()), (Side::Unspecified, Side::First));
        assert_eq!(reading.flag_time, None, "no flag falls");
        let told = self.remaining().await.expect("a clock that is held is known");
        assert_eq!(told.running(), Side::Unspecified);
        assert_left(main_left(told.first), left, "what is left in a pause");
        let request = WatchAnnouncementsRequest { game_id: self.id.clone() };
        let listening =
            clocks(self.stage.public()).watch_announcements(request).await.expect("a clock is there");
        let step = listening.into_inner().message().await.expect("a step").and_then(|it| it.step);
        let Some(Step::Clock(state)) = step else { panic!("the clocks come first: {step:?}") };
        assert_eq!(state.reading, Some(reading));
        let ply = self.state().await.ply;
        let played = self.player(0).await.play(&self.id, "E9", ply, ONCE).await;
        assert_eq!(refused(played), "NOT_IN_PLAY");
    }

    /// Makes sure that the clock runs, with so much left when it began to.
    async fn assert_runs(&self, resumed: OffsetDateTime, left: Duration) {
        let reading = self.reading().await;
        assert_eq!((reading.running(), reading.held()), (Side::First, Side::Unspecified));
        assert_eq!(since(&reading), resumed);
        let ahead = Duration::try_from(flag(&reading) - resumed).expect("a flag is ahead");
        assert_left(ahead, left, "what is left after a pause");
    }

    /// Every outage that was given back.
    async fn outages(&self) -> Vec<(OffsetDateTime, OffsetDateTime)> {
        self.log().await.iter().filter_map(credited).collect()
    }

    /// The platform is down for a while; from when until when.
    async fn go_down(&self, down: Duration) -> (OffsetDateTime, OffsetDateTime) {
        let from = self.stage.now();
        self.stage.crash(down).await;
        let until = from + down;
        // Nobody asks for anything before the platform has seen for itself what it has missed.
        self.stage.wait_until(until + UNSEEN).await;
        (from, until)
    }
}

#[test]
fn the_clock_runs_when_the_last_reason_to_rest_is_gone() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1m"), officials.regulations()).await;
        let (arbiter, chief) = (&officials.arbiter, &officials.chief);
        // In a game of an event the players do not decide on it.
        assert_eq!(refused(table.propose(0, to_pause()).await), "OFFICIALS_ONLY");
        assert_eq!(refused(rule(chief, &table, resume(PauseReason::Arbiter)).await), "NOT_PAUSED");
        let start = since(&table.reading().await);
        stage.wait_until(start + SECOND * 10).await;
        rule(arbiter, &table, pause(PauseReason::Arbiter)).await.expect("an arbiter may");
        let left = SECOND * 50;
        table.assert_held(&[PauseReason::Arbiter], left).await;
        tokio::time::sleep(SECOND * 70).await;
        assert_eq!(refused(rule(chief, &table, pause(PauseReason::Arbiter)).await), "ALREADY_PAUSED");
        rule(chief, &table, pause(PauseReason::EventBreak)).await.expect("the chief may");
        let both = [PauseReason::Arbiter, PauseReason::EventBreak];
        table.assert_held(&both, left).await;
        // The platform goes down and comes back: both reasons hold, and nothing is charged.
        let (from, until) = table.go_down(SECOND * 70).await;
        table.assert_held(&both, left).await;
        rule(arbiter, &table, resume(PauseReason::Arbiter)).await.expect("an arbiter may");
        table.assert_held(&[PauseReason::EventBreak], left).await;
        tokio::time::sleep(SECOND * 20).await;
        table.assert_held(&[PauseReason::EventBreak], left).await;
        let resumed = rule(chief, &table, resume(PauseReason::EventBreak)).await.expect("the chief may");
        table.assert_runs(time_of(&resumed), left).await;
        // The outage is in the log, but to a clock that was held there is nothing to give back.
        let outages = table.outages().await;
        assert!(matches!(outages[..], [(low, high)] if low <= from && high >= until), "{outages:?}");
        stage.wait_until(flag(&table.reading().await) + LATE).await;
        let (_, at) = table.ended().await;
        let ran = Duration::try_from(at - time_of(&resumed)).expect("it ran");
        assert_left(ran, left, "until the flag fell");
        table.clocks_add_up().await;
    });
}

#[test]
fn players_rest_until_both_or_one_of_them_wishes_to_go_on() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m"), false).await;
        let official = stage.official("fatma", Role::Arbiter, RoleScope::Event(stage.id())).await;
        let arbiter = rule(&official, &table, pause(PauseReason::Arbiter)).await;
        assert_eq!(refused(arbiter), "NOT_AN_EVENT_GAME", "nobody else stops the game of two players");
        let start = since(&table.reading().await);
        table.propose(1, to_pause()).await.expect("she proposes it");
        stage.wait_until(start + SECOND * 10).await;
        assert_eq!(since(&table.reading().await), start, "a wish alone stops nothing");
        table.propose(0, to_pause()).await.expect("he agrees");
        table.assert_held(&[PauseReason::Players], SECOND * 50).await;
        tokio::time::sleep(SECOND * 90).await;
        table.propose(0, to_resume()).await.expect("he wishes to go on");
        table.assert_held(&[PauseReason::Players], SECOND * 50).await;
        let resumed = table.propose(1, to_resume()).await.expect("she agrees");
        table.assert_runs(time_of(&resumed), SECOND * 50).await;

        // The second time one of them does not come back. Then it goes on five minutes after the wish of the other,
        // and a time in which he could not have answered does not count.
        stage.wait_until(time_of(&resumed) + SECOND * 20).await;
        table.propose(0, to_pause()).await.expect("he proposes it");
        table.propose(1, to_pause()).await.expect("she agrees");
        let wish = time_of(&table.propose(0, to_resume()).await.expect("he wishes to go on"));
        let (from, until) = table.go_down(SECOND * 60).await;
        table.assert_held(&[PauseReason::Players], SECOND * 30).await;
        let end = wish + (until - from) + Duration::from_mins(5);
        stage.wait_until(end - SECOND).await;
        table.assert_held(&[PauseReason::Players], SECOND * 30).await;
        stage.wait_until(end + SECOND * 3).await;
        let reading = table.reading().await;
        let late = since(&reading) - end;
        assert!((time::Duration::ZERO..time::Duration::seconds(3)).contains(&late), "{late}");
        table.assert_runs(since(&reading), SECOND * 30).await;
        table.clocks_add_up().await;
    });
}

#[test]
fn time_in_which_the_platform_was_down_is_charged_to_nobody() {
    in_every_shape(async |stage| {
        // Nobody comes back, so that it is the platform alone that gives the time back and calls the flag.
        let tables = futures::future::join_all(
            ["30s", "20s+10s", "10s+2x10s", "30s/move"]
                .map(|control| Table::matched(&stage, go(control), false)),
        )
        .await;
        let before = tables[0].reading().await;
        let (first, down) = (SECOND * 5, SECOND * 40);
        stage.wait_until(since(&before) + first).await;
        let flags = futures::future::join_all(tables.iter().map(async |it| flag(&it.reading().await))).await;
        let (from, until) = tables[0].go_down(down).await;
        // Twice, so that it adds up.
        let (again, back) = tables[0].go_down(down).await;
        let fall = async |(table, flag_before): (&Table, OffsetDateTime)| {
            let what = table.control().await.to_string();
            let reading = table.reading().await;
            let told = table.remaining().await.expect("the clock is known again");
            assert_eq!((told.running(), told.revision), (Side::First, reading.revision), "{what}");
            table.let_fall(&what).await;
            let given = table.outages().await;
            let [one, two] = given[..] else { panic!("{what}: both are given back: {given:?}") };
            for ((low, high), (from, until)) in [(one, (from, until)), (two, (again, back))] {
                assert!(low <= from && low > from - UNSEEN, "{what}: given back from {low}, down at {from}");
                assert!(high >= until && high < until + UNSEEN, "{what}: until {high}, up at {until}");
            }
            let given = (one.1 - one.0) + (two.1 - two.0);
            assert_eq!(flag(&reading), flag_before + given, "{what}: the time is given back, and no more");
        };
        futures::future::join_all(tables.iter().zip(flags).map(fall)).await;
    });
}

#[test]
fn who_comes_back_from_an_outage_has_the_time_that_he_had() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("30s"), false).await;
        let start = since(&table.reading().await);
        stage.wait_until(start + SECOND * 10).await;
        stage.crash(SECOND * 50).await;
        // He acts at once, before anything else has noticed.
        let returning = table.player(0).await;
        let acted = stage.now();
        let played = returning.play(&table.id, "E5", 0, RetryPolicy::default()).await.expect("he has time");
        let took = Duration::try_from(time_of(&played) - start).expect("later").saturating_sub(SECOND * 50);
        let left = main_of(&played);
        let expected = (SECOND * 30).saturating_sub(took);
        assert!(left >= expected && left < expected + UNSEEN, "{left:?}, and he had {expected:?}");
        assert!(time_of(&played) - acted < UNSEEN, "he is heard soon");
        assert_eq!(table.outages().await.len(), 1);
        table.clocks_add_up().await;
    });
}

#[test]
fn a_correction_counts_at_once_whether_the_clock_runs_or_rests() {
    let span = |seconds| Some(api::time::duration(SECOND * seconds));
    let add =
        |side: Side, seconds| Act::AddTime(AddTime { side: side as i32, added_duration: span(seconds) });
    let deduct = |side: Side, seconds| {
        Act::DeductTime(DeductTime { side: side as i32, deducted_duration: span(seconds) })
    };
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        for rests in [false, true] {
            let table = Table::arranged(&stage, go("1m"), officials.regulations()).await;
            let chief = async |act| rule(&officials.chief, &table, act).await.expect("the chief may");
            let start = since(&table.reading().await);
            stage.wait_until(start + SECOND * 10).await;
            let paused = if rests { Some(chief(pause(PauseReason::EventBreak)).await) } else { None };
            chief(add(Side::First, 20)).await;
            chief(deduct(Side::Second, 25)).await;
            let told = table.remaining().await.expect("the clock is there");
            let now = told.server_time.as_ref().and_then(api::time::moment).expect("a time");
            let used = Duration::try_from(paused.as_ref().map_or(now, time_of) - start).expect("later");
            let left = [told.first, told.second].map(main_left);
            assert_eq!(left, [(SECOND * 80).saturating_sub(used), SECOND * 35]);
            // More than he has left, but not more than he had when his turn began.
            let at = time_of(&chief(deduct(Side::First, 75)).await);
            let (outcome, ended) = table.ended().await;
            assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::SecondWins, Reason::Time));
            assert_eq!(ended, at);
            table.clocks_add_up().await;
        }
    });
}

#[test]
fn a_count_goes_on_where_a_pause_has_interrupted_it() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Arc::new(Table::arranged(&stage, go("1m-keep1m"), officials.regulations()).await);
        let request = WatchAnnouncementsRequest { game_id: table.id.clone() };
        let mut calls =
            clocks(stage.public()).watch_announcements(request).await.expect("heard").into_inner();
        let listening = Arc::clone(&stage);
        let heard = tokio::spawn(async move {
            let mut heard = Vec::new();
            while let Ok(Some(step)) = calls.message().await {
                if let Some(Step::Announcement(call)) = step.step {
                    heard.push((listening.now(), call));
                }
            }
            heard
        });
        let start = since(&table.reading().await);
        stage.wait_until(start + SECOND * 53 + SECOND / 2).await;
        let paused = rule(&officials.arbiter, &table, pause(PauseReason::Arbiter)).await.expect("he may");
        tokio::time::sleep(SECOND * 30).await;
        let resumed = rule(&officials.arbiter, &table, resume(PauseReason::Arbiter)).await.expect("he may");
        let rested = time_of(&resumed) - time_of(&paused);
        stage.wait_until(start + rested + SECOND * 60 + LATE).await;
        let seconds = [30, 40, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60];
        let numbers = [30, 40, 50, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        let heard = heard.await.expect("heard to the end");
        assert_eq!(heard.iter().map(|(_, call)| call.number).collect::<Vec<_>>(), numbers);
        for ((at, call), second) in heard.iter().zip(seconds) {
            let due = start + SECOND * second + if second > 53 { rested } else { time::Duration::ZERO };
            assert!((due..due + LATE).contains(at), "{call:?}: at {at}, due at {due}");
        }
        table.clocks_add_up().await;
    });
}

/// What the first side has left after an event.
fn main_of(event: &GameEvent) -> Duration {
    span(reading_after(event).first.expect("a time").main_duration)
}
