//! Points, effects, positions and outcomes.

use api::board::v1 as pb;
use rules::{Change, Mark, Outcome, Point, Reason, RemovalCause, Score, Side, Stone, Verdict, View};

use super::{
    DecodeError, side_from_pb, side_to_pb,
    table::{from_pb, to_pb},
};

/// Reasons with their protos.
const REASONS: &[(Reason, pb::Reason)] = &[
    (Reason::Resignation, pb::Reason::Resignation),
    (Reason::Time, pb::Reason::Time),
    (Reason::Agreement, pb::Reason::Agreement),
    (Reason::Aborted, pb::Reason::Aborted),
    (Reason::Score, pb::Reason::Score),
    (Reason::NoMoves, pb::Reason::NoMoves),
    (Reason::TooFewStones, pb::Reason::TooFewStones),
    (Reason::Fourteen, pb::Reason::Fourteen),
    (Reason::Formation, pb::Reason::Formation),
    (Reason::Repetition, pb::Reason::Repetition),
    (Reason::Quiet, pb::Reason::Quiet),
    (Reason::Replay, pb::Reason::Replay),
    (Reason::Arbiter, pb::Reason::Arbiter),
    (Reason::Late, pb::Reason::Late),
    (Reason::Warnings, pb::Reason::Warnings),
    (Reason::Violations, pb::Reason::Violations),
    (Reason::Abandoned, pb::Reason::Abandoned),
    (Reason::NoWinningForce, pb::Reason::NoWinningForce),
    (Reason::Committee, pb::Reason::Committee),
    (Reason::NotAppeared, pb::Reason::NotAppeared),
];

/// Causes of removal with their protos.
const CAUSES: &[(RemovalCause, pb::RemovalCause)] = &[
    (RemovalCause::Captured, pb::RemovalCause::Captured),
    (RemovalCause::Chosen, pb::RemovalCause::Chosen),
    (RemovalCause::Lifted, pb::RemovalCause::Lifted),
    (RemovalCause::Dead, pb::RemovalCause::Dead),
];

/// Verdicts with their protos.
const VERDICTS: &[(Verdict, pb::Verdict)] = &[
    (Verdict::Win(Side::First), pb::Verdict::FirstWins),
    (Verdict::Win(Side::Second), pb::Verdict::SecondWins),
    (Verdict::Draw, pb::Verdict::Draw),
    (Verdict::BothLose, pb::Verdict::BothLose),
    (Verdict::Void, pb::Verdict::Void),
];

pub(crate) fn change_to_pb(change: &Change, name: &dyn Fn(Point) -> String) -> pb::Change {
    use pb::change::{Change as Kind, Moved, Placed, Removed};
    let point = |at: Point| point_to_pb(at, name);
    let change = match change {
        Change::Placed { at, owner } => {
            Kind::Placed(Placed { at: Some(point(*at)), owner: side_to_pb(*owner) })
        }
        Change::Moved { path } => Kind::Moved(Moved { path: path.iter().map(|at| point(*at)).collect() }),
        Change::Removed { at, owner, cause } => Kind::Removed(Removed {
            at: Some(point(*at)),
            owner: side_to_pb(*owner),
            cause: to_pb(CAUSES, *cause) as i32,
        }),
    };
    pb::Change { change: Some(change) }
}

pub(crate) fn changes_from_pb(changes: &[pb::Change]) -> Result<Vec<Change>, DecodeError> {
    use pb::change::Change as Kind;
    let owner = |side| side_from_pb(side).ok_or(DecodeError("owner of a stone"));
    changes
        .iter()
        .map(|change| match change.change.as_ref().ok_or(DecodeError("a change"))? {
            Kind::Placed(placed) => {
                Ok(Change::Placed { at: point_from_pb(placed.at.as_ref())?, owner: owner(placed.owner)? })
            }
            Kind::Moved(moved) => {
                let path = moved.path.iter().map(|at| point_from_pb(Some(at))).collect::<Result<_, _>>()?;
                Ok(Change::Moved { path })
            }
            Kind::Removed(removed) => Ok(Change::Removed {
                at: point_from_pb(removed.at.as_ref())?,
                owner: owner(removed.owner)?,
                cause: from_pb(CAUSES, removed.cause).ok_or(DecodeError("cause of a removal"))?,
            }),
        })
        .collect()
}

