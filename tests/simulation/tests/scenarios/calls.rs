//! Byo-yomi is called, and whoever asks is told what is left.

use std::{sync::Arc, time::Duration};

use api::{
    board::v1::Side,
    clock::v1::{
        Announcement, AnnouncementKind, GetRemainingTimeRequest, GetRemainingTimeResponse, PauseReason,
        TimeLeft, WatchAnnouncementsRequest, watch_announcements_response::Step,
    },
    game::v1::{
        game_event::Event,
        ruling::{Act, Pause, RepeatAnnouncement, Resume},
    },
    transport::Transport,
};
use simulation::{Stage, in_every_shape};
use time::OffsetDateTime;
use tokio::task::JoinHandle;
use tonic::Status;

use super::{
    clocks::{LATE, Waiting as _, assert_left, clocks, flag, main_left, since, span},
    table::{Officials, Table, go, refused, rule},
};

const SECOND: Duration = Duration::from_secs(1);

/// The calls of a minute that another follows, and of the last one, by how many seconds of it are used.
const MINUTE: &[(u32, &str)] =
    &[(30, "30 s"), (40, "40 s"), (50, "50 s"), (55, "55 s"), (58, "58 s"), (60, "60 s"), (60, "1 left")];
const LAST_MINUTE: &[(u32, &str)] = &[
    (30, "30 s"),
    (40, "40 s"),
    (50, "50 s"),
    (51, "1"),
    (52, "2"),
    (53, "3"),
    (54, "4"),
    (55, "5"),
    (56, "6"),
    (57, "7"),
    (58, "8"),
    (59, "9"),
    (60, "10, time"),
];

/// A call that somebody has heard.
#[derive(Clone, Copy, Debug)]
struct Heard {
    at: OffsetDateTime,
    call: Announcement,
}

impl Heard {
    fn due(&self) -> OffsetDateTime {
        self.call.announce_time.as_ref().and_then(api::time::moment).expect("a call has a time")
    }

    fn words(&self) -> String {
        let Announcement { number, .. } = self.call;
        match self.call.kind() {
            AnnouncementKind::Seconds => format!("{number} s"),
            AnnouncementKind::PeriodsLeft => format!("{number} left"),
            AnnouncementKind::Count => number.to_string(),
            AnnouncementKind::Time => format!("{number}, time"),
            AnnouncementKind::Unspecified => panic!("a call has a kind"),
        }
    }
}

/// Listens to the calls of a game until they end, or the platform goes away.
fn listen(stage: &Arc<Stage>, transport: Transport, game_id: &str) -> JoinHandle<Vec<Heard>> {
    let (stage, game_id) = (Arc::clone(stage), game_id.to_owned());
    tokio::spawn(async move {
        let mut heard = Vec::new();
        let mut calls = clocks(transport)
            .watch_announcements(WatchAnnouncementsRequest { game_id })
            .await
            .expect("heard")
            .into_inner();
        let first = calls.message().await.expect("a step").and_then(|step| step.step);
        assert!(matches!(first, Some(Step::Clock(_))), "the clocks come first");
        while let Ok(Some(step)) = calls.message().await {
            if let Some(Step::Announcement(call)) = step.step {
                heard.push(Heard { at: stage.now(), call });
            }
        }
        heard
    })
}

/// Makes sure that what was heard was heard when it was due, and is this, each by when it is due.
#[track_caller]
fn assert_heard(heard: &[Heard], side: Side, expected: &[(OffsetDateTime, &str)]) {
    let said: Vec<_> = heard.iter().map(|heard| (heard.due(), heard.words())).collect();
    let expected: Vec<_> = expected.iter().map(|(at, words)| (*at, (*words).to_owned())).collect();
    assert_eq!(said, expected);
    for heard in heard {
        assert_eq!((heard.call.side(), heard.call.again), (side, false), "{heard:?}");
        assert!((heard.due()..heard.due() + LATE).contains(&heard.at), "{heard:?}");
    }
}

/// The calls of a minute that begins at a moment, as far as they come within a time.
fn calls_of(
    minute: &'static [(u32, &str)],
    begins: OffsetDateTime,
    within: u32,
) -> impl Iterator<Item = (OffsetDateTime, &'static str)> {
    let due = minute.iter().filter(move |(second, _)| *second <= within);
    due.map(move |(second, words)| (begins + SECOND * *second, *words))
}

async fn remaining(transport: Transport, table: &Table) -> Result<GetRemainingTimeResponse, Status> {
    let request = GetRemainingTimeRequest { game_id: table.id.clone() };
    Ok(clocks(transport).get_remaining_time(request).await?.into_inner())
}

