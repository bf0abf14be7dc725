//! What was written and not told at once, because its answer was late or nobody waited for it any more.

use std::time::Duration;

use api::{
    client::{GameStream, GameUpdate},
    game::v1::{GameEvent, game_event::Event},
};
use sea_orm::{ConnectionTrait as _, Statement};

use super::fixture::{Fixture, Replica};

const SECOND: Duration = Duration::from_secs(1);

/// Has the commits of fourth events hang for longer than anybody waits for them, and then be carried out.
const HANG: &str = "
    CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(6.5); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER hang AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.sequence = 4) EXECUTE FUNCTION hang();
";

/// A game whose first player is to move, and a watcher who knows it so far.
async fn watched(fixture: &Fixture, replica: &Replica) -> (String, GameStream) {
    let id = replica.new_game(fixture).await;
    replica.play_all(fixture, &id, &["C3", "G7"]).await;
    let mut watched = GameStream::new(replica.public_transport(), &id).after(2);
    let third = watched.next().await.expect("a stream").expect("an event");
    assert!(matches!(third, GameUpdate::Event(event) if event.sequence == 3));
    (id, watched)
}

/// The next event that a watcher hears of soon.
async fn soon(watched: &mut GameStream) -> GameEvent {
    let next = tokio::time::timeout(4 * SECOND, async {
        loop {
            if let GameUpdate::Event(event) = watched.next().await.expect("a stream").expect("an event") {
                return *event;
            }
        }
    });
    next.await.expect("it is told")
}

/// Waits until a game has an event of this number.
async fn landed(fixture: &Fixture, id: &str, sequence: u64) {
    let database = &fixture.database.database;
    let sql = format!("SELECT 1 FROM events WHERE game_id = '{id}' AND sequence = {sequence}");
    let asked = Statement::from_string(database.backend(), sql);
    while database.read().query_one_raw(asked.clone()).await.expect("reads").is_none() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn an_act_whose_commit_is_answered_too_late_is_told() {
    // Nothing else carries a commit out for whom nobody waits.
    for fixture in
        Fixture::all_with_clocks().await.into_iter().filter(|fixture| fixture.database.kind == "postgres")
    {
        let replica = fixture.replica().await;
        let database = &fixture.database.database;
        database.keep(&replica.lifecycle, ("game", "database"));
        let ((again, mut hears), (left, mut waits)) =
            (watched(&fixture, &replica).await, watched(&fixture, &replica).await);
        database.write().execute_unprepared(HANG).await.expect("a trigger");
        let request = fixture.id();
        let late =
            tokio::join!(async { replica.play(&fixture, &again, 0, "C7", 2, &request).await }, async {
                replica.play(&fixture, &left, 0, "C7", 2, &fixture.id()).await
            });
        assert!(late.0.is_err() && late.1.is_err(), "nobody knows whether they are written: {late:?}");
        fixture.time.advance(SECOND * 9 / 10);
        tokio::join!(landed(&fixture, &again, 4), landed(&fixture, &left, 4));
        // One player tries again until he is answered.
        let played = tokio::time::timeout(4 * SECOND, async {
            loop {
                if let Ok(played) = replica.play(&fixture, &again, 0, "C7", 2, &request).await {
                    return played;
                }
                tokio::time::sleep(SECOND / 10).await;
            }
        });
        let played = played.await.expect("it was played");
        assert_eq!((soon(&mut hears).await, played.sequence), (played, 4));
        // The other does not.
        let event = soon(&mut waits).await;
        assert!(matches!(event.event, Some(Event::Played(_))) && event.sequence == 4, "{event:?}");
        // Whose turn it is pays from when he was told.
        replica.pass(&fixture, &again, SECOND).await;
        for id in [again, left] {
            let answer = replica.play(&fixture, &id, 1, "G3", 3, &fixture.id()).await.expect("accepted");
            assert_eq!(left_to_second(&answer), 59 * SECOND);
        }
    }
}

/// What the second player has left by an event.
fn left_to_second(event: &GameEvent) -> Duration {
    let clock = event.state.as_ref().and_then(|state| state.clock.as_ref()).expect("a clock");
    let main = clock.second.as_ref().and_then(|time| time.main_duration.as_ref());
    main.and_then(api::time::span).expect("main time")
}

#[tokio::test]
async fn a_flag_for_whose_call_nobody_waits_is_told() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let (id, mut hears) = watched(&fixture, &replica).await;
        replica.pass(&fixture, &id, 59 * SECOND + SECOND * 8 / 10).await;
        fixture.time.advance(SECOND * 4 / 10);
        let fall = replica.flag_fall(&id).await;
        let held = fixture.database.database.begin().await.expect("a transaction");
        if fixture.database.kind == "postgres" {
            held.execute_unprepared("LOCK TABLE events IN EXCLUSIVE MODE").await.expect("a lock");
        }
        let call = tokio::time::timeout(SECOND / 2, replica.internal().call_flag(fall)).await;
        assert!(call.is_err(), "the journal waits: {call:?}");
        held.rollback().await.expect("given up");
        let event = soon(&mut hears).await;
        assert!(matches!(event.event, Some(Event::Ended(_))), "{}: {event:?}", fixture.database.kind);
        let outcome = replica.look(&id).await.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!(outcome.short, "W+T");
    }
}
