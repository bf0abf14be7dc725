//! Claims and appeals: their way, their deadlines, and what they change.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    game::v1::{
        ClaimKind, ClaimState, Confirmation, DeclaredResult, GameEvent, IncidentKind, ResignRequest, Stage,
        petition::{FileClaim, Petition as Asked},
        ruling::Act,
    },
};
use tonic::Status;

use super::{
    fixture::{Fixture, Replica, refused},
    officials::{GO, Officials, Terms, appeal, confirm, decide, filing, record},
};

async fn file(
    replica: &Replica,
    fixture: &Fixture,
    id: &str,
    who: usize,
    claim: FileClaim,
) -> Result<GameEvent, Status> {
    replica.petition(fixture, id, who, Asked::FileClaim(claim)).await
}

fn about(incident: u32) -> FileClaim {
    FileClaim { incident, ..filing(ClaimKind::Decision) }
}

const KEEP: DeclaredResult = DeclaredResult::Unspecified;

#[tokio::test]
async fn a_claim_goes_from_open_to_final_by_its_table() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        let rule = |official, act| replica.rule(&fixture, official, &id, act);
        let answer = |claim, upheld| Act::DecideClaim(decide(claim, upheld, KEEP));
        let again = |claim, upheld| Act::DecideAppeal(decide(claim, upheld, KEEP));
        for number in 1..=2 {
            file(&replica, &fixture, &id, 0, filing(ClaimKind::Other)).await.expect("filed");
            assert_eq!(replica.claim_state(&id, number).await, ClaimState::Open);
        }
        assert_eq!(refused(rule(&officials.arbiter, answer(3, true)).await), "NO_SUCH_CLAIM");
        assert_eq!(refused(rule(&officials.chief, again(1, true)).await), "CLAIM_NOT_APPEALED");
        assert_eq!(refused(replica.petition(&fixture, &id, 1, appeal(1)).await), "CLAIM_NOT_DECIDED");
        assert_eq!(refused(replica.petition(&fixture, &id, 1, appeal(9)).await), "NO_SUCH_CLAIM");
        // The first is decided by an arbiter, and appealed against to the chief arbiter.
        rule(&officials.arbiter, answer(1, false)).await.expect("decided");
        assert!(replica.claim(&id, 1).await.appeal_deadline_time.is_none(), "the game goes on");
        assert_eq!(refused(rule(&officials.arbiter, answer(1, true)).await), "CLAIM_NOT_OPEN");
        replica.petition(&fixture, &id, 1, appeal(1)).await.expect("either player appeals");
        assert_eq!(replica.claim_state(&id, 1).await, ClaimState::Appealed);
        assert_eq!(refused(rule(&officials.deputy, again(1, true)).await), "ROLE_MAY_NOT");
        assert_eq!(refused(rule(&officials.committee, again(1, true)).await), "ROLE_MAY_NOT");
        rule(&officials.chief, again(1, true)).await.expect("decided for good");
        let settled = replica.claim(&id, 1).await;
        assert_eq!((settled.state(), settled.upheld), (ClaimState::Final, true));
        assert_eq!(refused(replica.petition(&fixture, &id, 1, appeal(1)).await), "CLAIM_NOT_DECIDED");
        // The second is decided by the chief arbiter, so the committee has the last word.
        rule(&officials.chief, answer(2, true)).await.expect("decided");
        replica.petition(&fixture, &id, 0, appeal(2)).await.expect("appealed");
        assert_eq!(refused(rule(&officials.chief, again(2, false)).await), "ROLE_MAY_NOT");
        rule(&officials.committee, again(2, false)).await.expect("decided for good");
        // The third is appealed against by nobody.
        file(&replica, &fixture, &id, 1, filing(ClaimKind::Other)).await.expect("filed");
        rule(&officials.arbiter, answer(3, true)).await.expect("decided");
        replica.pass(&fixture, &id, Duration::from_secs(61)).await;
        assert_eq!(replica.claim_state(&id, 3).await, ClaimState::Decided, "as long as the game goes on");
        let resign = ResignRequest { game_id: id.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(resign).await.expect("he may");
        replica.pass(&fixture, &id, Duration::from_secs(59)).await;
        assert_eq!(replica.claim_state(&id, 3).await, ClaimState::Decided);
        replica.pass(&fixture, &id, Duration::from_secs(2)).await;
        assert_eq!(replica.claim_state(&id, 3).await, ClaimState::Final);
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn claims_are_limited_in_number_and_time() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        let bad = FileClaim { evidence_sha256: vec![0; 33], ..filing(ClaimKind::Other) };
        let quiet = FileClaim { urgent: false, ..filing(ClaimKind::Other) };
        let before = replica.look(&id).await;
        for (who, claim, expected) in [
            (0, bad, "BAD_EVIDENCE"),
            (0, FileClaim { text: String::new(), ..filing(ClaimKind::Other) }, "BAD_TEXT"),
            (0, filing(ClaimKind::Unspecified), "BAD_PETITION"),
            (0, FileClaim { incident: 1, ..filing(ClaimKind::Other) }, "BAD_PETITION"),
            (0, about(1), "NO_SUCH_INCIDENT"),
            (0, filing(ClaimKind::Count), "NOT_ENDED"),
            (0, filing(ClaimKind::NoWinningForce), "NOT_IN_THIS_VARIANT"),
            (0, FileClaim { ply: 1, ..filing(ClaimKind::Conduct) }, "BAD_PLY"),
            (1, quiet.clone(), "NOT_YOUR_TIME"),
        ] {
            assert_eq!(refused(file(&replica, &fixture, &id, who, claim).await), expected);
        }
        assert_eq!(replica.look(&id).await, before);
        file(&replica, &fixture, &id, 0, quiet).await.expect("in his own time");
        for _ in 1..8 {
            file(&replica, &fixture, &id, 0, filing(ClaimKind::Other)).await.expect("filed");
        }
        assert_eq!(
            refused(file(&replica, &fixture, &id, 0, filing(ClaimKind::Other)).await),
            "TOO_MANY_CLAIMS"
        );
        file(&replica, &fixture, &id, 1, filing(ClaimKind::Other)).await.expect("the other side may");

        // In Jirige an infraction is claimed at any time, that of the opponent as well as one's own (1.10, 35).
        let jirige =
            officials.game(&fixture, &replica, &Terms { variant: "jirige", options: &[], ..GO }).await;
        let infraction = FileClaim { urgent: false, ..filing(ClaimKind::Conduct) };
        for who in [0, 1] {
            file(&replica, &fixture, &jirige, who, infraction.clone()).await.expect("at any time");
        }

        let jiu = officials.game(&fixture, &replica, &Terms { variant: "jiu", options: &[], ..GO }).await;
        replica.play_all(&fixture, &jiu, &["G7", "H8", "G8"]).await;
        let conduct = |ply| FileClaim { ply, ..filing(ClaimKind::Conduct) };
        assert_eq!(refused(file(&replica, &fixture, &jiu, 0, conduct(2)).await), "CLAIM_LATE");
        file(&replica, &fixture, &jiu, 1, conduct(3)).await.expect("before his next move");
        file(&replica, &fixture, &jiu, 1, conduct(2))
            .await
            .expect("the other side has moved since, he has not");
        assert_eq!(refused(file(&replica, &fixture, &jiu, 1, conduct(1)).await), "CLAIM_LATE");
    }
}

