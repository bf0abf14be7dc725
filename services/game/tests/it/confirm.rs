//! The confirmation of results, and what can still change them.

use std::time::Duration;

use api::{
    board::v1::{Reason, Verdict},
    game::v1::{
        ClaimKind, Confirmation, DeclaredResult, GameEvent, ResignRequest, Stage,
        petition::Petition as Asked,
        ruling::{self, Act},
    },
};

use super::{
    fixture::{Fixture, Replica, refused},
    officials::{GO, Officials, Terms, confirm, decide, declare, filing},
};

async fn resign(replica: &Replica, fixture: &Fixture, id: &str, who: usize) -> GameEvent {
    let request = ResignRequest { game_id: id.to_owned(), request_id: fixture.id() };
    let answer = replica.caller(&fixture.players[who]).resign(request).await.expect("resigned");
    answer.into_inner().event.expect("an event")
}

#[tokio::test]
async fn a_result_is_final_when_everybody_who_has_to_has_confirmed_it() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        assert_eq!(refused(replica.petition(&fixture, &id, 0, confirm()).await), "NOT_ENDED");
        resign(&replica, &fixture, &id, 0).await;
        assert_eq!(replica.stage(&id).await, Stage::Ended);
        replica.petition(&fixture, &id, 0, confirm()).await.expect("confirmed");
        assert_eq!(refused(replica.petition(&fixture, &id, 0, confirm()).await), "CONFIRMED");
        assert_eq!(replica.stage(&id).await, Stage::Ended);
        replica.petition(&fixture, &id, 1, confirm()).await.expect("confirmed");
        assert_eq!(replica.stage(&id).await, Stage::Final);
        assert_eq!(refused(replica.petition(&fixture, &id, 1, confirm()).await), "RESULT_FINAL");

        let terms = Terms { confirmation: Confirmation::PlayersAndArbiter, ..GO };
        let id = officials.game(&fixture, &replica, &terms).await;
        let act = || Act::Confirm(ruling::Confirm {});
        assert_eq!(refused(replica.rule(&fixture, &officials.scorer, &id, act()).await), "NOT_ENDED");
        resign(&replica, &fixture, &id, 0).await;
        for who in [0, 1] {
            replica.petition(&fixture, &id, who, confirm()).await.expect("confirmed");
        }
        assert_eq!(replica.stage(&id).await, Stage::Ended, "an official has to confirm it as well");
        replica.rule(&fixture, &officials.scorer, &id, act()).await.expect("confirmed");
        assert_eq!(replica.stage(&id).await, Stage::Final);
        assert_eq!(refused(replica.rule(&fixture, &officials.arbiter, &id, act()).await), "RESULT_FINAL");
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn who_is_silent_has_confirmed_but_not_while_a_claim_is_open() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let (silent, claimed) =
            (officials.game(&fixture, &replica, &GO).await, officials.game(&fixture, &replica, &GO).await);
        for id in [&silent, &claimed] {
            resign(&replica, &fixture, id, 0).await;
        }
        replica
            .petition(&fixture, &claimed, 0, Asked::FileClaim(filing(ClaimKind::Count)))
            .await
            .expect("filed");
        replica.pass(&fixture, &silent, Duration::from_secs(59)).await;
        assert_eq!(replica.stage(&silent).await, Stage::Ended);
        replica.pass(&fixture, &silent, Duration::from_secs(2)).await;
        replica.touch(&fixture, &claimed).await;
        assert_eq!(replica.stage(&silent).await, Stage::Final);
        assert_eq!(replica.stage(&claimed).await, Stage::Ended, "a claim is open");
        assert!(replica.arbitration(&claimed).await.confirmed.is_empty());
        let late = replica.petition(&fixture, &claimed, 1, Asked::FileClaim(filing(ClaimKind::Other))).await;
        assert_eq!(refused(late), "CLAIM_LATE");
        let rejected = Act::DecideClaim(decide(1, false, DeclaredResult::Unspecified));
        replica.rule(&fixture, &officials.arbiter, &claimed, rejected).await.expect("decided");
        assert_eq!(replica.stage(&claimed).await, Stage::Ended, "it can be appealed against");
        replica.pass(&fixture, &claimed, Duration::from_secs(61)).await;
        assert_eq!(replica.stage(&claimed).await, Stage::Final);
        for id in [silent, claimed] {
            replica.log(&id).await;
        }
    }
}

