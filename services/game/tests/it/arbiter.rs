//! Officials at work: who may do what, and each act end to end.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    clock::v1::PauseReason,
    error::reason,
    game::v1::{
        Confirmation, Decision, DeclaredResult, IncidentKind, Remedy, RuleRequest, Ruling, Sanction, Stage,
        game_event::Event,
        petition::{CallArbiter, Petition as Asked},
        ruling::{self, Act},
    },
};
use chassis::auth::{Caller, Role, Scope};
use tonic::Code;

use super::{
    fixture::{Fixture, refused},
    meeting::main_times,
    officials::{GO, Officials, Terms, decide, declare, record},
};

const JIU: Terms = Terms { variant: "jiu", options: &[], ..GO };

fn span(seconds: i64) -> prost_types::Duration {
    prost_types::Duration { seconds, nanos: 0 }
}

fn add(seconds: i64) -> Act {
    Act::AddTime(ruling::AddTime { side: Side::First as i32, added_duration: Some(span(seconds)) })
}

fn deduct(seconds: i64) -> Act {
    Act::DeductTime(ruling::DeductTime { side: Side::First as i32, deducted_duration: Some(span(seconds)) })
}

fn pause(reason: PauseReason) -> Act {
    Act::Pause(ruling::Pause { reason: reason as i32 })
}

fn resume(reason: PauseReason) -> Act {
    Act::Resume(ruling::Resume { reason: reason as i32 })
}

fn void(ply: u32) -> Act {
    Act::VoidMoves(ruling::VoidMoves { ply })
}

/// Every act, with the roles that may do it.
fn permissions() -> Vec<(Act, &'static [Role])> {
    use Role::{Arbiter, ChiefArbiter, Committee, Deputy, Scorer};
    const OFFICIALS: &[Role] = &[ChiefArbiter, Deputy, Arbiter];
    let chief_only = api::game::v1::Incident {
        decision: Some(Decision { remedy: Remedy::Nothing as i32, sanction: Sanction::Loss as i32 }),
        ..super::officials::incident(IncidentKind::Other, Side::First)
    };
    vec![
        (Act::AnswerCall(ruling::AnswerCall { call: 1 }), OFFICIALS),
        (record(IncidentKind::Other, Side::First), OFFICIALS),
        (Act::RecordIncident(chief_only), &[ChiefArbiter]),
        (add(1), OFFICIALS),
        (deduct(1), OFFICIALS),
        (pause(PauseReason::Arbiter), OFFICIALS),
        (resume(PauseReason::Arbiter), OFFICIALS),
        (void(0), OFFICIALS),
        (Act::CorrectColours(ruling::CorrectColours {}), OFFICIALS),
        (Act::NoteColours(ruling::NoteColours {}), OFFICIALS),
        (Act::RepeatAnnouncement(ruling::RepeatAnnouncement { from_time: None }), OFFICIALS),
        (Act::BeginSealing(ruling::BeginSealing {}), OFFICIALS),
        (
            Act::SetResumption(ruling::SetResumption {
                resumption_time: Some(prost_types::Timestamp::default()),
            }),
            OFFICIALS,
        ),
        (
            Act::RuleOnSealed(api::game::v1::SealRuling {
                ruling: Some(api::game::v1::seal_ruling::Ruling::Act("pass".to_owned())),
            }),
            OFFICIALS,
        ),
        (Act::Confirm(ruling::Confirm {}), &[ChiefArbiter, Deputy, Arbiter, Scorer]),
        (declare(DeclaredResult::Draw), &[ChiefArbiter, Deputy]),
        (declare(DeclaredResult::BothLose), &[ChiefArbiter, Deputy]),
        (declare(DeclaredResult::Replay), &[ChiefArbiter, Deputy]),
        (declare(DeclaredResult::FirstLoses), &[ChiefArbiter, Deputy]),
        (Act::DecideClaim(decide(1, true, DeclaredResult::Unspecified)), OFFICIALS),
        (Act::DecideClaim(decide(1, true, DeclaredResult::Draw)), &[ChiefArbiter, Deputy]),
        (Act::DecideAppeal(decide(1, true, DeclaredResult::Unspecified)), &[ChiefArbiter]),
        (Act::Annul(ruling::Annul {}), &[Committee]),
    ]
}

