//! Claims and appeals with their deadlines, and the confirmation of results.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    game::v1::{
        ClaimKind, ClaimState, ClaimStatus, Confirmation, DeclaredResult, Expiry, GameEvent, IncidentKind,
        Regulations, Stage as GameStage,
        expiry::{self, Expiry as Expired},
        game_event::Event,
        petition::{self, Appeal, FileClaim, Petition as Asked},
        ruling::{self, Act, Annul, Decide, Declare, VoidMoves},
    },
};
use simulation::in_every_shape;
use time::OffsetDateTime;

use super::table::{ONCE, Officials, Plan, Table, go, record, refused, rule, time_of, two_players};

const JIU: Plan<'_> = Plan { variant: "jiu", options: &[], control: "1h" };
const JIRIGE: Plan<'_> = Plan { variant: "jirige", options: &[], control: "1h" };

/// How long results are contested here.
const CONTEST: Duration = Duration::from_mins(2);
/// How much later than its deadline something may happen.
const LATE: time::Duration = time::Duration::seconds(2);
/// The result stands, or the game goes on.
const KEEP: DeclaredResult = DeclaredResult::Unspecified;

impl Table {
    async fn claim_status(&self, number: u32) -> ClaimStatus {
        let claims = self.arbitration().await.claims;
        claims.into_iter().find(|claim| claim.number == number).expect("a claim")
    }

    /// When a claim became final because nobody had appealed.
    async fn expired(&self, number: u32) -> OffsetDateTime {
        let expiry = Some(Expired::Claim(expiry::Claim { claim: number }));
        let is_it =
            |event: &GameEvent| matches!(&event.event, Some(Event::Expired(it)) if it.expiry == expiry);
        self.first(|event| is_it(event).then(|| time_of(event))).await
    }
}

/// A claim that does not wait for the claimant's time.
fn about(kind: ClaimKind) -> FileClaim {
    FileClaim { kind: kind as i32, text: "look at this".to_owned(), urgent: true, ..FileClaim::default() }
}

fn file(kind: ClaimKind) -> Asked {
    Asked::FileClaim(about(kind))
}

/// A claim against the decision of an incident.
fn against(incident: u32) -> Asked {
    Asked::FileClaim(FileClaim { incident, ..about(ClaimKind::Decision) })
}

fn appeal(claim: u32) -> Asked {
    Asked::Appeal(Appeal { claim, text: "I do not agree".to_owned() })
}

fn confirm() -> Asked {
    Asked::Confirm(petition::Confirm {})
}

fn decide(claim: u32, upheld: bool, result: DeclaredResult) -> Act {
    Act::DecideClaim(Decide { claim, upheld, result: result as i32 })
}

fn decide_appeal(claim: u32, upheld: bool, result: DeclaredResult) -> Act {
    Act::DecideAppeal(Decide { claim, upheld, result: result as i32 })
}

fn regulations(officials: &Officials, confirmation: Confirmation) -> Regulations {
    Regulations {
        confirmation: confirmation as i32,
        contest_duration: Some(api::time::duration(CONTEST)),
        ..officials.regulations()
    }
}

/// How a game stands with an event.
fn end(event: &GameEvent) -> Option<(Verdict, Reason)> {
    let outcome = event.state.as_ref()?.outcome.as_ref()?;
    Some((outcome.verdict(), outcome.reason()))
}

#[test]
fn a_claim_is_decided_and_appealed_against_and_settled_for_good() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let (chief, arbiter, committee) = (&officials.chief, &officials.arbiter, &officials.committee);
        let table = Table::arranged(&stage, go("1h"), regulations(&officials, Confirmation::Players)).await;
        // In Go what is not urgent waits for one's own thinking time.
        let patient = || Asked::FileClaim(FileClaim { urgent: false, ..about(ClaimKind::Other) });
        assert_eq!(refused(table.petition(1, patient()).await), "NOT_YOUR_TIME");
        table.petition(1, file(ClaimKind::Other)).await.expect("it is urgent");
        table.petition(0, patient()).await.expect("it is his time");
        for number in [1, 2] {
            assert_eq!(table.claim_status(number).await.state(), ClaimState::Open);
        }
        // The first goes from the arbiter to the chief arbiter.
        assert_eq!(refused(table.petition(1, appeal(1)).await), "CLAIM_NOT_DECIDED");
        assert_eq!(refused(rule(chief, &table, decide_appeal(1, true, KEEP)).await), "CLAIM_NOT_APPEALED");
        rule(arbiter, &table, decide(1, false, KEEP)).await.expect("decided");
        let claim = table.claim_status(1).await;
        assert_eq!((claim.state(), claim.appeal_deadline_time), (ClaimState::Decided, None));
        assert_eq!(refused(rule(arbiter, &table, decide(1, true, KEEP)).await), "CLAIM_NOT_OPEN");
        table.petition(0, appeal(1)).await.expect("either player appeals");
        assert_eq!(refused(rule(arbiter, &table, decide_appeal(1, true, KEEP)).await), "ROLE_MAY_NOT");
        rule(chief, &table, decide_appeal(1, true, KEEP)).await.expect("decided for good");
        // The second goes from the chief arbiter to the committee.
        rule(chief, &table, decide(2, true, KEEP)).await.expect("decided");
        table.petition(0, appeal(2)).await.expect("appealed");
        assert_eq!(refused(rule(chief, &table, decide_appeal(2, false, KEEP)).await), "ROLE_MAY_NOT");
        rule(committee, &table, decide_appeal(2, false, KEEP)).await.expect("decided for good");
        for (number, upheld) in [(1, true), (2, false)] {
            let claim = table.claim_status(number).await;
            assert_eq!((claim.state(), claim.upheld), (ClaimState::Final, upheld));
            assert_eq!(refused(table.petition(0, appeal(number)).await), "CLAIM_NOT_DECIDED");
        }
        table.play(&["C3"]).await;
        table.audited().await;
    });
}