#[tokio::test]
async fn an_outage_puts_the_end_of_contesting_off() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        resign(&replica, &fixture, &id, 0).await;
        fixture.go_down_for(Duration::from_mins(10));
        replica.touch(&fixture, &id).await;
        assert_eq!(replica.stage(&id).await, Stage::Ended);
        replica.pass(&fixture, &id, Duration::from_secs(61)).await;
        assert_eq!(replica.stage(&id).await, Stage::Final);
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn after_a_final_result_there_is_nothing_but_annulment() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let terms = Terms { confirmation: Confirmation::Nobody, rated: true, ..GO };
        let id = officials.game(&fixture, &replica, &terms).await;
        replica.play_all(&fixture, &id, &["C3"]).await;
        resign(&replica, &fixture, &id, 0).await;
        let before = replica.look(&id).await;
        let side = api::board::v1::Side::First;
        let refusals = [
            declare(DeclaredResult::Draw),
            super::officials::record(api::game::v1::IncidentKind::Other, side),
            Act::Confirm(ruling::Confirm {}),
            Act::VoidMoves(ruling::VoidMoves { ply: 0 }),
        ];
        for act in refusals {
            replica.rule(&fixture, &officials.chief, &id, act).await.expect_err("it is final");
        }
        let claim = replica.petition(&fixture, &id, 0, Asked::FileClaim(filing(ClaimKind::Count))).await;
        assert_eq!(refused(claim), "RESULT_FINAL");
        assert_eq!(replica.look(&id).await, before);
        let annul = || Act::Annul(ruling::Annul {});
        assert_eq!(refused(replica.rule(&fixture, &officials.chief, &id, annul()).await), "ROLE_MAY_NOT");
        let event = replica.rule(&fixture, &officials.committee, &id, annul()).await.expect("annulled");
        let outcome = event.state.and_then(|state| state.outcome).expect("an outcome");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Void, Reason::Committee));
        assert_eq!(refused(replica.rule(&fixture, &officials.committee, &id, annul()).await), "ANNULLED");
        let tellings = tellings(&fixture, &id).await;
        assert_eq!(
            tellings.map(|it| it.1),
            [Verdict::SecondWins, Verdict::Void],
            "the ratings are told of both"
        );
        assert_eq!(replica.stage(&id).await, Stage::Final);
        replica.log(&id).await;
        assert_eq!(fixture.replica().await.look(&id).await, replica.look(&id).await);

        // A running game ends by it, and an open claim with it.
        let running = officials.game(&fixture, &replica, &GO).await;
        replica
            .petition(&fixture, &running, 0, Asked::FileClaim(filing(ClaimKind::Other)))
            .await
            .expect("filed");
        replica.rule(&fixture, &officials.committee, &running, annul()).await.expect("annulled");
        assert_eq!(replica.stage(&running).await, Stage::Final);
        replica.log(&running).await;
    }
}

/// What the ratings were told of a game that was corrected once, with the numbers of its events.
async fn tellings(fixture: &Fixture, id: &str) -> [(u64, Verdict); 2] {
    let told = async {
        loop {
            let applied = fixture.rating.applied().clone();
            let of_game = applied.into_iter().filter(|it| it.game_id == id);
            let mut told: Vec<_> = of_game.map(|it| (it.sequence, it.verdict())).collect();
            told.sort_unstable_by_key(|(sequence, _)| *sequence);
            if let Ok(both) = told.try_into() {
                return both;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), told).await.expect("they are told")
}