#[tokio::test]
async fn every_role_may_do_what_the_table_says_and_nothing_else() {
    for fixture in Fixture::all().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        for (act, roles) in permissions() {
            for (official, role) in officials.all() {
                let id = officials.game(&fixture, &replica, &GO).await;
                let before = replica.look(&id).await;
                let answer = replica.rule(&fixture, official, &id, act.clone()).await;
                match (&answer, roles.contains(&role)) {
                    (Ok(event), true) => {
                        let by = event.official.as_ref().expect("an official");
                        assert_eq!(
                            (by.name.as_str(), by.account_id.clone()),
                            (official.name.as_str(), official.id.to_string())
                        );
                        let Some(Event::Ruled(ruled)) = &event.event else { panic!("{event:?}") };
                        assert_eq!(ruled.reason, "by the rules");
                    }
                    // The role may, and the game is not so far.
                    (Err(status), true) => {
                        assert_eq!(status.code(), Code::FailedPrecondition, "{act:?} {status}");
                    }
                    (Err(status), false) => assert_eq!(reason(status), "ROLE_MAY_NOT", "{act:?} {role:?}"),
                    (Ok(_), false) => panic!("{role:?} did {act:?}"),
                }
                if answer.is_err() {
                    assert_eq!(replica.look(&id).await, before, "a refusal changes nothing");
                }
            }
        }
    }
}

#[tokio::test]
async fn only_officials_of_the_event_who_do_not_play_may_act() {
    for fixture in Fixture::all().await {
        let (replica, officials, other) =
            (fixture.replica().await, Officials::new(&fixture), Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        let before = replica.look(&id).await;
        let player = fixture.players[0].clone();
        let official = Caller { roles: officials.chief.roles.clone(), ..player.clone() };
        let without = Caller { scopes: vec![Scope::Play], ..officials.chief.clone() };
        for (caller, expected) in [
            (other.chief.clone(), "NO_ROLE"),
            (player, "NO_ROLE"),
            (official, "IS_PLAYER"),
            (without, "SCOPE_MISSING"),
        ] {
            assert_eq!(refused(replica.rule(&fixture, &caller, &id, add(1)).await), expected);
        }
        let casual = replica.new_game(&fixture).await;
        assert_eq!(
            refused(replica.rule(&fixture, &officials.chief, &casual, add(1)).await),
            "NOT_AN_EVENT_GAME"
        );
        let call = Asked::CallArbiter(CallArbiter { text: "help".to_owned() });
        assert_eq!(refused(replica.petition(&fixture, &casual, 0, call.clone()).await), "NOT_AN_EVENT_GAME");
        let mut games = replica.officials(&officials.chief);
        for (text, act, expected) in [
            (String::new(), Some(add(1)), "BAD_REASON"),
            ("棋".repeat(1001), Some(add(1)), "BAD_REASON"),
            ("why".to_owned(), None, "BAD_RULING"),
            ("why".to_owned(), Some(add(0)), "BAD_RULING"),
            ("why".to_owned(), Some(pause(PauseReason::Players)), "BAD_RULING"),
        ] {
            let ruling = Some(Ruling { reason: text, act });
            let request = RuleRequest { game_id: id.clone(), ruling, request_id: fixture.id() };
            assert_eq!(refused(games.rule(request).await), expected);
        }
        assert_eq!(
            refused(
                replica
                    .petition(&fixture, &id, 0, Asked::CallArbiter(CallArbiter { text: "x".repeat(1001) }))
                    .await
            ),
            "BAD_TEXT"
        );
        assert_eq!(replica.look(&id).await, before, "a refusal changes nothing");
    }
}

#[tokio::test]
async fn time_is_given_and_taken_and_the_same_request_does_it_once() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        let request = fixture.id();
        let given = replica.rule_as(&officials.arbiter, &id, add(60), request.clone()).await.expect("given");
        assert_eq!(main_times(&given).map(|time| time.as_secs()), [3660, 3600]);
        let again =
            replica.rule_as(&officials.arbiter, &id, add(60), request.clone()).await.expect("the same");
        assert_eq!(again, given);
        let other = replica.rule_as(&officials.arbiter, &id, add(61), request.clone()).await;
        assert_eq!(refused(other), "REQUEST_ID_REUSED");
        assert_eq!(
            refused(replica.rule_as(&officials.deputy, &id, add(60), request).await),
            "REQUEST_ID_REUSED"
        );
        let taken = replica.rule(&fixture, &officials.deputy, &id, deduct(120)).await.expect("taken");
        assert_eq!(main_times(&taken).map(|time| time.as_secs()), [3540, 3600]);
        let all = replica.rule(&fixture, &officials.chief, &id, deduct(3600)).await.expect("taken");
        let outcome = all.state.and_then(|state| state.outcome).expect("the flag has fallen");
        assert_eq!((outcome.reason(), outcome.verdict()), (Reason::Time, Verdict::SecondWins));
        assert_eq!(refused(replica.rule(&fixture, &officials.chief, &id, add(60)).await), "GAME_OVER");
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn pauses_stack_and_void_moves_leave_them() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        replica.play_all(&fixture, &id, &["C3", "G7", "C7"]).await;
        let (arbiter, event) = (PauseReason::Arbiter, PauseReason::EventBreak);
        let rule = |act| replica.rule(&fixture, &officials.arbiter, &id, act);
        assert_eq!(refused(rule(resume(arbiter)).await), "NOT_PAUSED");
        rule(pause(arbiter)).await.expect("paused");
        assert_eq!(refused(rule(pause(arbiter)).await), "ALREADY_PAUSED");
        rule(pause(event)).await.expect("paused");
        assert_eq!(refused(replica.play(&fixture, &id, 1, "G3", 3, &fixture.id()).await), "NOT_IN_PLAY");
        assert_eq!(refused(rule(void(3)).await), "BAD_PLY");
        let voided = rule(void(1)).await.expect("void");
        let state = voided.state.expect("a state");
        let clock = state.clock.expect("a clock");
        assert_eq!((state.ply, clock.held(), clock.running()), (1, Side::Second, Side::Unspecified));
        assert_eq!(voided.board.expect("the position").stones.len(), 1);
        replica.pass(&fixture, &id, Duration::from_secs(30)).await;
        rule(resume(arbiter)).await.expect("one reason less");
        assert!(replica.look(&id).await.state.expect("a state").actors.is_empty());
        let going = rule(resume(event)).await.expect("it goes on");
        let state = going.state.clone().expect("a state");
        assert_eq!(state.actors, [Side::Second as i32]);
        assert_eq!(main_times(&going)[1], Duration::from_hours(1), "nothing is charged");
        replica.play(&fixture, &id, 1, "C7", 1, &fixture.id()).await.expect("the point is free");
        let log = replica.log(&id).await;
        assert_eq!(fixture.replica().await.look(&id).await, replica.look(&id).await, "{} events", log.len());
    }
}

