use proptest::prelude::*;
use rand::{SeedableRng as _, rngs::StdRng};
use uuid::Uuid;

use super::*;
use crate::core::NO_LIMIT;

const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

fn candidate(owner: u128, rating: i32, waited_s: u64, limit: u32) -> Candidate {
    Candidate {
        owner: Uuid::from_u128(owner).into(),
        rating,
        since: NOW - Duration::from_secs(waited_s),
        window: Window { limit },
    }
}

fn any_limit() -> impl Strategy<Value = u32> {
    prop_oneof![3 => Just(NO_LIMIT), 1 => 25..=3000_u32]
}

/// Candidates of whom some belong to the same player.
fn any_candidates(most: usize) -> impl Strategy<Value = Vec<Candidate>> {
    let rating = prop_oneof![1000..2000_i32, 1490..1510_i32, -100..4000_i32];
    let one = (0..1000_u128, rating, 0..70_u64, any_limit())
        .prop_map(|(owner, rating, waited, limit)| candidate(owner, rating, waited, limit));
    prop::collection::vec(one, 0..=most)
}

fn accept(one: &Candidate, other: &Candidate) -> bool {
    let window = |candidate: &Candidate| {
        candidate.window.after(Duration::try_from(NOW - candidate.since).expect("in the past"))
    };
    let difference = one.rating.abs_diff(other.rating);
    one.owner != other.owner && difference <= window(one) && difference <= window(other)
}

/// How many pairs, and what they are worth besides.
fn value(candidates: &[Candidate], pairs: &[(usize, usize)]) -> (usize, i64) {
    let worth = |&(one, other): &(usize, usize)| {
        let waited = |index: usize| (NOW - candidates[index].since).whole_seconds().min(60) * 10;
        let difference = candidates[one].rating.abs_diff(candidates[other].rating);
        waited(one) + waited(other) - i64::from(difference)
    };
    (pairs.len(), pairs.iter().map(worth).sum())
}

/// The best value of all pairings there are.
fn optimum(candidates: &[Candidate], taken: &mut Vec<bool>, from: usize) -> (usize, i64) {
    let Some(one) = (from..candidates.len()).find(|index| !taken[*index]) else { return (0, 0) };
    let mut best = optimum(candidates, taken, one + 1);
    for other in one + 1..candidates.len() {
        if !taken[other] && accept(&candidates[one], &candidates[other]) {
            taken[other] = true;
            let (pairs, worth) = optimum(candidates, taken, one + 1);
            let (_, this) = value(candidates, &[(one, other)]);
            best = best.max((pairs + 1, worth + this));
            taken[other] = false;
        }
    }
    best
}

fn best_of_all(candidates: &[Candidate]) -> (usize, i64) {
    optimum(candidates, &mut vec![false; candidates.len()], 0)
}

proptest! {
    #[test]
    fn pairs_accept_each_other_and_nobody_else_could(candidates in any_candidates(120)) {
        let mut partners = vec![0; candidates.len()];
        for (one, other) in pairs(&candidates, NOW) {
            prop_assert!(accept(&candidates[one], &candidates[other]));
            partners[one] += 1;
            partners[other] += 1;
        }
        prop_assert!(partners.iter().all(|partners| *partners <= 1));
        let left: Vec<&Candidate> =
            candidates.iter().zip(&partners).filter(|(_, n)| **n == 0).map(|(c, _)| c).collect();
        for (place, one) in left.iter().enumerate() {
            for other in &left[place + 1..] {
                prop_assert!(!accept(one, other), "left over: {one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn four_candidates_are_paired_as_well_as_can_be(candidates in any_candidates(4)) {
        prop_assert_eq!(value(&candidates, &pairs(&candidates, NOW)), best_of_all(&candidates));
    }

    /// Where all accept the same, neighbours are enough: the pairing is the best there is.
    #[test]
    fn equal_windows_give_the_optimum(
        ratings in prop::collection::vec(1200..1800_i32, 0..=9), waited in 0..70_u64, limit in any_limit(),
    ) {
        let candidates: Vec<Candidate> =
            ratings.iter().zip(0..).map(|(rating, owner)| candidate(owner, *rating, waited, limit)).collect();
        prop_assert_eq!(value(&candidates, &pairs(&candidates, NOW)), best_of_all(&candidates));
    }
}

/// How much is lost where windows differ, over many small pools: next to nothing.
#[test]
fn mixed_windows_come_close_to_the_optimum() {
    let mut rng = StdRng::seed_from_u64(7);
    let (mut found, mut possible, mut equal, rounds) = (0, 0, 0, 1500);
    for _ in 0..rounds {
        let candidates: Vec<Candidate> = (0..10)
            .map(|owner| {
                let limit = if rng.random_bool(0.3) { rng.random_range(25..400) } else { NO_LIMIT };
                candidate(owner, rng.random_range(1200..1800), rng.random_range(0..60), limit)
            })
            .collect();
        let (ours, best) = (value(&candidates, &pairs(&candidates, NOW)), best_of_all(&candidates));
        assert!(ours <= best, "the optimum is one");
        found += ours.0;
        possible += best.0;
        equal += usize::from(ours == best);
    }
    assert!(found * 1000 >= possible * 990, "{found} of {possible} possible pairs");
    assert!(equal * 100 >= rounds * 90, "the best pairing in {equal} of {rounds} pools");
}

#[test]
fn a_good_opponent_is_had_at_once_and_a_bad_one_after_a_while() {
    let found = |gap, waited_s| {
        let two = [candidate(1, 1500, waited_s, NO_LIMIT), candidate(2, 1500 + gap, waited_s, NO_LIMIT)];
        !pairs(&two, NOW).is_empty()
    };
    assert!(found(100, 0) && !found(101, 0));
    assert!(found(500, 30) && !found(501, 30));
    assert!(found(4000, 60));
    // Both must accept: one who has waited long does not get one who has not.
    let two = [candidate(1, 1500, 60, NO_LIMIT), candidate(2, 1700, 0, NO_LIMIT)];
    assert!(pairs(&two, NOW).is_empty());
}

#[test]
fn long_waiters_go_first() {
    let three =
        [candidate(1, 1500, 0, NO_LIMIT), candidate(2, 1510, 0, NO_LIMIT), candidate(3, 1560, 20, NO_LIMIT)];
    assert_eq!(pairs(&three, NOW), [(1, 2)]);
    let same_but_fresh = [three[0], three[1], candidate(3, 1560, 0, NO_LIMIT)];
    assert_eq!(pairs(&same_but_fresh, NOW), [(0, 1)]);
}

#[test]
fn nobody_plays_himself() {
    let own = [candidate(1, 1500, 0, NO_LIMIT), candidate(1, 1500, 0, NO_LIMIT)];
    assert!(pairs(&own, NOW).is_empty());
}

#[test]
fn a_full_pool_gives_even_games() {
    let mut rng = StdRng::seed_from_u64(1);
    let candidates: Vec<Candidate> = (0..20_000)
        .map(|owner| {
            let bell: i32 = (0..4).map(|_| rng.random_range(-250..=250)).sum();
            candidate(owner, 1500 + bell, rng.random_range(0..10), NO_LIMIT)
        })
        .collect();
    let found = pairs(&candidates, NOW);
    let difference =
        |&(one, other): &(usize, usize)| candidates[one].rating.abs_diff(candidates[other].rating);
    let sum: u32 = found.iter().map(difference).sum();
    assert_eq!(found.len(), 10_000, "everybody plays");
    assert!(sum < 10_000, "the mean difference is under one point, not {sum} / 10000");
}
