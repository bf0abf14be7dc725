//! What a client is shown of a position: the marks, the facts and what the last act did.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    string::ToString,
    vec::Vec,
};

use super::{Act, Area, Board, Colour, Ending, Phase, Position, act::write_points, position::Stone};
use crate::{Actors, Change, Effects, Mark, RemovalCause, Side, View};

/// What `act` of `side`, just done, did to the board.
pub(super) fn effects(position: &Position, side: Side, act: &Act) -> Effects {
    let mut changes = Vec::with_capacity(position.removed().len() + 1);
    let mut cause = RemovalCause::Dead;
    if let Act::Play(at) = act {
        changes.push(Change::Placed { at: (*at).into(), owner: side });
        cause = RemovalCause::Captured;
    }
    changes.extend(removals(position.removed(), cause));
    Effects { changes, marks: marks(position) }
}

/// Everything to be drawn besides stones, in this order: `last` (the last stone), `long-cycle` (on the last
/// stone, while a long cycle may be claimed), `ko` (where a ko may not be taken back), `dead` (stones
/// proposed as dead), and after the count `territory-first` and `territory-second` (enclosed points).
pub(super) fn marks(position: &Position) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut mark = |at: super::Point, kind| marks.push(Mark { at: at.into(), kind: Cow::Borrowed(kind) });
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
                mark(at, territory(owner));
            }
        }
    }
    marks
}

/// The position, all of which everybody may see.
pub(super) fn view(position: &Position, ply: u32) -> View {
    let board = position.board();
    View {
        columns: board.columns().get(),
        rows: board.rows().get(),
        stones: stones(board),
        marks: marks(position),
        phase: phase_name(position.phase()),
        actors: actors(position),
        ply,
        facts: facts(position),
    }
}

/// The name of a phase: `handicap`, `play`, `agreement`, `resolution` or `ended`.
pub(super) const fn phase_name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Handicap { .. } => "handicap",
        Phase::Play => "play",
        Phase::Agreement(_) => "agreement",
        Phase::Resolution => "resolution",
        Phase::Ended(_) => "ended",
    }
}

/// Who may act.
pub(super) const fn actors(position: &Position) -> Actors {
    match position.phase() {
        Phase::Handicap { .. } | Phase::Play | Phase::Resolution => Actors::One(position.to_move().side()),
        Phase::Agreement(_) => Actors::Both,
        Phase::Ended(_) => Actors::Nobody,
    }
}

/// `captures-first`, `captures-second`: stones captured by each side. When they hold: `handicap-left`;
/// `confirmed`, the side that has confirmed the end; `notice` = `LONG_CYCLE` with `occurrence` and, once
/// asked, `arbiter` = `asked`; `disputes`; `proposal` and `proposed-by`; `area-first` and `area-second` in
/// zi, and `result`.
fn facts(position: &Position) -> Vec<(&'static str, String)> {
    let side_name = |colour| if colour == Colour::Black { "first" } else { "second" }.to_owned();
    let mut facts = Vec::from([
        ("captures-first", position.captures(Colour::Black).to_string()),
        ("captures-second", position.captures(Colour::White).to_string()),
    ]);
    if position.is_confirmed() {
        facts.push(("confirmed", side_name(position.to_move().other())));
    }
    if let Some(notice) = position.notice() {
        facts.push(("notice", "LONG_CYCLE".to_owned()));
        facts.push(("occurrence", notice.occurrence.to_string()));
        if notice.arbiter_asked {
            facts.push(("arbiter", "asked".to_owned()));
        }
    }
    if position.disputes() > 0 {
        facts.push(("disputes", position.disputes().to_string()));
    }
    match position.phase() {
        Phase::Handicap { left } => facts.push(("handicap-left", left.to_string())),
        Phase::Agreement(agreement) => {
            if let Some(proposal) = &agreement.proposal {
                facts.push(("proposal", write_points(&proposal.dead, position.board().rows())));
                facts.push(("proposed-by", side_name(proposal.by)));
            }
        }
        Phase::Ended(Ending::Scored(score)) => {
            facts.push(("area-first", score.black.to_string()));
            facts.push(("area-second", score.white.to_string()));
            facts.push(("result", score.frame().printed));
        }
        Phase::Play | Phase::Resolution | Phase::Ended(_) => {}
    }
    facts
}

/// The stones that left the board, as changes.
pub(crate) fn removals(removed: &[Stone], cause: RemovalCause) -> impl Iterator<Item = Change> + '_ {
    removed.iter().map(move |stone| Change::Removed {
        at: stone.at.into(),
        owner: stone.colour.side(),
        cause,
    })
}

/// The stones of a board in reading order.
pub(crate) fn stones(board: &Board) -> Vec<crate::Stone> {
    let stone = |at| board.stone(at).map(|colour| crate::Stone { at: at.into(), owner: colour.side() });
    board.points().filter_map(stone).collect()
}

/// The mark of an empty point that a colour holds.
pub(crate) const fn territory(owner: Colour) -> &'static str {
    match owner {
        Colour::Black => "territory-first",
        Colour::White => "territory-second",
    }
}