#[tokio::test]
async fn an_upheld_claim_takes_the_warning_back() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        let warn =
            || replica.rule(&fixture, &officials.arbiter, &id, record(IncidentKind::Leaving, Side::First));
        let warnings = || async { replica.arbitration(&id).await.first.map_or(0, |it| it.warnings) };
        let answer = |upheld, result| Act::DecideClaim(decide(1, upheld, result));
        warn().await.expect("warned");
        file(&replica, &fixture, &id, 0, about(1)).await.expect("filed");
        replica.rule(&fixture, &officials.arbiter, &id, answer(true, KEEP)).await.expect("upheld");
        assert_eq!(warnings().await, 0);
        warn().await.expect("warned");
        assert_eq!((warnings().await, replica.outcome(&id).await.is_none()), (1, true), "it is his first");
        // The other side appeals, the warning counts again, and it is his second.
        replica.petition(&fixture, &id, 1, appeal(1)).await.expect("appealed");
        let rejected = Act::DecideAppeal(decide(1, false, KEEP));
        let event = replica.rule(&fixture, &officials.chief, &id, rejected).await.expect("rejected");
        let outcome = event.state.and_then(|state| state.outcome).expect("it is lost");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::SecondWins, Reason::Warnings));
        replica.log(&id).await;
        assert_eq!(fixture.replica().await.look(&id).await, replica.look(&id).await);
    }
}

