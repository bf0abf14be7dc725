//! What a client is shown of a position: the marks, the facts and what the last act did.

use alloc::{
    borrow::{Cow, ToOwned},
    string::{String, ToString},
    vec::Vec,
};

use super::{Act, Bid, Drawn, Ending, Phase, Play, Position};
use crate::{
    Actors, Author, Change, Mark, RemovalCause, Side, Stone, View, Viewer,
    go::{self, Colour, Seats, Size, effects},
};

/// The position as `viewer` may see it.
pub(super) fn view(position: &Position, viewer: Viewer) -> View {
    let board = position.board();
    View {
        columns: board.columns().get(),
        rows: board.rows().get(),
        stones: stones(position),
        marks: marks(position),
        phase: phase_name(position),
        actors: actors(position),
        ply: position.ply(),
        facts: facts(position, viewer),
    }
}

/// The stones; until the colours are settled, the black ones are the first side's.
pub(super) fn stones(position: &Position) -> Vec<Stone> {
    effects::stones(position.board(), seats(position))
}

/// What a turn or the settlement of the end, just done, did to the board.
pub(super) fn turn(play: &Play, side: Side, act: &Act) -> Vec<Change> {
    let pass = go::Act::Pass;
    let turn = if let Act::Turn(turn) = act { turn } else { &pass };
    // A proposal changes nothing, but leaves what the last turn removed to be read.
    let still = matches!(act, Act::Settle(_)) && play.ending().is_none();
    if still { Vec::new() } else { effects::changes(play.position(), play.terms().seats, turn, side) }
}

/// What turned the stones `before` into those of the position: the placement, or the settling of the
/// colours, with which stones may come to be the other side's.
pub(super) fn difference(before: &[Stone], position: &Position) -> Vec<Change> {
    let after = stones(position);
    let gone = before.iter().filter(|stone| !after.contains(stone));
    let new = after.iter().filter(|stone| !before.contains(stone));
    let lifted =
        |stone: &Stone| Change::Removed { at: stone.at, owner: stone.owner, cause: RemovalCause::Lifted };
    let placed = |stone: &Stone| Change::Placed { at: stone.at, owner: stone.owner };
    gone.map(lifted).chain(new.map(placed)).collect()
}

/// The marks of Go (`last`, `long-cycle`, `ko`, `territory-first`, `territory-second`), and `dead`, `seki` and
/// `fill` for what stands proposed in the agreement.
pub(super) fn marks(position: &Position) -> Vec<Mark> {
    let Some(play) = position.play() else { return Vec::new() };
    let mut marks = effects::marks(play.position(), play.terms().seats);
    let Some((_, settlement)) = play.standing() else { return marks };
    let board = play.position().board();
    let mut mark = |at: go::Point, kind| marks.push(Mark { at: at.into(), kind: Cow::Borrowed(kind) });
    settlement.dead.iter().flat_map(|at| board.chain(*at)).for_each(|at| mark(at, "dead"));
    let blocks = super::Blocks::of(&super::settlement::without(board, &settlement.dead));
    let seki = settlement.seki.iter().filter_map(|at| blocks.at(*at));
    seki.flat_map(|block| &block.points).for_each(|at| mark(*at, "seki"));
    settlement.fill.iter().for_each(|at| mark(*at, "fill"));
    marks
}

/// `placement`, `bidding`, `nigiri`, `choice`, `play`, `agreement`, `resolution` or `ended`.
pub(super) fn phase_name(position: &Position) -> &'static str {
    match position.phase() {
        Phase::Placement(_) | Phase::Design(_) => "placement",
        Phase::Bidding(_) => "bidding",
        Phase::Nigiri(..) => "nigiri",
        Phase::Choice(..) => "choice",
        Phase::Play(play) => effects::phase_name(play.position().phase()),
    }
}

/// Who may act.
pub(super) fn actors(position: &Position) -> Actors {
    match Side::BOTH.map(|side| position.awaits(side)) {
        [false, false] => Actors::Nobody,
        [true, false] => Actors::One(Side::First),
        [false, true] => Actors::One(Side::Second),
        [true, true] => Actors::Both,
    }
}

