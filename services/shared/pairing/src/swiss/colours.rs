//! Who has which colour (section 1.4).

use core::cmp::Ordering;

use super::{
    field::{Candidate, Field},
    need::Strength,
};
use crate::{Colour, ColourLaw, FirstRound, lots};

/// The colour of the higher ranked of the two (`a`); none where the game itself gives the colours.
pub(super) fn allocate(field: &Field<'_>, a: usize, b: usize, table: u32) -> Option<Colour> {
    let (higher, lower) = (&field.candidates[a], &field.candidates[b]);
    match field.settings().colours {
        ColourLaw::Open => None,
        ColourLaw::Balance => Some(by_balance(field, higher, lower, table)),
        ColourLaw::Parity => Some(by_parity(field, higher, lower, table)),
    }
}

/// By the stronger need, the larger difference, the last round in which they differed, the wish of the higher ranked
/// player, and without any history by lot.
fn by_balance(field: &Field<'_>, higher: &Candidate, lower: &Candidate, table: u32) -> Colour {
    let ((strength, wanted), (strength_too, too)) = match (higher.need, lower.need) {
        (Some(one), Some(other)) => (one, other),
        (Some((_, wanted)), None) => return wanted,
        (None, Some((_, wanted))) => return wanted.opposite(),
        (None, None) => return without_history(field, higher, table),
    };
    if wanted != too {
        return wanted;
    }
    let stronger = strength.cmp(&strength_too);
    match stronger.then(higher.colours.difference.abs().cmp(&lower.colours.difference.abs())) {
        Ordering::Greater => wanted,
        Ordering::Less => wanted.opposite(),
        Ordering::Equal => last_difference(higher, lower).map_or(wanted, Colour::opposite),
    }
}

/// What the first of the two had in the last round in which they had different colours.
fn last_difference(one: &Candidate, other: &Candidate) -> Option<Colour> {
    one.colours.had.iter().rev().find_map(|(round, colour)| {
        let at = other.colours.had.binary_search_by_key(round, |(round, _)| *round).ok()?;
        (other.colours.had[at].1 != *colour).then_some(*colour)
    })
}

/// In an event that begins by lot, a coin for the table; else the initial colour, drawn once by the coin of round 0 and
/// table 0, for odd numbers, and the other for even ones.
fn without_history(field: &Field<'_>, higher: &Candidate, table: u32) -> Colour {
    if field.settings().first_round == FirstRound::Draw {
        return Colour::first_if(lots::coin(&field.input.seed, field.input.round.into(), table));
    }
    let initial = Colour::first_if(lots::coin(&field.input.seed, 0, 0));
    if higher.number.0 % 2 == 1 { initial } else { initial.opposite() }
}

/// Jirige: odd and even numbers in round 1, a coin in the last one, alternation between them.
fn by_parity(field: &Field<'_>, higher: &Candidate, lower: &Candidate, table: u32) -> Colour {
    let higher_has_lower_number = higher.number < lower.number;
    let of_higher = |colour_of_lower_number: Colour| {
        if higher_has_lower_number { colour_of_lower_number } else { colour_of_lower_number.opposite() }
    };
    let by_number = || {
        let number = higher.number.min(lower.number);
        let odd_has = field.settings().odd_has;
        of_higher(if number.0 % 2 == 1 { odd_has } else { odd_has.opposite() })
    };
    if field.input.round > 1 && field.is_last_round() {
        return of_higher(Colour::first_if(lots::coin(&field.input.seed, field.input.round.into(), table)));
    }
    let due = |candidate: &Candidate| candidate.colours.last().map(Colour::opposite);
    let (wanted, too) = match (due(higher), due(lower)) {
        (None, None) => return by_number(),
        (Some(wanted), None) => return wanted,
        (None, Some(too)) => return too.opposite(),
        (Some(wanted), Some(too)) => (wanted, too),
    };
    if field.settings().absolute_first {
        match (absolute(higher), absolute(lower)) {
            (Some(needed), None) => return needed,
            (None, Some(needed)) => return needed.opposite(),
            (Some(needed), Some(other)) if needed != other => return needed,
            _ => {}
        }
    }
    if wanted != too {
        return wanted;
    }
    match higher.colours.count(wanted).cmp(&lower.colours.count(wanted)) {
        Ordering::Less => wanted,
        Ordering::Greater => wanted.opposite(),
        Ordering::Equal => of_higher(wanted),
    }
}

fn absolute(candidate: &Candidate) -> Option<Colour> {
    candidate.need.filter(|(strength, _)| *strength == Strength::Absolute).map(|(_, colour)| colour)
}
