use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::Meeting;

/// What happens to a pool.
#[derive(Clone, Debug)]
enum Step {
    /// Somebody comes after some milliseconds: his rating, his window, his surplus, and which of those who came before he
    /// has met last, whom he does not meet for some more milliseconds.
    Comes(u64, i32, u32, i32, Option<(usize, u64)>),
    /// One of those who wait leaves.
    Leaves(usize),
    /// A second is worth so many points.
    Worth(u32),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..3_000_u64, 800..2_200, 25..500_u32, -3..=3, prop::option::of((any::<usize>(), 0..300_000_u64)))
            .prop_map(|(after, rating, window, surplus, met)| Step::Comes(after, rating, window, surplus, met)),
        1 => any::<usize>().prop_map(Step::Leaves),
        1 => (1..60_u32).prop_map(Step::Worth),
    ]
}

/// What is between two.
type Rule = fn(&Seeker, &Seeker) -> Option<u32>;

/// Some must not meet, and some meet at a cost.
fn between(one: u32, other: u32) -> Option<u32> {
    match (one + other) % 7 {
        0 => None,
        1 => Some(30),
        _ => Some(0),
    }
}

/// The same of seekers, each of whom is who his key says.
fn rule(one: &Seeker, other: &Seeker) -> Option<u32> {
    let key = |of: &Seeker| u32::try_from(of.who).expect("a key");
    between(key(one), key(other))
}

/// A pool with everything that has happened to it.
struct Lived {
    pool: Pool<u32, Rule>,
    known: BTreeMap<u32, Seeker>,
    waiting: BTreeMap<u32, Seeker>,
    pairs: Vec<(u64, u32, u32)>,
    now: u64,
}

impl Lived {
    fn new() -> Lived {
        let pool = Pool::new(10.0, rule as Rule);
        Lived { pool, known: BTreeMap::new(), waiting: BTreeMap::new(), pairs: Vec::new(), now: 0 }
    }

    /// Everything that is due until a moment.
    fn until(&mut self, then: u64) {
        while let Some(at) = self.pool.next_due().filter(|at| *at <= then) {
            self.now = self.now.max(at);
            for [(one, seeker), (other, _)] in self.pool.due(self.now) {
                assert_eq!(seeker, self.known[&one]);
                self.waiting.remove(&one);
                self.waiting.remove(&other);
                self.pairs.push((self.now, one, other));
            }
        }
        self.now = self.now.max(then);
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Comes(after, rating, window, surplus, met) => {
                self.until(self.now + after * 1_000);
                let key = u32::try_from(self.known.len()).expect("few");
                let met = met.filter(|_| key > 0).map(|(whom, rest)| Meeting {
                    whom: u32::try_from(whom % key as usize).expect("a key"),
                    rest_until: self.now + rest * 1_000,
                });
                let who = key.into();
                let seeker =
                    Seeker { who, rating, window, surplus, since: self.now, met, ..Seeker::default() };
                self.pool.insert(key, seeker);
                self.known.insert(key, seeker);
                self.waiting.insert(key, seeker);
            }
            Step::Leaves(which) => {
                let key = self.waiting.keys().nth(which % self.waiting.len().max(1)).copied();
                if let Some(key) = key {
                    assert_eq!(self.pool.remove(&key), self.waiting.remove(&key));
                }
            }
            Step::Worth(points) => self.pool.value(points.into()),
        }
    }

    /// The nearest on one side whom somebody can be paired with.
    fn nearest<'a>(&self, key: u32, mut side: impl Iterator<Item = (&'a u32, &'a Seeker)>) -> Option<u32> {
        let seeker = self.waiting[&key];
        let fits = |other: &u32, it: &Seeker| seeker.accepts(it) && between(key, *other).is_some();
        side.find(|(other, it)| fits(other, it)).map(|(other, _)| *other)
    }
}

