//! The crate against the naive implementation, on random positions and random turns.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rules::{
    RuleSet, Side,
    jiu::{Crossing, Kind, Phase, Point, Position, Turn},
};

use crate::{
    dice::Dice,
    naive::{self, NaiveTurn, Rules},
    play::{dice, options},
};

fn position(dice: &mut Dice) -> Position {
    let rule_set = RuleSet::named(dice.pick(&["aba", "aba-competitive"]));
    let rule_set = rule_set.with("qia_crossing", dice.pick(&["anywhere", "landing"]));
    let (board, side) = (dice.board(), dice.pick(&Side::BOTH));
    Position::from_setup(board, Phase::Move, side, options(&rule_set)).expect("a setup")
}

fn rules(position: &Position) -> Rules {
    let options = position.options();
    let cross_anywhere = options.crossing == Crossing::Anywhere;
    Rules { competitive: options.competitive, cross_anywhere }
}

fn plain(turn: &Turn) -> NaiveTurn {
    let Turn::Move(it) = turn else { panic!("a turn of the movement") };
    let paths = it.paths().iter().map(|path| path.points().iter().map(|at| naive::place(*at)).collect());
    NaiveTurn {
        paths: paths.collect(),
        says_none: it.jumped().is_some_and(<[_]>::is_empty),
        removed: it.removed().iter().map(|at| naive::place(*at)).collect(),
    }
}

/// A turn of one stone that goes anywhere near, or of several that step into gaps; rarely legal.
fn wild_turn(dice: &mut Dice, position: &Position) -> Turn {
    let own: Vec<Point> = position.board().stones(position.to_move()).iter().collect();
    let anywhere: Vec<Point> = Point::all().collect();
    let hop = |dice: &mut Dice, from: Point| {
        let reach = dice.pick(&[1, 2, 2, 13]);
        let reached = |to: &Point| {
            let distance = from.row().abs_diff(to.row()) + from.column().abs_diff(to.column());
            distance <= reach
        };
        dice.pick(&Point::all().filter(reached).collect::<Vec<_>>())
    };
    let paths = dice.pick(&[1, 1, 1, 2, 3]);
    let mut text = String::new();
    for n in 0..paths {
        let mut here = if dice.below(10) == 0 { dice.pick(&anywhere) } else { dice.pick(&own) };
        text += if n == 0 { "" } else { "+" };
        text += &here.to_string();
        for _ in 0..(if paths > 1 { 1 } else { dice.pick(&[1, 1, 2, 3]) }) {
            here = hop(dice, here);
            text.extend(["→", &here.to_string()]);
        }
    }
    text += dice.pick(&["", "", "", " TC-none"]);
    let turn: Turn = text.parse().expect("well formed");
    let count = dice.pick(&[0, 0, 0, 1, 2, 8]);
    turn.removing((0..count).map(|_| dice.pick(&anywhere)).collect::<Vec<_>>())
}

/// Every lan and songran by trying all stones in all gaps.
fn compounds(position: &Position) -> BTreeSet<String> {
    let (grid, side) = (naive::grid(position.board()), position.to_move());
    let gaps: Vec<Point> = position.board().empty().iter().collect();
    let own: Vec<Point> = position.board().stones(side).iter().collect();
    let steps: Vec<(Point, Point)> = gaps
        .iter()
        .flat_map(|gap| own.iter().filter(|from| from.is_adjacent(*gap)).map(|from| (*from, *gap)))
        .collect();
    let mut found = BTreeSet::new();
    let mut attempt = |steps: &[(Point, Point)]| {
        let mut steps = steps.to_vec();
        steps.sort_by_key(|(_, to)| *to);
        let paths: Vec<_> =
            steps.iter().map(|(from, to)| vec![naive::place(*from), naive::place(*to)]).collect();
        if naive::together(&mut grid.clone(), side, &paths).is_some() {
            let texts: Vec<String> = steps.iter().map(|(from, to)| format!("{from}→{to}")).collect();
            found.insert(texts.join("+"));
        }
    };
    for (n, one) in steps.iter().enumerate() {
        for two in &steps[..n] {
            attempt(&[*one, *two]);
            // Three lines side by side have their gaps in a row or a column each.
            let apart =
                one.1.row().abs_diff(two.1.row()) == 2 || one.1.column().abs_diff(two.1.column()) == 2;
            for gap in gaps.iter().filter(|gap| apart && **gap != one.1 && **gap != two.1) {
                for from in &own {
                    attempt(&[*one, *two, (*from, *gap)]);
                }
            }
        }
    }
    found
}