#[test]
fn the_minutes_that_are_kept_are_called_to_their_end() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("3m-keep2m"), false).await;
        let spectator = listen(&stage, stage.public(), &table.id);
        let player = listen(&stage, table.player(0).await.transport(), &table.id);
        let reading = table.reading().await;
        let (start, end) = (since(&reading), flag(&reading));
        assert_eq!(end, start + Duration::from_mins(3));
        stage.wait_until(end + LATE).await;
        table.ended().await;
        let (kept, last) = (start + Duration::from_mins(1), start + Duration::from_mins(2));
        let mut expected = vec![(kept, "2 left")];
        expected.extend(calls_of(MINUTE, kept, 60));
        expected.extend(calls_of(LAST_MINUTE, last, 60));
        // The streams end with the clocks.
        for heard in [spectator, player] {
            assert_heard(&heard.await.expect("heard to the end"), Side::First, &expected);
        }
        assert_eq!(refused(remaining(stage.public(), &table).await), "UNKNOWN_CLOCK");
        table.clocks_add_up().await;
    });
}

#[test]
fn the_count_follows_the_turns() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("2m-keep2m"), false).await;
        let heard = listen(&stage, stage.public(), &table.id);
        let mut turns = vec![since(&table.reading().await)];
        // Nobody plays at the very moment of a call.
        for thought in [45, 61, 20, 54, 95] {
            table.think(SECOND * thought + SECOND / 2).await;
            turns.push(since(&table.reading().await));
        }
        table.player(1).await.resign(&table.id, super::table::ONCE).await.expect("she may");
        let heard = heard.await.expect("heard to the end");
        let of = |turn: usize| -> Vec<Heard> {
            let within = |heard: &&Heard| turns[turn] < heard.due() && heard.due() < turns[turn + 1];
            heard.iter().filter(within).copied().collect()
        };
        let expected = [
            calls_of(MINUTE, turns[0], 45).collect::<Vec<_>>(),
            calls_of(MINUTE, turns[1], 61).collect(),
            Vec::new(),
            calls_of(LAST_MINUTE, turns[3], 54).collect(),
            calls_of(MINUTE, turns[4], 60)
                .chain(calls_of(LAST_MINUTE, turns[4] + Duration::from_mins(1), 35))
                .collect(),
        ];
        let all: usize = expected.iter().map(Vec::len).sum();
        assert_eq!(heard.len(), all, "nothing else is called");
        for (turn, expected) in expected.iter().enumerate() {
            let side = [Side::First, Side::Second][turn % 2];
            assert_heard(&of(turn), side, expected);
        }
        table.clocks_add_up().await;
    });
}

#[test]
fn whoever_asks_is_told_what_is_left() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("3m-keep2m"), false).await;
        table.think(SECOND * 10).await;
        let since = since(&table.reading().await);
        // Of the main time, and then of the minute that is in use.
        for (used, main, minutes, of_minute) in [(20, 40, 2, 60), (75, 0, 2, 45), (130, 0, 1, 50)] {
            stage.wait_until(since + SECOND * used).await;
            for transport in
                [table.player(1).await.transport(), table.player(0).await.transport(), stage.public()]
            {
                let left = remaining(transport, &table).await.expect("anybody may ask");
                assert_eq!(left.running(), Side::Second);
                let now = left.server_time.as_ref().and_then(api::time::moment).expect("a time");
                let asked = Duration::try_from(now - since).expect("the turn has begun");
                assert!(asked >= SECOND * used && asked < SECOND * used + LATE, "{asked:?}");
                let TimeLeft { periods, period_duration, .. } = left.second.expect("a time");
                assert_left(main_left(left.second), SECOND * main, "the main time");
                assert_left(span(period_duration), SECOND * of_minute, "the minute");
                assert_eq!(periods, minutes);
                assert_left(main_left(left.first), SECOND * 50, "the other side's time");
            }
        }
        table.clocks_add_up().await;
    });
}

