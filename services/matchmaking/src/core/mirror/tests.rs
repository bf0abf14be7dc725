use proptest::prelude::*;

use super::*;

const SECOND: u64 = 1_000_000;

fn owner(number: u64) -> AccountId {
    uuid::Uuid::from_u64_pair(0, number).into()
}

fn waiting(number: u8, pool: u8, rating: i32) -> Waiting {
    let ticket = uuid::Uuid::from_u128(number.into()).into();
    let owner = owner(number.into());
    let since = u64::from(number) * SECOND;
    let seeker = Seeker { who: who(owner), rating, window: 400, since, ..Seeker::default() };
    Waiting { ticket, owner, choices: vec![(format!("pool {pool}"), seeker)] }
}

/// The same ticket in these pools.
fn waiting_in(number: u8, pools: &[u8], rating: i32) -> Waiting {
    let choices = pools.iter().flat_map(|pool| waiting(number, *pool, rating).choices);
    Waiting { choices: choices.collect(), ..waiting(number, 0, rating) }
}

fn left(number: u8) -> Moved {
    Moved::Left { ticket: waiting(number, 0, 0).ticket, matched_at: None }
}

/// What a ticket of a rating of 1500 in one pool has to expect.
fn outlook(mirror: &Mirror, ticket: TicketId, pool: &str, since: u64, now: u64) -> Outlook {
    mirror.outlook(ticket, since, std::iter::once((pool, 1500)), now)
}

/// As many as are said to wait in three pools to whoever does.
fn sizes(mirror: &Mirror) -> [u32; 3] {
    [0, 1, 2].map(|pool| outlook(mirror, waiting(0, 0, 0).ticket, &format!("pool {pool}"), 0, 0).pool_size)
}

fn ids(pairs: &[[TicketId; 2]]) -> Vec<[u128; 2]> {
    pairs.iter().map(|pair| pair.map(|ticket| ticket.uuid().as_u128())).collect()
}

#[test]
fn each_pool_is_for_itself() {
    let mut mirror = Mirror::default();
    for (number, pool, rating) in [(1, 1, 1500), (2, 2, 1500), (3, 1, 1510)] {
        mirror.note(Moved::Waits(waiting(number, pool, rating)));
    }
    assert_eq!(sizes(&mirror), [1, 2, 1]);
    // Ten points are worth two seconds of both together at five points a second: the first has waited as long.
    assert_eq!(mirror.next_due(), Some(3 * SECOND));
    assert!(mirror.due_pools(3 * SECOND - 1).is_empty());
    assert_eq!(mirror.due_pools(3 * SECOND), [Arc::from("pool 1")]);
    assert_eq!(ids(&mirror.due("pool 1", 3 * SECOND)), [[1, 3]]);
    assert_eq!((sizes(&mirror), mirror.next_due()), ([1, 1, 1], None), "nobody is alone where he waits");
    assert!(mirror.due("pool 9", 3 * SECOND).is_empty());
    // A proposal that was refused leaves one of them.
    mirror.note(Moved::Waits(waiting(1, 1, 1500)));
    mirror.note(left(3));
    mirror.note(Moved::Waits(waiting(4, 1, 1500)));
    assert_eq!(ids(&mirror.due("pool 1", 5 * SECOND)), [[1, 4]]);
}

#[test]
fn who_waits_in_several_pools_is_paired_in_one() {
    let mut mirror = Mirror::default();
    for (number, pools) in [(1, &[0, 1, 2][..]), (2, &[1]), (3, &[2]), (4, &[0, 2])] {
        mirror.note(Moved::Waits(waiting_in(number, pools, 1500)));
    }
    assert_eq!(sizes(&mirror), [2, 2, 3]);
    assert_eq!(
        mirror.due_pools(9 * SECOND).iter().map(|it| &**it).collect::<Vec<_>>(),
        ["pool 1", "pool 2", "pool 0"]
    );
    assert_eq!(ids(&mirror.due("pool 1", 9 * SECOND)), [[1, 2]]);
    assert_eq!(sizes(&mirror), [1, 1, 2], "both are gone from everywhere");
    assert!(mirror.due("pool 0", 9 * SECOND).is_empty());
    // The proposal was refused for the sake of one: the other is back in all his pools.
    mirror.note(left(2));
    mirror.note(Moved::Waits(waiting_in(1, &[0, 1, 2], 1500)));
    assert_eq!(sizes(&mirror), [2, 1, 3]);
    assert_eq!(ids(&mirror.due("pool 0", 9 * SECOND)), [[1, 4]]);
    assert!(mirror.due("pool 2", 9 * SECOND).is_empty(), "one of those who were due there is gone");
    assert_eq!((sizes(&mirror), mirror.next_due()), ([1, 1, 1], None));
    assert_eq!(mirror.fullest("pool", 9 * SECOND), [(Arc::from("pool 2"), 1)]);
    assert!(mirror.fullest("pool 0", 9 * SECOND).is_empty() && mirror.fullest("x", 9 * SECOND).is_empty());
    mirror.note(left(3));
    assert_eq!(mirror.fullest("pool", 10 * SECOND - 1).len(), 1, "as it was a moment ago");
    assert!(mirror.fullest("pool", 10 * SECOND).is_empty());
}