#[test]
fn a_decision_that_nobody_appeals_against_is_final_by_time() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1h"), regulations(&officials, Confirmation::Players)).await;
        table.petition(0, file(ClaimKind::Other)).await.expect("filed");
        rule(&officials.arbiter, &table, decide(1, false, KEEP)).await.expect("decided");
        tokio::time::sleep(2 * CONTEST).await;
        assert_eq!(table.claim_status(1).await.state(), ClaimState::Decided, "as long as the game goes on");
        table.petition(1, file(ClaimKind::Other)).await.expect("filed");
        let ended = table.player(0).await.resign(&table.id, ONCE).await.expect("he may");
        let deadline = table.claim_status(1).await.appeal_deadline_time.as_ref().and_then(api::time::moment);
        assert_eq!(deadline, Some(time_of(&ended) + CONTEST));
        let late = table.expired(1).await - (time_of(&ended) + CONTEST);
        assert!((time::Duration::ZERO..LATE).contains(&late), "{late}");
        assert_eq!(table.claim_status(1).await.state(), ClaimState::Final);
        assert_eq!(refused(table.petition(0, appeal(1)).await), "CLAIM_NOT_DECIDED", "it is too late");
        // Who gets his answer late has as much time. Nobody misses his deadline because the platform was down.
        let decided = rule(&officials.arbiter, &table, decide(2, false, KEEP)).await.expect("decided");
        stage.crash(3 * CONTEST).await;
        assert_eq!(table.claim_status(2).await.state(), ClaimState::Decided);
        let late = table.expired(2).await - (time_of(&decided) + 4 * CONTEST);
        assert!(late.abs() < time::Duration::seconds(5), "{late}");
        table.audited().await;
    });
}

#[test]
fn an_upheld_claim_changes_the_result_until_everybody_has_confirmed_it() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let (chief, arbiter, committee) = (&officials.chief, &officials.arbiter, &officials.committee);
        let asked = Confirmation::PlayersAndArbiter;
        let table = Table::arranged(&stage, go("1h"), regulations(&officials, asked)).await;
        table.play(&["C3", "G7"]).await;
        assert_eq!(refused(table.petition(0, confirm()).await), "NOT_ENDED");
        for _ in 0..2 {
            rule(arbiter, &table, record(IncidentKind::Leaving, Side::First)).await.expect("warned");
        }
        table.petition(1, confirm()).await.expect("she confirms");
        assert_eq!(refused(table.petition(1, file(ClaimKind::Count)).await), "CONFIRMED");
        table.petition(0, against(2)).await.expect("he does not agree");
        // Without the warning the game was not lost: who upholds the claim has to say what it is then.
        assert_eq!(refused(rule(chief, &table, decide(1, true, KEEP)).await), "RESULT_NEEDED");
        assert_eq!(
            refused(rule(arbiter, &table, decide(1, true, DeclaredResult::Draw)).await),
            "ROLE_MAY_NOT"
        );
        let draw = rule(chief, &table, decide(1, true, DeclaredResult::Draw)).await.expect("upheld");
        assert_eq!(end(&draw), Some((Verdict::Draw, Reason::Arbiter)));
        let arbitration = table.arbitration().await;
        assert_eq!(arbitration.first.map(|count| count.warnings), Some(1), "one is taken back");
        assert!(arbitration.confirmed.is_empty(), "another result is confirmed anew");
        table.petition(1, appeal(1)).await.expect("she does not agree");
        let rejected = decide_appeal(1, false, DeclaredResult::FirstLoses);
        let lost = rule(committee, &table, rejected).await.expect("rejected");
        assert_eq!(end(&lost), Some((Verdict::SecondWins, Reason::Committee)));
        for who in [0, 1] {
            table.petition(who, confirm()).await.expect("confirmed");
        }
        assert_eq!(table.game_stage().await, GameStage::Ended, "an official confirms it too");
        rule(arbiter, &table, Act::Confirm(ruling::Confirm {})).await.expect("confirmed");
        assert_eq!(table.game_stage().await, GameStage::Final);
        nothing_but_annulment(&officials, &table).await;
        table.audited().await;
    });
}

