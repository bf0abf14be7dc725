//! What follows from article 32, as section 3.2 of the rules page and the ambiguities list it.

use rules::{
    goban::{self, Colour},
    jpd::{Illegal, Move, Position, Rules},
};

use crate::play::{act, acts, at, start};

/// Black can take a ko at C4; White takes it back at B4.
const KO: &str = ".xo../xo.o./.xo../...../.....";

const KO_FAULT: Result<(), Illegal> = Err(Illegal::Go(goban::Illegal::Ko));

fn retake(position: &Position) -> Result<(), Illegal> {
    assert_eq!(position.to_move(), Colour::White);
    position.check(Move::Play(at("B4", 5)))
}

#[test]
fn a_ko_may_not_be_taken_back_at_once() {
    let mut position = start(KO, &[]);
    acts(&mut position, "C4");
    assert_eq!(retake(&position), KO_FAULT);
    assert_eq!(position.ko(), Some(at("B4", 5)));
}

#[test]
fn after_moves_elsewhere_it_may() {
    let mut position = start(KO, &[]);
    acts(&mut position, "C4 E1 A1");
    assert_eq!(retake(&position), Ok(()));
}

/// 隔虛可以提劫: the whole shape is another one with a virtual stone more.
#[test]
fn a_virtual_move_and_a_pass_lift_the_ban() {
    let mut position = start(KO, &[]);
    acts(&mut position, "C4 virtual pass");
    assert_eq!(retake(&position), Ok(()));
    acts(&mut position, "B4");
    assert_eq!(position.virtuals(Colour::White), 1);
}

#[test]
fn two_passes_do_not_lift_the_ban() {
    let mut position = start(KO, &[]);
    acts(&mut position, "C4 pass pass");
    act(&mut position, "reject").unwrap();
    assert_eq!(position.to_move(), Colour::White);
    assert_eq!(retake(&position), Err(Illegal::ShapeAgain));
    assert_eq!(position.removed(), []);
}

/// A switch: where what was faced is forgotten with the stop, the ban is too.
#[test]
fn a_stop_lifts_the_ban_where_memory_is_reset() {
    let mut position = start(KO, &[("memory", "reset")]);
    acts(&mut position, "C4 pass pass reject");
    assert_eq!(retake(&position), Ok(()));
    // What is faced from then on counts again.
    acts(&mut position, "virtual");
    assert_eq!(position.check(Move::Virtual), Err(Illegal::BoardAgain));
}

#[test]
fn a_virtual_move_is_not_answered_by_a_virtual_move() {
    let mut position = start(KO, &[]);
    acts(&mut position, "C4 virtual");
    assert_eq!(position.check(Move::Virtual), Err(Illegal::BoardAgain));
    acts(&mut position, "pass");
    // White has offered this board already: Black has faced it.
    assert_eq!(position.check(Move::Virtual), Err(Illegal::BoardAgain));
}

/// Article 32: the suicide of a single stone may not be answered by one.
#[test]
fn a_single_suicide_is_not_answered_by_one() {
    // Black has no liberty in the upper left corner, White none in the lower right.
    let mut position = start(".o.../o..../...../....x/...x.", &[]);
    acts(&mut position, "A5");
    assert_eq!(position.board().count(Colour::Black), 2);
    assert_eq!((position.prisoners(Colour::Black), position.last()), (1, None));
    assert_eq!(position.check(Move::Play(at("E1", 5))), Err(Illegal::ShapeAgain));
    // Nor by a virtual move, which would show Black the same board; a pass is left, and moves that change it.
    assert_eq!(position.check(Move::Virtual), Err(Illegal::BoardAgain));
    assert_eq!(position.check(Move::Play(at("C3", 5))), Ok(()));
}

/// Article 32: the suicide of several makes a new shape.
#[test]
fn several_stones_may_commit_suicide() {
    let mut position = start(".xo../oo.../...../...../.....", &[]);
    acts(&mut position, "A5");
    assert_eq!((position.prisoners(Colour::Black), position.board().count(Colour::Black)), (2, 0));
    assert_eq!(position.contest().suicides, [0, 0]);
    acts(&mut position, "B5 A5");
    // The lone stone falls, and White faces her own last board with Black's two stones gone: a new one.
    assert_eq!(position.prisoners(Colour::Black), 3);
    assert_eq!(position.contest().suicides, [1, 0]);
}

/// J13: the start is in Black's set alone.
#[test]
fn the_very_first_move_may_be_virtual() {
    let mut position = Position::new(goban::Size::NINE, Rules::default());
    acts(&mut position, "virtual");
    assert_eq!(position.check(Move::Virtual), Err(Illegal::BoardAgain));
    assert_eq!(position.legal_moves().count(), 81 + 1);
    acts(&mut position, "pass");
    assert_eq!(position.check(Move::Virtual), Err(Illegal::BoardAgain));
}

#[test]
fn passes_are_always_allowed_and_count_as_turns() {
    let mut position = start(KO, &[]);
    acts(&mut position, "pass C2 pass");
    assert_eq!((position.turns(), position.is_passed()), (3, true));
    assert_eq!(position.contest().passes, [2, 0]);
}