proptest! {
    /// Who is paired waits, accepts the other, and may meet him; nobody is paired twice, and those who are not wait still.
    #[test]
    fn pairs_are_of_those_who_accept_each_other(steps in prop::collection::vec(step(), 1..120)) {
        let mut lived = Lived::new();
        for step in &steps {
            lived.take(step);
        }
        lived.until(lived.now + 3_600_000_000);
        let mut paired = std::collections::BTreeSet::new();
        for &(at, one, other) in &lived.pairs {
            let (a, b) = (lived.known[&one], lived.known[&other]);
            prop_assert!(paired.insert(one) && paired.insert(other), "{one} and {other}");
            prop_assert!(a.accepts(&b) && between(one, other).is_some() && one < other);
            prop_assert!(at >= a.since.max(b.since));
            for (one, other) in [(a, b), (b, a)] {
                let rested = one.met.is_none_or(|met| u64::from(met.whom) != other.who || met.rest_until <= at);
                prop_assert!(rested, "{one:?} met {other:?} again at {at}");
            }
        }
        prop_assert_eq!(lived.pool.len(), lived.waiting.len());
        prop_assert!(lived.waiting.keys().all(|key| !paired.contains(key)));
    }

    /// At no moment two wait who have waited long enough, and of whom one is the nearest to the other on his side.
    #[test]
    fn nobody_waits_beside_his_nearest_longer_than_the_rule_says(
        steps in prop::collection::vec(step(), 1..80),
    ) {
        let mut lived = Lived::new();
        for step in &steps {
            lived.take(step);
            lived.until(lived.now);
            let mut order: Vec<(&u32, &Seeker)> = lived.waiting.iter().collect();
            order.sort_by_key(|(key, seeker)| (seeker.rating, **key));
            for (place, (key, seeker)) in order.iter().enumerate() {
                let lower = lived.nearest(**key, order[..place].iter().rev().copied());
                let upper = lived.nearest(**key, order[place + 1..].iter().copied());
                for other in lower.into_iter().chain(upper) {
                    let cost = between(**key, other).expect("they may meet");
                    let due = lived.pool.order.due_at(seeker, &lived.waiting[&other], cost);
                    prop_assert!(due > lived.now, "{key} and {other} were due at {due} before {}", lived.now);
                }
            }
        }
    }

    /// In the end nobody is left who could be paired with his nearest.
    #[test]
    fn in_the_end_whoever_is_left_accepts_nobody_near_him(steps in prop::collection::vec(step(), 1..120)) {
        let mut lived = Lived::new();
        for step in &steps {
            lived.take(step);
        }
        lived.until(lived.now + 3_600_000_000);
        let mut order: Vec<(&u32, &Seeker)> = lived.waiting.iter().collect();
        order.sort_by_key(|(key, seeker)| (seeker.rating, **key));
        for (place, (key, _)) in order.iter().enumerate() {
            prop_assert_eq!(lived.nearest(**key, order[place + 1..].iter().copied()), None);
        }
        prop_assert_eq!(lived.pool.next_due(), None);
    }

    /// The same happens the same way twice.
    #[test]
    fn the_same_comes_of_the_same(steps in prop::collection::vec(step(), 1..80)) {
        let run = || {
            let mut lived = Lived::new();
            for step in &steps {
                lived.take(step);
            }
            lived.until(lived.now + 3_600_000_000);
            lived.pairs
        };
        prop_assert_eq!(run(), run());
    }
}

fn plain(points: f64) -> Pool<u32, Rule> {
    Pool::new(points, |_, _| Some(0))
}

fn due(pool: &mut Pool<u32, Rule>, now: u64) -> Vec<(u32, u32)> {
    pool.due(now).into_iter().map(|[(one, _), (other, _)]| (one, other)).collect()
}

fn seeker(rating: i32, since_s: u64) -> Seeker {
    Seeker { rating, window: 400, since: since_s * 1_000_000, ..Seeker::default() }
}

#[test]
fn two_are_paired_when_waiting_has_cost_them_their_gap() {
    let mut pool = plain(10.0);
    pool.insert(1, seeker(1500, 0));
    assert_eq!(pool.next_due(), None);
    pool.insert(2, seeker(1700, 6));
    // 200 points are 20 s of both together: 13 s of the one, 7 of the other.
    assert_eq!(pool.next_due(), Some(13_000_000));
    assert_eq!(due(&mut pool, 12_999_999), []);
    assert_eq!(due(&mut pool, 13_000_000), [(1, 2)]);
    assert!(pool.is_empty() && pool.next_due().is_none());
}

