//! What the federation hears of the games of its events.

use std::{sync::atomic::Ordering, time::Duration};

use api::{
    board::v1::{Reason, Verdict},
    federation::v1::{GameReportState, RecordGameRequest},
    game::v1::{
        Confirmation, ResignRequest,
        ruling::{self, Act},
    },
};

use super::{
    fixture::Fixture,
    meeting::adjournable,
    officials::{GO, Officials, Terms},
};

/// As many reports of a game as are expected.
async fn reports(fixture: &Fixture, game: &str, count: usize) -> Vec<RecordGameRequest> {
    for _ in 0..1000 {
        let recorded = fixture.federation.recorded(game);
        if recorded.len() >= count {
            assert_eq!(recorded.len(), count);
            return recorded;
        }
        // Refused deliveries wait longer each time, by the world's time.
        fixture.time.advance(Duration::from_secs(1));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{count} reports of {game} were not told: {:?}", fixture.federation.recorded(game))
}

#[tokio::test]
async fn an_event_hears_of_every_result_of_its_games_and_of_what_is_decided_later() {
    for fixture in Fixture::all().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        // Nobody rates this game; its event hears of it all the same.
        let id =
            officials.game(&fixture, &replica, &Terms { confirmation: Confirmation::Nobody, ..GO }).await;
        fixture.federation.refusals_left.store(2, Ordering::SeqCst);
        let resign = ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        let mut first = replica.caller(&fixture.players[0]);
        first.resign(resign).await.expect("resigned");
        let told = reports(&fixture, &id, 1).await.remove(0);
        assert_eq!(told.event_id, officials.event.to_string());
        assert_eq!(told.state(), GameReportState::Final);
        assert_eq!((told.verdict(), told.reason()), (Verdict::SecondWins, Reason::Resignation));
        assert!(!told.played_turned && !told.assigned_turned);

        let annul = Act::Annul(ruling::Annul {});
        replica.rule(&fixture, &officials.committee, &id, annul).await.expect("annulled");
        let later = reports(&fixture, &id, 2).await.remove(1);
        assert_eq!((later.verdict(), later.reason()), (Verdict::Void, Reason::Committee));
        assert!(later.sequence > told.sequence);
        assert!(fixture.rating.applied().is_empty());
    }
}

#[tokio::test]
async fn an_event_hears_that_a_game_is_adjourned() {
    const SEALING: Duration = Duration::from_secs(20);
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = replica
            .new_game_with(&fixture, |request| {
                let mut regulations = adjournable(&fixture, SEALING, None);
                regulations.event_id = officials.event.to_string();
                request.regulations = Some(regulations);
            })
            .await;
        replica.play_all(&fixture, &id, &["C3", "G7"]).await;
        replica.pass(&fixture, &id, SEALING).await;
        assert!(fixture.federation.recorded(&id).is_empty(), "it is being sealed");
        replica.seal(&fixture, &id, 0, "E5").await.expect("sealed");
        let told = reports(&fixture, &id, 1).await.remove(0);
        assert_eq!((told.state(), told.verdict()), (GameReportState::Adjourned, Verdict::Unspecified));
    }
}

#[tokio::test]
async fn a_game_of_no_event_is_nobody_s_to_hear_of() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let resign = ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        let mut first = replica.caller(&fixture.players[0]);
        first.resign(resign).await.expect("resigned");
        for _ in 0..1000 {
            if !fixture.rating.applied().is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(fixture.rating.applied().len(), 1, "it is rated");
        assert!(fixture.federation.recorded(&id).is_empty());
    }
}
