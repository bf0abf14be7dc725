//! Acts that the rules forbid: refused, as is usual on a server, or taken as they would be on a board.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    game::v1::{
        Game, GameEvent, IllegalInput, IncidentKind, Regulations, Remedy, Sanction, game_event::Event,
    },
};
use simulation::in_every_shape;
use tonic::Status;

use super::table::{ONCE, Officials, Plan, Table, go, record, refused, rule};

use Action::{Decline, Offer, Play};

const GO: Plan<'_> = go("1h");
const JIU: Plan<'_> = Plan { variant: "jiu", options: &[], control: "1h" };
const JIRIGE: Plan<'_> = Plan { variant: "jirige", options: &[], control: "1h" };

/// Something that a side does.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// It plays.
    Play(usize, &'static str),
    /// It offers a draw.
    Offer(usize),
    /// It declines the draw that is offered.
    Decline(usize),
}

/// An act that is forbidden.
struct Line {
    plan: Plan<'static>,
    /// What is done before it.
    before: &'static [Action],
    action: Action,
    /// Why it is refused where such acts are.
    refused: &'static str,
    /// What happens by it where they are taken; nothing where the printed table has a dash.
    follows: Option<Follows>,
}

/// What is printed to follow.
type Follows = (IncidentKind, Remedy, Sanction);

/// A second move loses a game of Go.
const LOST: Option<Follows> = Some((IncidentKind::TwoMoves, Remedy::Nothing, Sanction::Loss));
/// A forbidden point is a pass in Go.
const PASSED: Option<Follows> = Some((IncidentKind::ForbiddenMove, Remedy::Pass, Sanction::Nothing));

const LINES: &[Line] = &[
    Line {
        plan: GO,
        before: &[Play(0, "C3")],
        action: Play(0, "D4"),
        refused: "NOT_YOUR_TURN",
        follows: LOST,
    },
    // Who has not moved yet does not move twice.
    Line { plan: GO, before: &[], action: Play(1, "D4"), refused: "NOT_YOUR_TURN", follows: None },
    // To refuse a count is no move.
    Line {
        plan: GO,
        before: &[Play(0, "C3"), Play(1, "pass"), Play(0, "pass"), Play(1, "dead -"), Play(0, "reject")],
        action: Play(0, "D4"),
        refused: "NOT_YOUR_TURN",
        follows: None,
    },
    // A point without liberties.
    Line {
        plan: GO,
        before: &[Play(0, "A8"), Play(1, "G7"), Play(0, "B9")],
        action: Play(1, "A9"),
        refused: "SUICIDE",
        follows: PASSED,
    },
    // A ko retaken at once.
    Line {
        plan: GO,
        before: &[
            Play(0, "C5"),
            Play(1, "D5"),
            Play(0, "B4"),
            Play(1, "E4"),
            Play(0, "C3"),
            Play(1, "D3"),
            Play(0, "D4"),
            Play(1, "C4"),
        ],
        action: Play(0, "D4"),
        refused: "KO",
        follows: PASSED,
    },
    // Nothing is printed about points that are not empty.
    Line { plan: GO, before: &[Play(0, "C3")], action: Play(1, "C3"), refused: "OCCUPIED", follows: None },
    Line {
        plan: JIU,
        before: &[Play(0, "G7")],
        action: Play(0, "A1"),
        refused: "NOT_YOUR_TURN",
        follows: Some((IncidentKind::TwoMoves, Remedy::Void, Sanction::Warning)),
    },
    // Nothing is printed about forbidden points.
    Line { plan: JIU, before: &[], action: Play(0, "A1"), refused: "OPENING_POINT", follows: None },
    Line {
        plan: JIRIGE,
        before: &[Play(0, "D4")],
        action: Play(0, "E4"),
        refused: "NOT_YOUR_TURN",
        follows: Some((IncidentKind::TwoMoves, Remedy::Void, Sanction::Violation)),
    },
    // The centre is kept for the last stone.
    Line {
        plan: JIRIGE,
        before: &[],
        action: Play(0, "E5"),
        refused: "CENTRE_RESERVED",
        follows: Some((IncidentKind::ForbiddenMove, Remedy::Void, Sanction::Violation)),
    },
    Line {
        plan: JIRIGE,
        before: &[Offer(0), Decline(1)],
        action: Offer(0),
        refused: "OFFER_REPEATED",
        follows: Some((IncidentKind::RepeatedOffer, Remedy::Nothing, Sanction::Violation)),
    },
];

impl Action {
    const fn who(self) -> usize {
        match self {
            Play(who, _) | Offer(who) | Decline(who) => who,
        }
    }

