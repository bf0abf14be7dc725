//! What a client is shown of a position: the marks, the facts and what the last act did.

use alloc::{
    borrow::{Cow, ToOwned},
    string::{String, ToString},
    vec::Vec,
};

use super::{Act, Phase, Position};
use crate::{
    Actors, Change, Effects, Mark, RemovalCause, Side, View,
    go::{
        Colour, Seats,
        effects::{removals, stones},
    },
};

/// What `act` of `side`, just done, did to the board. A virtual move does nothing to it.
pub(super) fn effects(position: &Position, side: Side, act: &Act) -> Effects {
    let mut changes = Vec::with_capacity(position.removed().len() + 1);
    let mut cause = RemovalCause::Dead;
    if let Act::Play(at) = act {
        changes.push(Change::Placed { at: (*at).into(), owner: side });
        cause = RemovalCause::Captured;
    }
    changes.extend(removals(position.removed(), Seats::USUAL, cause));
    Effects { changes, marks: marks(position), revealed: Vec::new() }
}

/// Everything to be drawn besides stones, in this order: `last` (the last stone), `ko` (where a ko may not
/// be taken back), `dead` (stones proposed as dead), and once something can be counted `territory-first`,
/// `territory-second` and `shared` (empty points).
pub(super) fn marks(position: &Position) -> Vec<Mark> {
    let mark = |at: crate::go::Point, kind| Mark { at: at.into(), kind: Cow::Borrowed(kind) };
    let mut marks = Vec::new();
    marks.extend(position.last().map(|at| mark(at, "last")));
    marks.extend(position.ko().map(|at| mark(at, "ko")));
    if let Some(agreement) = position.agreement() {
        marks.extend(agreement.dead_stones(position.board()).map(|at| mark(at, "dead")));
    }
    marks.extend(
        position.settlement().into_iter().flat_map(|settlement| settlement.layout.picture(&[]).marks),
    );
    marks
}

/// The position, all of which everybody may see.
pub(super) fn view(position: &Position, ply: u32) -> View {
    let board = position.board();
    View {
        columns: board.columns().get(),
        rows: board.rows().get(),
        stones: stones(board, Seats::USUAL),
        marks: marks(position),
        phase: phase_name(position.phase()),
        actors: actors(position),
        ply,
        facts: facts(position),
    }
}

/// The name of a phase: `contest`, `agreement`, `filling`, `resolution` or `ended`.
pub(super) const fn phase_name(phase: &Phase) -> &'static str {
    match phase {
        Phase::Contest => "contest",
        Phase::Agreement(_) => "agreement",
        Phase::Filling => "filling",
        Phase::Resolution => "resolution",
        Phase::Ended(_) => "ended",
    }
}

/// Who may act.
pub(super) const fn actors(position: &Position) -> Actors {
    match position.phase() {
        Phase::Contest | Phase::Filling | Phase::Resolution => Actors::One(position.to_move().side()),
        Phase::Agreement(_) => Actors::Both,
        Phase::Ended(_) => Actors::Nobody,
    }
}

/// `prisoners-first`, `prisoners-second`: stones of each side that play took off the board;
/// `virtual-first`, `virtual-second`: stones of each side beside the board; `extra`: how many more moves
/// the first side pays for, the second if it is negative; `komi`, in points. When they hold: `passed`, the
/// side that has passed; `disputes`; `demands-first`, `demands-second`; `proposal` and `proposed-by`;
/// `land-first`, `land-second` and `result`, in points, by the standing proposal or the end.
fn facts(position: &Position) -> Vec<(&'static str, String)> {
    let side_name = |colour: Colour| colour.side().name().to_owned();
    let mut facts = Vec::from([
        ("prisoners-first", position.prisoners(Colour::Black).to_string()),
        ("prisoners-second", position.prisoners(Colour::White).to_string()),
        ("virtual-first", position.virtuals(Colour::Black).to_string()),
        ("virtual-second", position.virtuals(Colour::White).to_string()),
        ("extra", position.extra().to_string()),
        ("komi", position.rules().komi.to_string()),
    ]);
    if position.is_passed() {
        facts.push(("passed", side_name(position.to_move().other())));
    }
    if position.disputes() > 0 {
        facts.push(("disputes", position.disputes().to_string()));
    }
    for (name, colour) in [("demands-first", Colour::Black), ("demands-second", Colour::White)] {
        if position.demands(colour) > 0 {
            facts.push((name, position.demands(colour).to_string()));
        }
    }
    if let Some(proposal) = position.agreement().and_then(|agreement| agreement.proposal.as_ref()) {
        facts.push(("proposal", proposal.terms.write(position.board().rows())));
        facts.push(("proposed-by", side_name(proposal.by)));
    }
    if let Some(settlement) = position.settlement() {
        let score = settlement.score();
        facts.push(("land-first", score.black.to_string()));
        facts.push(("land-second", score.white.to_string()));
        facts.push(("result", score.frame().printed));
    }
    facts
}