fn agrees(position: &Position, turn: &Turn) -> Result<(), TestCaseError> {
    let grid = naive::grid(position.board());
    let expected = naive::play(&grid, position.to_move(), rules(position), &plain(turn));
    // A position without a turn has ended.
    if position.outcome().is_some() {
        prop_assert!(expected.is_none());
        return Ok(());
    }
    let found = position.legal(turn);
    prop_assert_eq!(found.is_ok(), expected.is_some(), "{} gave {:?}", turn, found);
    if let (Ok(legal), Some((after, earned))) = (found, expected) {
        prop_assert_eq!(naive::grid(legal.board()), after);
        prop_assert_eq!(legal.entitlement().stones, earned);
        let none = legal.jumped().is_empty() && legal.kind() == Kind::Chain;
        prop_assert!(!none);
    }
    Ok(())
}

proptest! {
    #[test]
    fn wild_turns_are_judged_alike(mut dice in dice()) {
        let position = position(&mut dice);
        for _ in 0..200 {
            agrees(&position, &wild_turn(&mut dice, &position))?;
        }
    }

    #[test]
    fn listed_turns_are_judged_alike(mut dice in dice()) {
        let position = position(&mut dice);
        for displacement in position.displacements().iter().take(500) {
            let turn = dice.complete(&position, displacement);
            agrees(&position, &turn)?;
            prop_assert!(position.is_legal(&turn), "{}", turn);
        }
    }

    #[test]
    fn formations_are_seen_alike(mut dice in dice()) {
        let board = dice.board();
        let grid = naive::grid(&board);
        for side in Side::BOTH {
            prop_assert_eq!(board.has_gate(side), naive::has_gate(&grid, side));
            let found: BTreeSet<_> = board
                .dalians(side)
                .into_iter()
                .map(|it| (naive::place(it.stone), naive::place(it.gap), it.double))
                .collect();
            let expected: BTreeSet<_> = naive::dalians(&grid, side).into_iter().collect();
            prop_assert_eq!(board.has_dalian(side), !expected.is_empty());
            prop_assert_eq!(found, expected);
            for point in Point::all() {
                prop_assert_eq!(board.squares_at(side, point), naive::squares(&grid, side, naive::place(point)));
            }
        }
    }

    #[test]
    fn who_cannot_move_is_seen_alike(mut dice in dice()) {
        let position = position(&mut dice);
        let grid = naive::grid(position.board());
        let stuck = !naive::has_turn(&grid, position.to_move(), position.options().competitive);
        prop_assert_eq!(position.outcome().is_some(), stuck);
        prop_assert_eq!(position.displacements().is_empty(), stuck);
    }
}

proptest! {
    // Trying everything takes long.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_short_turn_is_listed(mut dice in dice()) {
        let position = position(&mut dice);
        if position.outcome().is_some() {
            return Ok(());
        }
        let grid = naive::grid(position.board());
        let listed: BTreeSet<String> =
            position.displacements().iter().map(|it| it.turn.to_string()).collect();
        for from in position.board().stones(position.to_move()).iter() {
            for to in Point::all() {
                for none in ["", " TC-none"] {
                    let bare: Turn = format!("{from}→{to}{none}").parse().expect("well formed");
                    let mut probe = plain(&bare);
                    let enemies: Vec<_> = position.board().stones(position.to_move().other()).iter().collect();
                    // Name enough enemies that are not jumped, whatever is owed.
                    let legal = (0..=8).find_map(|owed| {
                        let chosen = enemies.iter().filter(|at| from.between(to) != Some(**at)).take(owed);
                        probe.removed = chosen.clone().map(|at| naive::place(*at)).collect();
                        naive::play(&grid, position.to_move(), rules(&position), &probe)?;
                        Some(bare.clone().removing(chosen.copied().collect::<Vec<_>>()))
                    });
                    if let Some(turn) = legal {
                        let canonical = position.legal(&turn).expect("judged alike").turn().clone();
                        let canonical = canonical.removing([]).to_string();
                        prop_assert!(listed.contains(&canonical), "{} is not listed", canonical);
                    }
                }
            }
        }
    }

    #[test]
    fn every_lan_and_songran_is_listed(mut dice in dice()) {
        let (board, rule_set) = (dice.gapped_board(), options(&RuleSet::named("aba")));
        for side in Side::BOTH {
            let position = Position::from_setup(board, Phase::Move, side, rule_set).expect("a setup");
            let listed = position.displacements().into_iter();
            let together = listed.filter(|it| it.turn.to_string().contains('+')).map(|it| it.turn.to_string());
            prop_assert_eq!(together.collect::<BTreeSet<_>>(), compounds(&position));
            for displacement in position.displacements() {
                agrees(&position, &dice.complete(&position, &displacement))?;
            }
        }
    }
}
