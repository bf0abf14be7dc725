//! Berger tables and Scheveningen matches (section 4, line 6).

use std::collections::{BTreeMap, BTreeSet};

use pairing::{Colour, DoubleOrder, Number, berger};

/// How often each has the first colour more than the second.
fn balance(rounds: &[berger::RobinRound]) -> BTreeMap<Number, i32> {
    let mut balance = BTreeMap::new();
    for (first, second) in rounds.iter().flat_map(|round| &round.games) {
        *balance.entry(*first).or_insert(0) += 1;
        *balance.entry(*second).or_insert(0) -= 1;
    }
    balance
}

#[test]
fn every_table_is_complete_and_balanced() {
    for players in 3..=40 {
        let rounds = berger::single(players);
        assert_eq!(rounds.len(), players.next_multiple_of(2) as usize - 1, "{players}");
        let mut met = BTreeSet::new();
        for round in &rounds {
            let mut seen: Vec<Number> = round.games.iter().flat_map(|(a, b)| [*a, *b]).collect();
            seen.extend(round.free);
            seen.sort();
            assert_eq!(seen, (1..=players).map(Number).collect::<Vec<_>>(), "{players}");
            met.extend(round.games.iter().map(|(a, b)| (a.min(b), a.max(b))));
        }
        assert_eq!(met.len(), (players * (players - 1) / 2) as usize, "{players}");
        assert!(balance(&rounds).values().all(|it| it.abs() <= 1), "{players}");
    }
}

#[test]
fn six_players_are_the_table_of_fide() {
    let printed: [[(u32, u32); 3]; 5] = [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ];
    let made: Vec<Vec<(u32, u32)>> =
        berger::single(6).iter().map(|round| round.games.iter().map(|(a, b)| (a.0, b.0)).collect()).collect();
    assert_eq!(made, printed);
}

#[test]
fn the_second_cycle_mirrors_the_first() {
    for players in 2..=21 {
        for (order, swap) in
            [(DoubleOrder::Cycles, false), (DoubleOrder::Cycles, true), (DoubleOrder::BackToBack, false)]
        {
            let rounds = berger::double(players, order, swap);
            assert!(balance(&rounds).values().all(|it| *it == 0));
            let games: BTreeSet<_> = rounds.iter().flat_map(|round| &round.games).collect();
            assert_eq!(games.len(), (players * (players - 1)) as usize);
        }
        let back = berger::double(players, DoubleOrder::BackToBack, false);
        assert_eq!(back[0].games[0].0, back[1].games[0].1);
    }
}

#[test]
fn swapping_two_rounds_spares_a_third_equal_colour() {
    let longest_run = |swap| {
        let rounds = berger::double(6, DoubleOrder::Cycles, swap);
        let colours = |number| {
            let of = |round: &berger::RobinRound| round.games.iter().any(|(first, _)| *first == number);
            rounds.iter().map(of).collect::<Vec<bool>>()
        };
        let run = |colours: Vec<bool>| colours.chunk_by(|a, b| a == b).map(<[bool]>::len).max();
        (1..=6).map(Number).filter_map(|number| run(colours(number))).max()
    };
    assert_eq!((longest_run(false), longest_run(true)), (Some(3), Some(2)));
}

#[test]
fn everybody_of_two_teams_meets_with_fair_colours() {
    for members in 1..=12 {
        let rounds = berger::scheveningen(members);
        let mut met = BTreeSet::new();
        let mut balance = BTreeMap::new();
        for game in rounds.iter().flatten() {
            assert!(met.insert((game.a, game.b)));
            let step = if game.colour_of_a == Colour::First { 1 } else { -1 };
            *balance.entry(('a', game.a)).or_insert(0_i32) += step;
            *balance.entry(('b', game.b)).or_insert(0) -= step;
        }
        assert_eq!(met.len(), (members * members) as usize);
        assert!(balance.values().all(|it| it.abs() <= 1), "{members}");
    }
}