#[test]
fn a_call_that_was_wrong_is_repeated_by_order() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("2m-keep2m"), officials.regulations()).await;
        let listeners = [stage.public(), table.player(0).await.transport()]
            .map(|transport| listen(&stage, transport, &table.id));
        let before = table.reading().await;
        let start = since(&before);
        let repeat = |from: Option<OffsetDateTime>| {
            Act::RepeatAnnouncement(RepeatAnnouncement { from_time: from.map(api::time::timestamp) })
        };
        assert_eq!(refused(rule(&officials.chief, &table, repeat(None)).await), "NOTHING_CALLED");
        stage.wait_until(start + SECOND * 45).await;
        assert_eq!(refused(rule(&table.players[0], &table, repeat(None)).await), "NO_ROLE");
        assert_eq!(refused(rule(&officials.committee, &table, repeat(None)).await), "ROLE_MAY_NOT");
        let once = stage.now();
        rule(&officials.arbiter, &table, repeat(None)).await.expect("an arbiter may");
        stage.wait_until(start + SECOND * 52).await;
        let twice = stage.now();
        let from = Some(start + SECOND * 40);
        let event = rule(&officials.chief, &table, repeat(from)).await.expect("the chief may");
        assert!(matches!(event.event, Some(Event::Ruled(_))) && event.official.is_some());
        // Nobody's time is touched by it.
        let after = table.reading().await;
        assert_eq!((since(&after), flag(&after)), (start, flag(&before)));
        table.think(SECOND * 54 + SECOND / 2).await;
        table.player(1).await.resign(&table.id, super::table::ONCE).await.expect("she may");
        for heard in listeners {
            let heard = heard.await.expect("heard to the end");
            let again = heard.iter().filter(|it| it.call.again);
            let again: Vec<_> = again.map(|it| (it.at, it.words())).collect();
            let words: Vec<&str> = again.iter().map(|(_, words)| words.as_str()).collect();
            assert_eq!(words, ["40 s", "40 s", "50 s"]);
            for ((at, words), ordered) in again.iter().zip([once, twice, twice]) {
                assert!((ordered..ordered + LATE).contains(at), "{words}: at {at}, ordered at {ordered}");
            }
            let first: Vec<Heard> = heard.into_iter().filter(|it| !it.call.again).collect();
            assert_heard(&first, Side::First, &calls_of(MINUTE, start, 54).collect::<Vec<_>>());
        }
        table.clocks_add_up().await;
    });
}

#[test]
fn a_count_that_was_stopped_because_it_was_wrong_is_repeated() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1m-keep1m"), officials.regulations()).await;
        let heard = listen(&stage, stage.public(), &table.id);
        let start = since(&table.reading().await);
        let repeat = |from: Option<OffsetDateTime>| {
            Act::RepeatAnnouncement(RepeatAnnouncement { from_time: from.map(api::time::timestamp) })
        };
        let reason = PauseReason::Arbiter as i32;
        stage.wait_until(start + SECOND * 53 + SECOND / 2).await;
        let arbiter = async |act| rule(&officials.arbiter, &table, act).await.expect("an arbiter may");
        arbiter(Act::Pause(Pause { reason })).await;
        arbiter(repeat(Some(start + SECOND * 52))).await;
        arbiter(repeat(None)).await;
        for year in [1960, 9000] {
            let never = time::Date::from_ordinal_date(year, 1).expect("a date").midnight().assume_utc();
            assert_eq!(
                refused(rule(&officials.arbiter, &table, repeat(Some(never))).await),
                "NOTHING_CALLED"
            );
        }
        tokio::time::sleep(SECOND * 30).await;
        arbiter(Act::Resume(Resume { reason })).await;
        arbiter(repeat(None)).await;
        stage.wait_until(flag(&table.reading().await) + LATE).await;
        let heard = heard.await.expect("heard to the end");
        let again: Vec<String> = heard.iter().filter(|it| it.call.again).map(Heard::words).collect();
        assert_eq!(again, ["2", "3", "3", "3"]);
        table.clocks_add_up().await;
    });
}

#[test]
fn a_count_goes_on_after_an_outage_for_whoever_listens_anew() {
    in_every_shape(async |stage| {
        let table = Table::matched(&stage, go("1m-keep1m"), false).await;
        let start = since(&table.reading().await);
        stage.wait_until(start + SECOND * 35).await;
        stage.crash(SECOND * 40).await;
        // By then the platform has given back what it has missed.
        tokio::time::sleep(SECOND).await;
        let after = listen(&stage, stage.public(), &table.id);
        let (credited, end) = (since(&table.reading().await), flag(&table.reading().await));
        assert_eq!(end, credited + SECOND * 60, "the minute began later by what was given back");
        stage.wait_until(end + LATE).await;
        let rest: Vec<_> =
            calls_of(LAST_MINUTE, credited, 60).filter(|(at, _)| *at > end - SECOND * 25).collect();
        assert_heard(&after.await.expect("heard to the end"), Side::First, &rest);
        table.clocks_add_up().await;
    });
}
