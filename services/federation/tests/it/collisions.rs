//! Who enters an event is warned of what he plays in others at the same time.

use std::time::Duration;

use api::{federation::v1 as pb, time::timestamp};
use time::OffsetDateTime;

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, board_of, change, held, held_in, publish, run, settings},
};

const HOUR: Duration = Duration::from_hours(1);
const MINUTE: Duration = Duration::from_mins(1);

/// An event whose rounds begin at these times.
fn at(times: &[OffsetDateTime]) -> pb::EventSettings {
    let schedule = pb::EventSchedule {
        zone: "Asia/Shanghai".to_owned(),
        start: pb::RoundStart::BySchedule.into(),
        round_times: times.iter().copied().map(timestamp).collect(),
        ..Default::default()
    };
    let rounds = u32::try_from(times.len()).expect("few");
    pb::EventSettings { schedule: Some(schedule), ..settings(rounds) }
}

/// Enters an event, or only asks whether that could be done, and answers with the rounds, tables and events of what collides.
async fn enters(held: &Held, person: &Person, validate_only: bool) -> Vec<(String, u32, u32)> {
    let request = pb::EnterEventRequest {
        event_id: held.id.clone(),
        request_id: person.request(),
        validate_only,
        supplement_version: 1,
        ..Default::default()
    };
    let answer = person.events.clone().enter_event(request).await.expect("it is a warning").into_inner();
    shown(answer.conflicts)
}

fn shown(times: Vec<pb::EventTime>) -> Vec<(String, u32, u32)> {
    times.into_iter().map(|it| (it.event_id, it.round, it.table)).collect()
}

/// When an account plays, as other services are told.
async fn times(fixture: &Fixture, person: &Person, from: OffsetDateTime) -> Vec<(String, u32, u32)> {
    let request = pb::ListEventTimesRequest {
        account_id: person.id(),
        from_time: Some(timestamp(from)),
        until_time: Some(timestamp(from + 24 * HOUR)),
    };
    let listed = fixture.internal.clone().list_event_times(request).await.expect("listed");
    shown(listed.into_inner().times)
}

#[tokio::test]
async fn who_enters_two_events_of_the_same_hour_is_warned() {
    for fixture in fixtures().await {
        let start = fixture.env.now() + 48 * HOUR;
        let one = held(&fixture, at(&[start, start + 24 * HOUR])).await;
        let near = [start - HOUR, start + 24 * HOUR + 59 * MINUTE];
        let other = held_in(&fixture, one.federation.clone(), at(&near)).await;
        let far = held_in(&fixture, one.federation.clone(), at(&[start + HOUR, start + 25 * HOUR])).await;
        let founder = &one.federation.founder;
        let mut players = Vec::new();
        for number in 0..4 {
            let player = fixture.person(&format!("player{number}"));
            let member = founder.member(&one.federation.id, &format!("Player {number}")).await;
            founder.bind(&member.member_id, &player.id()).await.expect("bound");
            assert_eq!(enters(&one, &player, false).await, [], "{}: nothing else is played", fixture.kind);
            players.push(player);
        }
        let player = &players[0];
        let planned = |round| (one.id.clone(), round, 0);
        assert_eq!(enters(&other, player, true).await, [planned(2)], "{}: looked at", fixture.kind);
        assert_eq!(enters(&far, player, true).await, [], "{}: an hour apart", fixture.kind);
        assert_eq!(times(&fixture, player, start).await, [planned(1)], "{}", fixture.kind);

        // Once it is known where he plays, that is told; and a board that is played at another time collides with that.
        run(&one).await;
        publish(&one, 1).await;
        let board = board_of(&one, 1).await;
        let first = [(one.id.clone(), 1, board.table)];
        assert_eq!(times(&fixture, player, start).await, first, "{}", fixture.kind);
        let start_time = Some(timestamp(start + 90 * MINUTE));
        let (round, table) = (1, board.table);
        for number in [board.first, board.second] {
            let asker = &players[number as usize - 1];
            change!(one, asker, postpone_board, PostponeBoardRequest { round, table, start_time })
                .expect("asked");
        }
        change!(one, one.chief, postpone_board, PostponeBoardRequest { round, table, start_time })
            .expect("the arbiter consents");
        assert_eq!(enters(&far, player, false).await, first, "{}", fixture.kind);
        let others =
            players.iter().zip(1..).find(|(_, number)| ![board.first, board.second].contains(number));
        let (apart, _) = others.expect("four play");
        assert_eq!(enters(&far, apart, false).await, [], "{}: he plays when the round begins", fixture.kind);

        let status = Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 1 });
        change!(one, one.chief, change_entry, ChangeEntryRequest { number: 1, status }).expect("he leaves");
        let left = [(far.id.clone(), 2, 0)];
        assert_eq!(enters(&other, player, false).await, left, "{}: he has left the one", fixture.kind);
    }
}

#[tokio::test]
async fn a_time_that_is_none_is_refused() {
    for fixture in fixtures().await {
        let (now, account_id) = (fixture.env.now(), fixture.person("somebody").id());
        let whole = pb::ListEventTimesRequest {
            account_id,
            from_time: Some(timestamp(now)),
            until_time: Some(timestamp(now + 24 * HOUR)),
        };
        let late = Some(timestamp(now + 24 * HOUR + MINUTE));
        for (request, expected) in [
            (pb::ListEventTimesRequest { from_time: None, ..whole.clone() }, "UNKNOWN_VALUE"),
            (pb::ListEventTimesRequest { until_time: None, ..whole.clone() }, "UNKNOWN_VALUE"),
            (pb::ListEventTimesRequest { until_time: late, ..whole.clone() }, "UNKNOWN_VALUE"),
            (pb::ListEventTimesRequest { account_id: "me".to_owned(), ..whole.clone() }, "BAD_ID"),
        ] {
            let refused = fixture.internal.clone().list_event_times(request).await;
            assert_eq!(reason(refused), expected, "{}", fixture.kind);
        }
        let listed = fixture.internal.clone().list_event_times(whole).await.expect("listed");
        assert_eq!(listed.into_inner().times, [], "{}: nobody has entered", fixture.kind);
    }
}
