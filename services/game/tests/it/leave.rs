//! Correspondence games that rest while a player is on leave.

use std::time::Duration;

use api::{
    clock::v1::PauseReason,
    game::v1::{
        ChangeLeaveRequest, GameEvent, Regulations, Stage,
        game_event::{Event, LeaveChanged},
        ruling::{self, Act},
    },
    time::{duration, moment, timestamp},
    time_control::{Control, TimeControl},
};
use time::OffsetDateTime;
use tonic::Status;

use super::{
    fixture::{Fixture, Replica, refused},
    officials::Officials,
};

/// A correspondence game of an event; with a start it waits for its players, a quarter of a minute at most.
async fn game(fixture: &Fixture, replica: &Replica, officials: &Officials, waits: bool) -> String {
    let control = TimeControl::same(Control::Correspondence { days: 3 });
    let start_time = waits.then(|| timestamp(fixture.env.now()));
    let regulations = Regulations {
        event_id: officials.event.to_string(),
        start_time,
        lateness_duration: Some(duration(Duration::from_secs(15))),
        ..Regulations::default()
    };
    let change = |request: &mut api::game::v1::CreateGameRequest| {
        request.time_control = Some(control.into());
        request.regulations = Some(regulations);
    };
    replica.new_game_with(fixture, change).await
}

fn asked(officials: &Officials, id: &str, on_leave: bool, event_sequence: u64) -> ChangeLeaveRequest {
    ChangeLeaveRequest {
        game_id: id.to_owned(),
        event_id: officials.event.to_string(),
        on_leave,
        event_sequence,
        request_id: uuid::Uuid::from_u128(u128::from(event_sequence) << 1 | u128::from(on_leave)).to_string(),
    }
}

async fn change(replica: &Replica, request: ChangeLeaveRequest) -> Result<Option<GameEvent>, Status> {
    Ok(replica.event_games().change_leave(request).await?.into_inner().event)
}

fn at(event: &GameEvent) -> OffsetDateTime {
    event.time.as_ref().and_then(moment).expect("a moment")
}

/// When the flag of a game falls; none while its clocks are held.
async fn flag(replica: &Replica, id: &str) -> Option<OffsetDateTime> {
    let clock = replica.look(id).await.state.and_then(|state| state.clock).expect("a clock");
    clock.flag_time.as_ref().and_then(moment)
}

/// When a game that waits begins.
async fn started(replica: &Replica, id: &str) -> OffsetDateTime {
    let check_in = replica.progress(id).await.check_in.expect("it waits");
    check_in.start_time.as_ref().and_then(moment).expect("a moment")
}

async fn pauses(replica: &Replica, id: &str) -> Vec<PauseReason> {
    replica.progress(id).await.pauses().collect()
}

#[tokio::test]
async fn a_game_rests_while_a_player_is_on_leave_and_nobody_pays_for_it() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = game(&fixture, &replica, &officials, false).await;
        replica.play_all(&fixture, &id, &["C3", "G7"]).await;
        let before = flag(&replica, &id).await.expect("a clock runs");
        replica.pass(&fixture, &id, Duration::from_secs(5)).await;
        let begun = change(&replica, asked(&officials, &id, true, 7)).await.expect("told").expect("written");
        assert_eq!(
            begun.event,
            Some(Event::LeaveChanged(LeaveChanged { on_leave: true, event_sequence: 7 }))
        );
        assert!(begun.official.is_none() && begun.author == 0, "nobody does it");
        assert_eq!(pauses(&replica, &id).await, [PauseReason::Leave]);
        assert_eq!(flag(&replica, &id).await, None);
        assert_eq!(refused(replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await), "NOT_IN_PLAY");

        // The same again is answered, the same by another entry changes nothing, and so does what was never so.
        let again = change(&replica, asked(&officials, &id, true, 7)).await.expect("answered");
        assert_eq!(again, Some(begun.clone()));
        assert_eq!(change(&replica, asked(&officials, &id, true, 9)).await.expect("answered"), None);

        // An arbiter's pause is another one; leave is none that he could order.
        let pause = |reason: PauseReason| Act::Pause(ruling::Pause { reason: reason.into() });
        let ordered = replica.rule(&fixture, &officials.arbiter, &id, pause(PauseReason::Leave)).await;
        assert_eq!(refused(ordered), "BAD_RULING");
        replica.pass(&fixture, &id, Duration::from_secs(20)).await;

        // Another replica goes on with it, as after a restart.
        let replica = fixture.replica().await;
        assert_eq!(pauses(&replica, &id).await, [PauseReason::Leave]);
        let over = change(&replica, asked(&officials, &id, false, 12)).await.expect("told").expect("written");
        assert_eq!(flag(&replica, &id).await, Some(before + (at(&over) - at(&begun))));
        assert!(pauses(&replica, &id).await.is_empty());
        assert_eq!(change(&replica, asked(&officials, &id, false, 13)).await.expect("answered"), None);
        replica.play(&fixture, &id, 0, "C7", 2, &fixture.id()).await.expect("it goes on");

        // Leave that begins while an arbiter has stopped the game outlives his pause, and the other way round.
        let resume = |reason: PauseReason| Act::Resume(ruling::Resume { reason: reason.into() });
        let stop = pause(PauseReason::Arbiter);
        replica.rule(&fixture, &officials.arbiter, &id, stop).await.expect("stopped");
        change(&replica, asked(&officials, &id, true, 20)).await.expect("told").expect("written");
        let both = [PauseReason::Arbiter, PauseReason::Leave];
        assert_eq!(pauses(&replica, &id).await, both);
        change(&replica, asked(&officials, &id, false, 21)).await.expect("told").expect("written");
        assert_eq!(pauses(&replica, &id).await, [PauseReason::Arbiter]);
        let on = resume(PauseReason::Arbiter);
        replica.rule(&fixture, &officials.arbiter, &id, on).await.expect("it goes on");
        replica.audited(&id).await;
    }
}

