//! What the federation hears of the games of its events.

use std::{sync::atomic::Ordering, time::Duration};

use api::{
    board::v1::{Reason, Side, Verdict},
    federation::v1::{GameMatter, GameReportState, RecordGameRequest},
    game::v1::{
        ClaimKind, Confirmation, DeclaredResult, IncidentKind, ListPliesRequest, ResignRequest,
        RuleOnGameRequest, Ruling, Sanction,
        petition::{self, Petition as Asked},
        ruling::{self, Act},
    },
    identity::v1::Role,
};

use super::{
    fixture::{Fixture, refused},
    meeting::adjournable,
    officials::{GO, Officials, Terms, appeal, decide, declare, filing, record},
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

#[tokio::test]
async fn an_event_hears_who_calls_claims_and_appeals_and_what_was_recorded() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        let call = Asked::CallArbiter(petition::CallArbiter { text: "come".to_owned() });
        replica.petition(&fixture, &id, 1, call).await.expect("called");
        let answer = Act::AnswerCall(ruling::AnswerCall { call: 1 });
        replica.rule(&fixture, &officials.arbiter, &id, answer).await.expect("answered");
        let warn = record(IncidentKind::Leaving, Side::First);
        replica.rule(&fixture, &officials.arbiter, &id, warn).await.expect("warned");
        let claim = petition::FileClaim { incident: 1, ..filing(ClaimKind::Decision) };
        replica.petition(&fixture, &id, 0, Asked::FileClaim(claim)).await.expect("filed");
        let keep = DeclaredResult::Unspecified;
        let rejected = Act::DecideClaim(decide(1, false, keep));
        replica.rule(&fixture, &officials.arbiter, &id, rejected).await.expect("rejected");
        replica.petition(&fixture, &id, 0, appeal(1)).await.expect("appealed");
        let upheld = Act::DecideAppeal(decide(1, true, keep));
        replica.rule(&fixture, &officials.chief, &id, upheld).await.expect("upheld");
        let noted = async {
            while fixture.federation.noted(&id).len() < 7 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), noted).await.expect("everything is told");
        let noted: Vec<_> = fixture
            .federation
            .noted(&id)
            .into_iter()
            .map(|it| (it.matter(), it.number, it.side(), it.sanction()))
            .collect();
        let (nothing, nobody) = (Sanction::Unspecified, Side::Unspecified);
        let expected = [
            (GameMatter::Call, 1, Side::Second, nothing),
            (GameMatter::CallAnswered, 1, nobody, nothing),
            (GameMatter::Incident, 1, Side::First, Sanction::Warning),
            (GameMatter::Claim, 1, Side::First, nothing),
            (GameMatter::ClaimDecided, 1, nobody, nothing),
            (GameMatter::Appeal, 1, Side::First, nothing),
            (GameMatter::AppealDecided, 1, nobody, nothing),
        ];
        assert_eq!(noted, expected);
    }
}

#[tokio::test]
async fn a_federation_rules_on_games_of_its_event_and_on_no_others() {
    for fixture in Fixture::all().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let terms = Terms { confirmation: Confirmation::Nobody, ..GO };
        let id = officials.game(&fixture, &replica, &terms).await;
        let mut of_events = replica.event_games();
        let plies = ListPliesRequest { game_ids: vec![id.clone(), fixture.id()] };
        let told = of_events.list_plies(plies).await.expect("told").into_inner().games;
        assert_eq!(
            told.iter().map(|it| (it.game_id.clone(), it.ply, it.ended)).collect::<Vec<_>>(),
            [(id.clone(), 0, false)]
        );
        let ruling = Ruling {
            reason: "decided by entry 9".to_owned(),
            act: Some(declare(DeclaredResult::FirstLoses)),
        };
        let rule = |event_id: String, role: Role| RuleOnGameRequest {
            game_id: id.clone(),
            event_id,
            account_id: officials.chief.id.to_string(),
            name: "chief".to_owned(),
            role: role.into(),
            ruling: Some(ruling.clone()),
            request_id: fixture.id(),
        };
        let elsewhere = of_events.rule_on_game(rule(fixture.id(), Role::ChiefArbiter)).await;
        assert_eq!(refused(elsewhere), "NO_ROLE");
        let own = officials.event.to_string();
        assert_eq!(refused(of_events.rule_on_game(rule(own.clone(), Role::Scorer)).await), "ROLE_MAY_NOT");
        of_events.rule_on_game(rule(own, Role::ChiefArbiter)).await.expect("declared");
        let outcome = replica.outcome(&id).await.expect("it is over");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::SecondWins, Reason::Arbiter));
    }
}
