//! The crate against the naive implementation: the same actions, the same positions, the same ends.

use proptest::prelude::*;
use rules::{
    Outcome, Reason, RuleSet, Side, Verdict,
    jirige::{Action, Board, Options, Phase, Position, Setup, Turn, perft},
};

use crate::{
    dice::Dice,
    naive::{Cells, Naive, Rules},
    play::dice,
};

/// The same rules for both.
fn rules(dice: &mut Dice) -> (Options, Rules) {
    let scope = dice.pick(&["either", "either", "mover", "both", "strong"]);
    let (ring, lose_at) = (dice.pick(&[1_usize, 2, 8]), dice.pick(&[3_usize, 2]));
    let (value, split, blocked) =
        (dice.pick(&["value", "one"]), dice.pick(&["batch", "split"]), dice.pick(&["loss", "draw"]));
    let (repetition, quiet) = (2 + dice.below(4), 5 + dice.below(40));
    let rule_set = RuleSet::named("")
        .with("flight_jump_scope", scope)
        .with("ring_plies", &ring.to_string())
        .with("lose_at", &lose_at.to_string())
        .with("spear_placement", value)
        .with("opening_order", split)
        .with("blocked", blocked)
        .with("repetition_auto", &repetition.to_string())
        .with("quiet_auto", &quiet.to_string());
    let naive = Rules {
        ring_plies: ring,
        spear_value: value == "value",
        split: split == "split",
        scope,
        lose_at,
        blocked_draws: blocked == "draw",
        repetition,
        quiet,
    };
    (Options::from_rule_set(&rule_set).expect("known"), naive)
}

fn board(cells: &Cells) -> String {
    let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
    rows.join("/")
}

fn text(action: Action) -> String {
    Turn::from(action).to_string()
}

fn result(outcome: &Outcome) -> String {
    let winner = match outcome.verdict {
        Verdict::Win(Side::First) => "x",
        Verdict::Win(Side::Second) => "o",
        _ => "draw",
    };
    let reason = match outcome.reason {
        Reason::TooFewStones => "COUNT",
        Reason::NoMoves => "BLOCKED",
        Reason::Repetition => "REPETITION",
        Reason::Quiet => "QUIET",
        _ => "?",
    };
    format!("{winner}/{reason}")
}

/// Everything both know of a position.
fn assert_same(position: &Position, naive: &Naive) -> Vec<Action> {
    let actions = position.actions();
    let mut texts: Vec<String> = actions.iter().map(|action| text(*action)).collect();
    texts.sort();
    assert_eq!(texts, naive.actions(), "{}", board(&naive.cells));
    assert_eq!(position.board().to_string(), board(&naive.cells));
    assert_eq!(position.outcome().map(result).unwrap_or_default(), naive.result);
    if position.outcome().is_none() {
        assert_eq!(position.phase().name(), naive.phase);
        assert_eq!(if position.to_move() == Side::First { 'x' } else { 'o' }, naive.turn);
        assert_eq!(usize::from(position.pending()), naive.pending);
        assert_eq!(usize::from(position.quiet_plies()), naive.quiet);
    }
    actions
}

/// Prefers actions that take stones or lead towards full lines and squares.
fn pick(dice: &mut Dice, actions: &[Action], greed: usize) -> Action {
    let jumps: Vec<Action> =
        actions.iter().filter(|action| text(**action).contains(['x', '/'])).copied().collect();
    if !jumps.is_empty() && dice.below(100) < greed { dice.pick(&jumps) } else { dice.pick(actions) }
}

/// Plays both to the end, or for so many actions.
fn play(dice: &mut Dice, position: &mut Position, naive: &mut Naive, actions_max: usize) {
    let greed = dice.below(101);
    for _ in 0..actions_max {
        let actions = assert_same(position, naive);
        if position.outcome().is_some() {
            return;
        }
        let action = pick(dice, &actions, greed);
        let _ = position.act(action).expect("a listed action is legal");
        naive.act(&text(action));
    }
}

/// A board of the moving phase, scattered, with some lines and squares nearly full.
fn scattered(dice: &mut Dice) -> Cells {
    let (gaps, bias) = (dice.pick(&[5, 30, 60, 85, 90]), dice.pick(&[15, 50, 50, 85]));
    let mut cells: Cells = [['.'; 9]; 9];
    for cell in cells.iter_mut().flatten() {
        if dice.below(100) >= gaps {
            *cell = if dice.below(100) < bias { 'x' } else { 'o' };
        }
    }
    let (side, line, gap) = (dice.pick(&['x', 'o']), dice.below(9), dice.below(9));
    let crossed = dice.below(2) == 0;
    for n in (0..9).filter(|n| *n != gap) {
        cells[line][n] = side;
        if crossed {
            cells[n][gap] = side;
        }
    }
    if crossed {
        cells[line][gap] = '.';
    }
    for (side, most) in [('x', 41), ('o', 40)] {
        let mut spare = crate::naive::count(&cells, side).saturating_sub(most);
        for cell in cells.iter_mut().flatten().filter(|cell| **cell == side) {
            if spare > 0 {
                *cell = '.';
                spare -= 1;
            }
        }
        let mut missing = 4_usize.saturating_sub(crate::naive::count(&cells, side));
        for cell in cells.iter_mut().flatten().filter(|cell| **cell == '.') {
            if missing > 0 {
                *cell = side;
                missing -= 1;
            }
        }
    }
    cells
}

fn both(dice: &mut Dice) -> (Position, Naive) {
    let (options, rules) = rules(dice);
    let cells = scattered(dice);
    let (to_move, turn) = dice.pick(&[(Side::First, 'x'), (Side::Second, 'o')]);
    let board: Board = board(&cells).parse().expect("a board");
    let setup = Setup { board, phase: Phase::Move, to_move, ..Setup::empty() };
    let position = Position::from_setup(&setup, options).expect("a position");
    (position, Naive::moving(rules, &cells, turn))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whole_games_are_the_same(mut dice in dice()) {
        let (options, rules) = rules(&mut dice);
        let (mut position, mut naive) = (Position::new(options), Naive::new(rules));
        play(&mut dice, &mut position, &mut naive, 2000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn games_from_scattered_positions_are_the_same(mut dice in dice()) {
        let (mut position, mut naive) = both(&mut dice);
        play(&mut dice, &mut position, &mut naive, 60);
    }

    #[test]
    fn perft_is_the_same(mut dice in dice()) {
        let (position, naive) = both(&mut dice);
        let depth = if naive.actions().len() > 60 { 1 } else { 2 };
        prop_assert_eq!(perft(&position, depth), slow_perft(&naive, depth));
    }
}

pub(crate) fn slow_perft(naive: &Naive, depth: u32) -> u64 {
    let actions = naive.actions();
    if depth <= 1 {
        return if depth == 0 { 1 } else { actions.len() as u64 };
    }
    let children = actions.iter().map(|action| {
        let mut after = naive.clone();
        after.act(action);
        slow_perft(&after, depth - 1)
    });
    children.sum()
}