#[tokio::test]
async fn mixed_up_colours_are_corrected_up_to_the_tenth_move_and_noted_after_it() {
    let placed = ["G7", "H8", "G8", "H7", "A1", "B1", "C1", "D1", "E1", "F1"];
    let correct = || Act::CorrectColours(ruling::CorrectColours {});
    let note = || Act::NoteColours(ruling::NoteColours {});
    for fixture in Fixture::all().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &JIU).await;
        let first_request = fixture.id();
        let first = replica.play(&fixture, &id, 0, placed[0], 0, &first_request).await.expect("played");
        for (ply, act) in (1..).zip(&placed[1..]) {
            replica.play(&fixture, &id, ply as usize % 2, act, ply, &fixture.id()).await.expect("played");
        }
        assert_eq!(
            refused(replica.rule(&fixture, &officials.arbiter, &id, note()).await),
            "TOO_EARLY_TO_NOTE"
        );
        let event =
            replica.rule(&fixture, &officials.arbiter, &id, correct()).await.expect("corrected at move 10");
        let arbitration = event.state.and_then(|state| state.progress?.arbitration).expect("an arbitration");
        assert!(arbitration.seats_swapped && arbitration.assigned_swapped);
        assert_eq!(refused(replica.play(&fixture, &id, 0, "G1", 10, &fixture.id()).await), "NOT_YOUR_TURN");
        replica.play(&fixture, &id, 1, "G1", 10, &fixture.id()).await.expect("he has the first side now");
        // A request that was sent before is still its sender's, and nobody else's.
        let again = replica.play(&fixture, &id, 0, placed[0], 0, &first_request).await;
        assert_eq!(again.expect("answered as before"), first);
        let stolen = replica.play(&fixture, &id, 1, placed[0], 0, &first_request).await;
        assert_eq!(refused(stolen), "REQUEST_ID_REUSED");
        assert_eq!(
            refused(replica.rule(&fixture, &officials.arbiter, &id, correct()).await),
            "COLOURS_NOTED"
        );
        fixture
            .replica()
            .await
            .play(&fixture, &id, 0, "H1", 11, &fixture.id())
            .await
            .expect("a replica knows it too");

        let late = officials.game(&fixture, &replica, &JIU).await;
        replica.play_all(&fixture, &late, &placed).await;
        replica.play_all(&fixture, &late, &["G1"]).await;
        assert_eq!(
            refused(replica.rule(&fixture, &officials.arbiter, &late, correct()).await),
            "TOO_LATE_FOR_COLOURS"
        );
        replica.rule(&fixture, &officials.arbiter, &late, note()).await.expect("noted");
        let arbitration = replica.arbitration(&late).await;
        assert!(!arbitration.seats_swapped && arbitration.assigned_swapped);
        let go = officials.game(&fixture, &replica, &GO).await;
        assert_eq!(
            refused(replica.rule(&fixture, &officials.arbiter, &go, correct()).await),
            "NOT_IN_THIS_VARIANT"
        );
    }
}

