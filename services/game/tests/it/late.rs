//! Games that begin at a time: who comes, who comes late, who does not come.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    clock::v1::{adjust_clock::Adjustment, clock_entry},
    game::v1::{
        AbortRequest, CheckInRequest, CreateGameRequest, GameEvent, OfferDrawRequest, Regulations,
        ResignRequest, Stage, game_event::Event,
    },
};

use super::{
    fixture::{Fixture, Replica, refused},
    meeting::{absolute, main_times},
};

const START: Duration = Duration::from_secs(10);
const LATENESS: Duration = Duration::from_secs(20);
const INSTANT: Duration = Duration::from_micros(1);

/// A game that begins in ten seconds, each side having a minute, and waits for twenty.
async fn appointment(replica: &Replica, fixture: &Fixture) -> String {
    replica.new_game_with(fixture, |request| regulate(fixture, request, 60)).await
}

fn regulate(fixture: &Fixture, request: &mut CreateGameRequest, seconds: u64) {
    request.time_control = Some(absolute(seconds));
    request.regulations = Some(Regulations {
        start_time: Some(api::time::timestamp(fixture.later(START))),
        lateness_duration: Some(api::time::duration(LATENESS)),
        ..Regulations::default()
    });
}

async fn outcome(replica: &Replica, id: &str) -> (Verdict, Reason) {
    let outcome = replica.look(id).await.state.and_then(|state| state.outcome).expect("it is over");
    (outcome.verdict(), outcome.reason())
}

/// The event of the beginning.
fn started(log: &[GameEvent]) -> &GameEvent {
    log.iter().find(|event| matches!(event.event, Some(Event::Started(_)))).expect("play has begun")
}

/// What has been taken off whose clock.
fn deductions(event: &GameEvent) -> Vec<(Side, Duration)> {
    let deducted = |entry: &api::clock::v1::ClockEntry| match entry.event.as_ref()? {
        clock_entry::Event::Adjust(adjust) => match adjust.adjustment.as_ref()? {
            Adjustment::DeductDuration(span) => Some((adjust.side(), api::time::span(span)?)),
            Adjustment::AddDuration(_) => None,
        },
        _ => None,
    };
    event.clock_entries.iter().filter_map(deducted).collect()
}

#[tokio::test]
async fn a_game_whose_clocks_are_slow_holds_up_no_other() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let games = [appointment(&replica, &fixture).await, appointment(&replica, &fixture).await];
        for id in &games {
            for who in [0, 1] {
                replica.check_in(&fixture, id, who).await.expect("there");
            }
        }
        replica.pass(&fixture, &games[0], START.saturating_sub(INSTANT)).await;
        let held = fixture.clock.hold_step();
        fixture.time.advance(INSTANT);
        held.came().await;
        let begun = async |id: &str| {
            while replica.stage(id).await != Stage::Playing {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let (one, other) = (std::pin::pin!(begun(&games[0])), std::pin::pin!(begun(&games[1])));
        let either = futures::future::select(one, other);
        tokio::time::timeout(Duration::from_secs(20), either).await.expect("one of them is not held up");
        held.open();
    }
}

#[tokio::test]
async fn play_begins_at_its_time_when_both_are_there() {
    for fixture in Fixture::all_with_clocks().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = appointment(&one, &fixture).await;
        let game = one.look(&id).await.state.expect("a state");
        assert!(game.clock.is_none() && game.actors.is_empty(), "no clock runs, nobody may play");
        assert_eq!(refused(one.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await), "NOT_IN_PLAY");
        let request = CheckInRequest { game_id: id.clone(), request_id: fixture.id() };
        let mut first = one.caller(&fixture.players[0]);
        let came = first.check_in(request.clone()).await.expect("there").into_inner().event;
        let again = first.check_in(request).await.expect("the same request").into_inner().event;
        assert_eq!(came, again);
        assert_eq!(refused(one.check_in(&fixture, &id, 0).await), "CHECKED_IN");
        one.pass(&fixture, &id, Duration::from_secs(3)).await;
        two.check_in(&fixture, &id, 1).await.expect("there");
        let check_in = two.checked_in(&id).await;
        let since = [check_in.first_since_time, check_in.second_since_time]
            .map(|since| since.as_ref().and_then(api::time::moment).expect("there"));
        assert_eq!(since[1] - since[0], Duration::from_secs(3));
        two.pass(&fixture, &id, START.saturating_sub(Duration::from_secs(3)).saturating_sub(INSTANT)).await;
        assert_eq!(two.stage(&id).await, Stage::Waiting);
        two.pass(&fixture, &id, INSTANT).await;
        let log = two.log(&id).await;
        let begun = started(&log);
        let state = begun.state.as_ref().expect("a state");
        assert_eq!(state.progress.as_ref().map(api::game::v1::Progress::stage), Some(Stage::Playing));
        assert!(state.progress.as_ref().is_some_and(|progress| progress.check_in.is_none()));
        assert_eq!(state.clock.as_ref().map(api::clock::v1::ClockReading::running), Some(Side::First));
        assert_eq!(main_times(begun), [Duration::from_mins(1); 2]);
        assert_eq!(deductions(begun), []);
        assert_eq!(refused(one.check_in(&fixture, &id, 0).await), "NOT_WAITING");
        one.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await.expect("play has begun");
    }
}

