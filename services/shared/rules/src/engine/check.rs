use super::{
    Report, outcome_text,
    plies::{self, Plies, Ply},
    segment::{self, Segment},
    status::whose_act,
};
use crate::{
    AS_STATED, ActError, ActErrorKind, Actors, Author, Game, Outcome, Reason, RuleSet, Side, Variant,
    prelude::*,
};

/// Referees the records in a file and reports everything in which it disagrees with the rules.
///
/// A file is one segment or several: a position (see [`crate::SetupText`]) with a record behind it that goes on from
/// there, or a record alone. A segment begins with the keys of a position, with a game tree, or behind a line of `=`.
/// Records are read in the variant's own form; where one cannot be, each of its lines is read for itself, as numbered
/// acts (`B23: J6→H6 TC-I6`) or as an act alone. Segments that state no rules are played under `rule_set`.
///
/// A wrong act does not end the check: as much of it as can be is played, and the game goes on. What a first fault
/// causes later is then reported too.
///
/// ```
/// use rules::{RuleSet, engine::check, go};
///
/// let file = "to-move: W\nboard:\n.....\n..x..\n.....\n.....\n.....\nW7: C4\nW8: B3\n";
/// let report = check(&go::VARIANT, &RuleSet::named("psk"), file.as_bytes());
/// let lines = report.to_string();
/// assert!(lines.starts_with("line 8: W7 C4: OCCUPIED a stone stands on this point\nline 9: W8 B3: NOT_YOUR_TURN"));
/// ```
pub fn check(variant: &'static Variant, rule_set: &RuleSet, bytes: &[u8]) -> Report {
    let mut report = Report::default();
    for segment in segment::segments(&String::from_utf8_lossy(bytes)) {
        report.segments += 1;
        check_segment(variant, rule_set, &segment, &mut report);
        if report.is_full() {
            break;
        }
    }
    if report.segments == 0 {
        report.add(0, "record", ActError::illegal("EMPTY", "there is no position and no act in it"));
    }
    report
}

fn check_segment(variant: &'static Variant, rule_set: &RuleSet, segment: &Segment, report: &mut Report) {
    let Plies { acts, rule_set: stated, outcome, fault } = plies::read(variant, segment);
    if let Some((line, refusal)) = fault {
        report.add(line, "record", refusal);
    }
    let begun = begin(variant, stated.as_ref().unwrap_or(rule_set), segment, report);
    let Some(mut game) = begun else {
        return unchecked(report, segment.setup_line, "position", acts.len());
    };
    let placed = !segment.setup.is_empty();
    let count = acts.len();
    for (n, ply) in acts.into_iter().enumerate() {
        if report.is_full() {
            return;
        }
        report.acts += 1;
        if n == 0 && !placed && starts_elsewhere(&*game, &ply) {
            let detail = "the record does not begin with the game; put the position it begins with before it";
            return report.add(ply.line, &about(&ply), ActError::illegal("NO_POSITION", detail));
        }
        if !referee(&mut game, &ply, report) {
            return unchecked(report, ply.line, &about(&ply), count - n - 1);
        }
    }
    if let Some(refusal) = outcome.and_then(|stated| outcome_fault(&*game, &stated)) {
        report.add(0, "record", refusal);
    }
}

/// Reports the acts that nothing can be said of, if there are any.
fn unchecked(report: &mut Report, line: u32, about: &str, left: usize) {
    if left > 0 {
        let detail = format!("{left} acts behind it cannot be checked");
        report.add(line, about, ActError::illegal("UNCHECKED", detail));
    }
}

fn begin(
    variant: &'static Variant,
    rule_set: &RuleSet,
    segment: &Segment,
    report: &mut Report,
) -> Option<Box<dyn Game>> {
    let begun = if segment.setup.is_empty() {
        (variant.start)(rule_set)
            .map_err(|error| ("record", ActError::illegal("BAD_OPTION", format!("{error}"))))
    } else {
        (variant.position)(rule_set, &segment.setup)
            .map_err(|error| ("position", ActError::illegal("BAD_POSITION", error.detail)))
    };
    let Err((about, refusal)) = begun else { return begun.ok() };
    report.add(segment.setup_line, about, refusal);
    // What no game can have come to may be played on from all the same, where the variant says how.
    let stated = format!("{AS_STATED}{}", segment.setup);
    (variant.position)(rule_set, &stated).ok()
}

/// Whether a first act is the other side's: the record is then one of a later part of the game.
fn starts_elsewhere(game: &dyn Game, ply: &Ply) -> bool {
    let side = ply.author.and_then(Author::side);
    side.is_some_and(|side| game.actors() == Actors::One(side.other()))
}

/// Plays an act, or what can be played of it, and reports what is wrong. Returns whether the game can go on.
fn referee(game: &mut Box<dyn Game>, ply: &Ply, report: &mut Report) -> bool {
    let about = about(ply);
    let mut add = |refusal: ActError| report.add(ply.line, &about, refusal);
    if let Some(expected) = ply.expected {
        add(ActError::illegal("BAD_NUMBER", format!("number {expected} should stand here")));
    }
    if game.outcome().is_some() {
        add(ActError::game_over());
        return false;
    }
    let author = ply.author.or_else(|| whose_act(&**game)).unwrap_or(Author::Side(Side::First));
    let Author::Side(side) = author else {
        return game.system(&ply.text).map_err(add).is_ok();
    };
    if !game.actors().include(side) {
        add(ActError::not_your_turn());
        if !game.give_turn(side) {
            return false;
        }
    }
    let (text, unsaid) = game.as_printed(side, &ply.text);
    let Err(refusal) = game.play(side, &text) else {
        unsaid.into_iter().for_each(add);
        return true;
    };
    let over = refusal.kind == ActErrorKind::Turn && game.outcome().is_some();
    add(refusal);
    match game.salvage(side, &ply.text) {
        _ if over => false,
        Some(more) => {
            more.into_iter().for_each(add);
            true
        }
        None => game.give_turn(side.other()),
    }
}

fn about(ply: &Ply) -> String {
    // Records are written by anybody: a label and a usual act are all a report repeats.
    const SHOWN_MAX: usize = 120;
    let text: String = ply.text.chars().filter(|char| !char.is_control()).take(SHOWN_MAX).collect();
    format!("{} {text}", ply.label)
}

/// What is wrong with the result that a record states.
fn outcome_fault(game: &dyn Game, stated: &Outcome) -> Option<ActError> {
    let detail = match game.outcome() {
        Some(reached) if agree(stated, reached) => return None,
        Some(reached) => {
            let (stated, reached) = (outcome_text(stated, game), outcome_text(reached, game));
            format!("the record says {stated}, by the rules it is {reached}")
        }
        None if by_rules(stated.reason) => {
            format!("nothing on the board says {}", outcome_text(stated, game))
        }
        None => return None,
    };
    Some(ActError::illegal("WRONG_RESULT", detail))
}

/// Whether two outcomes are the same; a count that is left out agrees with any.
fn agree(stated: &Outcome, reached: &Outcome) -> bool {
    let points = |outcome: &Outcome| outcome.score.as_ref().map(|score| score.points.clone());
    let same_count =
        points(stated).is_none_or(|stated| points(reached).is_none_or(|reached| reached == stated));
    stated.verdict == reached.verdict && stated.reason == reached.reason && same_count
}

/// Whether only the position can bring a result about, so that it has to be on the board. A count is not among them:
/// records of Go do not say which stones are dead.
const fn by_rules(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::NoMoves
            | Reason::TooFewStones
            | Reason::Fourteen
            | Reason::Formation
            | Reason::Repetition
            | Reason::Quiet
    )
}
