//! The table of incidents, line by line as it is printed: what officials may decide about each, what the platform
//! decides by itself where acts are taken as on a board, and the game that it leaves.

use std::{collections::BTreeSet, sync::Arc};

use api::{
    board::v1::{Reason, Side, Verdict},
    client::Player,
    game::v1::{
        AllowedDecision, Circumstance, Decision, Game, GameEvent, IllegalInput, Incident, IncidentKind,
        ListIncidentsRequest, Regulations, Remedy, Sanction,
        arbiter_service_client::ArbiterServiceClient,
        game_event::Event,
        ruling::{Act, VoidMoves},
    },
};
use simulation::{Stage, in_every_shape};

use super::table::{Officials, Plan, Table, go, refused, rule, two_players};

use Circumstance::{Accident, Agreed, ArbiterPresent, CannotRebuild, ClaimedAtOnce, OnPurpose, OutsideCause};
use IncidentKind::{
    ClockPress, Disturbing, ForbiddenMove, Leaving, MovedStone, Questions, RefusingToSign, RepeatedOffer,
    ScatteredBoard, TakeBack, Talking, TwoMoves, WrongCapture,
};
use Remedy::{Draw, FreeChoice, Pass, ReasonablePoint, Rebuilt, Replay, Reported, Restored, Stands, Void};
use Sanction::{Admonition, Loss, Violation, Warning};

const GO: Plan<'_> = go("1h");
const JIU: Plan<'_> = Plan { variant: "jiu", options: &[], control: "1h" };
const JIRIGE: Plan<'_> = Plan { variant: "jirige", options: &[], control: "1h" };

/// Nothing is done about the game.
const KEEP: Remedy = Remedy::Nothing;
/// Nothing becomes of the accused.
const NONE: Sanction = Sanction::Nothing;

/// A cell of the printed table under certain circumstances.
struct Line {
    plan: Plan<'static>,
    kind: IncidentKind,
    circumstances: &'static [Circumstance],
    /// What follows, the usual first; nothing where the table has a dash.
    follows: &'static [(Remedy, Sanction)],
    /// Whether only the chief arbiter decides so.
    chief: bool,
}

const fn line(
    plan: Plan<'static>,
    kind: IncidentKind,
    circumstances: &'static [Circumstance],
    follows: &'static [(Remedy, Sanction)],
) -> Line {
    Line { plan, kind, circumstances, follows, chief: false }
}

/// The same for the chief arbiter alone.
const fn chief(
    plan: Plan<'static>,
    kind: IncidentKind,
    circumstances: &'static [Circumstance],
    follows: &'static [(Remedy, Sanction)],
) -> Line {
    Line { chief: true, ..line(plan, kind, circumstances, follows) }
}

