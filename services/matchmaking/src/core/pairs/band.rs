//! The best pairing in which everybody plays one of his three next neighbours in rating.
//!
//! It is a walk along the sorted candidates that keeps, for each set of the next three that are already
//! taken, the best pairing of all before. Where windows are equal the best pairing of all is among
//! neighbours; where they differ, three are enough to step over the few who accept little.

use super::Seeker;

/// How many neighbours above a candidate are considered.
const REACH: usize = 3;
/// The sets of the next candidates that may be taken: bit `d` for the one `d` places on.
const SETS: usize = 1 << REACH;
/// What a pair is worth before its difference counts: more than all differences together, so that more
/// pairs are always better.
const PAIR: i64 = 1 << 40;
/// The worth of a pairing that cannot be.
const NEVER: i64 = i64::MIN;

/// How the best pairing came into a set: the set before, and how far away the opponent of the candidate
/// that was passed is (0 when he was taken or stays unpaired).
#[derive(Clone, Copy, Default)]
struct Step {
    before: u8,
    reach: u8,
}

/// The best pairing as places in `seekers`, which are sorted by rating.
pub(super) fn best(seekers: &[Seeker]) -> Vec<(usize, usize)> {
    let mut worth = [NEVER; SETS];
    worth[0] = 0;
    let mut steps: Vec<[Step; SETS]> = Vec::with_capacity(seekers.len());
    for place in 0..seekers.len() {
        let offers = offers(seekers, place);
        let (next, step) = advance(&worth, &offers);
        worth = next;
        steps.push(step);
    }
    walk_back(&steps)
}

/// What it is worth to pair the candidate with each of his next neighbours.
fn offers(seekers: &[Seeker], place: usize) -> [i64; REACH] {
    let seeker = &seekers[place];
    let mut offers = [NEVER; REACH];
    for (offer, other) in offers.iter_mut().zip(&seekers[place + 1..]) {
        if seeker.accepts(other) {
            let difference = i64::from(other.rating) - i64::from(seeker.rating);
            *offer = PAIR - difference + i64::from(seeker.urgency) + i64::from(other.urgency);
        }
    }
    offers
}

fn advance(worth: &[i64; SETS], offers: &[i64; REACH]) -> ([i64; SETS], [Step; SETS]) {
    let mut next = [NEVER; SETS];
    let mut steps = [Step::default(); SETS];
    for (set, &so_far) in worth.iter().enumerate().filter(|(_, so_far)| **so_far != NEVER) {
        let mut reach_set = |after: usize, worth: i64, reach: u8| {
            if worth > next[after] {
                next[after] = worth;
                steps[after] = Step { before: set.try_into().expect("eight sets"), reach };
            }
        };
        reach_set(set >> 1, so_far, 0);
        if set & 1 == 1 {
            continue;
        }
        for (offer, reach) in offers.iter().zip(1_u8..) {
            if *offer != NEVER && set & (1 << reach) == 0 {
                reach_set((set | 1 << reach) >> 1, so_far + offer, reach);
            }
        }
    }
    (next, steps)
}

/// Behind the last candidate nobody can be taken, so the best pairing ends in the empty set.
fn walk_back(steps: &[[Step; SETS]]) -> Vec<(usize, usize)> {
    let mut found = Vec::with_capacity(steps.len() / 2);
    let mut set = 0;
    for (place, step) in steps.iter().enumerate().rev() {
        let Step { before, reach } = step[set];
        if reach > 0 {
            found.push((place, place + usize::from(reach)));
        }
        set = usize::from(before);
    }
    found
}