#[tokio::test]
async fn nobody_is_late_for_a_game_that_rests() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = game(&fixture, &replica, &officials, true).await;
        replica.pass(&fixture, &id, Duration::from_secs(5)).await;
        let start = started(&replica, &id).await;
        let begun = change(&replica, asked(&officials, &id, true, 7)).await.expect("told").expect("written");
        replica.pass(&fixture, &id, Duration::from_secs(40)).await;
        assert_eq!(replica.stage(&id).await, Stage::Waiting, "nobody has lost");
        replica.check_in(&fixture, &id, 0).await.expect("one comes all the same");
        let over = change(&replica, asked(&officials, &id, false, 8)).await.expect("told").expect("written");
        assert_eq!(started(&replica, &id).await - start, at(&over) - at(&begun), "it waits so much longer");
        let late = replica.progress(&id).await.check_in.and_then(|it| it.first_late_duration);
        let late = late.as_ref().and_then(api::time::span).expect("a duration");
        assert_eq!(late, (at(&begun) - start).unsigned_abs(), "but for what had passed before");
        replica.pass(&fixture, &id, Duration::from_secs(2)).await;
        replica.check_in(&fixture, &id, 1).await.expect("he comes");
        replica.touch(&fixture, &id).await;
        assert_eq!(replica.stage(&id).await, Stage::Playing);
        replica.audited(&id).await;
        // Who does not come after it loses as ever.
        let id = game(&fixture, &replica, &officials, true).await;
        change(&replica, asked(&officials, &id, true, 7)).await.expect("told").expect("written");
        replica.pass(&fixture, &id, Duration::from_secs(20)).await;
        change(&replica, asked(&officials, &id, false, 8)).await.expect("told").expect("written");
        replica.pass(&fixture, &id, Duration::from_secs(16)).await;
        assert!(replica.stage(&id).await >= Stage::Ended);
        replica.audited(&id).await;
    }
}

#[tokio::test]
async fn leave_changes_nothing_in_games_that_are_over_or_of_others() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = game(&fixture, &replica, &officials, false).await;
        let other = Officials::new(&fixture);
        let of_other = change(&replica, asked(&other, &id, true, 7)).await;
        assert_eq!(refused(of_other), "NOT_AN_EVENT_GAME");
        let nowhere = change(&replica, asked(&officials, &fixture.id(), true, 7)).await;
        assert_eq!(refused(nowhere), "UNKNOWN_GAME");
        change(&replica, asked(&officials, &id, true, 7)).await.expect("told").expect("written");
        let reused = ChangeLeaveRequest { event_sequence: 8, ..asked(&officials, &id, true, 7) };
        assert_eq!(refused(change(&replica, reused).await), "REQUEST_ID_REUSED");
        let request = api::game::v1::ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(request).await.expect("he gives up");
        assert!(pauses(&replica, &id).await.is_empty());
        for (on_leave, sequence) in [(false, 9), (true, 10)] {
            let answer = change(&replica, asked(&officials, &id, on_leave, sequence)).await;
            assert_eq!(answer.expect("answered"), None);
        }
        replica.audited(&id).await;
    }
}
