//! Streams of watched games.

use api::{
    client::{GameStream, GameUpdate},
    game::v1::{GameEvent, ResignRequest, WatchRequest},
};

use super::fixture::{Fixture, Replica, refused};

async fn all_after(replica: &Replica, id: &str, cursor: u64) -> Vec<GameEvent> {
    let mut watched = GameStream::new(replica.public_transport(), id).after(cursor);
    let mut events = Vec::new();
    while let Some(seen) = watched.next().await.expect("the stream goes on") {
        let GameUpdate::Event(event) = seen else { panic!("with a cursor there are events only") };
        events.push(*event);
    }
    events
}

#[tokio::test]
async fn a_stream_resumes_from_any_event() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        replica.play_all(&fixture, &id, &["C3", "G7", "C7", "G3"]).await;
        let request = ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(request).await.expect("resigned");
        let all = all_after(&replica, &id, 0).await;
        let numbers: Vec<u64> = all.iter().map(|event| event.sequence).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
        for (cursor, rest) in (0..).zip((0..6).map(|from| &all[from..])) {
            assert_eq!(all_after(&replica, &id, cursor).await, rest);
        }
        assert!(all_after(&replica, &id, 6).await.is_empty());
        let beyond = WatchRequest { game_id: id, after_sequence: Some(7), after_end: false };
        let answer = replica.anybody().watch(beyond).await.map(drop);
        assert_eq!(refused(answer), "BAD_CURSOR");
    }
}

#[tokio::test]
async fn everybody_sees_every_event_as_it_happens() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let other = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let mut watchers: Vec<GameStream> = [&replica, &replica, &other]
            .into_iter()
            .map(|replica| GameStream::new(replica.public_transport(), &id))
            .collect();
        for watcher in &mut watchers {
            let Ok(Some(GameUpdate::Snapshot(game))) = watcher.next().await else {
                panic!("a snapshot first")
            };
            assert_eq!(game.state.map(|state| state.sequence), Some(1));
        }
        let acts = ["C3", "G7", "C7", "G3"];
        for (ply, act) in (0..).zip(acts) {
            replica.play(&fixture, &id, ply as usize % 2, act, ply, &fixture.id()).await.expect("accepted");
            for watcher in &mut watchers {
                let Ok(Some(GameUpdate::Event(event))) = watcher.next().await else { panic!("an event") };
                assert_eq!(event.sequence, u64::from(ply) + 2);
            }
        }
    }
}