/// What is printed.
const LINES: &[Line] = &[
    // Two moves in a row.
    line(GO, TwoMoves, &[], &[(KEEP, Loss)]),
    line(JIU, TwoMoves, &[], &[(Void, Warning)]),
    line(JIRIGE, TwoMoves, &[], &[(Void, Violation)]),
    // A move taken back, a stone touched and another moved.
    line(GO, TakeBack, &[], &[(Restored, Warning)]),
    line(GO, TakeBack, &[Accident], &[(FreeChoice, NONE)]),
    line(JIU, TakeBack, &[ClaimedAtOnce], &[(Void, Warning)]),
    line(JIU, TakeBack, &[], &[]),
    line(JIU, TakeBack, &[Accident, Agreed], &[(FreeChoice, NONE)]),
    chief(JIU, TakeBack, &[Accident, ClaimedAtOnce], &[(FreeChoice, NONE), (Void, Warning)]),
    line(JIRIGE, TakeBack, &[], &[(Restored, Violation)]),
    line(JIRIGE, TakeBack, &[Accident], &[(FreeChoice, Admonition)]),
    // A forbidden point, an immediate retake of a ko.
    line(GO, ForbiddenMove, &[], &[(Pass, NONE)]),
    line(JIU, ForbiddenMove, &[], &[]),
    line(JIRIGE, ForbiddenMove, &[], &[(Void, Violation)]),
    // Stones captured that have liberties.
    line(GO, WrongCapture, &[], &[(Restored, Warning)]),
    line(JIU, WrongCapture, &[], &[]),
    line(JIRIGE, WrongCapture, &[], &[]),
    // The clock pressed early or with the wrong hand.
    line(GO, ClockPress, &[], &[(KEEP, Admonition), (KEEP, Warning)]),
    line(JIU, ClockPress, &[], &[(KEEP, Warning)]),
    line(JIRIGE, ClockPress, &[], &[(KEEP, Violation)]),
    // Talking about the game, looking things up.
    line(GO, Talking, &[], &[(KEEP, Warning), (KEEP, Loss)]),
    chief(JIU, Talking, &[ArbiterPresent], &[(KEEP, NONE)]),
    line(JIU, Talking, &[], &[(KEEP, Admonition), (KEEP, Warning)]),
    line(JIRIGE, Talking, &[], &[]),
    // Disturbing.
    line(GO, Disturbing, &[], &[(KEEP, Admonition), (KEEP, Warning)]),
    line(JIU, Disturbing, &[ClaimedAtOnce], &[(KEEP, Admonition), (KEEP, Warning)]),
    line(JIU, Disturbing, &[], &[]),
    line(JIRIGE, Disturbing, &[], &[]),
    // A draw offered again after it was refused.
    line(GO, RepeatedOffer, &[], &[]),
    line(JIU, RepeatedOffer, &[], &[]),
    line(JIRIGE, RepeatedOffer, &[], &[(KEEP, Violation)]),
    // Questions in one's own thinking time, refusing to sign.
    line(GO, Questions, &[], &[]),
    line(JIU, Questions, &[], &[]),
    line(JIRIGE, Questions, &[], &[(KEEP, Violation)]),
    line(GO, RefusingToSign, &[], &[]),
    line(JIU, RefusingToSign, &[], &[]),
    line(JIRIGE, RefusingToSign, &[], &[(KEEP, Violation)]),
    // Leaving without cause.
    line(GO, Leaving, &[], &[(Reported, Warning)]),
    line(JIU, Leaving, &[], &[]),
    line(JIRIGE, Leaving, &[], &[]),
    // A moved stone found later.
    line(GO, MovedStone, &[OnPurpose], &[(KEEP, Loss)]),
    line(GO, MovedStone, &[Agreed], &[(Restored, NONE), (Stands, NONE)]),
    chief(GO, MovedStone, &[], &[(Restored, NONE), (Stands, NONE), (Draw, NONE), (Replay, NONE)]),
    line(JIU, MovedStone, &[Agreed], &[(Restored, NONE), (ReasonablePoint, NONE)]),
    chief(JIU, MovedStone, &[], &[(ReasonablePoint, NONE), (Stands, NONE), (Draw, NONE), (Replay, NONE)]),
    line(JIRIGE, MovedStone, &[], &[]),
    // The board scattered.
    line(GO, ScatteredBoard, &[OutsideCause], &[(Rebuilt, NONE)]),
    line(GO, ScatteredBoard, &[OutsideCause, CannotRebuild], &[(Draw, NONE), (Replay, NONE)]),
    line(GO, ScatteredBoard, &[Accident], &[(Rebuilt, NONE)]),
    line(GO, ScatteredBoard, &[Accident, CannotRebuild], &[(KEEP, Loss)]),
    line(JIU, ScatteredBoard, &[OutsideCause, Agreed], &[(Rebuilt, NONE)]),
    chief(JIU, ScatteredBoard, &[OutsideCause], &[(Draw, NONE), (Replay, NONE)]),
    line(JIRIGE, ScatteredBoard, &[OutsideCause], &[]),
];

/// Decisions of every kind, to try which of them are refused.
const TRIED: &[(Remedy, Sanction)] = &[
    (KEEP, NONE),
    (KEEP, Admonition),
    (KEEP, Warning),
    (KEEP, Violation),
    (KEEP, Loss),
    (Draw, NONE),
    (Replay, NONE),
    (Void, Loss),
    (Restored, Warning),
];