#[test]
fn who_has_waited_long_plays_whoever_comes_at_once_and_never_beyond_a_window() {
    let mut pool = plain(10.0);
    pool.insert(1, seeker(1500, 0));
    pool.insert(2, seeker(1901, 3_600));
    assert_eq!(pool.next_due(), None, "401 points are more than either accepts");
    pool.insert(3, seeker(1800, 3_600));
    assert_eq!(due(&mut pool, 3_600_000_000), [(1, 3)]);
}

#[test]
fn who_has_just_met_somebody_meets_another_first_and_him_again_only_later() {
    let met = Some(Meeting { whom: 2, rest_until: 300_000_000 });
    let one = Seeker { who: 1, met, ..seeker(1500, 0) };
    let two = |since| Seeker { who: 2, ..seeker(1500, since) };
    let mut pool = plain(10.0);
    pool.insert(1, one);
    pool.insert(2, two(0));
    assert_eq!(pool.next_due(), Some(300_000_000));
    pool.insert(3, Seeker { who: 3, ..seeker(1540, 100) });
    assert_eq!(due(&mut pool, 100_000_000).len(), 1, "either of them plays who has come");
    assert_eq!(pool.len(), 1);
    let mut pool = plain(10.0);
    pool.insert(1, one);
    pool.insert(2, two(400));
    pool.insert(3, Seeker { who: 3, ..seeker(1550, 400) });
    assert_eq!(due(&mut pool, 400_000_000), [(1, 3)], "somebody else is worth more than fifty points");
}

#[test]
fn of_those_who_have_waited_long_enough_the_nearest_plays_or_who_has_waited_so_much_longer() {
    let mut pool = plain(10.0);
    pool.insert(1, seeker(1300, 100));
    pool.insert(2, seeker(1710, 100));
    pool.insert(3, seeker(1520, 200));
    assert_eq!(due(&mut pool, 200_000_000), [(2, 3)], "190 points, not 220");
    let mut pool = plain(10.0);
    pool.insert(1, seeker(1300, 90));
    pool.insert(2, seeker(1710, 100));
    pool.insert(3, seeker(1520, 200));
    assert_eq!(due(&mut pool, 200_000_000), [(1, 3)], "ten seconds are worth a hundred points");
}

#[test]
fn after_an_outage_all_are_paired_as_well_as_can_be() {
    let mut pool = plain(10.0);
    for (key, rating) in [(1, 1500), (2, 1510), (3, 1511), (4, 1521)] {
        pool.insert(key, seeker(rating, 0));
    }
    assert_eq!(due(&mut pool, 50_000), [(2, 3)], "nobody else has waited long enough");
    let mut pool = plain(10.0);
    for (key, rating) in [(1, 1500), (2, 1510), (3, 1511), (4, 1521)] {
        pool.insert(key, seeker(rating, 0));
    }
    assert_eq!(due(&mut pool, 600_000_000), [(1, 2), (3, 4)], "20 points, not 22");
}

#[test]
fn a_nearer_opponent_who_comes_later_takes_the_place_of_a_farther_one() {
    let mut pool = plain(10.0);
    pool.insert(1, seeker(1500, 0));
    pool.insert(2, seeker(1700, 0));
    pool.insert(3, seeker(1510, 1));
    assert_eq!(due(&mut pool, 1_000_000), [(1, 3)]);
    // Whoever he would have played waits for the next.
    pool.insert(4, seeker(1720, 2));
    assert_eq!(pool.next_due(), Some(2_000_000));
    assert_eq!(due(&mut pool, 2_000_000), [(2, 4)]);
}

#[test]
fn a_change_of_what_a_second_is_worth_is_reckoned_with() {
    let mut pool = plain(10.0);
    pool.insert(1, seeker(1500, 0));
    pool.insert(2, seeker(1600, 0));
    assert_eq!(pool.next_due(), Some(5_000_000));
    pool.value(10.5);
    assert_eq!(pool.next_due(), Some(5_000_000), "that is no change");
    pool.value(50.0);
    assert_eq!(pool.next_due(), Some(1_000_000));
}

#[test]
fn who_waits_already_stays_as_he_is() {
    let mut pool = plain(10.0);
    pool.insert(1, seeker(1500, 0));
    pool.insert(1, seeker(900, 5));
    assert_eq!((pool.len(), pool.remove(&1), pool.remove(&1)), (1, Some(seeker(1500, 0)), None));
}
