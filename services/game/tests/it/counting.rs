//! The talk about the count is on the clock of whoever has to answer: nobody keeps another from his result.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    game::v1::{CreateGameRequest, SuggestActRequest},
};

use super::fixture::{Fixture, refused};

#[tokio::test]
async fn the_server_suggests_the_dead_stones_to_the_players() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let suggest = |who: usize| {
            let request = SuggestActRequest { game_id: id.clone() };
            let mut games = replica.caller(&fixture.players[who]);
            async move { games.suggest_act(request).await }
        };
        assert_eq!(suggest(0).await.expect("answered").into_inner().act, "", "nothing is to be settled yet");
        let wall = ["C3", "E1", "C4", "E2", "D5", "E3", "D3", "E4", "B9", "E5"];
        replica.play_all(&fixture, &id, &wall).await;
        let rest = ["E6", "E7", "E8", "E9", "A1", "pass", "pass"];
        replica.play_all(&fixture, &id, &rest).await;
        let ply = replica.look(&id).await.state.expect("a state").ply;
        if replica.look(&id).await.state.expect("a state").phase == "play" {
            replica.play_all(&fixture, &id, &["pass"]).await;
        }
        let suggested = suggest(1).await.expect("answered").into_inner();
        assert!(suggested.ply >= ply && suggested.act.starts_with("dead"), "{suggested:?}");
        let taken = replica.play(&fixture, &id, 1, &suggested.act, suggested.ply, &fixture.id()).await;
        taken.expect("it can be proposed as it is");
        let stranger = chassis::testing::player(&fixture.env, "stranger");
        let request = SuggestActRequest { game_id: id.clone() };
        assert_eq!(refused(replica.caller(&stranger).suggest_act(request).await), "NOT_A_PLAYER");
    }
}

#[tokio::test]
async fn who_does_not_answer_loses_on_time() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        for variant in ["go", "jpd"] {
            let vary = |request: &mut CreateGameRequest| request.variant = variant.to_owned();
            let id = replica.new_game_with(&fixture, vary).await;
            replica.play_all(&fixture, &id, &["C3", "pass", "pass"]).await;
            let state = replica.look(&id).await.state.expect("a state");
            assert_eq!((state.phase.as_str(), state.actors.len()), ("agreement", 2), "{variant}");
            // Whoever has spoken is not charged: the other has to say something.
            let spoken = replica.play(&fixture, &id, 0, "dead -", 3, &fixture.id()).await.expect("proposed");
            let running = spoken.state.and_then(|state| state.clock).expect("a clock").running;
            assert_eq!(running, Side::Second as i32);
            let answered =
                replica.play(&fixture, &id, 1, "dead C3", 4, &fixture.id()).await.expect("proposed");
            let running = answered.state.and_then(|state| state.clock).expect("a clock").running;
            assert_eq!(running, Side::First as i32);
            // What the other has proposed is gone with a proposal of one's own, so nobody accepts unseen.
            let unseen = replica.play(&fixture, &id, 0, "accept", 4, &fixture.id()).await;
            assert_eq!(refused(unseen), "STALE_PLY");
            replica.pass(&fixture, &id, Duration::from_mins(1)).await;
            // Nobody has watched the flag here; whatever is played finds it down.
            replica.play(&fixture, &id, 0, "accept", 5, &fixture.id()).await.expect_err("too late");
            let outcome = replica.look(&id).await.state.and_then(|state| state.outcome).expect("it is over");
            assert_eq!(
                (outcome.verdict(), outcome.reason()),
                (Verdict::SecondWins, Reason::Time),
                "{variant}"
            );
            replica.log(&id).await;
        }
    }
}
