//! The number of sequences of legal turns, from the fast generator and from the slow model.

use rules::{
    goban::{Colour, Setup},
    jpd::{Move, Phase, Position, Rules},
};

use crate::{
    naive::{Naive, Turn},
    play::slow_board,
};

const GOLDEN: &str = include_str!("../golden/jpd/perft.txt");

/// Sequences of just this many turns; two passes in a row end one.
fn fast(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if !matches!(position.phase(), Phase::Contest) {
        return 0;
    }
    if depth == 1 {
        return position.legal_moves().count() as u64;
    }
    let after = |mv: Move| {
        let mut after = position.clone();
        after.play(mv).expect("a listed move is legal");
        fast(&after, depth - 1)
    };
    position.legal_moves().map(after).sum()
}

fn slow(naive: &Naive, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if naive.stopped() {
        return 0;
    }
    let after = |turn: Turn| {
        let mut after = naive.clone();
        after.take(turn);
        slow(&after, depth - 1)
    };
    naive.legal().into_iter().map(after).sum()
}

#[test]
fn jpd_perft_is_the_golden_one() {
    let mut lines = 0;
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<_> = line.split_whitespace().collect();
        let [board, counts @ ..] = &words[..] else { panic!("a board and counts are wanted: {line}") };
        let setup: Setup = board.parse().expect("a board");
        for (depth, count) in (1..).zip(counts) {
            let position = Position::from_setup(&setup, Rules::default());
            assert_eq!(fast(&position, depth).to_string(), *count, "{board} to depth {depth}");
            if depth <= 3 {
                let naive = Naive::new(slow_board(&setup), Colour::Black);
                assert_eq!(slow(&naive, depth).to_string(), *count, "the model, {board} to depth {depth}");
            }
        }
        lines += 1;
    }
    assert!(lines >= 4, "{lines} positions");
}
