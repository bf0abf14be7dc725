//! Time in which nobody could act is given back.

use std::time::Duration;

use api::game::v1::{ReportGatewayRequest, game_event::Event};

use super::{
    doubles::FakeClock,
    fixture::{Fixture, refused},
};

/// The events of a game's log.
async fn events(replica: &super::fixture::Replica, id: &str) -> Vec<Event> {
    let last = replica.look(id).await.state.expect("a state").sequence;
    let mut watched = api::client::GameStream::new(replica.public_transport(), id).after(0);
    let mut events = Vec::new();
    for _ in 0..last {
        let Ok(Some(api::client::GameUpdate::Event(event))) = watched.next().await else {
            panic!("an event")
        };
        events.push(event.event.expect("an event"));
    }
    events
}

#[tokio::test]
async fn a_restart_is_not_charged() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let went_down = fixture.env.now();
        replica.lifecycle.drain(Duration::from_secs(1)).await;
        drop(replica);
        fixture.time.advance(Duration::from_secs(30));
        let replica = fixture.replica().await;
        replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await.expect("accepted");
        let events = events(&replica, &id).await;
        let [Event::Created(_), Event::OutageCredited(outage), Event::Played(_)] = events.as_slice() else {
            panic!("the outage is credited before the act: {events:?}")
        };
        let (from, until) = (outage.from_time.expect("a start"), outage.until_time.expect("an end"));
        let from = api::time::moment(&from).expect("in range");
        assert!(from >= went_down - Duration::from_secs(1) && from <= went_down);
        assert_eq!(api::time::moment(&until), Some(went_down + Duration::from_secs(30)));
    }
}

#[tokio::test]
async fn dead_clocks_are_an_outage_too() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        fixture.clock.set_down(true);
        fixture.time.advance(Duration::from_secs(5));
        let request = fixture.id();
        assert_eq!(refused(replica.play(&fixture, &id, 0, "C3", 0, &request).await), "CLOCK_UNAVAILABLE");
        fixture.clock.set_down(false);
        replica.play(&fixture, &id, 0, "C3", 0, &request).await.expect("the same request is accepted now");
        let events = events(&replica, &id).await;
        assert!(
            matches!(events.as_slice(), [Event::Created(_), Event::OutageCredited(_), Event::Played(_)]),
            "{events:?}"
        );
    }
}

#[tokio::test]
async fn time_without_a_gateway_is_not_charged() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let report = async || replica.internal().report_gateway(ReportGatewayRequest {}).await;
        report().await.expect("written down");
        // The gateway dies. What is asked from within the platform does not show that players can act.
        fixture.time.advance(Duration::from_secs(30));
        let fall = replica.flag_fall(&id).await;
        assert_eq!(refused(replica.internal().call_flag(fall.clone()).await), "UNREACHABLE");
        report().await.expect("written down");
        let answer = replica.internal().call_flag(fall).await.expect("answered").into_inner();
        assert!(!answer.ended, "the clock has been given the time back");
        let events = events(&replica, &id).await;
        let [Event::Created(_), Event::OutageCredited(outage)] = events.as_slice() else {
            panic!("the outage is credited: {events:?}")
        };
        let from = outage.from_time.as_ref().and_then(api::time::moment).expect("a start");
        let until = outage.until_time.as_ref().and_then(api::time::moment).expect("an end");
        assert_eq!((until - from, until), (time::Duration::seconds(30), fixture.env.now()));
    }
}

#[tokio::test]
async fn time_in_which_the_gateway_s_own_replica_has_no_clocks_is_not_charged() {
    for fixture in Fixture::all().await {
        let (replica, other) = (fixture.replica().await, fixture.replica_beside(&FakeClock::default()).await);
        let id = replica.new_game(&fixture).await;
        let report = async || replica.internal().report_gateway(ReportGatewayRequest {}).await;
        report().await.expect("written down");
        fixture.clock.set_down(true);
        // The other one has clocks, and goes on writing heartbeats; but the gateway, and whoever comes through it, does not go there.
        for _ in 0..10 {
            fixture.time.advance(Duration::from_secs(1));
            assert_eq!(refused(report().await), "CLOCK_UNAVAILABLE");
            let commission = fixture.commission("jiu", &[], false);
            let _no_gateway_is_up = other.internal().create_game(commission).await;
        }
        fixture.clock.set_down(false);
        report().await.expect("written down");
        replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await.expect("accepted");
        let events = events(&replica, &id).await;
        let [Event::Created(_), Event::OutageCredited(outage), Event::Played(_)] = events.as_slice() else {
            panic!("the outage is credited before the act: {events:?}")
        };
        let from = outage.from_time.as_ref().and_then(api::time::moment).expect("a start");
        let until = outage.until_time.as_ref().and_then(api::time::moment).expect("an end");
        assert_eq!((until - from, until), (time::Duration::seconds(10), fixture.env.now()));
    }
}

#[tokio::test]
async fn who_comes_directly_needs_no_gateway() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        replica.internal().report_gateway(ReportGatewayRequest {}).await.expect("written down");
        fixture.time.advance(Duration::from_secs(30));
        replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await.expect("accepted");
        fixture.time.advance(Duration::from_millis(900));
        replica.play(&fixture, &id, 1, "G7", 1, &fixture.id()).await.expect("accepted");
        let fresh = fixture.replica().await;
        let other = fresh.new_game(&fixture).await;
        assert!(matches!(events(&fresh, &other).await.as_slice(), [Event::Created(_)]));
    }
}

#[tokio::test]
async fn a_flag_that_fell_before_the_outage_ends_the_game() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        fixture.clock.set_down(true);
        fixture.time.advance(Duration::from_secs(90));
        fixture.clock.drop_flag();
        fixture.clock.set_down(false);
        assert_eq!(refused(replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await), "GAME_OVER");
        let outcome = replica.look(&id).await.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!(outcome.short, "W+T");
        assert!(matches!(events(&replica, &id).await.as_slice(), [Event::Created(_), Event::Ended(_)]));
    }
}

#[tokio::test]
async fn an_outage_is_credited_once_to_games_of_its_time() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let old = replica.new_game(&fixture).await;
        fixture.clock.set_down(true);
        fixture.time.advance(Duration::from_secs(5));
        fixture.clock.set_down(false);
        let new = replica.new_game(&fixture).await;
        replica.play_all(&fixture, &old, &["C3", "D4"]).await;
        replica.play_all(&fixture, &new, &["C3"]).await;
        let fresh = fixture.replica().await;
        let credited = |events: Vec<Event>| {
            events.iter().filter(|event| matches!(event, Event::OutageCredited(_))).count()
        };
        assert_eq!(credited(events(&fresh, &old).await), 1);
        assert_eq!(credited(events(&fresh, &new).await), 0);
    }
}