/// Nobody changes a final result but the committee, which annuls it.
async fn nothing_but_annulment(officials: &Officials, table: &Table) {
    let before = table.game().await;
    let acts = [
        (Act::Declare(Declare { result: DeclaredResult::Draw as i32 }), "RESULT_FINAL"),
        (record(IncidentKind::Other, Side::First), "RESULT_FINAL"),
        (Act::Confirm(ruling::Confirm {}), "RESULT_FINAL"),
        (Act::VoidMoves(VoidMoves { ply: 0 }), "GAME_OVER"),
        (decide(1, true, DeclaredResult::Draw), "CLAIM_NOT_OPEN"),
        (decide_appeal(1, true, DeclaredResult::Draw), "CLAIM_NOT_APPEALED"),
        (Act::Annul(Annul {}), "ROLE_MAY_NOT"),
    ];
    for (act, why) in acts {
        assert_eq!(refused(rule(&officials.chief, table, act.clone()).await), why, "{act:?}");
    }
    for asked in [file(ClaimKind::Count), appeal(1), confirm()] {
        assert_eq!(refused(table.petition(0, asked.clone()).await), "RESULT_FINAL", "{asked:?}");
    }
    assert_eq!(table.game().await, before, "a refusal changes nothing");
    let annulled = rule(&officials.committee, table, Act::Annul(Annul {})).await.expect("the committee may");
    assert_eq!(end(&annulled), Some((Verdict::Void, Reason::Committee)));
    assert_eq!(table.game_stage().await, GameStage::Final);
}

#[test]
fn a_count_is_claimed_after_the_end_and_before_the_result_is_confirmed() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, go("1h"), regulations(&officials, Confirmation::Players)).await;
        table.play(&["C3"]).await;
        assert_eq!(refused(table.petition(0, file(ClaimKind::Count)).await), "NOT_ENDED");
        table.play(&["pass", "pass", "dead -", "accept"]).await;
        let (outcome, _) = table.ended().await;
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::FirstWins, Reason::Score));
        table.petition(1, file(ClaimKind::Count)).await.expect("it is not confirmed");
        for who in [0, 1] {
            table.petition(who, confirm()).await.expect("confirmed");
        }
        assert_eq!(table.game_stage().await, GameStage::Ended, "a claim is open");
        let upheld = rule(&officials.chief, &table, decide(1, true, DeclaredResult::FirstLoses))
            .await
            .expect("upheld");
        assert_eq!(end(&upheld), Some((Verdict::SecondWins, Reason::Arbiter)));
        for who in [0, 1] {
            table.petition(who, confirm()).await.expect("confirmed anew");
        }
        assert_eq!(table.game_stage().await, GameStage::Ended, "it can be appealed against");
        table.expired(1).await;
        assert_eq!(table.game_stage().await, GameStage::Final);
        table.audited().await;
    });
}

