//! The best pairs of many who are due at once, as after an outage: with each his one best opponent is often another's, too.
//!
//! Few are paired by a matching of the greatest weight, each with one of the next whom he may meet. More than it has time for are
//! paired by a walk along those who are due, sorted by rating, that keeps for each set of the next few who are already taken the best
//! pairing of all before. Where windows are equal, the best pairing of all is among neighbours; where they differ, or some must
//! not meet, a few are enough to step over those who cannot be had.

use rustworkx_core::{max_weight_matching::max_weight_matching, petgraph::graph::UnGraph};

/// So many are paired by a matching: it takes some milliseconds of 300, and grows with the cube of their number.
const FEW: usize = 300;
/// Of those above somebody whom he may meet so many are considered where they are few: with all of them it takes five times as long
/// and comes to the same.
const EACH: usize = 16;
/// How many neighbours above somebody are considered where they are more.
const REACH: usize = 4;
/// The sets of the next neighbours that may be taken: bit `d` for the one `d` places on.
const SETS: usize = 1 << REACH;
/// What a pair is worth before all else counts: more than what all pairs of 100,000 people are worth beside that, so that more pairs
/// are always better.
const PAIR: i64 = 1 << 44;
/// The worth of a pairing that cannot be.
const NEVER: i64 = i64::MIN;

/// How the best pairing came into a set: the set before, and how many places on the opponent of the one is who was passed (0 when he
/// was taken or stays alone).
#[derive(Clone, Copy, Default)]
struct Step {
    before: u8,
    reach: u8,
}

/// Pairs places in `0..count`, which are in the order of ratings, so that there are as many pairs as possible and, among such
/// pairings, their worths are the highest; lower places first. Each is paired with one of the next whom he may meet, and where
/// there are more than [`FEW`] with one of his next neighbours. `worth` says what a pair is worth, the lower place first; none where it cannot be.
pub(crate) fn best(count: usize, worth: impl Fn(usize, usize) -> Option<i64>) -> Vec<(usize, usize)> {
    if count <= FEW { of_few(count, worth) } else { of_neighbours(count, worth) }
}

/// The best pairing of each with one of the next whom he may meet.
fn of_few(count: usize, worth: impl Fn(usize, usize) -> Option<i64>) -> Vec<(usize, usize)> {
    let mut graph: UnGraph<(), i128> = UnGraph::with_capacity(count, count * count / 2);
    let nodes: Vec<_> = (0..count).map(|_| graph.add_node(())).collect();
    for one in 0..count {
        let those = (one + 1..count).filter_map(|other| worth(one, other).map(|worth| (other, worth)));
        for (other, worth) in those.take(EACH) {
            graph.add_edge(nodes[one], nodes[other], worth.into());
        }
    }
    let found =
        max_weight_matching(&graph, true, |edge| Ok::<i128, std::convert::Infallible>(*edge.weight()), false);
    let Ok(found) = found;
    let mut found: Vec<(usize, usize)> =
        found.into_iter().map(|(one, other)| (one.min(other), one.max(other))).collect();
    found.sort_unstable();
    found
}

/// The best pairing of each with one of his next neighbours.
fn of_neighbours(count: usize, worth: impl Fn(usize, usize) -> Option<i64>) -> Vec<(usize, usize)> {
    let mut worths = [NEVER; SETS];
    worths[0] = 0;
    let mut steps: Vec<[Step; SETS]> = Vec::with_capacity(count);
    for place in 0..count {
        let mut offers = [NEVER; REACH];
        for (offer, other) in offers.iter_mut().zip(place + 1..count) {
            *offer = worth(place, other).map_or(NEVER, |worth| PAIR + worth);
        }
        let (next, step) = advance(&worths, &offers);
        worths = next;
        steps.push(step);
    }
    walk_back(&steps)
}

/// Passes one place: its opponent is one of the next, or it has one already, or has none.
fn advance(worths: &[i64; SETS], offers: &[i64; REACH]) -> ([i64; SETS], [Step; SETS]) {
    let mut next = [NEVER; SETS];
    let mut steps = [Step::default(); SETS];
    for (set, &so_far) in (0_u8..).zip(worths).filter(|(_, so_far)| **so_far != NEVER) {
        let mut reach_set = |after: u8, worth: i64, reach: u8| {
            let after = usize::from(after);
            if worth > next[after] {
                next[after] = worth;
                steps[after] = Step { before: set, reach };
            }
        };
        reach_set(set >> 1, so_far, 0);
        if set & 1 == 1 {
            continue;
        }
        for (offer, reach) in offers.iter().zip(1_u8..) {
            // The opponent lies `reach` places on, which is bit `reach - 1` once this place is passed.
            if *offer != NEVER && (set >> 1) & (1 << (reach - 1)) == 0 {
                reach_set((set >> 1) | 1 << (reach - 1), so_far + offer, reach);
            }
        }
    }
    (next, steps)
}

