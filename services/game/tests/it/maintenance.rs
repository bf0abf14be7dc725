//! The platform is worked on: games rest from the begin to the end that was said, whoever looks, and whether or not it runs.

use std::time::Duration;

use api::{
    client::{GameStream, GameUpdate},
    clock::v1::PauseReason,
    game::v1::{
        GameEvent, GetMaintenanceRequest, Regulations,
        game_event::{Event, MaintenanceBegun, MaintenanceEnded},
        ruling::{self, Act},
    },
    time::{moment, timestamp},
};
use game::core::{Maintenance, MaintenanceChange};
use time::OffsetDateTime;

use super::{
    fixture::{Fixture, Replica, refused},
    officials::Officials,
};

/// How far ahead a maintenance is planned.
const AHEAD: Duration = Duration::from_secs(10);
/// How long it takes.
const LENGTH: Duration = Duration::from_mins(2);

async fn change(fixture: &Fixture, change: MaintenanceChange) -> Option<Maintenance> {
    let database = &fixture.database.database;
    game::maintenance::change(fixture.env.now(), database, change).await.expect("it can be")
}

/// A maintenance that begins in so long, and takes so long.
async fn plan(fixture: &Fixture, ahead: Duration, takes: Duration) -> Maintenance {
    let begin = fixture.env.now() + ahead;
    let planned = Maintenance { begin, end: begin + takes, reason: "new disks".to_owned() };
    change(fixture, MaintenanceChange::Plan(planned.clone())).await;
    planned
}

/// Waits until a replica has looked what is planned, as it does once a second.
async fn eventually(until: impl AsyncFn() -> bool) {
    for _ in 0..600 {
        if until().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the replica has not looked");
}

async fn said(replica: &Replica) -> Option<Maintenance> {
    let answer = replica.internal().get_maintenance(GetMaintenanceRequest {}).await.expect("it is known");
    let told = answer.into_inner().maintenance?;
    let time = |time: Option<prost_types::Timestamp>| time.as_ref().and_then(moment).expect("a moment");
    Some(Maintenance { begin: time(told.begin_time), end: time(told.end_time), reason: told.reason })
}

/// When the flag of a game falls; none while its clocks are held.
async fn flag(replica: &Replica, id: &str) -> Option<OffsetDateTime> {
    let clock = replica.look(id).await.state.and_then(|state| state.clock).expect("a clock");
    clock.flag_time.as_ref().and_then(moment)
}

/// The events of a game's log after so many.
async fn events(replica: &Replica, id: &str, after: u64) -> Vec<GameEvent> {
    let last = replica.look(id).await.state.expect("a state").sequence;
    let mut watched = GameStream::new(replica.public_transport(), id).after(after);
    let mut events = Vec::new();
    while events.len() as u64 + after < last {
        match watched.next().await {
            Ok(Some(GameUpdate::Event(event))) => events.push(*event),
            // What is planned is said besides.
            Ok(Some(GameUpdate::Maintenance(_))) => {}
            other => panic!("an event, and not {other:?}"),
        }
    }
    events
}

fn at(event: &GameEvent) -> OffsetDateTime {
    event.time.as_ref().and_then(moment).expect("a moment")
}

fn ended(from: OffsetDateTime, until: OffsetDateTime) -> Event {
    let (from_time, until_time) = (Some(timestamp(from)), Some(timestamp(until)));
    Event::MaintenanceEnded(MaintenanceEnded { from_time, until_time })
}

#[tokio::test]
async fn games_rest_from_the_moment_that_was_said_to_the_moment_that_was_said() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let regulations = Regulations { event_id: officials.event.to_string(), ..Regulations::default() };
        let id = replica.new_game_with(&fixture, |request| request.regulations = Some(regulations)).await;
        replica.play_all(&fixture, &id, &["C3", "G7"]).await;
        let before = flag(&replica, &id).await.expect("a clock runs");
        let planned = plan(&fixture, AHEAD, LENGTH).await;
        eventually(async || said(&replica).await.as_ref() == Some(&planned)).await;
        assert_eq!(flag(&replica, &id).await, Some(before), "it has not begun");

        // Whoever comes first after it has begun finds the game at rest since then.
        replica.pass(&fixture, &id, AHEAD + Duration::from_secs(3)).await;
        assert_eq!(refused(replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await), "NOT_IN_PLAY");
        let since = events(&replica, &id, 3).await;
        let [begun] = since.as_slice() else { panic!("it begins: {since:?}") };
        let maintenance = Some((&planned).into());
        assert_eq!(begun.event, Some(Event::MaintenanceBegun(MaintenanceBegun { maintenance })));
        assert_eq!(at(begun), planned.begin);
        assert_eq!(replica.progress(&id).await.pauses().collect::<Vec<_>>(), [PauseReason::Maintenance]);
        assert_eq!(flag(&replica, &id).await, None);

        // No arbiter ends it, nor makes one.
        for act in [
            Act::Resume(ruling::Resume { reason: PauseReason::Maintenance.into() }),
            Act::Pause(ruling::Pause { reason: PauseReason::Maintenance.into() }),
        ] {
            let ordered = replica.rule(&fixture, &officials.arbiter, &id, act).await;
            assert_eq!(refused(ordered), "BAD_RULING");
        }

        // Another replica goes on with it, as after a restart.
        replica.pass(&fixture, &id, LENGTH / 2).await;
        let replica = fixture.replica().await;
        assert_eq!(refused(replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await), "NOT_IN_PLAY");
        replica.pass(&fixture, &id, LENGTH / 2).await;
        replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await.expect("it goes on");
        let since = events(&replica, &id, 4).await;
        let over = since.iter().find(|event| matches!(event.event, Some(Event::MaintenanceEnded(_))));
        let over = over.expect("it is over");
        assert_eq!((at(over), &over.event), (planned.end, &Some(ended(planned.begin, planned.end))));
        let clock = over.state.as_ref().and_then(|state| state.clock.as_ref()).expect("a clock");
        let resumed = clock.flag_time.as_ref().and_then(moment);
        assert_eq!(resumed, Some(before + LENGTH), "nobody has paid for it");
        assert_eq!(said(&replica).await, None);
    }
}

