//! What a client is shown of a position: the marks, the facts and what the last act did.

use alloc::borrow::Cow;

use super::{Agreement, Area, Board, Count, Ending, Phase, Point, Position, Seats, Stone};
use crate::{Actors, Change, Mark, RemovalCause, Side, prelude::*};

/// How an act changed the stones: it put one there or none, and took these off.
pub(crate) fn changes(placed: Option<(Point, Side)>, removed: &[Stone], seats: Seats) -> Vec<Change> {
    let cause = if placed.is_some() { RemovalCause::Captured } else { RemovalCause::Dead };
    let placed = placed.map(|(at, owner)| Change::Placed { at: at.into(), owner });
    let removed = removed.iter().map(|stone| Change::Removed {
        at: stone.at.into(),
        owner: seats.side(stone.colour),
        cause,
    });
    placed.into_iter().chain(removed).collect()
}

/// A mark on a point.
pub(crate) fn mark(at: Point, kind: &'static str) -> Mark {
    Mark { at: at.into(), kind: Cow::Borrowed(kind) }
}

/// Everything to be drawn besides stones, in this order: `last` (the last stone), `long-cycle` (on the last
/// stone, while a long cycle may be claimed), `ko` (where a ko may not be taken back), `dead` (stones
/// proposed as dead), and after the count `territory-first` and `territory-second` (enclosed points).
pub(crate) fn marks<T: Count>(position: &Position<T>, seats: Seats) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut mark = |at, kind| marks.push(mark(at, kind));
    if let Some(last) = position.last() {
        mark(last, "last");
        if position.notice().is_some() {
            mark(last, "long-cycle");
        }
    }
    if let Some(ko) = position.ko() {
        mark(ko, "ko");
    }
    if let Some(agreement) = position.agreement() {
        agreement.dead_stones(position.board()).for_each(|at| mark(at, "dead"));
    }
    if let Some(Ending::Scored(_)) = position.ending() {
        let area = Area::of(position.board());
        for at in position.board().points().filter(|at| position.board().stone(*at).is_none()) {
            if let Some(owner) = area.owner(at) {
                mark(at, territory(seats.side(owner)));
            }
        }
    }
    marks
}

/// Every stone of a board, in reading order.
pub(crate) fn stones(board: &Board, seats: Seats) -> Vec<crate::Stone> {
    let stone = |at| board.stone(at).map(|colour| crate::Stone { at: at.into(), owner: seats.side(colour) });
    board.points().filter_map(stone).collect()
}

/// Who may act.
pub(crate) const fn actors<T: Count>(position: &Position<T>, seats: Seats) -> Actors {
    match position.phase() {
        Phase::Handicap { .. } | Phase::Play | Phase::Resolution => {
            Actors::One(seats.side(position.to_move()))
        }
        Phase::Agreement(_) => Actors::Both,
        Phase::Ended(_) => Actors::Nobody,
    }
}

/// `captures-first`, `captures-second`: stones captured by each side. When they hold: `confirmed`, the side
/// that has confirmed the end; `notice` = `LONG_CYCLE` with `occurrence` and, once asked, `arbiter` =
/// `asked`; `disputes`.
pub(crate) fn course<T: Count>(position: &Position<T>, seats: Seats) -> Vec<(&'static str, String)> {
    let captures = |side| position.captures(seats.colour(side)).to_string();
    let mut facts =
        Vec::from([("captures-first", captures(Side::First)), ("captures-second", captures(Side::Second))]);
    let passed = || seats.side(position.to_move().other()).name().to_owned();
    facts.extend(position.is_confirmed().then(|| ("confirmed", passed())));
    if let Some(notice) = position.notice() {
        facts.push(("notice", "LONG_CYCLE".to_owned()));
        facts.push(("occurrence", notice.occurrence.to_string()));
        facts.extend(notice.arbiter_asked.then(|| ("arbiter", "asked".to_owned())));
    }
    facts.extend((position.disputes() > 0).then(|| ("disputes", position.disputes().to_string())));
    facts
}

/// `proposal`, as it is written, and `proposed-by`, where one stands.
pub(crate) fn proposal<T, P: Copy>(
    agreement: &Agreement<T, P>,
    side: impl FnOnce(P) -> Side,
    write: impl FnOnce(&T) -> String,
) -> impl Iterator<Item = (&'static str, String)> {
    let facts = agreement.proposal.as_ref().map(|proposal| {
        [("proposal", write(&proposal.terms)), ("proposed-by", side(proposal.by).name().to_owned())]
    });
    facts.into_iter().flatten()
}

/// The mark of an empty point that a side holds.
pub(crate) const fn territory(owner: Side) -> &'static str {
    match owner {
        Side::First => "territory-first",
        Side::Second => "territory-second",
    }
}
