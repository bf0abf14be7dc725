//! What a turn does to the board, for drawing.

use alloc::borrow::Cow;

use super::{LegalTurn, Line, Point, PointSet, Position, Turn, Way};
use crate::{Change, Mark, RemovalCause, prelude::*};

/// What a turn did to the board, in order: the stone placed or moved, those jumped, those chosen.
pub(super) fn changes(legal: &LegalTurn) -> Vec<Change> {
    let (mover, enemy) = (legal.side(), legal.side().other());
    let first = match legal.turn() {
        Turn::Place { at, .. } => Some(Change::Placed { at: (*at).into(), owner: mover }),
        Turn::Move { way, .. } => Some(Change::Moved { path: points(way) }),
        Turn::Remove(_) | Turn::Claim | Turn::Resign => None,
    };
    let removed = |cause| move |at: Point| Change::Removed { at: at.into(), owner: enemy, cause };
    first
        .into_iter()
        .chain(legal.jumped().into_iter().map(removed(RemovalCause::Captured)))
        .chain(legal.turn().removed().iter().copied().map(removed(RemovalCause::Chosen)))
        .collect()
}

/// What is drawn after a turn: `last` where its stone came to rest, `square` and `spear` on the stones of the
/// squares and of the spear that it has just closed.
pub(super) fn marks(legal: &LegalTurn, position: &Position) -> Vec<Mark> {
    let Some(landing) = legal.landing() else { return Vec::new() };
    let mark = |kind: &'static str| move |at: Point| Mark { at: at.into(), kind: Cow::Borrowed(kind) };
    let mut marks = Vec::from([mark("last")(landing)]);
    if legal.squares() > 0 {
        let round = position.board().in_squares_at(legal.side(), landing);
        marks.extend(round.iter().map(mark("square")));
    }
    marks.extend(legal.spear().map_or(PointSet::EMPTY, Line::points).iter().map(mark("spear")));
    marks
}

fn points(way: &Way) -> Vec<crate::Point> {
    match way {
        Way::Walk { from, to } => Vec::from([(*from).into(), (*to).into()]),
        Way::Jump(path) => path.points().iter().map(|at| (*at).into()).collect(),
    }
}