#[tokio::test]
async fn clocks_go_on_when_the_platform_does_and_when_a_maintenance_is_called_off() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        replica.play_all(&fixture, &id, &["C3", "G7"]).await;
        let before = flag(&replica, &id).await.expect("a clock runs");
        let planned = plan(&fixture, Duration::ZERO, LENGTH).await;
        // It is stopped before it has looked, and started again long after the end.
        replica.lifecycle.drain(Duration::from_secs(1)).await;
        drop(replica);
        fixture.time.advance(2 * LENGTH);
        let replica = fixture.replica().await;
        replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await.expect("it goes on");
        let log = events(&replica, &id, 0).await;
        let [.., resumed, _played] = log.as_slice() else { panic!("a log: {log:?}") };
        let clock = resumed.state.as_ref().and_then(|state| state.clock.as_ref()).expect("a clock");
        let flag_then = clock.flag_time.as_ref().and_then(moment).expect("a clock runs");
        let charged = 2 * LENGTH - (flag_then - before);
        assert!(charged.abs() <= Duration::from_secs(1), "{charged} of {planned:?} in {log:?}");

        // While one is under way its end is moved, and then it is called off.
        replica.play(&fixture, &id, 1, "G3", 3, &fixture.id()).await.expect("accepted");
        let before = flag(&replica, &id).await.expect("a clock runs");
        let planned = plan(&fixture, Duration::ZERO, LENGTH).await;
        eventually(async || flag(&replica, &id).await.is_none()).await;
        change(&fixture, MaintenanceChange::MoveEnd(planned.end + LENGTH)).await;
        eventually(async || said(&replica).await.is_some_and(|it| it.end == planned.end + LENGTH)).await;
        replica.pass(&fixture, &id, LENGTH + Duration::from_secs(1)).await;
        assert_eq!(flag(&replica, &id).await, None);
        change(&fixture, MaintenanceChange::Cancel).await;
        eventually(async || flag(&replica, &id).await.is_some()).await;
        let rested = fixture.env.now() - planned.begin;
        assert_eq!(flag(&replica, &id).await, Some(before + rested));
        let last = events(&replica, &id, 0).await.pop().expect("an event");
        assert_eq!(last.event, Some(ended(planned.begin, fixture.env.now())));
    }
}

#[tokio::test]
async fn a_game_rests_once_though_one_replica_knows_of_it_later_than_another() {
    for fixture in Fixture::all_with_clocks().await {
        let replicas = [fixture.replica().await, fixture.replica().await];
        let id = replicas[0].new_game(&fixture).await;
        let touch_by_turns = async || {
            for replica in replicas.iter().cycle().take(8) {
                replica.touch(&fixture, &id).await;
            }
        };
        for _ in 0..2 {
            plan(&fixture, Duration::ZERO, LENGTH).await;
            touch_by_turns().await;
            for replica in &replicas {
                eventually(async || said(replica).await.is_some()).await;
                replica.touch(&fixture, &id).await;
            }
            change(&fixture, MaintenanceChange::Cancel).await;
            touch_by_turns().await;
            for replica in &replicas {
                eventually(async || said(replica).await.is_none()).await;
                replica.touch(&fixture, &id).await;
            }
            fixture.time.advance(Duration::from_millis(10));
        }
        let log = events(&replicas[0], &id, 1).await;
        let steps: Vec<bool> =
            log.iter().map(|it| matches!(it.event, Some(Event::MaintenanceBegun(_)))).collect();
        assert_eq!(steps, [true, false, true, false], "{log:?}");
    }
}
