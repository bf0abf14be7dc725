//! How all games of an event stand, in one stream.

use std::time::Duration;

use api::{
    board::v1::{Side, Verdict},
    game::v1::{
        Confirmation, GameGlimpse, ResignRequest, SeenGame, Stage, WatchGlimpsesRequest,
        WatchGlimpsesResponse,
        petition::{CallArbiter, Petition},
        ruling::{Act, AnswerCall},
    },
};
use tonic::Streaming;

use super::{
    fixture::{Fixture, Replica, refused},
    officials::{GO, Officials, Terms},
};

async fn next(stream: &mut Streaming<WatchGlimpsesResponse>) -> SeenGame {
    let told = async {
        loop {
            let answer = stream.message().await.expect("it goes on").expect("it does not end");
            if let [game] = answer.games.as_slice() {
                return game.clone();
            }
            assert!(answer.games.is_empty(), "{answer:?}");
        }
    };
    tokio::time::timeout(Duration::from_secs(20), told).await.expect("it is told")
}

/// The game as the stream has it next, which must be how the game itself says that it stands.
async fn next_of(stream: &mut Streaming<WatchGlimpsesResponse>, replica: &Replica, id: &str) -> GameGlimpse {
    let seen = next(stream).await;
    assert_eq!(seen.game_id, id);
    let (glimpse, game) = (seen.glimpse.expect("present"), replica.look(id).await);
    let state = game.state.expect("a state");
    assert!(glimpse.position_hash.is_some());
    assert_eq!(
        (glimpse.sequence, glimpse.ply, glimpse.position_hash, &glimpse.clock, &glimpse.time),
        (state.sequence, state.ply, state.position_hash, &state.clock, &game.update_time)
    );
    assert_eq!(glimpse.actors, state.actors);
    glimpse
}

#[tokio::test]
async fn how_games_of_an_event_stand_is_told_at_once_and_whenever_they_go_on() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let officials = Officials::new(&fixture);
        let terms = Terms { confirmation: Confirmation::Nobody, ..GO };
        let id = officials.game(&fixture, &one, &terms).await;
        let event_id = officials.event.to_string();
        let request =
            WatchGlimpsesRequest { event_id: event_id.clone(), game_ids: vec![fixture.id(), id.clone()] };
        let mut stream = two.event_games().watch_glimpses(request).await.expect("watched").into_inner();
        let at_first = next_of(&mut stream, &one, &id).await;
        assert_eq!((at_first.ply, at_first.stage()), (0, Stage::Playing));

        one.play_all_as_player(&fixture, &id, &["E5"]).await;
        let moved = next_of(&mut stream, &one, &id).await;
        assert_ne!(moved.position_hash, at_first.position_hash);

        let call = Petition::CallArbiter(CallArbiter { text: "the clock".to_owned() });
        one.petition(&fixture, &id, 1, call).await.expect("called");
        assert_eq!(next_of(&mut stream, &one, &id).await.callers, [Side::Second as i32]);
        let answer = Act::AnswerCall(AnswerCall { call: 1 });
        one.rule(&fixture, &officials.arbiter, &id, answer).await.expect("answered");
        assert!(next_of(&mut stream, &one, &id).await.callers.is_empty());

        let later = officials.game(&fixture, &one, &terms).await;
        next_of(&mut stream, &one, &later).await;
        let resign = ResignRequest { game_id: later.clone(), request_id: fixture.id() };
        one.caller(&fixture.players[0]).resign(resign).await.expect("resigned");
        let over = next_of(&mut stream, &one, &later).await;
        assert_eq!((over.verdict(), over.stage()), (Verdict::SecondWins, Stage::Final));

        two.lifecycle.drain(Duration::from_secs(5)).await;
        let ended = stream.message().await;
        assert_eq!(refused(ended), "STOPPING");
    }
}

#[tokio::test]
async fn what_names_no_games_is_refused() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let watch = async |event_id: String, game_ids: Vec<String>| {
            refused(replica.event_games().watch_glimpses(WatchGlimpsesRequest { event_id, game_ids }).await)
        };
        assert_eq!(watch("x".to_owned(), Vec::new()).await, "BAD_ID");
        assert_eq!(watch(fixture.id(), vec!["x".to_owned()]).await, "BAD_ID");
        assert_eq!(watch(fixture.id(), vec![fixture.id(); 8193]).await, "BAD_PAGE_TOKEN");
    }
}