pub(crate) fn marks_to_pb(marks: &[Mark], name: &dyn Fn(Point) -> String) -> Vec<pb::Mark> {
    marks
        .iter()
        .map(|mark| pb::Mark { at: Some(point_to_pb(mark.at, name)), kind: mark.kind.to_string() })
        .collect()
}

pub(crate) fn marks_from_pb(marks: &[pb::Mark]) -> Result<Vec<Mark>, DecodeError> {
    marks
        .iter()
        .map(|mark| Ok(Mark { at: point_from_pb(mark.at.as_ref())?, kind: mark.kind.clone().into() }))
        .collect()
}

pub(crate) fn view_to_pb(view: &View, name: &dyn Fn(Point) -> String) -> pb::Board {
    let stone =
        |stone: &Stone| pb::Stone { at: Some(point_to_pb(stone.at, name)), owner: side_to_pb(stone.owner) };
    pb::Board {
        columns: u32::from(view.columns),
        rows: u32::from(view.rows),
        stones: view.stones.iter().map(stone).collect(),
        marks: marks_to_pb(&view.marks, name),
        facts: view.facts.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
    }
}

pub(crate) fn outcome_to_pb(outcome: &Outcome, short: String) -> pb::Outcome {
    pb::Outcome {
        verdict: to_pb(VERDICTS, outcome.verdict) as i32,
        reason: reason_to_pb(outcome.reason) as i32,
        rule: if let Reason::Rule(name) = outcome.reason { name.to_owned() } else { String::new() },
        score: outcome.score.as_ref().map(score_to_pb),
        short,
    }
}

pub(crate) fn score_to_pb(score: &Score) -> pb::Score {
    pb::Score {
        printed: score.printed.clone(),
        printed_zh: score.printed_zh.clone(),
        points: score.points.clone(),
    }
}

pub(super) fn outcome_from_pb(outcome: &pb::Outcome) -> Result<Outcome, DecodeError> {
    Ok(Outcome {
        verdict: from_pb(VERDICTS, outcome.verdict).ok_or(DecodeError("verdict"))?,
        reason: reason_from_pb(outcome).ok_or(DecodeError("reason"))?,
        score: outcome.score.as_ref().map(|score| Score {
            printed: score.printed.clone(),
            printed_zh: score.printed_zh.clone(),
            points: score.points.clone(),
        }),
    })
}

fn reason_to_pb(reason: Reason) -> pb::Reason {
    if let Reason::Rule(_) = reason { pb::Reason::Rule } else { to_pb(REASONS, reason) }
}

fn reason_from_pb(outcome: &pb::Outcome) -> Option<Reason> {
    match outcome.reason() {
        pb::Reason::Rule => Reason::of_rule(&outcome.rule),
        _ => from_pb(REASONS, outcome.reason),
    }
}

fn point_to_pb(at: Point, name: &dyn Fn(Point) -> String) -> pb::Point {
    pb::Point { column: u32::from(at.column), row: u32::from(at.row), name: name(at) }
}

fn point_from_pb(at: Option<&pb::Point>) -> Result<Point, DecodeError> {
    let at = at.ok_or(DecodeError("a point"))?;
    match (u8::try_from(at.column), u8::try_from(at.row)) {
        (Ok(column), Ok(row)) => Ok(Point { column, row }),
        _ => Err(DecodeError("a point")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_a_proto_of_its_own_and_the_same_name() {
        for reason in Reason::ALL {
            let proto = to_pb(REASONS, reason);
            assert_eq!(from_pb(REASONS, proto as i32), Some(reason));
            let name = proto.as_str_name().trim_start_matches("REASON_");
            assert_eq!(name.to_ascii_lowercase().replace('_', "-"), reason.name());
        }
    }
}