/// Behind the last place nobody can be taken, so the best pairing ends in the empty set.
fn walk_back(steps: &[[Step; SETS]]) -> Vec<(usize, usize)> {
    let mut found = Vec::with_capacity(steps.len() / 2);
    let mut set = 0;
    for (place, step) in steps.iter().enumerate().rev() {
        let Step { before, reach } = step[usize::from(set)];
        if reach > 0 {
            found.push((place, place + usize::from(reach)));
        }
        set = before;
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The highest sum of worths, with [`PAIR`] for each pair, of all pairings whatever.
    fn oracle(count: usize, worth: &dyn Fn(usize, usize) -> Option<i64>, taken: u32) -> i64 {
        let Some(place) = (0..count).find(|place| taken & 1 << place == 0) else { return 0 };
        let taken = taken | 1 << place;
        let alone = oracle(count, worth, taken);
        let paired = (place + 1..count)
            .filter(|other| taken & 1 << other == 0)
            .filter_map(|other| Some(PAIR + worth(place, other)? + oracle(count, worth, taken | 1 << other)));
        paired.max().unwrap_or(alone).max(alone)
    }

    proptest! {
        /// Whoever may meet whom, and whatever it is worth, nobody who pairs so few does better.
        #[test]
        fn nothing_is_better_among_few(
            count in 0..9_usize,
            worths in prop::collection::vec(prop::option::of(-50..50_i64), 81),
        ) {
            let worth = |one: usize, other: usize| worths[one * 9 + other];
            let found = of_few(count, worth);
            let sum: i64 = found.iter().map(|(one, other)| PAIR + worth(*one, *other).expect("they may meet")).sum();
            prop_assert_eq!(sum, oracle(count, &worth, 0));
        }

        /// A walk along neighbours never finds what a matching does not, whomever they may meet.
        #[test]
        fn a_matching_is_as_good_as_a_walk(
            count in 0..30_usize,
            worths in prop::collection::vec(prop::option::of(-50..50_i64), 900),
        ) {
            let worth = |one: usize, other: usize| worths[one * 30 + other];
            let sum = |found: Vec<(usize, usize)>| -> i64 {
                found.into_iter().map(|(one, other)| PAIR + worth(one, other).expect("they may meet")).sum()
            };
            prop_assert!(sum(of_few(count, worth)) >= sum(of_neighbours(count, worth)));
        }

        /// With equal windows nobody, whoever pairs whom, does better than neighbours.
        #[test]
        fn nothing_is_better_where_windows_are_equal(
            mut ratings in prop::collection::vec(1000..1400_i64, 0..9),
            waits in prop::collection::vec(0..50_i64, 9),
            window in 20..300_i64,
        ) {
            ratings.sort_unstable();
            let worth = |one: usize, other: usize| {
                let gap = ratings[other] - ratings[one];
                (gap <= window).then(|| waits[one] + waits[other] - gap)
            };
            let found = of_neighbours(ratings.len(), worth);
            let sum: i64 = found.iter().map(|(one, other)| PAIR + worth(*one, *other).expect("they may meet")).sum();
            prop_assert_eq!(sum, oracle(ratings.len(), &worth, 0));
        }

        /// Whatever may not be is not, nobody is paired twice, and no two neighbours are left over who might have met.
        #[test]
        fn pairs_are_of_those_who_may_meet(
            count in 0..60_usize,
            holes in prop::collection::vec(0..4_u8, 3600),
        ) {
            let worth = |one: usize, other: usize| (holes[one * 60 + other] > 0).then_some(-1);
            let found = of_neighbours(count, worth);
            let mut paired = vec![false; count];
            for (one, other) in found {
                prop_assert!(one < other && other - one <= REACH && worth(one, other).is_some());
                prop_assert!(!std::mem::replace(&mut paired[one], true));
                prop_assert!(!std::mem::replace(&mut paired[other], true));
            }
            for one in 0..count {
                for other in one + 1..count.min(one + 1 + REACH) {
                    prop_assert!(paired[one] || paired[other] || worth(one, other).is_none(), "{one} {other}");
                }
            }
        }
    }
}