#[test]
fn who_is_late_has_no_claim_and_who_is_silent_has_confirmed() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let players = two_players(&stage).await;
        let open = async |asked| {
            let table =
                Table::between(&stage, players.clone(), go("1h"), regulations(&officials, asked)).await;
            table.play(&["C3"]).await;
            let resigned = table.player(1).await.resign(&table.id, ONCE).await.expect("resigned");
            (table, time_of(&resigned))
        };
        let (silent, ended) = open(Confirmation::Players).await;
        let (watched, _) = open(Confirmation::PlayersAndArbiter).await;
        let (claimed, _) = open(Confirmation::Players).await;
        claimed.petition(0, file(ClaimKind::Other)).await.expect("in time");
        let contest = Some(Expired::Contest(expiry::Contest {}));
        let over = |event: &GameEvent| match &event.event {
            Some(Event::Expired(Expiry { expiry })) if *expiry == contest => Some(time_of(event)),
            _ => None,
        };
        let late = silent.first(over).await - (ended + CONTEST);
        assert!((time::Duration::ZERO..LATE).contains(&late), "{late}");
        for table in [&watched, &claimed] {
            table.first(over).await;
        }
        assert_eq!(silent.game_stage().await, GameStage::Final);
        assert_eq!(refused(silent.petition(0, file(ClaimKind::Count)).await), "RESULT_FINAL");
        // Officials are not silent, and a claim that was filed in time is decided.
        for (table, why) in [(&watched, "CONFIRMED"), (&claimed, "CLAIM_LATE")] {
            assert_eq!(table.game_stage().await, GameStage::Ended);
            let before = table.game().await;
            assert_eq!(refused(table.petition(1, file(ClaimKind::Count)).await), why);
            assert_eq!(table.game().await, before, "a refusal changes nothing");
        }
        rule(&officials.arbiter, &watched, Act::Confirm(ruling::Confirm {})).await.expect("confirmed");
        assert_eq!(watched.game_stage().await, GameStage::Final);
        rule(&officials.arbiter, &claimed, decide(1, false, KEEP)).await.expect("decided");
        claimed.expired(1).await;
        assert_eq!(claimed.game_stage().await, GameStage::Final);
        for table in [silent, watched, claimed] {
            table.audited().await;
        }
    });
}

#[test]
fn in_jiu_conduct_is_claimed_before_ones_own_next_move() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let table = Table::arranged(&stage, JIU, officials.regulations()).await;
        let conduct = |ply| Asked::FileClaim(FileClaim { ply, ..about(ClaimKind::Conduct) });
        table.play(&["G7", "H8", "G8"]).await;
        // It happened while he thought about his second stone, which he has placed since; she has placed none.
        table.petition(1, conduct(2)).await.expect("she has not moved since");
        assert_eq!(refused(table.petition(0, conduct(2)).await), "CLAIM_LATE");
        assert_eq!(refused(table.petition(1, conduct(4)).await), "BAD_PLY");
        table.play(&["H7"]).await;
        for ply in [2, 3] {
            assert_eq!(refused(table.petition(1, conduct(ply)).await), "CLAIM_LATE");
        }
        table.petition(0, conduct(3)).await.expect("he has not moved since");
        // What happened is decided all the same by the arbiter.
        let taken_back = Act::RecordIncident(api::game::v1::Incident {
            kind: IncidentKind::ClockPress as i32,
            accused: Side::First as i32,
            reporter: Side::Second as i32,
            ply: 2,
            ..Default::default()
        });
        rule(&officials.arbiter, &table, taken_back).await.expect("recorded");
        rule(&officials.arbiter, &table, decide(1, true, KEEP)).await.expect("upheld");
        assert_eq!(table.arbitration().await.first.map(|count| count.warnings), Some(1));
        table.audited().await;
    });
}

#[test]
fn a_game_that_nobody_can_win_is_drawn_though_one_of_them_refuses() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let (players, nobody) = (two_players(&stage).await, Confirmation::Nobody);
        let stuck = || file(ClaimKind::NoWinningForce);
        let other = Table::between(&stage, players.clone(), go("1h"), regulations(&officials, nobody)).await;
        assert_eq!(refused(other.petition(0, stuck()).await), "NOT_IN_THIS_VARIANT");
        let table = Table::between(&stage, players.clone(), JIRIGE, regulations(&officials, nobody)).await;
        table.play(&["D4"]).await;
        table.player(0).await.offer_draw(&table.id, ONCE).await.expect_err("it is not his turn");
        table.player(1).await.offer_draw(&table.id, ONCE).await.expect("she offers");
        table.player(0).await.decline_draw(&table.id, ONCE).await.expect("he declines");
        table.petition(1, stuck()).await.expect("she claims");
        table.play(&["E4"]).await;
        let drawn = rule(&officials.arbiter, &table, decide(1, true, KEEP)).await.expect("upheld");
        let draw = Some((Verdict::Draw, Reason::NoWinningForce));
        assert_eq!(end(&drawn), draw);
        assert_eq!(table.game_stage().await, GameStage::Ended, "it can be appealed against");
        table.petition(0, appeal(1)).await.expect("he appeals");
        let settled = rule(&officials.chief, &table, decide_appeal(1, true, KEEP)).await.expect("upheld");
        assert_eq!(end(&settled), draw);
        assert_eq!(table.game_stage().await, GameStage::Final);
        table.audited().await;

        // Rejected, play goes on.
        let table = Table::between(&stage, players, JIRIGE, regulations(&officials, nobody)).await;
        table.petition(1, stuck()).await.expect("she claims");
        rule(&officials.arbiter, &table, decide(1, false, KEEP)).await.expect("rejected");
        table.play(&["D4", "E4"]).await;
        table.audited().await;
    });
}
