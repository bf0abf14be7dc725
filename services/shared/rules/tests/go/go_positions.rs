//! Turns and repetition against the reference: what is legal, what is listed, what a refusal leaves behind.

use proptest::prelude::*;
use rules::go::{Phase, Position};
use rules::goban::{Colour, Illegal, Move, Repetition, Rules, Setup};

use crate::{
    dice::Dice,
    reference::{Ruling, Slow, SlowGame, point},
};

const REPETITIONS: [Repetition; 4] =
    [Repetition::Cn1988, Repetition::Psk, Repetition::Situational, Repetition::Simple];

/// Kos, a double ko, eternal life and a seki, so that random play repeats often.
const STARTS: [&str; 4] = [
    "...../...../...../...../.....",
    ".o.xxo/oxxxo./o.x.oo/xx.oo./oooo.o/......",
    "ooooooo/oxo.o.o/x.xoxox/xxxxxxx/ooooooo/.......",
    "......../oooooo../xxxxxo../xoooxxoo/.o.x.ox.",
];

fn slow_board(setup: &Setup) -> Slow {
    let board = setup.board();
    let mut slow = Slow::new(board.columns().get(), board.rows().get());
    for at in slow.points() {
        slow.set(at, board.stone(point(at)));
    }
    slow
}

fn check(position: &Position, slow: &SlowGame, repetition: Repetition) {
    let mut legal = Vec::new();
    for at in slow.board().points() {
        let ruling = slow.ruling(at, repetition);
        let wanted = match ruling {
            Ruling::Legal | Ruling::LongCycle => Ok(()),
            Ruling::Occupied => Err(Illegal::Occupied),
            Ruling::Suicide => Err(Illegal::Suicide),
            Ruling::Ko => Err(Illegal::Ko),
            Ruling::Repetition => Err(Illegal::Repetition),
        };
        assert_eq!(position.check(Move::Play(point(at))), wanted, "{at:?} {position:?}");
        if wanted.is_ok() {
            legal.push(Move::Play(point(at)));
        } else {
            let mut after = position.clone();
            assert!(after.play(Move::Play(point(at))).is_err());
            assert_eq!(format!("{after:?}"), format!("{position:?}"));
        }
    }
    legal.push(Move::Pass);
    assert_eq!(position.legal_moves().collect::<Vec<_>>(), legal);
}

/// Plays at random, captures first now and then, and compares before every turn.
fn random_game(start: &str, repetition: Repetition, seed: u64, turns: usize) {
    let setup: Setup = start.parse().expect("a start of the tests");
    let rules = Rules { repetition, long_cycle: rules::goban::LongCycle::Arbiter, ..Rules::default() };
    let mut position = Position::from_setup(&setup, rules);
    let mut slow = SlowGame::new(slow_board(&setup), Colour::Black);
    let mut dice = Dice(seed);
    for _ in 0..turns {
        let strict = if *position.phase() == Phase::Resolution { Repetition::Psk } else { repetition };
        check(&position, &slow, strict);
        let plays: Vec<_> = (slow.board().points().into_iter())
            .filter(|at| matches!(slow.ruling(*at, strict), Ruling::Legal | Ruling::LongCycle))
            .collect();
        let stones = |slow: &Slow| slow.cells.iter().flatten().count();
        let captures: Vec<_> = (plays.iter().copied())
            .filter(|at| stones(&slow.board().after(*at, slow.to_move)) <= stones(slow.board()))
            .collect();
        if plays.is_empty() || dice.below(12) == 0 {
            position.play(Move::Pass).expect("a pass is always legal");
            slow.pass();
            match position.phase() {
                Phase::Agreement(_) => {
                    position.act(Colour::White, &rules::go::Act::Reject).expect("a dispute");
                }
                Phase::Ended(_) => return,
                _ => {}
            }
        } else {
            let at = if captures.is_empty() || dice.below(3) == 0 {
                dice.pick(&plays)
            } else {
                dice.pick(&captures)
            };
            let cycle = slow.ruling(at, strict) == Ruling::LongCycle;
            position.play(Move::Play(point(at))).expect("legal by the reference");
            slow.play(at);
            assert_eq!(position.notice().is_some(), cycle);
        }
        assert_eq!(position.to_move(), slow.to_move);
        assert_eq!(position.turns() + 1, slow.boards.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn go_positions_agree_with_the_reference(
        start in prop::sample::select(&STARTS[..]),
        repetition in prop::sample::select(&REPETITIONS[..]),
        seed: u64,
        turns in 10usize..120,
    ) {
        random_game(start, repetition, seed, turns);
    }
}
