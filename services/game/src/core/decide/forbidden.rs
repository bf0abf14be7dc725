//! Acts that the rules forbid, in games in which they happen as they would on a board: what the table of incidents
//! says follows from them.

use std::collections::BTreeSet;

use rules::{Author, RefusalKind, Side};

use super::{Draft, TimeStep};
use crate::core::{
    By, Conduct, Decision, Event, Forbidden, Game, IllegalInput, Incident, IncidentKind, Kind, Played,
    Remedy, past,
};

/// How an offer of a draw is named among acts.
const DRAW_OFFER: &str = "draw";
/// What the rules of Go write before a move that is void.
const VOID: &str = "void ";
/// How a pass is written.
const PASS: &str = "pass";
/// The words that are moves though they name no point; the second puts a stone beside the board.
const WORDS: &[&str] = &[PASS, "virtual"];
/// Why a move that the rules themselves make void is forbidden: a forbidden point or a retake.
const VOID_MOVE: &str = "VOID_MOVE";
/// What is forbidden to move in the games of Go, by the names of the rules: articles 19 and 20.
const FORBIDDEN_POINTS: &[&str] = &["SUICIDE", "KO", "REPETITION", "SHAPE_AGAIN", "BOARD_AGAIN"];

/// What follows from an act that the rules refuse; none where it is refused as elsewhere, because acts are
/// not taken as on a board or no printed rule says what follows.
pub(super) fn happened(
    game: &Game,
    side: Side,
    text: &str,
    refusal: &rules::Refusal,
    past: &[Event],
) -> Option<Draft> {
    let conduct = Conduct::of(game.info.variant);
    let kind = match refusal.kind {
        RefusalKind::Turn if is_second(side, text, past) => IncidentKind::TwoMoves,
        RefusalKind::Illegal if conduct == Conduct::Go => {
            let forbidden = is_move(text) && FORBIDDEN_POINTS.contains(&refusal.reason);
            forbidden.then_some(IncidentKind::ForbiddenMove)?
        }
        RefusalKind::Illegal if refusal.reason != "NOT_CLAIMABLE" => IncidentKind::ForbiddenMove,
        RefusalKind::Illegal | RefusalKind::Turn | RefusalKind::Syntax => return None,
    };
    let decision = decision(game, kind)?;
    let mut draft = draft(game, side, kind, decision, text, refusal.reason);
    if decision.remedy == Remedy::Pass {
        let mut position = game.position.clone();
        let passed = position.play(side, PASS).ok()?;
        draft.counts_as(game, side, Played::new(Author::Side(side), passed), position);
    }
    Some(draft)
}

/// The same of an act that the rules have taken, if they have made it void.
pub(super) fn made_void(game: &Game, side: Side, text: &str, taken: &Draft) -> Option<Draft> {
    let (Kind::Played(played), Some(position)) = (&taken.kind, &taken.position) else { return None };
    let decision = decision(game, IncidentKind::ForbiddenMove).filter(|_| played.text.starts_with(VOID))?;
    let mut draft = draft(game, side, IncidentKind::ForbiddenMove, decision, text, VOID_MOVE);
    draft.counts_as(game, side, played.clone(), position.clone());
    Some(draft)
}

/// The same of a draw that is offered again after it was refused.
pub(super) fn offered_again(game: &Game, side: Side, fault: rules::OfferFault) -> Option<Draft> {
    let decision = decision(game, IncidentKind::RepeatedOffer)?;
    Some(draft(game, side, IncidentKind::RepeatedOffer, decision, DRAW_OFFER, fault.reason()))
}

/// What the table says first, in a game in which acts are taken as on a board.
fn decision(game: &Game, kind: IncidentKind) -> Option<Decision> {
    let source = game.info.regulations.illegal_input == IllegalInput::Source;
    let conduct = Conduct::of(game.info.variant);
    source.then(|| conduct.allowed(kind, &BTreeSet::new()).map(|line| line.decision).next()).flatten()
}

fn draft(game: &Game, side: Side, kind: IncidentKind, decision: Decision, text: &str, rule: &str) -> Draft {
    let incident = Incident {
        number: game.course().arbitration.incidents + 1,
        kind,
        accused: Some(side),
        reporter: None,
        circumstances: BTreeSet::new(),
        ply: game.after.ply,
        evidence: None,
        decision,
        appeal_of: None,
    };
    let forbidden = Forbidden { text: text.to_owned(), rule: rule.to_owned(), incident, counts_as: None };
    let mut draft = Draft::new(By::Side(side), Kind::ForbiddenPlayed(Box::new(forbidden)), Vec::new());
    if draft.ends(game) {
        draft.time_steps = vec![TimeStep::Stop];
    }
    draft
}

impl Draft {
    /// Has a forbidden act count as one that the rules have taken: the clock is pressed.
    fn counts_as(&mut self, game: &Game, side: Side, played: Played, position: Box<dyn rules::Game>) {
        if let Kind::ForbiddenPlayed(forbidden) = &mut self.kind {
            forbidden.counts_as = Some(played);
        }
        let next = if position.outcome().is_some() { None } else { position.on_clock() };
        self.position = Some(position);
        if !self.ends(game) {
            self.time_steps = vec![TimeStep::Turn { author: Some(side), next }];
        }
    }
}

/// Whether this is a second move in a row: the last act that stands was this side's too, and a move. Somebody who
/// has bid, or has refused a count, has not moved by it.
fn is_second(side: Side, text: &str, past: &[Event]) -> bool {
    let moved = |last: &Played| {
        let text = last.whole();
        last.author == Author::Side(side)
            && (is_move(text) || WORDS.contains(&text) || text.starts_with(VOID))
    };
    is_move(text) && past::standing(past).last().is_some_and(|last| moved(last))
}

/// Whether a text names stones, and is no word such as "pass": it begins with a point.
fn is_move(text: &str) -> bool {
    let mut chars = text.trim_start().trim_start_matches('*').chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next().is_some_and(|c| c.is_ascii_digit())
}
