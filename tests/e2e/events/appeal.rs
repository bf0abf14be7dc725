//! The appeal of the Swiss of the script (Art. 16.4): 3, who has beaten 16 in round 6, is found to have disturbed the
//! board. The chief arbiter declares the game lost; 3 appeals, and the committee, when round 7 is being played, finds that
//! a warning will do. What the ruling had changed is taken back, and the round that has begun is not paired again (1.9).

use api::{error::reason, federation::v1 as pb, game::v1::IncidentKind};
use tests::{
    call, change,
    held::{Held, events},
};

/// The round of the game.
pub(super) const ROUND: u32 = 6;
/// Who is accused.
const ACCUSED: u32 = 3;
/// Whom he has beaten.
const BEATEN: u32 = 16;

/// What both have after round 6 as it was played: 3 has 1, 2, 2, 0, 0 and 2, and 16 has 0, 0, 2, 2, 2 and 0.
const AS_PLAYED: [u32; 2] = [7, 6];
/// What both have as the chief arbiter rules: the game of round 6 is won by 16.
const AS_RULED: [u32; 2] = [5, 8];

/// 16 reports, the chief arbiter rules, and 3 appeals before the next round is public.
pub(super) async fn ruled_and_appealed_against(held: &Held) {
    assert_eq!(points_after(held, ROUND).await, AS_PLAYED);
    let board = held.round(ROUND).await.pairings.into_iter().find(|it| it.first == ACCUSED);
    let table = board.expect("3 has a game").table;
    let (kind, text) = (IncidentKind::Disturbing.into(), "he hummed all the time".to_owned());
    let report = change!(
        held,
        held.players[&BEATEN],
        report_incident(ReportIncidentRequest { kind, round: ROUND, table, accused: ACCUSED, text })
    );
    report.expect("it is reported");
    let appeal = async |number: u32| {
        let text = "it was the ventilation".to_owned();
        change!(held, held.players[&number], appeal_ruling(AppealRulingRequest { number: 1, text }))
    };
    assert_eq!(reason(&appeal(ACCUSED).await.expect_err("nobody has ruled")), "INCIDENT_OPEN");
    let (ruling, why) = (Some(ruling(pb::EventSanction::Loss)), "Art. 15.4".to_owned());
    let ruled = change!(
        held,
        held.chief.player,
        rule_on_incident(RuleOnIncidentRequest { number: 1, ruling, reason: why })
    );
    ruled.expect("the chief arbiter rules");
    assert_eq!(points_after(held, ROUND).await, AS_RULED);
    assert_eq!(reason(&appeal(1).await.expect_err("it is not about 1")), "NOT_A_PARTY");
    appeal(ACCUSED).await.expect("he appeals");
    assert_eq!(reason(&appeal(BEATEN).await.expect_err("it is appealed")), "INCIDENT_SETTLED");
    assert_eq!(points_after(held, ROUND).await, AS_RULED, "whoever appeals obeys first");
}

/// The committee grants the appeal while the next round is being played.
pub(super) async fn granted(held: &Held, public: &pb::Round) {
    let grant = async |who: &tests::Bot| {
        let (ruling, reason) = (Some(ruling(pb::EventSanction::Warning)), "a warning will do".to_owned());
        change!(held, who, rule_on_appeal(RuleOnAppealRequest { number: 1, granted: true, ruling, reason }))
    };
    let own = grant(&held.chief.player).await.expect_err("he judges nobody's appeal against himself");
    assert_eq!(reason(&own), "NOT_THE_INSTANCE");
    grant(&held.committee).await.expect("the committee grants it");
    assert_eq!(points_after(held, ROUND).await, AS_PLAYED, "the ruling is taken back");
    let board = held.round(ROUND).await.pairings.into_iter().find(|it| it.first == ACCUSED);
    let result = board.and_then(|it| it.result).expect("a result");
    assert_eq!((result.first(), result.reason()), (pb::ResultCode::Win, pb::ResultReason::Resign));
    let pairs = |round: &pb::Round| round.pairings.iter().map(|it| (it.first, it.second)).collect::<Vec<_>>();
    assert_eq!(pairs(&held.round(ROUND + 1).await), pairs(public), "what has begun is not paired again");
    let request = pb::ListEventIncidentsRequest { event_id: held.id.clone(), ..Default::default() };
    let listed = call!(events(&held.players[&1]), list_event_incidents, request).expect("a list").incidents;
    let [incident] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!(incident.state(), pb::EventIncidentState::Final, "after the committee there is nobody");
    let steps: Vec<_> = incident.steps.iter().map(|step| (step.role(), step.granted)).collect();
    assert_eq!(steps, [(pb::EventRole::ChiefArbiter, false), (pb::EventRole::Committee, true)]);
    assert!(incident.text.is_empty() && incident.appeal_text.is_empty(), "that is not for 1 to read");
}

fn ruling(sanction: pb::EventSanction) -> pb::EventRuling {
    pb::EventRuling { sanction: sanction.into(), ..Default::default() }
}

/// The points of the two after a round.
async fn points_after(held: &Held, round: u32) -> [u32; 2] {
    let request = pb::GetStandingsRequest { event_id: held.id.clone(), round, ..Default::default() };
    let lines = call!(events(&held.chief.player), get_standings, request).expect("a table").lines;
    [ACCUSED, BEATEN].map(|number| {
        lines.iter().find(|line| line.number == number).map(|line| line.points).expect("both are in it")
    })
}
