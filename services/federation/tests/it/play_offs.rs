//! Play-offs through the API: from a place that is shared to the one who has it.

use api::{clock::v1 as clock, federation::v1 as pb};

use crate::{
    fixture::{Fixture, fixtures, reason},
    held::{Held, change, enter, get_round, held, pair, play, run, settings},
};

/// A Swiss of one round, so that its winners share the first place, with a play-off of two games of five minutes.
fn played_off() -> pb::EventSettings {
    let main_duration = Some(prost_types::Duration { seconds: 300, nanos: 0 });
    let control = clock::time_control::Control::Absolute(clock::time_control::Absolute { main_duration });
    let time_control = Some(clock::TimeControl { control: Some(control), ..Default::default() });
    let play_off = pb::EventPlayOff { games: 2, time_control, ..Default::default() };
    let readings = [("ranking".to_owned(), "points_opponents".to_owned())].into();
    pb::EventSettings { play_off: Some(play_off), readings, ..settings(1) }
}

async fn played(fixture: &Fixture, held: &Held, round: u32) -> pb::Round {
    pair(held, round).await.expect("paired");
    change!(held, held.chief, publish_round, PublishRoundRequest { round }).expect("published");
    change!(held, held.chief, start_round, StartRoundRequest { round }).expect("started");
    fixture.games.wait_for(if round == 1 { 2 } else { round as usize + 1 }, &fixture.time).await;
    play(fixture, held, round).await;
    get_round(&held.chief, held, round).await.expect("a round")
}

async fn close(held: &Held) -> Result<pb::Event, tonic::Status> {
    let stage = pb::EventStage::Closing.into();
    change!(held, held.chief, advance_event, AdvanceEventRequest { stage })
}

async fn table(held: &Held) -> Vec<pb::StandingsLine> {
    let request = pb::GetStandingsRequest { event_id: held.id.clone(), ..Default::default() };
    held.chief.events.clone().get_standings(request).await.expect("a table").into_inner().lines
}

#[tokio::test]
async fn who_shares_the_first_place_plays_for_it_and_the_event_waits_for_that() {
    for fixture in fixtures().await {
        let held = held(&fixture, played_off()).await;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        assert!(!played(&fixture, &held, 1).await.play_off);
        let shared: Vec<u32> = table(&held).await.iter().map(|line| line.place).collect();
        assert_eq!(shared, [1, 1, 3, 3], "{}", fixture.kind);
        assert_eq!(reason(close(&held).await), "EVENT_INCOMPLETE");
        // The first to move wins at every board, so that each wins one game and the lot decides.
        for round in 2..=3 {
            let round = played(&fixture, &held, round).await;
            assert!(round.play_off && round.pairings.len() == 1);
        }
        let games = fixture.games.wait_for(4, &fixture.time).await;
        let quick = played_off().play_off.and_then(|it| it.time_control);
        let of_play_off = games.iter().filter(|game| game.time_control == quick).count();
        assert_eq!((of_play_off, games.len()), (2, 4), "the play-off has a time of its own");
        assert_eq!(reason(pair(&held, 4).await), "NO_MORE_ROUNDS");
        let lines = table(&held).await;
        assert_eq!(
            lines.iter().map(|line| (line.place, line.points)).collect::<Vec<_>>(),
            [(1, 2), (2, 2), (3, 0), (3, 0)]
        );
        let names: Vec<&str> = lines[0].criteria.iter().map(|it| it.name.as_str()).collect();
        assert!(names.ends_with(&["play_off", "lot"]), "{names:?}");
        assert!(lines[0].criteria.iter().any(|it| it.working == "play-off 2:2"));
        close(&held).await.expect("nothing is missing");
        let request = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: 0, page_size: 200 };
        let log = held.chief.events.clone().list_log(request).await.expect("a log").into_inner().entries;
        let found = federation::audit::log(&held.id, &log).expect("it can be read");
        assert!(found.findings.is_empty(), "{:?}", found.findings);
    }
}

#[tokio::test]
async fn the_committee_alone_has_the_place_drawn_instead() {
    for fixture in fixtures().await {
        let held = held(&fixture, played_off()).await;
        let players = enter(&fixture, &held, 4).await;
        run(&held).await;
        played(&fixture, &held, 1).await;
        let by_lot = true;
        let storm = || "a storm".to_owned();
        let own = change!(held, held.chief, settle_ties, SettleTiesRequest { by_lot, reason: storm() });
        assert_eq!(reason(own), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        let founder = &held.federation.founder;
        let winner = &players[table(&held).await[0].number as usize - 1];
        let (account_id, role) = (winner.id(), pb::EventRole::Committee.into());
        change!(held, founder, appoint_official, AppointOfficialRequest { account_id, role })
            .expect("appointed");
        let own = change!(held, winner, settle_ties, SettleTiesRequest { by_lot, reason: storm() });
        assert_eq!(reason(own), "OWN_GAME", "{}: he shares the place", fixture.kind);
        let committee = change!(held, founder, settle_ties, SettleTiesRequest { by_lot, reason: storm() });
        committee.expect("the committee may");
        let again = change!(held, founder, settle_ties, SettleTiesRequest { by_lot, reason: storm() });
        assert_eq!(reason(again), "BAD_ROUND");
        let places: Vec<u32> = table(&held).await.iter().map(|line| line.place).collect();
        assert_eq!(places, [1, 2, 3, 3]);
        close(&held).await.expect("nothing is missing");
    }
}
