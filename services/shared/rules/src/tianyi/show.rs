//! What a client is shown of a position: the marks, the facts and what the last act did.

use super::{Act, Bid, Drawn, Ending, Phase, Play, Position};
use crate::{
    Actors, Author, Change, Mark, RemovalCause, Side, Stone, Viewer,
    goban::{
        Colour, Score as _, Seats, Size, Terms as _,
        agreement::without,
        effects::{self, mark},
    },
    prelude::*,
};

/// The stones; until the colours are settled, the black ones are the first side's.
pub(super) fn stones(position: &Position) -> Vec<Stone> {
    effects::stones(position.board(), seats(position))
}

/// What a turn or the settlement of the end, just done, did to the board.
pub(super) fn turn(play: &Play, side: Side, act: &Act) -> Vec<Change> {
    let placed = if let Act::Turn(turn) = act { turn.placed() } else { None };
    effects::changes(placed.map(|at| (at, side)), play.position().removed(), play.terms().seats)
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
    let Some(settlement) = play.standing() else { return marks };
    let blocks = super::Blocks::of(&without(play.position().board(), &settlement.dead));
    let seki = settlement.seki.iter().filter_map(|at| blocks.at(*at));
    marks.extend(seki.flat_map(|block| &block.points).map(|at| mark(*at, "seki")));
    marks.extend(settlement.fill.iter().map(|at| mark(*at, "fill")));
    marks
}

/// `placement`, `bidding`, `nigiri`, `choice`, `play`, `agreement`, `resolution` or `ended`.
pub(super) fn phase_name(position: &Position) -> &'static str {
    match position.phase() {
        Phase::Placement(_) | Phase::Design(_) => "placement",
        Phase::Bidding(_) => "bidding",
        Phase::Nigiri(..) => "nigiri",
        Phase::Choice(..) => "choice",
        Phase::Play(play) => play.position().phase().name(),
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

/// In a lottery: `commit-house`, `commit-first`, `commit-second`, and `reveal-first`, `reveal-second` once open.
/// While the position is designed: `proposal` and `proposed-by`. After a lottery for it: `placed`. In the
/// bidding: `bid-limit` in zi, `has-bid-first`, `has-bid-second`, and for a side's own eyes `own-bid`. After
/// it: `bid-first`, `bid-second`, `bid` while the colours are open, `white` and `komi` (in zi, from White to
/// Black) once they are settled. In the play the facts of Go; in the agreement `proposal` and `proposed-by`,
/// and `suggestion`, what the system would propose; in the end `stones-first`, `stones-second`,
/// `blocks-first`, `blocks-second` and `result`.
pub(super) fn facts(position: &Position, viewer: Viewer) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let height = position.rules().size;
    if !position.placed().is_empty() {
        facts.push(("placed", placed(position.placed(), height)));
    }
    match position.phase() {
        Phase::Placement(_) | Phase::Nigiri(..) => lottery(position, &mut facts),
        Phase::Design(design) => {
            facts.extend(effects::proposal(design, |side| side, |layout| layout.write(height)));
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

fn lottery(position: &Position, facts: &mut Vec<(&'static str, String)>) {
    let Some(lottery) = position.lottery() else { return };
    for author in Author::ALL {
        let (commit, reveal) = [
            ("commit-house", "reveal-house"),
            ("commit-first", "reveal-first"),
            ("commit-second", "reveal-second"),
        ][author.index()];
        facts.extend(lottery.commitment(author).map(|commitment| (commit, commitment.to_string())));
        facts.extend(lottery.opening(author).map(|opening| (reveal, opening.text())));
    }
}

fn playing(play: &Play, height: Size, facts: &mut Vec<(&'static str, String)>) {
    let seats = play.terms().seats;
    facts.push(("white", seats.side(Colour::White).name().to_owned()));
    facts.push(("komi", play.terms().komi.to_string()));
    facts.extend(effects::course(play.position(), seats));
    if let Some(agreement) = play.position().agreement() {
        facts.extend(effects::proposal(agreement, |by| seats.side(by), |end| end.write(height)));
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