/// A placement as text: `W D4,B Q16,W void K10,B C3`.
pub(super) fn placed(placed: &[Drawn], height: Size) -> String {
    let one = |stone: &Drawn| {
        let void = if stone.stands { "" } else { "void " };
        alloc::format!("{} {void}{}", stone.colour.letter(), stone.at.name(height))
    };
    placed.iter().map(one).collect::<Vec<_>>().join(",")
}

fn seats(position: &Position) -> Seats {
    position.terms().map_or(Seats::USUAL, |terms| terms.seats)
}

/// In a draw: `commit-house`, `commit-first`, `commit-second`, and `reveal-first`, `reveal-second` once open.
/// While the position is designed: `proposal` and `proposed-by`. After a draw for it: `placed`. In the
/// bidding: `bid-limit` in zi, `has-bid-first`, `has-bid-second`, and for a side's own eyes `own-bid`. After
/// it: `bid-first`, `bid-second`, `bid` while the colours are open, `white` and `komi` (in zi, from White to
/// Black) once they are settled. In the play the facts of Go; in the agreement `proposal` and `proposed-by`,
/// and `suggestion`, what the house would propose; in the end `stones-first`, `stones-second`,
/// `blocks-first`, `blocks-second` and `result`.
fn facts(position: &Position, viewer: Viewer) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let height = position.rules().size;
    if !position.placed().is_empty() {
        facts.push(("placed", placed(position.placed(), height)));
    }
    match position.phase() {
        Phase::Placement(_) | Phase::Nigiri(..) => drawing(position, &mut facts),
        Phase::Design(design) => {
            if let Some((by, layout)) = design.standing() {
                facts.push(("proposal", layout.write(height)));
                facts.push(("proposed-by", by.name().to_owned()));
            }
        }
        Phase::Bidding(sealed) => {
            let halves = i16::try_from(position.board().point_count()).unwrap_or(i16::MAX);
            facts.push(("bid-limit", Bid::of_halves(halves).to_string()));
            let made = Side::BOTH.into_iter().filter(|side| sealed.has_bid(*side));
            facts.extend(made.map(|side| (["has-bid-first", "has-bid-second"][side.index()], "yes".into())));
            if let Viewer::Seat(side) = viewer {
                facts.extend(sealed.own(side).map(|bid| ("own-bid", bid.to_string())));
            }
        }
        Phase::Choice(..) | Phase::Play(_) => {}
    }
    for (name, bid) in ["bid-first", "bid-second"].into_iter().zip(position.bids().unwrap_or_default()) {
        facts.extend(bid.map(|bid| (name, bid.to_string())));
    }
    match position.phase() {
        Phase::Nigiri(_, bid) | Phase::Choice(_, bid) => facts.push(("bid", bid.to_string())),
        Phase::Play(play) => playing(play, height, &mut facts),
        _ => {}
    }
    facts
}

fn drawing(position: &Position, facts: &mut Vec<(&'static str, String)>) {
    let Some(draw) = position.draw() else { return };
    for author in Author::ALL {
        let (commit, reveal) = [
            ("commit-house", "reveal-house"),
            ("commit-first", "reveal-first"),
            ("commit-second", "reveal-second"),
        ][author.index()];
        facts.extend(draw.commitment(author).map(|commitment| (commit, commitment.to_string())));
        facts.extend(draw.opening(author).map(|opening| (reveal, opening.text())));
    }
}

fn playing(play: &Play, height: Size, facts: &mut Vec<(&'static str, String)>) {
    let seats = play.terms().seats;
    facts.push(("white", seats.side(Colour::White).name().to_owned()));
    facts.push(("komi", play.terms().komi.to_string()));
    facts.extend(effects::course(play.position(), seats));
    if play.is_in_agreement() {
        if let Some((by, settlement)) = play.standing() {
            facts.push(("proposal", settlement.write(height)));
            facts.push(("proposed-by", seats.side(by).name().to_owned()));
        }
        facts.push(("suggestion", play.proposal().write(height)));
    }
    if let Some(Ending::Scored(score)) = play.ending() {
        let tally = |side| seats.colour(side);
        let stones = |side| score.tally.count(tally(side)).to_string();
        let blocks = |side| score.tally.groups(tally(side)).to_string();
        facts.push(("stones-first", stones(Side::First)));
        facts.push(("stones-second", stones(Side::Second)));
        facts.push(("blocks-first", blocks(Side::First)));
        facts.push(("blocks-second", blocks(Side::Second)));
        facts.push(("result", score.frame().printed));
    }
}