impl Line {
    /// An incident of the first side at the third ply.
    fn incident(&self, decision: Option<(Remedy, Sanction)>) -> Act {
        Act::RecordIncident(Incident {
            kind: self.kind as i32,
            accused: Side::First as i32,
            reporter: Side::Second as i32,
            circumstances: self.circumstances.iter().map(|&it| it as i32).collect(),
            ply: 3,
            decision: decision
                .map(|(remedy, sanction)| Decision { remedy: remedy as i32, sanction: sanction as i32 }),
            ..Incident::default()
        })
    }

    /// Three acts with which a game of it begins.
    fn acts(&self) -> [&'static str; 3] {
        match self.plan.variant {
            "jiu" => ["G7", "H8", "G8"],
            "jirige" => ["D4", "E4", "F4"],
            _ => ["C3", "G7", "C7"],
        }
    }

    /// Whether a line that the platform lists is about this.
    fn is_told_by(&self, allowed: &AllowedDecision) -> bool {
        let holds = |it: Circumstance| self.circumstances.contains(&it);
        allowed.kind() == self.kind && allowed.needs().all(holds) && !allowed.excludes().any(holds)
    }
}

/// What is decided about the incident of an event.
fn decided(event: &GameEvent) -> (IncidentKind, Remedy, Sanction) {
    let incident = match event.event.as_ref() {
        Some(Event::Ruled(ruled)) => match &ruled.act {
            Some(Act::RecordIncident(incident)) => incident,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let decision = incident.decision.as_ref().expect("a decision");
    (incident.kind(), decision.remedy(), decision.sanction())
}

/// How a game ends that the first side has begun badly, if it ends.
fn end(remedy: Remedy, sanction: Sanction) -> Option<(Verdict, Reason)> {
    match (remedy, sanction) {
        (Draw, _) => Some((Verdict::Draw, Reason::Arbiter)),
        (Replay, _) => Some((Verdict::Void, Reason::Replay)),
        (_, Loss) => Some((Verdict::SecondWins, Reason::Arbiter)),
        _ => None,
    }
}

/// The game that a decision about the first side leaves.
fn check_left(game: &Game, (remedy, sanction): (Remedy, Sanction), what: &str) {
    let state = game.state.as_ref().expect("a state");
    let outcome = state.outcome.as_ref().map(|it| (it.verdict(), it.reason()));
    assert_eq!(outcome, end(remedy, sanction), "{what}");
    let arbitration = state.progress.as_ref().and_then(|it| it.arbitration.clone()).expect("an arbitration");
    let count = arbitration.first.unwrap_or_default();
    let counted = (u32::from(sanction == Warning), u32::from(sanction == Violation));
    assert_eq!((count.warnings, count.violations), counted, "{what}");
    let other = arbitration.second.unwrap_or_default();
    assert_eq!((other.warnings, other.violations), (0, 0), "{what}");
}

#[test]
fn officials_decide_about_each_incident_as_is_printed() {
    in_every_shape(async |stage| decide_each(&stage, IllegalInput::Reject).await);
}

#[test]
fn they_decide_the_same_where_acts_are_taken_as_on_a_board() {
    in_every_shape(async |stage| decide_each(&stage, IllegalInput::Source).await);
}

/// Each decision about each incident has a game of its own.
async fn decide_each(stage: &Arc<Stage>, input: IllegalInput) {
    let officials = Officials::new(stage).await;
    let players = two_players(stage).await;
    for line in LINES {
        let what = format!("{} {:?} {:?}", line.plan.variant, line.kind, line.circumstances);
        let deciding = if line.chief { &officials.chief } else { &officials.arbiter };
        let open = async || {
            let regulations = Regulations { illegal_input: input as i32, ..officials.regulations() };
            let table = Table::between(stage, players.clone(), line.plan, regulations).await;
            table.play(&line.acts()).await;
            table
        };
        check_refusals(&officials, &open().await, line, &what).await;
        for (n, decision) in line.follows.iter().enumerate() {
            let table = open().await;
            let before = table.state().await;
            // Who names no decision has the usual one.
            let named = (n > 0).then_some(*decision);
            let event = rule(deciding, &table, line.incident(named)).await.expect(&what);
            assert_eq!(decided(&event), (line.kind, decision.0, decision.1), "{what}");
            let game = table.game().await;
            check_left(&game, *decision, &what);
            let after = game.state.expect("a state");
            assert_eq!(after.ply, before.ply, "{what}: the stones are left to the official");
            if after.outcome.is_none() {
                assert_eq!((after.actors, after.clock), (before.actors, before.clock), "{what}");
                put_right(deciding, &table, decision.0).await;
            }
            table.audited().await;
        }
    }
}

/// What is not printed cannot be decided, and what is the chief arbiter's not by others.
async fn check_refusals(officials: &Officials, table: &Table, line: &Line, what: &str) {
    let before = table.game().await;
    for decision in TRIED.iter().filter(|decision| !line.follows.contains(decision)) {
        let answer = rule(&officials.chief, table, line.incident(Some(*decision))).await;
        assert_eq!(refused(answer), "DECISION_NOT_ALLOWED", "{what}: {decision:?}");
    }
    if line.follows.is_empty() {
        let answer = rule(&officials.chief, table, line.incident(None)).await;
        assert_eq!(refused(answer), "DECISION_NOT_ALLOWED", "{what}");
    }
    if line.chief {
        for decision in [None, line.follows.first().copied()] {
            let answer = rule(&officials.arbiter, table, line.incident(decision)).await;
            assert_eq!(refused(answer), "ROLE_MAY_NOT", "{what}");
        }
    }
    assert_eq!(table.game().await, before, "{what}: a refusal changes nothing");
}

/// The official does to the stones what was decided, and play goes on.
async fn put_right(official: &Player, table: &Table, remedy: Remedy) {
    if matches!(remedy, Restored | Void | FreeChoice) {
        rule(official, table, Act::VoidMoves(VoidMoves { ply: 2 })).await.expect("he may");
        let state = table.state().await;
        assert_eq!((state.ply, state.actors), (2, vec![Side::First as i32]));
    }
}

#[test]
fn everybody_can_read_what_is_printed() {
    in_every_shape(async |stage| {
        for plan in [GO, JIU, JIRIGE] {
            let request = ListIncidentsRequest { variant: plan.variant.to_owned() };
            let answer = ArbiterServiceClient::new(stage.public()).list_incidents(request).await;
            let table = answer.expect("it needs no token").into_inner();
            assert_eq!(table.penalties_max, if plan.variant == "jirige" { 3 } else { 2 });
            for line in LINES.iter().filter(|line| line.plan.variant == plan.variant) {
                let allowed = table.decisions.iter().filter(|allowed| line.is_told_by(allowed));
                let told: Vec<_> = allowed
                    .map(|allowed| {
                        let decision = allowed.decision.as_ref().expect("a decision");
                        ((decision.remedy(), decision.sanction()), allowed.chief_only)
                    })
                    .collect();
                let printed: Vec<_> = line.follows.iter().map(|&follows| (follows, line.chief)).collect();
                assert_eq!(told, printed, "{} {:?} {:?}", plan.variant, line.kind, line.circumstances);
            }
        }
    });
}

#[test]
fn every_line_of_the_table_has_a_row_for_each_game() {
    let rows: BTreeSet<_> = LINES.iter().map(|line| (line.plan.variant, line.kind as i32)).collect();
    let kinds = (1..).map_while(|kind| IncidentKind::try_from(kind).ok());
    // Those have no sanction of their own: the arbiter decides.
    let unnamed = [
        IncidentKind::Other,
        IncidentKind::WalkingAbout,
        IncidentKind::WatchingOthers,
        IncidentKind::Manners,
    ];
    let printed = kinds.filter(|kind| !unnamed.contains(kind));
    let missing: Vec<_> = printed
        .flat_map(|kind| [GO, JIU, JIRIGE].map(|plan| (plan.variant, kind as i32)))
        .filter(|row| !rows.contains(row))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
