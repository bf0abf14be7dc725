//! The measured lag.

use std::time::Duration;

use api::{client::GameStream, game::v1::AnswerProbeRequest};
use chassis::testing::{as_account, player};

use super::fixture::{Fixture, Replica, refused};

async fn answer(replica: &Replica, fixture: &Fixture, who: usize, id: &str, nonce: &str) {
    let request = AnswerProbeRequest { game_id: id.to_owned(), nonce: nonce.to_owned() };
    replica.caller(&fixture.players[who]).answer_probe(request).await.expect("taken");
}

/// The lag that the clocks are told with the next act.
async fn told(replica: &Replica, fixture: &Fixture, id: &str, ply: u32) -> Option<Duration> {
    let acts = ["C3", "G7", "C7", "G3", "E5", "D4", "F4", "F6", "D6", "A1"];
    let act = acts[ply as usize];
    replica.play(fixture, id, ply as usize % 2, act, ply, &fixture.id()).await.expect("accepted");
    fixture.clock.measured()
}

#[tokio::test]
async fn the_way_there_and_back_is_measured() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        assert_eq!(told(&replica, &fixture, &id, 0).await, None);
        assert_eq!(told(&replica, &fixture, &id, 1).await, None);
        let mut streams = Vec::new();
        // One late answer, or two, bring nothing.
        for (ply, (lag, least)) in (2..).step_by(2).zip([(80, 80), (300, 80), (290, 80)]) {
            let mut watching = replica.watch(Some(&fixture.players[0]), &id, None).await.expect("watched");
            let nonce = watching.probe().await;
            streams.push(watching);
            fixture.time.advance(Duration::from_millis(lag));
            answer(&replica, &fixture, 0, &id, &nonce).await;
            // Each counts once.
            fixture.time.advance(Duration::from_millis(100));
            answer(&replica, &fixture, 0, &id, &nonce).await;
            assert_eq!(told(&replica, &fixture, &id, ply).await, Some(Duration::from_millis(least)));
            assert_eq!(told(&replica, &fixture, &id, ply + 1).await, None, "the other has his own");
        }
    }
}

#[tokio::test]
async fn only_who_was_asked_in_time_is_measured() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game(&fixture).await;
        let mut first = one.watch(Some(&fixture.players[0]), &id, None).await.expect("watched");
        let mut second = one.watch(Some(&fixture.players[1]), &id, None).await.expect("watched");
        let (nonce, others) = (first.probe().await, second.probe().await);
        assert_ne!(nonce, others);
        answer(&one, &fixture, 0, &id, &others).await;
        answer(&one, &fixture, 0, &id, "").await;
        answer(&one, &fixture, 0, &id, &"0".repeat(32)).await;
        answer(&two, &fixture, 0, &id, &nonce).await;
        answer(&one, &fixture, 0, &fixture.id(), &nonce).await;
        // Too late.
        one.pass_time(&fixture, Duration::from_millis(10_100)).await;
        answer(&one, &fixture, 0, &id, &nonce).await;
        assert_eq!(told(&one, &fixture, &id, 0).await, None);
        let request = AnswerProbeRequest { game_id: id.clone(), nonce };
        assert_eq!(refused(one.anybody().answer_probe(request.clone()).await), "TOKEN_MISSING");
        let stranger = player(&fixture.env, "stranger");
        one.caller(&stranger).answer_probe(request).await.expect("it changes nothing");
    }
}

#[tokio::test]
async fn the_client_kit_answers_by_itself() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let transport = as_account(replica.public_transport(), fixture.players[0].clone());
        let mut watched = GameStream::new(transport, &id);
        watched.next().await.expect("the stream goes on").expect("a snapshot");
        // While he waits for the opponent, the probe comes and is answered.
        let watching = tokio::spawn(async move { while let Ok(Some(_)) = watched.next().await {} });
        let mut ply = 0;
        let measured = loop {
            if let Some(measured) = told(&replica, &fixture, &id, ply).await {
                break measured;
            }
            ply += 1;
            assert!(ply < 8, "the probe was not answered");
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        assert_eq!(measured, Duration::ZERO, "time stands still here");
        watching.abort();
    }
}
