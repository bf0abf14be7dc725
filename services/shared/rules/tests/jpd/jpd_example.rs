//! The author's example on 7 lines, articles 40 to 43, figure by figure.

use rules::{
    goban::{Colour, Score as _},
    jpd::{Cell, Counting, HalfPoints, Ledger, Method, Position, Settlement},
};

use crate::play::{act, acts, agree, start};

/// 42 moves, 21 each, White last; a prisoner each. The text has the board only: here each side passes at
/// the end.
const BOARD: &str = ".X.XXO./.XXXO.O/..XOOOO/XXXXOXO/OOOXXXX/O.XOOXX/.OOOOOX";

fn agreed(dead: &str) -> Position {
    let mut position = start(BOARD, &[]);
    acts(&mut position, "pass pass");
    agree(&mut position, dead);
    position
}

/// The settlement with the prisoner of each side, which the set-up board knows nothing of.
fn settlement() -> Settlement {
    let settlement = agreed("dead C2").settlement().expect("an end");
    Settlement { beside: [1, 1], ..settlement }
}

fn count(method: Method) -> Counting {
    let counting = settlement().count(method);
    assert_eq!(counting.margin, HalfPoints::whole(-1), "{method:?}");
    assert_eq!(counting.frame().result.points, "W+1");
    counting
}

fn texts(counting: &Counting) -> Vec<&str> {
    counting.steps.iter().map(|step| step.text.as_str()).collect()
}

#[test]
fn article_40_stones_and_spaces_together() {
    let counting = count(Method::Sum);
    let ledger = counting.ledger();
    assert_eq!(ledger, Ledger { stones: [19, 20], spaces: [5, 5], shared: 0 });
    assert_eq!(Colour::BOTH.map(|colour| ledger.land(colour)), [24, 25].map(HalfPoints::whole));
    assert_eq!(
        texts(&counting),
        [
            "both agree on the dead stones",
            "the dead stones are taken off: 1 black, 0 white",
            "stones, spaces and half of the shared points: Black 19 + 5 = 24, White 20 + 5 = 25: W+1",
        ]
    );
}

#[test]
fn article_41_equal_spaces() {
    let counting = count(Method::EqualSpaces);
    assert_eq!(counting.ledger(), Ledger { stones: [18, 19], spaces: [6, 6], shared: 0 });
    assert_eq!(texts(&counting)[2], "stones and spaces are exchanged until each side has 6 spaces");
    assert_eq!(texts(&counting)[4], "Black has 18 stones, White has 19: W+1");
}

#[test]
fn article_42_a_equal_stones() {
    assert_eq!(settlement().stock(), 25);
    let counting = count(Method::EqualStones);
    assert_eq!(counting.ledger(), Ledger { stones: [20, 20], spaces: [4, 5], shared: 0 });
    assert_eq!(
        texts(&counting)[2],
        "of 25 stones each bowl keeps 5, so that 20 of each side are on the board"
    );
    assert_eq!(texts(&counting)[4], "Black has 4 spaces, White has 5: W+1");
}

#[test]
fn article_42_b_stones_returned() {
    let counting = count(Method::Returned);
    assert_eq!(counting.ledger(), Ledger { stones: [21, 21], spaces: [3, 4], shared: 0 });
    assert_eq!(
        texts(&counting)[2],
        "stones from beside the board and dead ones are put back: 2 black, 1 white"
    );
}

#[test]
fn article_43_the_board_filled() {
    let counting = count(Method::Fill);
    assert_eq!(counting.ledger(), Ledger { stones: [24, 25], spaces: [0, 0], shared: 0 });
}

/// As in the figure of article 41 both sides' six spaces form rectangles of two by three, if not in the
/// same places.
#[test]
fn spaces_are_gathered_into_rectangles() {
    let counting = count(Method::EqualSpaces);
    let layout = counting.steps.iter().rev().find_map(|step| step.layout.as_ref()).expect("a board");
    let row = |cells: &[Cell]| -> String {
        let letter = |cell: &Cell| match cell {
            Cell::Stone(Colour::Black) => 'X',
            Cell::Stone(Colour::White) => 'O',
            Cell::Space(Colour::Black) => 'b',
            Cell::Space(Colour::White) => 'w',
            other => panic!("{other:?} is not in this example"),
        };
        cells.iter().map(letter).collect()
    };
    let rows: Vec<_> = layout.cells().chunks(7).map(row).collect();
    assert_eq!(rows, ["bbbXXww", "bbbXOww", "XXXOOww", "XXXXOXO", "OOOXXXX", "OOOOOXX", "OOOOOOX"]);
}

#[test]
fn without_removing_the_dead_stone_black_is_ahead() {
    let position = agreed("dead -");
    let score = position.ending().expect("an end").score;
    assert_eq!((score.black.to_string(), score.white.to_string()), ("25.5".to_owned(), "23.5".to_owned()));
    assert_eq!(score.frame().points, "B+2");
}

/// The example has no compensation; made up, one more black move costs one point in every method.
#[test]
fn one_more_move_costs_a_point_in_every_method() {
    for (extra, points) in [(1, "W+2"), (-1, "draw"), (3, "W+4"), (-5, "B+4"), (60, "W+61")] {
        let settlement = Settlement { extra, ..settlement() };
        for method in Method::ALL {
            assert_eq!(settlement.count(method).frame().result.printed, points, "{method:?}");
        }
        let counting = settlement.count(Method::Sum);
        let stones = counting.steps[2].layout.as_ref().map(|layout| layout.ledger().stones);
        // More stones than there are cannot be taken off a board, only off a sum.
        assert_eq!(stones.is_some(), extra < 20);
        assert_eq!(counting.steps[2].ledger.shared, extra.abs());
    }
}

#[test]
fn komi_is_a_last_step() {
    let mut position = start(BOARD, &[("komi", "-0.5")]);
    acts(&mut position, "pass pass");
    act(&mut position, "dead C2").unwrap();
    // While a proposal stands, the count shows what accepting it would mean.
    let settlement = position.settlement().expect("a proposal to count by");
    for method in Method::ALL {
        let counting = settlement.count(method);
        let last = counting.steps.last().expect("a step");
        assert_eq!(last.text, "Black gives -0.5 for the first move: W+0.5");
        assert_eq!(last.layout, None);
    }
}