#[test]
fn who_has_blocked_somebody_does_not_meet_him_and_others_do() {
    let mut mirror = Mirror::default();
    let blocks = |mirror: &mut Mirror, one: u64, others: &[u64]| {
        mirror.block(who(owner(one)), others.iter().map(|other| who(owner(*other))).collect());
    };
    // Said before he waits, from either side.
    blocks(&mut mirror, 1, &[2, 7]);
    blocks(&mut mirror, 3, &[1]);
    for number in [1, 2, 3] {
        mirror.note(Moved::Waits(waiting(number, 0, 1500)));
    }
    assert_eq!(ids(&mirror.due("pool 0", 9 * SECOND)), [[2, 3]]);
    mirror.note(Moved::Waits(waiting(4, 0, 1500)));
    mirror.block_another(who(owner(4)), who(owner(1)));
    assert!(mirror.due("pool 0", 9 * SECOND).is_empty(), "said while both wait");
    // Who waits anew has blocked whom he says then.
    mirror.note(left(1));
    mirror.note(left(4));
    blocks(&mut mirror, 4, &[]);
    for number in [1, 4] {
        mirror.note(Moved::Waits(waiting(number, 0, 1500)));
    }
    assert_eq!(ids(&mirror.due("pool 0", 9 * SECOND)), [[1, 4]]);
}

#[test]
fn who_waits_in_several_pools_is_told_what_comes_first() {
    let mut mirror = Mirror::default();
    // In the one pool somebody is found within a second, in the other within twenty.
    for number in 0..60_u8 {
        let pool = number % 2;
        let Waiting { ticket, owner, mut choices } = waiting(number, pool, 1500);
        choices[0].1.since = u64::from(number) * 30 * SECOND;
        let matched_at = choices[0].1.since + if pool == 0 { SECOND } else { 20 * SECOND };
        mirror.note(Moved::Waits(Waiting { ticket, owner, choices }));
        mirror.note(Moved::Left { ticket, matched_at: Some(matched_at) });
    }
    let expected = |choices: &[(&str, i32)]| {
        let outlook =
            mirror.outlook(waiting(99, 0, 0).ticket, 1800 * SECOND, choices.iter().copied(), 1800 * SECOND);
        outlook.estimate.expect("much is known")
    };
    let (quick, slow) = (("pool 0", 1500), ("pool 1", 1500));
    assert!(expected(&[slow]).p50 > 3 * expected(&[quick]).p50);
    assert_eq!(expected(&[slow, quick]), expected(&[quick]));
    let unknown = ("pool 7", 1500);
    assert_eq!(expected(&[unknown, slow]), expected(&[slow]));
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
fn who_waits_is_told_how_long_others_did_and_the_longer_he_waits_the_less_it_is_until_it_is_more() {
    let mut mirror = Mirror::default();
    let come = |mirror: &mut Mirror, number: u64, since: u64| {
        let seeker = Seeker { rating: 1500, window: 400, since, ..Seeker::default() };
        let ticket = uuid::Uuid::from_u128(number.into()).into();
        mirror.note(Moved::Waits(Waiting {
            ticket,
            owner: owner(number),
            choices: vec![("pool 1".to_owned(), seeker)],
        }));
        ticket
    };
    for number in 0..40 {
        let since = 10 * SECOND * number;
        let ticket = come(&mut mirror, number, since);
        assert_eq!(
            outlook(&mirror, ticket, "pool 1", since, since).estimate.is_some(),
            number >= 8,
            "{number}"
        );
        // They wait for four, five or six seconds.
        let wait = SECOND * (4 + number % 3);
        mirror.note(Moved::Left { ticket, matched_at: Some(since + wait) });
    }
    let from = 400 * SECOND;
    let stranger = outlook(&mirror, uuid::Uuid::from_u128(99).into(), "pool 1", from, from);
    let ticket = come(&mut mirror, 99, 400 * SECOND);
    let after = |seconds: u64| {
        outlook(&mirror, ticket, "pool 1", from, from + seconds * SECOND).estimate.expect("much is known")
    };
    let [p50, p90] = [after(0).p50, after(0).p90].map(|micros| micros / SECOND);
    assert!((4..=6).contains(&p50) && (5..=9).contains(&p90), "{:?}", after(0));
    let told = stranger.estimate.expect("as whoever comes");
    assert!(
        told.p90.abs_diff(after(0).p90) < SECOND / 2,
        "{told:?} before he is heard of, {:?} after",
        after(0)
    );
    assert!(after(3).p50 < after(0).p50 && after(3).p90 < after(0).p90, "{:?}", after(3));
    assert!(after(100).p90 > after(0).p90, "longer than anybody: {:?}", after(100));
    assert_eq!(outlook(&mirror, ticket, "pool 2", 0, 0), Outlook { pool_size: 1, estimate: None });
}

#[test]
fn a_pool_is_forgotten_when_nobody_comes_any_more() {
    let mut mirror = Mirror::default();
    mirror.note(Moved::Waits(waiting(1, 1, 1500)));
    mirror.note(Moved::Waits(waiting(2, 2, 1500)));
    mirror.note(left(1));
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
                if comes { Moved::Waits(waiting) } else { left(number) }
            })
            .collect();
        let mut once = Mirror::default();
        moves.iter().cloned().for_each(|moved| once.note(moved));
        let mut again = Mirror::default();
        moves.iter().cloned().for_each(|moved| again.note(moved));
        let from = from.index(moves.len() + 1);
        moves[from..].iter().cloned().for_each(|moved| again.note(moved));
        prop_assert_eq!(sizes(&once), sizes(&again));
        let keys = |mirror: &Mirror| mirror.places.iter().map(|place| place.ticket).collect::<std::collections::BTreeSet<_>>();
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
        let pool = |ticket: &TicketId| mirror.places.of(ticket).and_then(Place::home).and_then(|home| waiters(&mirror.pools, home));
        let stands = |waiting: &Waiting| pool(&waiting.ticket).is_some_and(|pool| *pool.name == *waiting.choices[0].0);
        prop_assert!(read.iter().all(stands));
        let counted: usize = mirror.pools.iter().flatten().map(|waiters| waiters.order.len()).sum();
        prop_assert_eq!(counted, read.len());
    }
}