#[tokio::test]
async fn a_claim_after_the_end_changes_the_result_before_it_is_final() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        for _ in 0..2 {
            replica
                .rule(&fixture, &officials.arbiter, &id, record(IncidentKind::Leaving, Side::First))
                .await
                .expect("warned");
        }
        assert_eq!(replica.outcome(&id).await.map(|it| it.reason()), Some(Reason::Warnings));
        replica.petition(&fixture, &id, 1, confirm()).await.expect("confirmed");
        assert_eq!(refused(file(&replica, &fixture, &id, 1, filing(ClaimKind::Count)).await), "CONFIRMED");
        file(&replica, &fixture, &id, 0, about(1)).await.expect("filed");
        let answer = |result| Act::DecideClaim(decide(1, true, result));
        let without = replica.rule(&fixture, &officials.deputy, &id, answer(KEEP)).await;
        assert_eq!(refused(without), "RESULT_NEEDED");
        replica.rule(&fixture, &officials.deputy, &id, answer(DeclaredResult::Replay)).await.expect("upheld");
        let outcome = replica.outcome(&id).await.expect("an outcome");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Void, Reason::Replay));
        let arbitration = replica.arbitration(&id).await;
        assert!(arbitration.confirmed.is_empty() && arbitration.claims[0].result_changed);
        // Another decision about it has to say again what the result is.
        replica.petition(&fixture, &id, 1, appeal(1)).await.expect("appealed");
        let last = |result| Act::DecideAppeal(decide(1, false, result));
        assert_eq!(refused(replica.rule(&fixture, &officials.chief, &id, last(KEEP)).await), "RESULT_NEEDED");
        replica
            .rule(&fixture, &officials.chief, &id, last(DeclaredResult::FirstLoses))
            .await
            .expect("rejected");
        for who in [0, 1] {
            assert_eq!(replica.stage(&id).await, Stage::Ended);
            replica.petition(&fixture, &id, who, confirm()).await.expect("confirmed");
        }
        assert_eq!(replica.stage(&id).await, Stage::Final);
        assert_eq!(replica.outcome(&id).await.map(|it| it.verdict()), Some(Verdict::SecondWins));
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn a_game_that_nobody_can_win_is_drawn_by_a_claim() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let terms = Terms { variant: "jirige", options: &[], confirmation: Confirmation::Nobody, ..GO };
        let id = officials.game(&fixture, &replica, &terms).await;
        file(&replica, &fixture, &id, 0, filing(ClaimKind::NoWinningForce)).await.expect("filed");
        let upheld = Act::DecideClaim(decide(1, true, KEEP));
        let event = replica.rule(&fixture, &officials.arbiter, &id, upheld).await.expect("upheld");
        let outcome = event.state.and_then(|state| state.outcome).expect("it is a draw");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Draw, Reason::NoWinningForce));
        assert_eq!(replica.stage(&id).await, Stage::Ended, "it can be appealed against");
        replica.pass(&fixture, &id, Duration::from_secs(61)).await;
        assert_eq!(replica.stage(&id).await, Stage::Final);
        replica.log(&id).await;
    }
}
