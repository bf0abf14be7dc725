//! Time in which nobody could act is given back.

use std::time::Duration;

use api::game::v1::{CallFlagRequest, ReportGatewayRequest, game_event::Event};

use super::{
    doubles::FakeClock,
    scene::{World, refused},
};

/// The events of a game's log.
async fn events(replica: &super::scene::Replica, id: &str) -> Vec<Event> {
    let last = replica.look(id).await.state.expect("a state").sequence;
    let mut watched = api::client::Watched::new(replica.public_transport(), id).after(0);
    let mut events = Vec::new();
    for _ in 0..last {
        let Ok(Some(api::client::Seen::Event(event))) = watched.next().await else { panic!("an event") };
        events.push(event.event.expect("an event"));
    }
    events
}

#[tokio::test]
async fn a_restart_is_not_charged() {
    for world in World::all().await {
        let replica = world.replica().await;
        let id = replica.new_game(&world).await;
        let went_down = world.env.now();
        replica.lifecycle.drain(Duration::from_secs(1)).await;
        drop(replica);
        world.time.advance(Duration::from_secs(30));
        let replica = world.replica().await;
        replica.play(&world, &id, 0, "C3", 0, &world.id()).await.expect("accepted");
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
    for world in World::all().await {
        let replica = world.replica().await;
        let id = replica.new_game(&world).await;
        world.clock.set_down(true);
        world.time.advance(Duration::from_secs(5));
        let request = world.id();
        assert_eq!(refused(replica.play(&world, &id, 0, "C3", 0, &request).await), "CLOCK_UNAVAILABLE");
        world.clock.set_down(false);
        replica.play(&world, &id, 0, "C3", 0, &request).await.expect("the same request is accepted now");
        let events = events(&replica, &id).await;
        assert!(
            matches!(events.as_slice(), [Event::Created(_), Event::OutageCredited(_), Event::Played(_)]),
            "{events:?}"
        );
    }
}

#[tokio::test]
async fn time_without_a_gateway_is_not_charged() {
    for world in World::all().await {
        let replica = world.replica().await;
        let id = replica.new_game(&world).await;
        let report = async || replica.internal().report_gateway(ReportGatewayRequest {}).await;
        report().await.expect("written down");
        // The gateway dies. What is asked from within the platform does not show that players can act.
        world.time.advance(Duration::from_secs(30));
        let clock = replica.look(&id).await.state.and_then(|state| state.clock).expect("a clock");
        let fall = CallFlagRequest {
            game_id: id.clone(),
            revision: clock.revision,
            side: clock.running,
            fall_time: clock.flag_time,
            reading: Some(clock),
        };
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
        assert_eq!((until - from, until), (time::Duration::seconds(30), world.env.now()));
    }
}

#[tokio::test]
async fn time_in_which_the_gateway_s_own_replica_has_no_clocks_is_not_charged() {
    for world in World::all().await {
        let (replica, other) = (world.replica().await, world.replica_beside(&FakeClock::default()).await);
        let id = replica.new_game(&world).await;
        let report = async || replica.internal().report_gateway(ReportGatewayRequest {}).await;
        report().await.expect("written down");
        world.clock.set_down(true);
        // The other one has clocks, and heartbeats on; but the gateway, and whoever comes through it, does not go there.
        for _ in 0..10 {
            world.time.advance(Duration::from_secs(1));
            assert_eq!(refused(report().await), "CLOCK_UNAVAILABLE");
            let commission = world.commission("jiu", &[], false);
            let _no_gateway_is_up = other.internal().create_game(commission).await;
        }
        world.clock.set_down(false);
        report().await.expect("written down");
        replica.play(&world, &id, 0, "C3", 0, &world.id()).await.expect("accepted");
        let events = events(&replica, &id).await;
        let [Event::Created(_), Event::OutageCredited(outage), Event::Played(_)] = events.as_slice() else {
            panic!("the outage is credited before the act: {events:?}")
        };
        let from = outage.from_time.as_ref().and_then(api::time::moment).expect("a start");
        let until = outage.until_time.as_ref().and_then(api::time::moment).expect("an end");
        assert_eq!((until - from, until), (time::Duration::seconds(10), world.env.now()));
    }
}

#[tokio::test]
async fn who_comes_directly_needs_no_gateway() {
    for world in World::all().await {
        let replica = world.replica().await;
        let id = replica.new_game(&world).await;
        replica.internal().report_gateway(ReportGatewayRequest {}).await.expect("written down");
        world.time.advance(Duration::from_secs(30));
        replica.play(&world, &id, 0, "C3", 0, &world.id()).await.expect("accepted");
        world.time.advance(Duration::from_millis(900));
        replica.play(&world, &id, 1, "G7", 1, &world.id()).await.expect("accepted");
        let fresh = world.replica().await;
        let other = fresh.new_game(&world).await;
        assert!(matches!(events(&fresh, &other).await.as_slice(), [Event::Created(_)]));
    }
}

#[tokio::test]
async fn a_flag_that_fell_before_the_outage_ends_the_game() {
    for world in World::all().await {
        let replica = world.replica().await;
        let id = replica.new_game(&world).await;
        world.clock.set_down(true);
        world.time.advance(Duration::from_secs(90));
        world.clock.drop_flag();
        world.clock.set_down(false);
        assert_eq!(refused(replica.play(&world, &id, 0, "C3", 0, &world.id()).await), "GAME_OVER");
        let outcome = replica.look(&id).await.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!(outcome.short, "W+T");
        assert!(matches!(events(&replica, &id).await.as_slice(), [Event::Created(_), Event::Ended(_)]));
    }
}

#[tokio::test]
async fn an_outage_is_credited_once_to_games_of_its_time() {
    for world in World::all().await {
        let replica = world.replica().await;
        let old = replica.new_game(&world).await;
        world.clock.set_down(true);
        world.time.advance(Duration::from_secs(5));
        world.clock.set_down(false);
        let new = replica.new_game(&world).await;
        replica.play_all(&world, &old, &["C3", "D4"]).await;
        replica.play_all(&world, &new, &["C3"]).await;
        let fresh = world.replica().await;
        let credited = |events: Vec<Event>| {
            events.iter().filter(|event| matches!(event, Event::OutageCredited(_))).count()
        };
        assert_eq!(credited(events(&fresh, &old).await), 1);
        assert_eq!(credited(events(&fresh, &new).await), 0);
    }
}
