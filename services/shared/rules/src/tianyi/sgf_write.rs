//! From a record to properties.

use super::{Position, Rules, Settlement, Terms, act::Act, show};
use crate::{
    Author, Outcome, Proof, Record, RuleSet, Side, Verdict,
    goban::{
        Act as Turn, Colour, Seats, Size,
        sgf::write::{
            letters, property, root, stones, write_acts, write_headings, write_outcome, write_rule_set,
        },
    },
    headings::WHITE,
    prelude::*,
};

/// What `RU` says of a record without a heading `rules`.
pub(super) const RULES: &str = "Tianyi 2014";

/// Writes a record.
pub fn write(record: &Record) -> String {
    let opening = Opening::of(&record.rule_set, &record.acts);
    let size = opening.as_ref().map_or(Size::NINETEEN, |opening| opening.position.rules().size);
    let terms = opening.as_ref().and_then(|opening| opening.position.terms());
    let seats = terms.map_or_else(|| said_seats(&record.headings), |terms| terms.seats);
    let mut out = root(size);
    write_headings(&mut out, &in_colours(record.clone(), seats), RULES);
    if let Some(outcome) = &record.outcome {
        write_outcome(&mut out, &outcome_in_colours(outcome.clone(), seats));
    }
    write_rule_set(&mut out, &record.rule_set);
    let opened = opening.as_ref().map_or(0, |opening| opening.acts);
    if let Some(opening) = &opening {
        for (name, values) in stated(&opening.position) {
            property(&mut out, name, values.iter().map(String::as_str), false);
        }
    }
    let (before, after) = record.acts.split_at(opened);
    if !before.is_empty() {
        out.push('\n');
        let private: Vec<String> = before.iter().map(private).collect();
        property(&mut out, "SHA", private.iter().map(String::as_str), false);
    }
    write_acts(&mut out, after, |out, act| write_act(out, act, size, terms));
    out
}

/// The beginning of a game, up to its first move: what a file states besides the acts follows from it.
pub(super) struct Opening {
    /// The position after it.
    pub position: Position,
    /// How many acts it has.
    pub acts: usize,
}

impl Opening {
    /// Plays the acts before the first move, as far as they can be; `None` if the rule set is none.
    pub(super) fn of(rule_set: &RuleSet, acts: &[crate::Act]) -> Option<Opening> {
        let rules = Rules::read(rule_set).ok()?;
        let size = rules.size;
        let mut opening = Opening { position: Position::new(rules), acts: 0 };
        for act in acts {
            let played = |position: &mut Position| {
                let text = Act::parse(&act.text, size).ok()?;
                position.act(act.author, &text).ok()
            };
            if opening.position.play().is_some() || played(&mut opening.position).is_none() {
                break;
            }
            opening.acts += 1;
        }
        Some(opening)
    }
}

/// What a file states besides the acts, by property, in order.
pub(super) fn stated(position: &Position) -> Vec<(&'static str, Vec<String>)> {
    let mut stated = Vec::new();
    for proof in position.proofs() {
        stated.push(("SHD", lottery(proof, position)));
    }
    if let Some(bids) = position.bids() {
        let written = |side: Side| {
            let bid = bids[side.index()].map_or_else(|| "-".into(), |bid| bid.to_string());
            format!("{} {bid}", side.name())
        };
        stated.push(("SHB", Side::BOTH.map(written).to_vec()));
    }
    if let Some(terms) = position.terms() {
        stated.push(("KM", Vec::from([terms.komi.sgf_komi()])));
    }
    if let Some(setup) = position.start() {
        for (name, colour) in [("AB", Colour::Black), ("AW", Colour::White)] {
            let stones = stones(setup.board(), colour);
            if !stones.is_empty() {
                stated.push((name, stones));
            }
        }
        stated.push(("PL", Vec::from(["W".into()])));
    }
    stated
}

/// Who has which colour in a record whose acts do not say so: what its heading says, for a game from a position that
/// was set up, or else as usual.
pub(super) fn said_seats(headings: &[(String, String)]) -> Seats {
    let white = headings.iter().find(|(name, _)| name == WHITE);
    white.and_then(|(_, value)| Side::named(value)).map_or(Seats::USUAL, Seats::with_white)
}

/// The record with the names of players under the colours that SGF has for them: `first` for Black.
pub(super) fn in_colours(mut record: Record, seats: Seats) -> Record {
    if seats != Seats::USUAL {
        for (name, _) in &mut record.headings {
            *name = match (name.strip_prefix("first"), name.strip_prefix("second")) {
                (Some(rest), _) if is_ours(rest) => format!("second{rest}"),
                (_, Some(rest)) if is_ours(rest) => format!("first{rest}"),
                _ => continue,
            };
        }
    }
    record
}

/// The outcome with Black as the first side, and back.
pub(super) fn outcome_in_colours(mut outcome: Outcome, seats: Seats) -> Outcome {
    if let Verdict::Win(side) = outcome.verdict {
        outcome.verdict = Verdict::Win(seats.colour(side).side());
    }
    outcome
}

/// Whether this ends the name of a heading about a player.
fn is_ours(rest: &str) -> bool {
    matches!(rest, "" | "-rank" | "-team")
}

fn lottery(proof: &Proof, position: &Position) -> Vec<String> {
    let mut values = Vec::from([proof.purpose.to_string()]);
    for author in Author::ALL {
        let commitment = proof.commitments[author.index()].map(|hash| format!(" {hash}")).unwrap_or_default();
        let opening = proof.openings[author.index()].map(|it| format!(" {}", it.text())).unwrap_or_default();
        values.push(format!("{}{commitment}{opening}", author.name()));
    }
    let colours = position.terms().map(|terms| terms.seats.side(Colour::White));
    values.push(match colours {
        Some(white) if proof.purpose == "nigiri" => format!("white {}", white.name()),
        _ => show::placed(position.placed(), position.rules().size),
    });
    values
}

fn private(act: &crate::Act) -> String {
    let author = match act.author {
        Author::System => 'H',
        Author::Side(Side::First) => '1',
        Author::Side(Side::Second) => '2',
    };
    format!("{author} {}", act.text)
}

fn write_act(out: &mut String, act: &crate::Act, size: Size, terms: Option<Terms>) {
    out.push(';');
    let turn = Turn::<Settlement>::canonical(&act.text, size);
    if let (Some(terms), Some(side)) = (terms, act.side()) {
        let name = if terms.seats.colour(side) == Colour::Black { "B" } else { "W" };
        match turn {
            Some(Turn::Play(at)) => return property(out, name, [letters(at).as_str()], false),
            Some(Turn::Pass) => return property(out, name, [""], false),
            Some(Turn::Void(_)) => property(out, name, [""], false),
            _ => {}
        }
    }
    property(out, "SHA", [private(act).as_str()], false);
}
