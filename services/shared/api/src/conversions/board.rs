//! Points, effects, positions and outcomes.

use rules::{Change, Mark, Outcome, Point, Reason, Score, Stone, View};

use crate::{DecodeError, ProtoEnum as _, board::v1 as pb};

/// How a game names its points: what is told of them has their names beside their places.
#[derive(Clone, Copy)]
pub struct PointNames<'a>(pub &'a dyn Fn(Point) -> String);

impl PointNames<'_> {
    /// A change of the board.
    #[must_use]
    pub fn change(self, change: &Change) -> pb::Change {
        use pb::change::{Change as Kind, Moved, Placed, Removed};
        let change = match change {
            Change::Placed { at, owner } => {
                Kind::Placed(Placed { at: Some(self.point(*at)), owner: owner.number() })
            }
            Change::Moved { path } => {
                Kind::Moved(Moved { path: path.iter().map(|at| self.point(*at)).collect() })
            }
            Change::Removed { at, owner, cause } => Kind::Removed(Removed {
                at: Some(self.point(*at)),
                owner: owner.number(),
                cause: cause.number(),
            }),
        };
        pb::Change { change: Some(change) }
    }

    /// A mark on a point.
    #[must_use]
    pub fn mark(self, mark: &Mark) -> pb::Mark {
        pb::Mark { at: Some(self.point(mark.at)), kind: mark.kind.to_string() }
    }

    /// A position as somebody sees it.
    #[must_use]
    pub fn board(self, view: &View) -> pb::Board {
        let stone = |stone: &Stone| pb::Stone { at: Some(self.point(stone.at)), owner: stone.owner.number() };
        pb::Board {
            columns: u32::from(view.columns),
            rows: u32::from(view.rows),
            stones: view.stones.iter().map(stone).collect(),
            marks: view.marks.iter().map(|mark| self.mark(mark)).collect(),
            facts: view.facts.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        }
    }

    fn point(self, at: Point) -> pb::Point {
        pb::Point { column: u32::from(at.column), row: u32::from(at.row), name: (self.0)(at) }
    }
}

impl TryFrom<&pb::Change> for Change {
    type Error = DecodeError;

    fn try_from(change: &pb::Change) -> Result<Self, DecodeError> {
        use pb::change::Change as Kind;
        Ok(match change.change.as_ref().ok_or(DecodeError("a change"))? {
            Kind::Placed(placed) => {
                Change::Placed { at: point(placed.at.as_ref())?, owner: placed.owner().try_into()? }
            }
            Kind::Moved(moved) => {
                Change::Moved { path: moved.path.iter().map(|at| point(Some(at))).collect::<Result<_, _>>()? }
            }
            Kind::Removed(removed) => Change::Removed {
                at: point(removed.at.as_ref())?,
                owner: removed.owner().try_into()?,
                cause: removed.cause().try_into()?,
            },
        })
    }
}

impl TryFrom<&pb::Mark> for Mark {
    type Error = DecodeError;

    fn try_from(mark: &pb::Mark) -> Result<Self, DecodeError> {
        Ok(Mark { at: point(mark.at.as_ref())?, kind: mark.kind.clone().into() })
    }
}

fn point(at: Option<&pb::Point>) -> Result<Point, DecodeError> {
    let at = at.ok_or(DecodeError("a point"))?;
    match (u8::try_from(at.column), u8::try_from(at.row)) {
        (Ok(column), Ok(row)) => Ok(Point { column, row }),
        _ => Err(DecodeError("a point")),
    }
}

/// An outcome without its short form, which names the colours of a game.
impl From<&Outcome> for pb::Outcome {
    fn from(outcome: &Outcome) -> Self {
        pb::Outcome {
            verdict: outcome.verdict.number(),
            reason: pb::Reason::from(outcome.reason).into(),
            rule: if let Reason::Rule(name) = outcome.reason { name.to_owned() } else { String::new() },
            score: outcome.score.as_ref().map(Into::into),
            short: String::new(),
        }
    }
}

impl TryFrom<&pb::Outcome> for Outcome {
    type Error = DecodeError;

    fn try_from(outcome: &pb::Outcome) -> Result<Self, DecodeError> {
        let reason = match outcome.reason() {
            pb::Reason::Rule => Reason::of_rule(&outcome.rule),
            reason => reason.try_into().ok(),
        };
        Ok(Outcome {
            verdict: outcome.verdict().try_into().map_err(|_| DecodeError("verdict"))?,
            reason: reason.ok_or(DecodeError("reason"))?,
            score: outcome.score.as_ref().map(Into::into),
        })
    }
}

impl From<&Score> for pb::Score {
    fn from(score: &Score) -> Self {
        pb::Score {
            printed: score.printed.clone(),
            printed_zh: score.printed_zh.clone(),
            points: score.points.clone(),
        }
    }
}

impl From<&pb::Score> for Score {
    fn from(score: &pb::Score) -> Self {
        Score {
            printed: score.printed.clone(),
            printed_zh: score.printed_zh.clone(),
            points: score.points.clone(),
        }
    }
}
