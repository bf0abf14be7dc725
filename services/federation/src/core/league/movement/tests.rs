use proptest::prelude::*;
use uuid::Uuid;

use super::*;

fn id(number: u128) -> EntrantId {
    EntrantId(Uuid::from_u128(number))
}

/// A table of these, of whom those with a minus have withdrawn.
fn table(numbers: &[i32]) -> Vec<Ranked> {
    let ranked =
        |number: &i32| Ranked { entrant: id(u128::from(number.unsigned_abs())), withdrawn: *number < 0 };
    numbers.iter().map(ranked).collect()
}

fn numbers(next: &[Vec<EntrantId>]) -> Vec<Vec<u128>> {
    next.iter().map(|division| division.iter().map(|it| it.0.as_u128()).collect()).collect()
}

/// What comes of two divisions of so many places between which this is exchanged.
fn check(
    divisions: &[&[i32]],
    size: u32,
    (direct, play_offs): (u32, u32),
    stay_down: &[u128],
    expected: (&[(u128, u128)], &[&[u128]]),
) {
    let divisions: Vec<Vec<Ranked>> = divisions.iter().map(|it| table(it)).collect();
    let stay_down = stay_down.iter().map(|it| id(*it)).collect();
    let borders = vec![Border { direct, play_offs }; divisions.len() - 1];
    let sizes = vec![size; divisions.len()];
    let tables = Tables { divisions: &divisions, sizes: &sizes, borders: &borders, stay_down: &stay_down };
    let ties: Vec<(u128, u128)> =
        tables.ties().iter().map(|tie| (tie.upper.0.as_u128(), tie.lower.0.as_u128())).collect();
    assert_eq!(ties, expected.0, "{divisions:?}");
    assert_eq!(numbers(&tables.next(&BTreeSet::new())), expected.1, "{divisions:?}");
}

/// Written by hand.
#[test]
fn the_last_go_down_and_the_first_go_up() {
    let two: &[&[i32]] = &[&[1, 2, 3, 4], &[5, 6, 7, 8]];
    check(two, 4, (1, 0), &[], (&[], &[&[1, 2, 3, 5], &[4, 6, 7, 8]]));
    check(two, 4, (1, 1), &[], (&[(3, 6)], &[&[1, 2, 3, 5], &[4, 6, 7, 8]]));
    check(two, 4, (0, 2), &[], (&[(4, 5), (3, 6)], &[&[1, 2, 3, 4], &[5, 6, 7, 8]]));
    check(two, 4, (2, 0), &[], (&[], &[&[1, 2, 5, 6], &[3, 4, 7, 8]]));
}

#[test]
fn who_withdraws_is_last_and_goes_down_whatever_he_has_won() {
    check(&[&[-1, 2, 3, 4], &[5, 6, 7, 8]], 4, (1, 0), &[], (&[], &[&[2, 3, 4, 5], &[1, 6, 7, 8]]));
    let two: &[&[i32]] = &[&[-1, -2, 3, 4], &[5, 6, 7, 8]];
    check(two, 4, (1, 1), &[], (&[(4, 7)], &[&[3, 4, 5, 6], &[1, 2, 7, 8]]));
    // Below the last division there is nothing, and nobody goes up who has gone.
    check(&[&[1, 2, 3, 4], &[-5, 6, 7, 8]], 4, (1, 0), &[], (&[], &[&[1, 2, 3, 6], &[4, 7, 8, 5]]));
}

#[test]
fn where_nobody_wants_to_go_up_the_best_of_those_who_would_go_down_stay() {
    let two: &[&[i32]] = &[&[1, 2, 3, 4], &[5, 6, 7, 8]];
    check(two, 4, (1, 1), &[5], (&[(3, 7)], &[&[1, 2, 3, 6], &[4, 5, 7, 8]]));
    check(two, 4, (2, 0), &[5, 6, 8], (&[], &[&[1, 2, 3, 7], &[4, 5, 6, 8]]));
    check(two, 4, (1, 1), &[5, 6, 7, 8], (&[], &[&[1, 2, 3, 4], &[5, 6, 7, 8]]));
}

#[test]
fn vacancies_are_filled_from_below_and_end_in_the_last_division() {
    let three: &[&[i32]] = &[&[1, 2, 3], &[5, 6, 7, 8], &[9, 10, 11, 12]];
    check(three, 4, (1, 0), &[], (&[], &[&[1, 2, 5, 6], &[3, 7, 9, 10], &[8, 11, 12]]));
    // One who is in danger himself does not go up.
    check(&[&[1, 2], &[5, 6]], 2, (1, 1), &[], (&[(1, 6)], &[&[1, 5], &[2, 6]]));
    check(&[&[1, 2], &[5, 6], &[7, 8]], 2, (1, 1), &[], (&[(5, 8)], &[&[1, 2], &[5, 7], &[6, 8]]));
}

