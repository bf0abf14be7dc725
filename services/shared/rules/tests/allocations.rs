//! What must not allocate does not.

use allocation_counter::measure;
use rules::go::Position;
use rules::goban::{Move, Repetition, Rules, Size};

/// Plays a game of pseudo-random moves, captures, kos and passes among them, and counts what playing allocates.
fn allocations(size: Size, repetition: Repetition, seed: usize) -> u64 {
    let mut position = Position::new(size, Rules { repetition, ..Rules::default() });
    let turns = 2 * usize::from(position.board().point_count()) - 2;
    let mut draw = seed;
    let mut allocated = 0;
    for turn in 0..turns {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let plays = position.legal_moves().filter(|mv| *mv != Move::Pass).count();
        // A pass now and then, but never two in a row.
        let nth = if turn % 50 == 49 { plays } else { (draw >> 33) % plays.max(1) };
        let mv = position.legal_moves().nth(nth).unwrap_or(Move::Pass);
        let mut played = Ok(());
        allocated += measure(|| played = position.play(mv)).count_total;
        played.expect("listed moves are legal");
        if position.ending().is_some() || position.agreement().is_some() {
            break;
        }
    }
    assert!(position.turns() > turns / 2, "the game was long enough to mean something");
    allocated
}

#[test]
fn playing_go_allocates_nothing() {
    for repetition in [Repetition::Psk, Repetition::Cn1988, Repetition::Situational] {
        for seed in 1..=3 {
            assert_eq!(allocations(Size::NINE, repetition, seed), 0);
        }
        assert_eq!(allocations(Size::NINETEEN, repetition, 9), 0);
    }
}

#[test]
fn asking_what_is_legal_allocates_nothing() {
    let position = Position::new(Size::NINETEEN, Rules::default());
    let mut moves = 0;
    assert_eq!(measure(|| moves = position.legal_moves().count()).count_total, 0);
    assert_eq!(moves, 362);
}

/// What counts does count: without this, the tests above could not fail.
#[test]
fn a_new_game_allocates() {
    assert!(measure(|| drop(Position::new(Size::NINE, Rules::default()))).count_total > 0);
}