    async fn perform(self, table: &Table) -> Result<GameEvent, Status> {
        let player = table.player(self.who()).await;
        match self {
            Play(_, act) => player.play(&table.id, act, table.state().await.ply, ONCE).await,
            Offer(_) => player.offer_draw(&table.id, ONCE).await,
            Decline(_) => player.decline_draw(&table.id, ONCE).await,
        }
    }
}

impl Table {
    /// A game of an event in which this has been done.
    async fn begun(officials: &Officials, model: &Table, line: &Line, input: IllegalInput) -> Table {
        let regulations = Regulations { illegal_input: input as i32, ..officials.regulations() };
        let table = Table::between(&model.stage, model.players.clone(), line.plan, regulations).await;
        for action in line.before {
            action.perform(&table).await.expect("it is allowed");
        }
        table
    }
}

#[test]
fn a_forbidden_act_is_refused_and_nothing_has_happened() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let model = Table::arranged(&stage, GO, officials.regulations()).await;
        for line in LINES {
            let what = format!("{} {:?}", line.plan.variant, line.action);
            let table = Table::begun(&officials, &model, line, IllegalInput::Reject).await;
            let before = table.game().await;
            assert_eq!(refused(line.action.perform(&table).await), line.refused, "{what}");
            assert_eq!(table.game().await, before, "{what}");
            table.audited().await;
        }
    });
}

#[test]
fn a_forbidden_act_has_happened_where_acts_are_taken_as_on_a_board() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let model = Table::arranged(&stage, GO, officials.regulations()).await;
        for line in LINES {
            let what = format!("{} {:?}", line.plan.variant, line.action);
            let table = Table::begun(&officials, &model, line, IllegalInput::Source).await;
            let before = table.game().await;
            let answer = line.action.perform(&table).await;
            if let Some(follows) = line.follows {
                check_happened(&before, &answer.expect(&what), line.action, follows);
            } else {
                assert_eq!(refused(answer), line.refused, "{what}");
                assert_eq!(table.game().await, before, "{what}");
            }
            table.audited().await;
        }
    });
}

/// What has happened by a forbidden act is what is printed.
fn check_happened(before: &Game, event: &GameEvent, action: Action, follows: Follows) {
    let Some(Event::ForbiddenPlayed(played)) = &event.event else { panic!("{event:?}") };
    let forbidden = played.forbidden.as_ref().expect("the act");
    let incident = forbidden.incident.as_ref().expect("an incident");
    let decision = incident.decision.as_ref().expect("a decision");
    assert_eq!((incident.kind(), decision.remedy(), decision.sanction()), follows, "{action:?}");
    let side = [Side::First, Side::Second][action.who()];
    assert_eq!((incident.accused(), event.author()), (side, side), "{action:?}");
    let (was, is) = (before.state.as_ref().expect("a state"), event.state.as_ref().expect("a state"));
    let (_, remedy, sanction) = follows;
    let end = is.outcome.as_ref().map(|it| (it.verdict(), it.reason()));
    let winner = [Verdict::SecondWins, Verdict::FirstWins][action.who()];
    assert_eq!(end, (sanction == Sanction::Loss).then_some((winner, Reason::Arbiter)), "{action:?}");
    // A pass gives the turn away; of what is void nothing is left.
    let passes = remedy == Remedy::Pass;
    assert_eq!((is.ply, played.counts_as.is_some()), (was.ply + u32::from(passes), passes), "{action:?}");
    if passes {
        assert_ne!(is.actors, was.actors, "{action:?}");
    } else if end.is_none() {
        assert_eq!((&is.actors, &is.clock), (&was.actors, &was.clock), "{action:?}");
    }
    let arbitration = is.progress.as_ref().and_then(|it| it.arbitration.clone()).expect("an arbitration");
    let counts = [arbitration.first, arbitration.second].map(Option::unwrap_or_default);
    let counted = (u32::from(sanction == Sanction::Warning), u32::from(sanction == Sanction::Violation));
    assert_eq!((counts[action.who()].warnings, counts[action.who()].violations), counted, "{action:?}");
}

#[test]
fn what_the_platform_counts_and_what_officials_count_is_counted_together() {
    in_every_shape(async |stage| {
        let officials = Officials::new(&stage).await;
        let regulations =
            Regulations { illegal_input: IllegalInput::Source as i32, ..officials.regulations() };
        let table = Table::arranged(&stage, JIRIGE, regulations).await;
        Play(0, "E5").perform(&table).await.expect("it has happened");
        table.play(&["D4"]).await;
        let question = record(IncidentKind::Questions, Side::First);
        rule(&officials.arbiter, &table, question).await.expect("recorded");
        stage.crash(Duration::from_secs(10)).await;
        Play(0, "E4").perform(&table).await.expect("it has happened");
        let (outcome, _) = table.ended().await;
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::SecondWins, Reason::Violations));
        table.audited().await;
    });
}
