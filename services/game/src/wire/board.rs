//! Points, effects, positions and outcomes.

use api::board::v1 as pb;
use rules::{Change, Mark, Outcome, Point, Reason, RemovalCause, Score, Side, Stone, Verdict, View};

use super::{DecodeError, Numbered as _};

pub(crate) fn change_to_pb(change: &Change, name: &dyn Fn(Point) -> String) -> pb::Change {
    use pb::change::{Change as Kind, Moved, Placed, Removed};
    let point = |at: Point| point_to_pb(at, name);
    let change = match change {
        Change::Placed { at, owner } => Kind::Placed(Placed { at: Some(point(*at)), owner: owner.number() }),
        Change::Moved { path } => Kind::Moved(Moved { path: path.iter().map(|at| point(*at)).collect() }),
        Change::Removed { at, owner, cause } => {
            Kind::Removed(Removed { at: Some(point(*at)), owner: owner.number(), cause: cause.number() })
        }
    };
    pb::Change { change: Some(change) }
}

pub(crate) fn changes_from_pb(changes: &[pb::Change]) -> Result<Vec<Change>, DecodeError> {
    use pb::change::Change as Kind;
    let owner = |side| Side::of(side).ok_or(DecodeError("owner of a stone"));
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
                cause: RemovalCause::of(removed.cause).ok_or(DecodeError("cause of a removal"))?,
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
        |stone: &Stone| pb::Stone { at: Some(point_to_pb(stone.at, name)), owner: stone.owner.number() };
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
        verdict: outcome.verdict.number(),
        reason: outcome.reason.number(),
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
        verdict: Verdict::of(outcome.verdict).ok_or(DecodeError("verdict"))?,
        reason: reason_from_pb(outcome).ok_or(DecodeError("reason"))?,
        score: outcome.score.as_ref().map(|score| Score {
            printed: score.printed.clone(),
            printed_zh: score.printed_zh.clone(),
            points: score.points.clone(),
        }),
    })
}

fn reason_from_pb(outcome: &pb::Outcome) -> Option<Reason> {
    match outcome.reason() {
        pb::Reason::Rule => Reason::of_rule(&outcome.rule),
        _ => Reason::of(outcome.reason),
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
