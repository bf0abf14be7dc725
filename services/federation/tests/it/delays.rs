//! What is told late of an event that is broadcast late: to nobody but its officials, and each player of his own board.

use std::time::Duration;

use api::{federation::v1 as pb, game::v1::IncidentKind};

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, change, enter, get_round, held, play, run, settings},
};

const DELAY: Duration = Duration::from_mins(10);

/// An event that is broadcast ten minutes late, whose first round has begun.
async fn delayed(fixture: &Fixture) -> (Held, Vec<Person>) {
    let broadcast_delay_duration = Some(api::time::duration(DELAY));
    let held = held(fixture, pb::EventSettings { broadcast_delay_duration, ..settings(2) }).await;
    let players = enter(fixture, &held, 4).await;
    run(&held).await;
    begin(&held, 1).await;
    fixture.time.advance(2 * DELAY);
    (held, players)
}

/// The numbers of the entries after one, and the last of the log, as somebody is told.
async fn log(person: &Person, held: &Held, after_sequence: u64) -> (Vec<u64>, u64) {
    let request = pb::ListLogRequest { event_id: held.id.clone(), after_sequence, page_size: 200 };
    let log = person.events.clone().list_log(request).await.expect("a log").into_inner();
    (log.entries.iter().map(|entry| entry.sequence).collect(), log.last_sequence)
}

async fn event(person: &Person, held: &Held, as_of_sequence: u64) -> Result<pb::Event, tonic::Status> {
    let request = pb::GetEventRequest { event_id: held.id.clone(), as_of_sequence, ..Default::default() };
    Ok(person.events.clone().get_event(request).await?.into_inner().event.expect("present"))
}

async fn standings(person: &Person, held: &Held, as_of_sequence: u64) -> Result<(u64, bool), tonic::Status> {
    let request = pb::GetStandingsRequest { event_id: held.id.clone(), as_of_sequence, ..Default::default() };
    let table = person.events.clone().get_standings(request).await?.into_inner();
    Ok((table.sequence, table.delayed))
}

async fn incidents(person: &Person, held: &Held) -> Vec<pb::EventIncident> {
    let request = pb::ListEventIncidentsRequest { event_id: held.id.clone(), ..Default::default() };
    person.events.clone().list_event_incidents(request).await.expect("a list").into_inner().incidents
}

/// The chief arbiter notes an incident at a table of the first round, with whom it is about, and rules on it.
async fn rule(held: &Held, (table, accused): (u32, u32), ruling: pb::EventRuling) {
    let kind = IncidentKind::Talking.into();
    let text = "he asked his trainer".to_owned();
    let noted = change!(
        held,
        held.chief,
        report_incident,
        ReportIncidentRequest { round: 1, table, accused, kind, text }
    );
    noted.expect("noted");
    let (reason, ruling) = ("it was seen".to_owned(), Some(ruling));
    let ruled =
        change!(held, held.chief, rule_on_incident, RuleOnIncidentRequest { number: 1, ruling, reason });
    ruled.expect("ruled");
}

