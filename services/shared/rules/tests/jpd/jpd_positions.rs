//! Turns against the slow model: what is legal, what is listed, what a refusal leaves behind.

use proptest::prelude::*;
use rules::{
    goban::{self, Colour, Setup},
    jpd::{Act, Illegal, Memory, Move, Phase, Position, Rules},
};

use crate::{
    dice::Dice,
    naive::{Naive, Ruling, Turn, signed},
    play::slow_board,
    reference::point,
};

/// Kos, a double ko, eternal life, sending two returning one and suicides, so that random play repeats often.
pub(crate) const STARTS: [&str; 6] = [
    "...../...../...../...../.....",
    ".o.xxo/oxxxo./o.x.oo/xx.oo./oooo.o/......",
    "ooooooo/oxo.o.o/x.xoxox/xxxxxxx/ooooooo/.......",
    "......../oooooo../xxxxxo../xoooxxoo/.o.x.ox.",
    ".oxo.x/oxxooo/xx..../....../......",
    "...../..xxx/xxxoo/xooo./xo.ox/xoxx.",
];

fn to_move(turn: Turn) -> Move {
    match turn {
        Turn::Real(at) => Move::Play(point(at)),
        Turn::Virtual => Move::Virtual,
        Turn::Pass => Move::Pass,
    }
}

fn check(position: &Position, naive: &Naive) {
    for at in naive.board.points() {
        let (mv, ruling) = (Move::Play(point(at)), naive.ruling(Turn::Real(at)));
        let fault = position.check(mv).err();
        match ruling {
            Ruling::Legal => assert_eq!(fault, None, "{at:?} {position:?}"),
            Ruling::Occupied => assert_eq!(fault, Some(goban::Illegal::Occupied.into())),
            Ruling::ShapeAgain => {
                assert!(
                    matches!(fault, Some(Illegal::ShapeAgain | Illegal::Go(goban::Illegal::Ko))),
                    "{fault:?}"
                );
            }
            Ruling::BoardAgain => panic!("no real move does that"),
        }
        if fault.is_some() {
            let mut after = position.clone();
            assert_eq!(after.play(mv).err(), fault);
            assert_eq!(format!("{after:?}"), format!("{position:?}"));
        }
    }
    let wanted = if naive.ruling(Turn::Virtual) == Ruling::Legal { Ok(()) } else { Err(Illegal::BoardAgain) };
    assert_eq!(position.check(Move::Virtual), wanted);
    let legal: Vec<_> = naive.legal().into_iter().map(to_move).collect();
    assert_eq!(position.legal_moves().collect::<Vec<_>>(), legal);
    assert_eq!(position.to_move(), naive.to_move);
    for at in naive.board.points() {
        assert_eq!(position.board().stone(point(at)), naive.board.get(at));
    }
    for colour in Colour::BOTH {
        assert_eq!(signed(position.virtuals(colour)), naive.virtuals[colour.index()]);
        assert_eq!(signed(position.prisoners(colour)), naive.prisoners[colour.index()]);
    }
}

/// A turn at random: now and then a pass or a virtual move, mostly captures and suicides if there are any.
pub(crate) fn choose(naive: &Naive, dice: &mut Dice) -> Turn {
    let legal = naive.legal();
    let stones = naive.board.cells.iter().flatten().count();
    let takes = |turn: &Turn| match turn {
        Turn::Real(at) => naive.board.after(*at, naive.to_move).cells.iter().flatten().count() <= stones,
        _ => false,
    };
    let taking: Vec<_> = legal.iter().copied().filter(takes).collect();
    match dice.below(12) {
        0 => Turn::Pass,
        1 | 2 if legal.contains(&Turn::Virtual) => Turn::Virtual,
        3..=8 if !taking.is_empty() => dice.pick(&taking),
        _ => dice.pick(&legal),
    }
}

/// Resumes a stopped game in both; `false` if it is over.
fn resume(position: &mut Position, naive: &mut Naive, dice: &mut Dice) -> bool {
    let colour = dice.pick(&Colour::BOTH);
    let act = if dice.below(3) == 0 { Act::Fill } else { Act::Reject };
    if position.act(colour, &act).is_err() && position.act(colour, &Act::Reject).is_err() {
        return false;
    }
    naive.resume(if *position.phase() == Phase::Filling { 2 } else { 1 });
    if position.rules().memory == Memory::Reset {
        naive.forget();
    }
    true
}

fn random_game(start: &str, memory: Memory, seed: u64, turns: usize) {
    let setup: Setup = start.parse().expect("a start of the tests");
    let mut position = Position::from_setup(&setup, Rules { memory, ..Rules::default() });
    let mut naive = Naive::new(slow_board(&setup), Colour::Black);
    let mut dice = Dice(seed);
    for _ in 0..turns {
        check(&position, &naive);
        let turn = choose(&naive, &mut dice);
        let before = position.hash();
        position.play(to_move(turn)).expect("legal by the model");
        naive.take(turn);
        assert_ne!(position.hash(), before);
        assert_eq!(position.agreement().is_some() || position.ending().is_some(), naive.stopped());
        if naive.stopped() && !resume(&mut position, &mut naive, &mut dice) {
            return;
        }
        let counted = |part: usize| part == 0 || part == 2;
        assert_eq!(position.extra(), naive.more(counted, |turn, _| turn != Turn::Pass));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn jpd_positions_agree_with_the_model(
        start in prop::sample::select(&STARTS[..]),
        reset: bool,
        seed: u64,
        turns in 10usize..120,
    ) {
        random_game(start, if reset { Memory::Reset } else { Memory::Kept }, seed, turns);
    }

    /// Without virtual moves article 32 is situational superko, suicide allowed: no board twice for one
    /// player.
    #[test]
    fn jpd_real_moves_are_situational_superko(
        start in prop::sample::select(&STARTS[..]),
        seed: u64,
        turns in 10usize..120,
    ) {
        let setup: Setup = start.parse().expect("a start of the tests");
        let mut position = Position::from_setup(&setup, Rules::default());
        let mut seen = vec![(position.board().clone(), Colour::Black)];
        let mut dice = Dice(seed);
        for _ in 0..turns {
            let mover = position.to_move();
            let mut legal = Vec::new();
            for at in position.board().points().filter(|at| position.board().stone(*at).is_none()) {
                let mut after = position.board().clone();
                after.put(at, mover, |_, _| ());
                if !seen.contains(&(after, mover.other())) {
                    legal.push(Move::Play(at));
                }
            }
            let plays: Vec<_> = position.legal_moves().filter(|mv| matches!(mv, Move::Play(_))).collect();
            prop_assert_eq!(&plays, &legal);
            let passes = plays.is_empty() || (dice.below(8) == 0 && !position.is_passed());
            position.play(if passes { Move::Pass } else { dice.pick(&plays) }).expect("legal");
            seen.push((position.board().clone(), position.to_move()));
            if position.agreement().is_some() {
                break;
            }
        }
    }
}