#[tokio::test]
async fn results_are_declared_and_rated_by_who_played_which_side() {
    for fixture in Fixture::all().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let terms = Terms { confirmation: Confirmation::Nobody, rated: true, ..JIU };
        for (result, verdict, why) in [
            (DeclaredResult::Draw, Verdict::Draw, Reason::Arbiter),
            (DeclaredResult::FirstLoses, Verdict::SecondWins, Reason::Arbiter),
            (DeclaredResult::SecondLoses, Verdict::FirstWins, Reason::Arbiter),
            (DeclaredResult::BothLose, Verdict::BothLose, Reason::Arbiter),
            (DeclaredResult::Replay, Verdict::Void, Reason::Replay),
        ] {
            let id = officials.game(&fixture, &replica, &terms).await;
            replica
                .rule(&fixture, &officials.arbiter, &id, Act::CorrectColours(ruling::CorrectColours {}))
                .await
                .expect("corrected");
            let event =
                replica.rule(&fixture, &officials.deputy, &id, declare(result)).await.expect("declared");
            let state = event.state.expect("a state");
            assert_eq!(state.progress.map(|progress| progress.stage()), Some(Stage::Final));
            let outcome = state.outcome.expect("an outcome");
            assert_eq!((outcome.verdict(), outcome.reason()), (verdict, why));
            assert_eq!(
                refused(replica.rule(&fixture, &officials.deputy, &id, declare(result)).await),
                "RESULT_FINAL"
            );
            if verdict != Verdict::Void {
                let rated = rated(&fixture, &id).await;
                assert_eq!(rated.first_id, fixture.players[1].id.to_string(), "they have changed sides");
                assert_eq!(rated.verdict(), verdict);
            }
        }
    }
}

#[tokio::test]
async fn calls_are_answered_and_counts_repeated() {
    for fixture in Fixture::all().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        let call = || Asked::CallArbiter(CallArbiter { text: "he hums".to_owned() });
        let answer = |call| Act::AnswerCall(ruling::AnswerCall { call });
        for number in 1..=16 {
            replica.petition(&fixture, &id, 0, call()).await.expect("called");
            assert_eq!(refused(replica.petition(&fixture, &id, 0, call()).await), "CALL_OPEN");
            assert_eq!(
                refused(replica.rule(&fixture, &officials.arbiter, &id, answer(number + 1)).await),
                "NO_SUCH_CALL"
            );
            replica.rule(&fixture, &officials.arbiter, &id, answer(number)).await.expect("answered");
            assert!(replica.arbitration(&id).await.calls.is_empty());
        }
        assert_eq!(refused(replica.petition(&fixture, &id, 0, call()).await), "TOO_MANY_ARBITER_CALLS");
        replica.petition(&fixture, &id, 1, call()).await.expect("the other side may");

        let repeat = |from_time| Act::RepeatAnnouncement(ruling::RepeatAnnouncement { from_time });
        let count = || fixture.clock.repeated.load(std::sync::atomic::Ordering::SeqCst);
        let request = fixture.id();
        for _ in 0..2 {
            replica.rule_as(&officials.arbiter, &id, repeat(None), request.clone()).await.expect("repeated");
        }
        assert_eq!(count(), 1, "the same request repeats once");
        let nothing = replica
            .rule(&fixture, &officials.arbiter, &id, repeat(Some(prost_types::Timestamp::default())))
            .await;
        assert_eq!(refused(nothing), "NOTHING_CALLED");

        // Once the result is final nobody need come any more.
        assert_eq!(replica.arbitration(&id).await.calls.len(), 1);
        replica
            .rule(&fixture, &officials.committee, &id, Act::Annul(ruling::Annul {}))
            .await
            .expect("annulled");
        assert!(replica.arbitration(&id).await.calls.is_empty());
        assert_eq!(
            refused(replica.rule(&fixture, &officials.arbiter, &id, answer(17)).await),
            "NO_SUCH_CALL"
        );
    }
}

/// The result of a game, once the rating service has heard of it.
async fn rated(fixture: &Fixture, id: &str) -> api::rating::v1::ApplyResultRequest {
    for _ in 0..1000 {
        if let Some(result) = fixture.rating.applied().iter().find(|result| result.game_id == id) {
            return result.clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the result was not told")
}