#[tokio::test]
async fn a_log_ends_before_the_first_result_that_is_not_broadcast_yet() {
    for fixture in fixtures().await {
        let (held, players) = delayed(&fixture).await;
        let anybody = fixture.person("anybody");
        let before = event(&anybody, &held, 0).await.expect("an event");
        let end = before.sequence;
        assert_eq!(log(&held.chief, &held, 0).await.1, end, "{}: all of it is old", fixture.kind);
        let mut watched = anybody.events.clone();
        let watch = pb::WatchEventRequest { event_id: held.id.clone(), after_sequence: end + 1 };
        let mut watched = watched.watch_event(watch).await.expect("a stream").into_inner();

        play(&fixture, &held, 1).await;
        let (account_id, role) = (fixture.person("arbiter").id(), pb::EventRole::Arbiter.into());
        change!(held, held.chief, appoint_official, AppointOfficialRequest { account_id, role })
            .expect("appointed");
        // Wherever somebody begins to read: the hash of what is hidden stands in what follows it.
        for person in [&anybody, &players[0]] {
            assert_eq!(log(person, &held, end - 1).await, (vec![end], end), "{}", fixture.kind);
            for after in end..end + 5 {
                assert_eq!(log(person, &held, after).await, (vec![], end), "{}: {after}", fixture.kind);
            }
            let now = event(person, &held, 0).await.expect("an event");
            assert_eq!((now.sequence, now.update_time), (end, before.update_time), "{}", fixture.kind);
            assert_eq!(reason(event(person, &held, end + 1).await), "BAD_CURSOR");
            assert_eq!(reason(standings(person, &held, end + 1).await), "BAD_CURSOR");
            assert_eq!(standings(person, &held, 0).await.expect("a table"), (end, true));
            assert_eq!(standings(person, &held, end).await.expect("a table"), (end, false));
            let as_of_time = Some(api::time::timestamp(fixture.env.now()));
            let request = pb::GetEventRequest { event_id: held.id.clone(), as_of_time, ..Default::default() };
            let then = person.events.clone().get_event(request).await.expect("an event").into_inner();
            assert_eq!(then.event.expect("present").sequence, end);
            let list =
                pb::ListEventsRequest { federation_id: held.federation.id.clone(), ..Default::default() };
            let listed = person.events.clone().list_events(list).await.expect("a list").into_inner().events;
            assert_eq!(listed[0].sequence, end, "{}", fixture.kind);
        }
        assert_eq!(log(&held.chief, &held, end).await, (vec![end + 1, end + 2, end + 3], end + 3));
        assert_eq!(event(&held.chief, &held, end + 1).await.expect("he may").sequence, end + 1);
        let told = tokio::time::timeout(Duration::from_millis(300), watched.message()).await;
        assert!(told.is_err(), "{}: {told:?}", fixture.kind);

        fixture.time.advance(DELAY);
        assert_eq!(log(&anybody, &held, end).await.1, end + 3, "{}", fixture.kind);
        assert_eq!(event(&anybody, &held, end + 1).await.expect("it is old").sequence, end + 1);
    }
}

#[tokio::test]
async fn a_ruling_on_a_board_and_its_replay_are_told_as_late_as_its_result() {
    for fixture in fixtures().await {
        let (held, players) = delayed(&fixture).await;
        let anybody = fixture.person("anybody");
        let before = get_round(&anybody, &held, 1).await.expect("public");
        let end = log(&anybody, &held, 0).await.1;
        let replay = pb::ResultCode::ReplayOrdered.into();
        let ruling =
            pb::EventRuling { sanction: pb::EventSanction::Warning.into(), first: replay, second: replay };
        let accused = before.pairings[0].first;
        rule(&held, (1, accused), ruling).await;
        change!(held, held.chief, replay_board, ReplayBoardRequest { round: 1, table: 1 }).expect("replayed");

        let other = &players[before.pairings[1].first as usize - 1];
        for person in [&anybody, other] {
            assert!(incidents(person, &held).await.is_empty(), "{}", fixture.kind);
            assert_eq!(get_round(person, &held, 1).await.expect("public"), before, "{}", fixture.kind);
            assert_eq!(log(person, &held, 0).await.1, end, "{}", fixture.kind);
        }
        // Who sits there, and officials, see what happens there.
        for person in [&players[accused as usize - 1], &held.chief] {
            assert_eq!(incidents(person, &held).await[0].steps.len(), 1, "{}", fixture.kind);
            let round = get_round(person, &held, 1).await.expect("public");
            assert_eq!(round.pairings[0].attempt, 2, "{}", fixture.kind);
            assert_ne!(round.pairings[0].game_id, before.pairings[0].game_id);
        }
        fixture.time.advance(DELAY);
        assert_eq!(incidents(&anybody, &held).await[0].steps.len(), 1, "{}", fixture.kind);
        assert_eq!(get_round(&anybody, &held, 1).await.expect("public").pairings[0].attempt, 2);
    }
}
