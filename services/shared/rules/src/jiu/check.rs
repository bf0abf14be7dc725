use alloc::borrow::Cow;

use super::{Illegal, LegalTurn, Move, Options, Position, Turn, VARIANT, label, lacks_placement};
use crate::{Act, ActError, Reason, Record, outcome_text, prelude::*};

/// A place where a record and the rules disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The index of the act, from 0; the number of acts when the record as a whole is at fault.
    pub act: usize,
    /// What the record calls the act (`B23`), or `record`.
    pub label: String,
    /// The rule and a sentence for a person.
    pub refusal: ActError,
}

/// Referees a record act by act under its own rules and reports everything in which it disagrees with them.
///
/// A wrong act does not end the check: as much of it as can be is played (its path without wrong lists, or
/// nothing at all) and the other side goes on. What a first fault causes later is then reported too.
pub fn check(record: &Record) -> Vec<Disagreement> {
    match Options::from_rule_set(&record.rule_set) {
        Err(error) => Vec::from([whole(record, "BAD_RULE_SET", error.to_string())]),
        Ok(_) if lacks_placement(record) => {
            let detail = "the placement is missing, so the movement starts from an unknown position";
            Vec::from([whole(record, "NO_PLACEMENT", detail)])
        }
        Ok(options) => check_from(Position::new(options), record),
    }
}

/// Referees a record whose first act is played in `position`, as [`check`] does.
pub fn check_from(mut position: Position, record: &Record) -> Vec<Disagreement> {
    let mut found = Vec::new();
    for (index, act) in record.acts.iter().enumerate() {
        let mut report = |refusal: ActError| {
            found.push(Disagreement { act: index, label: label(&record.acts, index), refusal });
        };
        if position.outcome().is_some() {
            // One report: nothing later can be refereed.
            report(ActError::game_over());
            return found;
        }
        let Some(side) = act.side() else {
            report(ActError::nothing_due());
            continue;
        };
        if side != position.to_move() {
            report(ActError::not_your_turn());
            position.to_move = side;
        }
        referee(&mut position, act, &mut report);
    }
    found.extend(outcome_fault(&position, record));
    found
}

/// Plays what can be played of a refused act of the side to move, and returns what else is wrong with it; `None`
/// when nothing can be played.
pub(super) fn salvage(position: &mut Position, text: &str) -> Option<Vec<ActError>> {
    let before = position.ply;
    let mut found = Vec::new();
    let act = Act::by(position.to_move, text);
    referee(position, &act, &mut |refusal| found.push(refusal));
    // The first fault is the one for which the act was refused.
    (position.ply > before).then(|| found.split_off(found.len().min(1)))
}

/// Plays an act, as far as it can be.
fn referee(position: &mut Position, act: &Act, report: &mut dyn FnMut(ActError)) {
    let (turn, is_whole) = match act.text.parse::<Turn>() {
        Ok(turn) => (turn, true),
        Err(error) => {
            report(error.into());
            let first = act.text.split_whitespace().next().unwrap_or_default();
            match first.parse::<Turn>() {
                Ok(turn) => (turn, false),
                Err(_) => return position.pass(),
            }
        }
    };
    let (turn, unsaid) = printed(position, turn);
    match position.legal(&turn) {
        Ok(legal) => {
            // What cannot be read may have said it.
            unsaid.filter(|_| is_whole).map(ActError::from).into_iter().for_each(report);
            position.accept(&legal);
        }
        Err(illegal) => {
            let wrong_jumps = matches!(illegal, Illegal::JumpMismatch { .. });
            report(illegal.into());
            match turn {
                Turn::Move(it) => amend(position, it, wrong_jumps, report),
                Turn::Point(_) => position.pass(),
            }
        }
    }
}

/// A turn as it was printed. A printed turn names what it jumps: one that names nothing is a flight where the stone
/// may fly, also over an enemy stone, and elsewhere lacks the list of what it took.
pub(super) fn printed(position: &Position, turn: Turn) -> (Turn, Option<Illegal>) {
    let Turn::Move(it) = turn else { return (turn, None) };
    if it.jumped().is_some() {
        return (Turn::Move(it), None);
    }
    let flight = it.clone().jumping(Some(Vec::new()));
    let travel = |it: &Move| position.travel(it.paths().to_vec(), it.jumped()).ok();
    match travel(&it) {
        Some(jump) if !jump.jumped.is_empty() => match travel(&flight) {
            Some(flown) if flown.jumped.is_empty() => (Turn::Move(flight), None),
            _ => (Turn::Move(it), Some(Illegal::JumpUnsaid { jumped: jump.jumped })),
        },
        _ => (Turn::Move(it), None),
    }
}

/// Plays what is left of a refused move: its path, and of its stones of choice those that are possible.
fn amend(position: &mut Position, it: Move, wrong_jumps: bool, report: &mut dyn FnMut(ActError)) {
    // A wrong list of jumped stones hides what else is wrong.
    let it = if wrong_jumps { it.jumping(None) } else { it };
    match position.legal(&Turn::Move(it.clone())) {
        Ok(legal) => return position.accept(&legal),
        Err(illegal) if wrong_jumps => report(illegal.into()),
        Err(_) => {}
    }
    match position.legal_path(&it) {
        Some(legal) => position.accept(&legal),
        None => position.pass(),
    }
}

impl Position {
    /// The move with those of its stones of choice that stand there, whatever their number; `None` when its
    /// path is not possible.
    fn legal_path(&self, it: &Move) -> Option<LegalTurn> {
        if self.outcome.is_some() || self.phase != super::Phase::Move {
            return None;
        }
        let travel = self.travel(it.paths().to_vec(), it.jumped()).ok()?;
        let mut left = travel.board;
        let enemy = self.to_move.other();
        let possible = it.removed().iter().copied().filter(|at| {
            let stands = left.owner(*at) == Some(enemy);
            if stands {
                left.clear(*at);
            }
            stands
        });
        let possible = possible.collect();
        Some(self.finish(travel, possible))
    }

    /// Lets the other side go on after a turn that cannot be played. No rule allows this in a game.
    fn pass(&mut self) {
        self.to_move = self.to_move.other();
    }
}

/// What is wrong with the stated result.
fn outcome_fault(position: &Position, record: &Record) -> Option<Disagreement> {
    let stated = record.outcome.as_ref()?;
    let detail = match position.outcome() {
        Some(reached) if reached == stated => return None,
        Some(reached) => format!("the game ended {}", outcome_text::print(&VARIANT, reached)),
        None if by_rules(stated.reason) => {
            format!("nothing on the board says {}", outcome_text::print(&VARIANT, stated))
        }
        None => return None,
    };
    Some(whole(record, "WRONG_RESULT", detail))
}

/// Whether only the position can bring a result about, so that it has to be on the board.
const fn by_rules(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::NoMoves
            | Reason::TooFewStones
            | Reason::Fourteen
            | Reason::Formation
            | Reason::Repetition
            | Reason::Quiet
            | Reason::Score
    )
}

fn whole(record: &Record, reason: &'static str, detail: impl Into<Cow<'static, str>>) -> Disagreement {
    Disagreement {
        act: record.acts.len(),
        label: String::from("record"),
        refusal: ActError::illegal(reason, detail),
    }
}