#[tokio::test]
async fn each_is_charged_what_he_was_late_to_the_microsecond() {
    for fixture in Fixture::all_with_clocks().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = appointment(&one, &fixture).await;
        let late = [Duration::from_micros(7_250_001), Duration::from_micros(3_123_457)];
        one.pass(&fixture, &id, START + late[1]).await;
        one.check_in(&fixture, &id, 1).await.expect("late, but there");
        assert_eq!(one.stage(&id).await, Stage::Waiting);
        one.pass(&fixture, &id, late[0].saturating_sub(late[1])).await;
        two.check_in(&fixture, &id, 0).await.expect("later, but there");
        let log = two.log(&id).await;
        let begun = started(&log);
        assert_eq!(deductions(begun), [(Side::First, late[0]), (Side::Second, late[1])]);
        assert_eq!(main_times(begun), late.map(|late| Duration::from_mins(1).saturating_sub(late)));
        let clock = begun.state.as_ref().and_then(|state| state.clock.clone()).expect("a clock");
        assert_eq!(clock.running(), Side::First);
        assert_eq!(clock.running_since_time, Some(api::time::timestamp(fixture.env.now())));
    }
}

#[tokio::test]
async fn only_who_was_late_is_charged() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = appointment(&replica, &fixture).await;
        replica.check_in(&fixture, &id, 0).await.expect("early");
        replica.pass(&fixture, &id, START + LATENESS).await;
        replica.check_in(&fixture, &id, 1).await.expect("at the limit itself it is not too late");
        let log = replica.log(&id).await;
        assert_eq!(deductions(started(&log)), [(Side::Second, LATENESS)]);
        assert_eq!(main_times(started(&log)), [60, 40].map(Duration::from_secs));
    }
}

#[tokio::test]
async fn who_does_not_come_loses() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let rated = |request: &mut CreateGameRequest| {
            regulate(&fixture, request, 60);
            request.rated = true;
        };
        let id = replica.new_game_with(&fixture, rated).await;
        let deserted = appointment(&replica, &fixture).await;
        replica.check_in(&fixture, &id, 1).await.expect("there");
        replica.pass(&fixture, &id, START + LATENESS).await;
        assert_eq!(replica.stage(&id).await, Stage::Waiting);
        replica.pass(&fixture, &id, INSTANT).await;
        assert_eq!(outcome(&replica, &id).await, (Verdict::SecondWins, Reason::Late));
        assert_eq!(refused(replica.check_in(&fixture, &id, 0).await), "GAME_OVER");
        replica.touch(&fixture, &deserted).await;
        assert_eq!(outcome(&replica, &deserted).await, (Verdict::BothLose, Reason::Late));
        for id in [&id, &deserted] {
            replica.log(id).await;
        }
        assert!(fixture.rating.applied().is_empty(), "nothing has been played");
    }
}

#[tokio::test]
async fn who_was_late_by_more_than_he_has_loses_on_time() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let brief = |request: &mut CreateGameRequest| regulate(&fixture, request, 5);
        let one = replica.new_game_with(&fixture, brief).await;
        let both = replica.new_game_with(&fixture, brief).await;
        replica.check_in(&fixture, &one, 1).await.expect("early");
        replica.pass(&fixture, &one, START + Duration::from_secs(6)).await;
        replica.check_in(&fixture, &one, 0).await.expect("late");
        assert_eq!(outcome(&replica, &one).await, (Verdict::SecondWins, Reason::Time));
        replica.check_in(&fixture, &both, 0).await.expect("late");
        replica.check_in(&fixture, &both, 1).await.expect("late");
        assert_eq!(outcome(&replica, &both).await, (Verdict::BothLose, Reason::Time));
        for id in [&one, &both] {
            let log = replica.log(id).await;
            let clock = started(&log).state.as_ref().and_then(|state| state.clock.clone());
            assert_eq!(clock.expect("a clock").running(), Side::Unspecified);
        }
    }
}

