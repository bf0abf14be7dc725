use proptest::prelude::*;

use super::*;

const SECOND: u64 = 1_000_000;

fn waiting(number: u8, pool: u8, rating: i32) -> Waiting {
    let ticket = uuid::Uuid::from_u128(number.into()).into();
    let seeker = Seeker { rating, window: 400, since: u64::from(number) * SECOND, ..Seeker::default() };
    Waiting { ticket, pool: format!("pool {pool}"), seeker }
}

fn ids(pairs: &[Pair<TicketId>]) -> Vec<[u128; 2]> {
    pairs.iter().map(|pair| pair.map(|(ticket, _)| ticket.uuid().as_u128())).collect()
}

#[test]
fn each_pool_is_for_itself() {
    let mut mirror = Mirror::default();
    for (number, pool, rating) in [(1, 1, 1500), (2, 2, 1500), (3, 1, 1510)] {
        mirror.note(Moved::Waits(waiting(number, pool, rating)));
    }
    assert_eq!(mirror.sizes(), [("pool 1".to_owned(), 2), ("pool 2".to_owned(), 1)]);
    // Ten points are worth two seconds of both together at five points a second: the first has waited as long.
    assert_eq!(mirror.next_due(), Some(3 * SECOND));
    assert!(mirror.due_pools(3 * SECOND - 1).is_empty());
    assert_eq!(mirror.due_pools(3 * SECOND), [Arc::from("pool 1")]);
    assert_eq!(ids(&mirror.due("pool 1", 3 * SECOND)), [[1, 3]]);
    assert_eq!((mirror.sizes(), mirror.next_due()), (vec![("pool 2".to_owned(), 1)], None));
    assert!(mirror.due("pool 9", 3 * SECOND).is_empty());
}

#[test]
fn a_pool_that_is_somebody_elses_rests() {
    let mut mirror = Mirror::default();
    for number in [1, 2] {
        mirror.note(Moved::Waits(waiting(number, 1, 1500)));
    }
    mirror.rest("pool 1", 9 * SECOND);
    assert_eq!(mirror.next_due(), Some(9 * SECOND));
    assert!(mirror.due_pools(8 * SECOND).is_empty());
    assert_eq!(mirror.due_pools(9 * SECOND).len(), 1);
}

#[test]
fn a_pool_is_forgotten_when_nobody_comes_any_more() {
    let mut mirror = Mirror::default();
    mirror.note(Moved::Waits(waiting(1, 1, 1500)));
    mirror.note(Moved::Waits(waiting(2, 2, 1500)));
    mirror.note(Moved::Left(waiting(1, 1, 1500).ticket));
    mirror.forget(2 * SECOND, 0.001);
    assert!(mirror.knows("pool 1") && mirror.knows("pool 2"));
    mirror.forget(600 * SECOND, 0.001);
    assert!(!mirror.knows("pool 1") && mirror.knows("pool 2"));
}

proptest! {
    /// What is heard twice, or again from an earlier place, leads to the same as what is heard once.
    #[test]
    fn hearing_again_changes_nothing(
        moves in prop::collection::vec((0..12_u8, 0..3_u8, 1400..1600, any::<bool>()), 0..60),
        from in any::<prop::sample::Index>(),
    ) {
        let moves: Vec<Moved> = moves
            .into_iter()
            .map(|(number, _, rating, comes)| {
                // A ticket stands in one pool, with one rating.
                let waiting = waiting(number, number % 3, 1400 + (rating + i32::from(number) * 7) % 200);
                if comes { Moved::Waits(waiting) } else { Moved::Left(waiting.ticket) }
            })
            .collect();
        let mut once = Mirror::default();
        moves.iter().cloned().for_each(|moved| once.note(moved));
        let mut again = Mirror::default();
        moves.iter().cloned().for_each(|moved| again.note(moved));
        let from = from.index(moves.len() + 1);
        moves[from..].iter().cloned().for_each(|moved| again.note(moved));
        prop_assert_eq!(once.sizes(), again.sizes());
        let keys = |mirror: &Mirror| mirror.places.keys().copied().collect::<std::collections::BTreeSet<_>>();
        prop_assert_eq!(keys(&once), keys(&again));
    }

    /// Whatever was thought before, after it is corrected just those wait who are said to.
    #[test]
    fn what_is_read_anew_is_what_is_known(
        before in prop::collection::vec((0..20_u8, 1400..1600), 0..20),
        after in prop::collection::btree_map(0..20_u8, 1400..1600, 0..20),
    ) {
        let mut mirror = Mirror::default();
        for (number, rating) in before {
            mirror.note(Moved::Waits(waiting(number, number % 3, rating)));
        }
        let read: Vec<Waiting> =
            after.iter().map(|(number, rating)| waiting(*number, number % 3, *rating)).collect();
        mirror.correct(read.clone());
        prop_assert_eq!(mirror.places.len(), read.len());
        prop_assert!(read.iter().all(|waiting| *mirror.places[&waiting.ticket] == *waiting.pool));
        let counted: u32 = mirror.sizes().iter().map(|(_, size)| size).sum();
        prop_assert_eq!(counted as usize, read.len());
    }
}
