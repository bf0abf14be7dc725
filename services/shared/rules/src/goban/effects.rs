//! What a client is shown of a position: the marks, the facts and what the last act did.

use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    string::ToString,
    vec::Vec,
};

use super::{Act, Area, Board, Colour, Ending, Phase, Position, Seats, Stone, act::write_points};
use crate::{Actors, Change, Effects, Mark, RemovalCause, Side, View};

/// What `act` of `side`, just done, did to the board.
pub(crate) fn effects(position: &Position, seats: Seats, act: &Act, side: Side) -> Effects {
    Effects {
        changes: changes(position, seats, act, side),
        marks: marks(position, seats),
        ..Effects::default()
    }
}

/// How `act` of `side`, just done, changed the stones.
pub(crate) fn changes(position: &Position, seats: Seats, act: &Act, side: Side) -> Vec<Change> {
    let mut changes = Vec::with_capacity(position.removed().len() + 1);
    let mut cause = RemovalCause::Dead;
    if let Act::Play(at) = act {
        changes.push(Change::Placed { at: (*at).into(), owner: side });
        cause = RemovalCause::Captured;
    }
    changes.extend(removals(position.removed(), seats, cause));
    changes
}

/// Everything to be drawn besides stones, in this order: `last` (the last stone), `long-cycle` (on the last
/// stone, while a long cycle may be claimed), `ko` (where a ko may not be taken back), `dead` (stones
/// proposed as dead), and after the count `territory-first` and `territory-second` (enclosed points).
pub(crate) fn marks(position: &Position, seats: Seats) -> Vec<Mark> {
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
                mark(at, territory(seats.side(owner)));
            }
        }
    }
    marks
}

/// The position, all of which everybody may see.
pub(crate) fn view(position: &Position, seats: Seats, ply: u32) -> View {
    let board = position.board();
    View {
        columns: board.columns().get(),
        rows: board.rows().get(),
        stones: stones(board, seats),
        marks: marks(position, seats),
        phase: phase_name(position.phase()),
        actors: actors(position, seats),
        ply,
        facts: facts(position, seats),
    }
}

/// Every stone of a board, in reading order.
pub(crate) fn stones(board: &Board, seats: Seats) -> Vec<crate::Stone> {
    let stone = |at| board.stone(at).map(|colour| crate::Stone { at: at.into(), owner: seats.side(colour) });
    board.points().filter_map(stone).collect()
}

/// The name of a phase: `handicap`, `play`, `agreement`, `resolution` or `ended`.
pub(crate) const fn phase_name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Handicap { .. } => "handicap",
        Phase::Play => "play",
        Phase::Agreement(_) => "agreement",
        Phase::Resolution => "resolution",
        Phase::Ended(_) => "ended",
    }
}

/// Who may act.
pub(crate) const fn actors(position: &Position, seats: Seats) -> Actors {
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
pub(crate) fn course(position: &Position, seats: Seats) -> Vec<(&'static str, String)> {
    let captures = |side| position.captures(seats.colour(side)).to_string();
    let mut facts =
        Vec::from([("captures-first", captures(Side::First)), ("captures-second", captures(Side::Second))]);
    if position.is_confirmed() {
        facts.push(("confirmed", seats.side(position.to_move().other()).name().to_owned()));
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
    facts
}

/// The [`course`] of the game; when they hold: `handicap-left`; `proposal` and `proposed-by`; `area-first` and
/// `area-second` in zi, and `result`.
fn facts(position: &Position, seats: Seats) -> Vec<(&'static str, String)> {
    let mut facts = course(position, seats);
    match position.phase() {
        Phase::Handicap { left } => facts.push(("handicap-left", left.to_string())),
        Phase::Agreement(agreement) => {
            if let Some(proposal) = &agreement.proposal {
                facts.push(("proposal", write_points(&proposal.dead, position.board().rows())));
                facts.push(("proposed-by", seats.side(proposal.by).name().to_owned()));
            }
        }
        Phase::Ended(Ending::Scored(score)) => {
            let area = |side| if seats.colour(side) == Colour::Black { score.black } else { score.white };
            facts.push(("area-first", area(Side::First).to_string()));
            facts.push(("area-second", area(Side::Second).to_string()));
            facts.push(("result", score.frame().printed));
        }
        Phase::Play | Phase::Resolution | Phase::Ended(_) => {}
    }
    facts
}

/// The stones that left the board, as changes.
pub(crate) fn removals(
    removed: &[Stone],
    seats: Seats,
    cause: RemovalCause,
) -> impl Iterator<Item = Change> + '_ {
    removed.iter().map(move |stone| Change::Removed {
        at: stone.at.into(),
        owner: seats.side(stone.colour),
        cause,
    })
}

/// The mark of an empty point that a side holds.
pub(crate) const fn territory(owner: Side) -> &'static str {
    match owner {
        Side::First => "territory-first",
        Side::Second => "territory-second",
    }
}