#[derive(Clone, Debug)]
struct League {
    divisions: Vec<Vec<Ranked>>,
    sizes: Vec<u32>,
    borders: Vec<Border>,
    stay_down: BTreeSet<EntrantId>,
    lower_wins: Vec<bool>,
}

impl League {
    fn tables(&self) -> Tables<'_> {
        let League { divisions, sizes, borders, stay_down, .. } = self;
        Tables { divisions, sizes, borders, stay_down }
    }

    fn won(&self) -> BTreeSet<Tie> {
        let ties = self.tables().ties();
        ties.into_iter().zip(self.lower_wins.iter().cycle()).filter(|it| *it.1).map(|it| it.0).collect()
    }

    fn next(&self) -> Vec<Vec<EntrantId>> {
        self.tables().next(&self.won())
    }
}

prop_compose! {
    fn league(is_full: bool)(
        divisions in prop::collection::vec((1_usize..9, 0_usize..3, any::<[u8; 12]>()), 1..6),
        borders in prop::collection::vec((0_u32..4, 0_u32..3), 5),
        lower_wins in prop::collection::vec(any::<bool>(), 1..8),
    ) -> League {
        let (mut tables, mut sizes, mut stay_down) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (at, (there, vacant, chance)) in divisions.into_iter().enumerate() {
            let entrant = |place: usize| id(100 * (at as u128 + 1) + place as u128);
            let ranked = |place| Ranked { entrant: entrant(place), withdrawn: chance[place] % 8 == 0 };
            stay_down.extend((0..there).filter(|place| chance[*place] % 4 == 1).map(entrant));
            tables.push((0..there).map(ranked).collect::<Vec<_>>());
            let vacant = if is_full { 0 } else { vacant };
            sizes.push(u32::try_from(there + vacant).expect("small"));
        }
        let borders = borders.iter().take(tables.len() - 1);
        let borders = borders.map(|(direct, play_offs)| Border { direct: *direct, play_offs: *play_offs });
        League { borders: borders.collect(), divisions: tables, sizes, stay_down, lower_wins }
    }
}

/// What holds of every league.
fn laws(league: &League) {
    let next = league.next();
    let mut before: Vec<EntrantId> = league.divisions.iter().flatten().map(|it| it.entrant).collect();
    let mut after: Vec<EntrantId> = next.iter().flatten().copied().collect();
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after, "everybody is placed, and nobody twice");
    let moves = league.tables().moves(&next);
    for (at, table) in league.divisions.iter().enumerate() {
        for it in table {
            let to = match moves[&it.entrant] {
                Move::Stays => at,
                Move::Up => at - 1,
                Move::Down => at + 1,
            };
            assert!(next[to].contains(&it.entrant), "nobody moves by more than one division");
            let goes_up = moves[&it.entrant] == Move::Up;
            assert!(!goes_up || !it.withdrawn && !league.stay_down.contains(&it.entrant));
        }
        assert!(next[at].len() <= league.sizes[at].max(1) as usize || at + 1 == next.len());
    }
}

/// How many go up and down between each two neighbours.
fn exchanged(league: &League) -> Vec<(usize, usize)> {
    let next = league.next();
    let of = |from: usize, to: usize| {
        league.divisions[from].iter().filter(|it| next[to].contains(&it.entrant)).count()
    };
    (1..next.len()).map(|lower| (of(lower, lower - 1), of(lower - 1, lower))).collect()
}

proptest! {
    #[test]
    fn full_divisions_keep_their_sizes_and_as_many_go_up_as_down(league in league(true)) {
        laws(&league);
        let sizes = |divisions: &[Vec<EntrantId>]| divisions.iter().map(Vec::len).collect::<Vec<_>>();
        let before: Vec<usize> = league.divisions.iter().map(Vec::len).collect();
        prop_assert_eq!(sizes(&league.next()), before);
        prop_assert!(exchanged(&league).iter().all(|(up, down)| up == down));
    }

    #[test]
    fn vacancies_are_filled_and_never_made_but_below(league in league(false)) {
        laws(&league);
        let next = league.next();
        // Seen from the top, no first so many divisions have fewer than before.
        let (mut before, mut after) = (0, 0);
        for (at, table) in league.divisions.iter().enumerate() {
            before += table.len();
            after += next[at].len();
            prop_assert!(after >= before);
        }
        prop_assert!(exchanged(&league).iter().all(|(up, down)| up >= down));
    }

    /// In which order anything is told changes nothing.
    #[test]
    fn it_does_not_matter_in_which_order_things_are_told(league in league(false)) {
        let mut other = league.clone();
        other.stay_down = league.stay_down.iter().rev().copied().collect();
        let won: BTreeSet<Tie> = league.won().into_iter().rev().collect();
        prop_assert_eq!(other.tables().next(&won), league.next());
        // Who has withdrawn is last, wherever he stood: the others may stand anywhere among him.
        for table in &mut other.divisions {
            table.sort_by_key(|it| it.withdrawn);
        }
        prop_assert_eq!(other.tables().next(&won), league.next());
    }
}