#[tokio::test]
async fn while_the_players_are_expected_they_can_only_come_or_resign() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = appointment(&replica, &fixture).await;
        let mut games = replica.caller(&fixture.players[0]);
        let abort = AbortRequest { game_id: id.clone(), request_id: fixture.id() };
        assert_eq!(refused(games.abort(abort).await), "NOT_IN_PLAY");
        let offer = OfferDrawRequest { game_id: id.clone(), request_id: fixture.id() };
        assert_eq!(refused(games.offer_draw(offer).await), "NOT_IN_PLAY");
        let resign = ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        games.resign(resign).await.expect("resigned");
        assert_eq!(outcome(&replica, &id).await, (Verdict::SecondWins, Reason::Resignation));
        replica.log(&id).await;
        let running = replica.new_game(&fixture).await;
        assert_eq!(refused(replica.check_in(&fixture, &running, 0).await), "NOT_WAITING");
    }
}

#[tokio::test]
async fn an_outage_puts_the_limit_off() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = appointment(&replica, &fixture).await;
        let late = [3500, 4500].map(Duration::from_millis);
        replica.pass(&fixture, &id, START + late[0]).await;
        replica.check_in(&fixture, &id, 0).await.expect("late");
        fixture.go_down_for(Duration::from_secs(40));
        replica.touch(&fixture, &id).await;
        assert_eq!(replica.stage(&id).await, Stage::Waiting);
        replica.pass(&fixture, &id, late[1].saturating_sub(late[0])).await;
        replica.check_in(&fixture, &id, 1).await.expect("later, but not by the outage");
        let log = replica.log(&id).await;
        assert_eq!(deductions(started(&log)), [(Side::First, late[0]), (Side::Second, late[1])]);
        // One that covers the start counts from the start on; one before it does not count.
        let id = appointment(&replica, &fixture).await;
        let start = replica.checked_in(&id).await.start_time;
        fixture.go_down_for(START / 2);
        replica.touch(&fixture, &id).await;
        assert_eq!(replica.checked_in(&id).await.start_time, start);
        fixture.go_down_for(START);
        replica.touch(&fixture, &id).await;
        let check_in = replica.checked_in(&id).await;
        assert_eq!(check_in.start_time, Some(api::time::timestamp(fixture.env.now())));
        assert_eq!(check_in.limit_time, Some(api::time::timestamp(fixture.later(LATENESS))));
    }
}

#[tokio::test]
async fn nobody_is_late_for_a_game_that_is_made_after_its_start() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let start = Some(api::time::timestamp(fixture.env.now()));
        replica.pass_time(&fixture, Duration::from_secs(30)).await;
        let made = |request: &mut CreateGameRequest| {
            regulate(&fixture, request, 60);
            request.regulations.as_mut().expect("regulations").start_time = start;
        };
        let id = replica.new_game_with(&fixture, made).await;
        for who in [0, 1] {
            replica.check_in(&fixture, &id, who).await.expect("there");
        }
        let log = replica.log(&id).await;
        assert_eq!(deductions(started(&log)), []);
    }
}

#[tokio::test]
async fn a_drawn_opening_begins_without_a_clock() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let mut request = fixture.commission("tianyi", &[], false);
        regulate(&fixture, &mut request, 60);
        let id = request.game_id.clone();
        replica.internal().create_game(request).await.expect("the game is made");
        replica.touch(&fixture, &id).await;
        assert!(replica.look(&id).await.acts.is_empty(), "the house waits, too");
        replica.check_in(&fixture, &id, 0).await.expect("there");
        replica.pass(&fixture, &id, START + Duration::from_secs(2)).await;
        replica.check_in(&fixture, &id, 1).await.expect("late");
        let game = replica.look(&id).await;
        assert!(game.acts[0].text.starts_with("commit "), "{:?}", game.acts);
        let state = game.state.expect("a state");
        let clock = state.clock.expect("the deduction has set it");
        assert_eq!(clock.running(), Side::Unspecified);
        assert_eq!(clock.second.and_then(|side| side.main_duration).map(|main| main.seconds), Some(58));
        let expires = state.expire_time.as_ref().and_then(api::time::moment).expect("a limit");
        assert_eq!(expires, fixture.later(Duration::from_mins(3)), "the time for the draw begins with play");
    }
}
