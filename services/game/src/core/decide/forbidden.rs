//! Acts that the rules forbid, in games in which they happen as they would on a board: what the table of incidents
//! says follows from them.

use std::collections::BTreeSet;

use rules::{ActErrorKind, ActKind, Author, Decision, IncidentKind, Remedy, Side};

use super::{PendingEvent, TimeStep};
use crate::core::{By, Event, EventKind, Forbidden, Game, IllegalInput, Incident, Played, rewind};

/// How an offer of a draw is named among acts.
const DRAW_OFFER: &str = "draw";
/// Why a move that the rules themselves make void is forbidden: a forbidden point or a retake.
const VOID_MOVE: &str = "VOID_MOVE";

/// What follows from an act that the rules refuse; none where it is refused as elsewhere, because acts are
/// not taken as on a board or no printed rule says what follows.
pub(super) fn happened(
    game: &Game,
    side: Side,
    text: &str,
    refusal: &rules::ActError,
    log: &[Event],
) -> Option<PendingEvent> {
    let is_move = (game.variant().act_kind)(text) == ActKind::Move;
    let kind = match refusal.kind {
        ActErrorKind::Turn if is_move && has_moved_last(game, side, log) => IncidentKind::TwoMoves,
        ActErrorKind::Forbidden if is_move => IncidentKind::ForbiddenMove,
        _ => return None,
    };
    let decision = decision(game, kind)?;
    let mut pending = pending(game, side, kind, decision, text, refusal.reason);
    if decision.remedy == Remedy::Pass {
        let mut position = game.position.clone();
        let passed = position.play(side, game.variant().pass?).ok()?;
        pending.counts_as(game, side, Played::new(Author::Side(side), passed), position);
    }
    Some(pending)
}

/// The same of an act that the rules have taken, if they have made it void.
pub(super) fn made_void(game: &Game, side: Side, text: &str, taken: &PendingEvent) -> Option<PendingEvent> {
    let (EventKind::Played(played), Some(position)) = (&taken.kind, &taken.position) else { return None };
    let decision = decision(game, IncidentKind::ForbiddenMove)
        .filter(|_| (game.variant().act_kind)(&played.text) == ActKind::Void)?;
    let mut pending = pending(game, side, IncidentKind::ForbiddenMove, decision, text, VOID_MOVE);
    pending.counts_as(game, side, played.clone(), position.clone());
    Some(pending)
}

/// The same of a draw that is offered again after it was refused.
pub(super) fn offered_again(game: &Game, side: Side, fault: rules::DrawOfferError) -> Option<PendingEvent> {
    let decision = decision(game, IncidentKind::RepeatedOffer)?;
    Some(pending(game, side, IncidentKind::RepeatedOffer, decision, DRAW_OFFER, fault.reason()))
}

/// What the table says first, in a game in which acts are taken as on a board.
fn decision(game: &Game, kind: IncidentKind) -> Option<Decision> {
    let source = game.info.regulations.illegal_input == IllegalInput::Source;
    let conduct = game.variant().conduct;
    source.then(|| conduct.allowed(kind, &BTreeSet::new()).map(|line| line.decision).next()).flatten()
}

fn pending(
    game: &Game,
    side: Side,
    kind: IncidentKind,
    decision: Decision,
    text: &str,
    rule: &str,
) -> PendingEvent {
    let incident = Incident {
        number: game.progress().arbitration.incidents + 1,
        kind,
        accused: Some(side),
        reporter: None,
        circumstances: BTreeSet::new(),
        ply: game.state.ply,
        evidence: None,
        decision,
        appeal_of: None,
    };
    let forbidden = Forbidden { text: text.to_owned(), rule: rule.to_owned(), incident, counts_as: None };
    let mut pending =
        PendingEvent::new(By::Side(side), EventKind::ForbiddenPlayed(Box::new(forbidden)), Vec::new());
    if pending.ends(game) {
        pending.time_steps = vec![TimeStep::Stop];
    }
    pending
}

impl PendingEvent {
    /// Has a forbidden act count as one that the rules have taken: the clock is pressed.
    fn counts_as(&mut self, game: &Game, side: Side, played: Played, position: Box<dyn rules::Game>) {
        if let EventKind::ForbiddenPlayed(forbidden) = &mut self.kind {
            forbidden.counts_as = Some(played);
        }
        let next = if position.outcome().is_some() { None } else { position.on_clock() };
        self.position = Some(position);
        if !self.ends(game) {
            self.time_steps = vec![TimeStep::Turn { author: Some(side), next }];
        }
    }
}

/// Whether the last act that stands was this side's too, and took its turn: whoever moves then moves twice in a row.
/// Somebody who has bid, or has refused a count, has not moved by it.
fn has_moved_last(game: &Game, side: Side, log: &[Event]) -> bool {
    let kind = |last: &Played| (game.variant().act_kind)(last.whole());
    rewind::effective_acts(log)
        .last()
        .is_some_and(|last| last.author == Author::Side(side) && kind(last) != ActKind::Other)
}
