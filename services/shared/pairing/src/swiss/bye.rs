//! Who has the pairing bye (1.3 S1, H2; section 2, step 2).

use core::cmp::Reverse;

use super::{Blocking, PairingError, cardinality::Largest, field::Field};
use crate::{Relaxed, count};

/// The candidate who sits out, where their number is odd; an error where no legal pairing is left.
pub(super) fn choose(field: &Field<'_>) -> Result<Option<usize>, PairingError> {
    let size = field.candidates.len();
    if size.is_multiple_of(2) {
        return match Largest::of(size, |a, b| field.legal(a, b)) {
            all if all.left_over() == 0 => Ok(None),
            mut all => Err(PairingError::NoLegalPairing(blocking(field, &mut all))),
        };
    }
    let order = order(field);
    if let Some(first) = order.first().copied().filter(|it| can_be_spared(field, *it)) {
        return Ok(Some(first));
    }
    let mut all = Largest::of(size, |a, b| field.legal(a, b));
    if all.left_over() > 1 {
        return Err(PairingError::NoLegalPairing(blocking(field, &mut all)));
    }
    // Without whom the others can be paired is just who is left over in some largest pairing.
    let spared = all.replaceable();
    let found = order.into_iter().find(|it| spared[*it]);
    found.map(Some).ok_or_else(|| PairingError::NoBye(blocking(field, &mut all)))
}

/// Who may have the bye: lowest score, then most games, then highest number.
fn order(field: &Field<'_>) -> Vec<usize> {
    let again = field.settings().relaxed >= Relaxed::SecondByes;
    let mut order: Vec<usize> =
        (0..field.candidates.len()).filter(|it| again || !field.candidates[*it].bars_bye).collect();
    order.sort_by_key(|it| {
        let candidate = &field.candidates[*it];
        (candidate.points, Reverse(candidate.games), Reverse(candidate.number))
    });
    order
}

fn can_be_spared(field: &Field<'_>, free: usize) -> bool {
    let skip = |at: usize| if at < free { at } else { at + 1 };
    Largest::of(field.candidates.len() - 1, |a, b| field.legal(skip(a), skip(b))).left_over() == 0
}

fn blocking<F: Fn(usize, usize) -> bool>(field: &Field<'_>, all: &mut Largest<F>) -> Blocking {
    let left_over = count(all.left_over());
    let inside = all.replaceable();
    let (within, others): (Vec<usize>, Vec<usize>) = (0..field.candidates.len()).partition(|it| inside[*it]);
    let partners = others.into_iter().filter(|other| within.iter().any(|it| field.legal(*it, *other)));
    let mut partners: Vec<_> = partners.map(|it| field.candidates[it].number).collect();
    let mut players: Vec<_> = within.iter().map(|it| field.candidates[*it].number).collect();
    players.sort_unstable();
    partners.sort_unstable();
    Blocking { players, partners, left_over }
}
