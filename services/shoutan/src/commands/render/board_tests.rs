use anstream::adapter::strip_str;
use api::board::v1::{
    RemovalCause, Stone,
    change::{Moved, Placed, Removed},
};
use rules::Axes;

use super::*;

/// A point of a 5 x 5 board of Go.
fn go(name: &str) -> Point {
    let column = u32::from(name.as_bytes()[0] - b'A');
    let row = 5 - name[1..].parse::<u32>().expect("a number");
    Point { column, row, name: name.to_owned() }
}

fn stone(name: &str, owner: Side) -> Stone {
    Stone { at: Some(go(name)), owner: owner as i32 }
}

fn marked(name: &str, kind: &str) -> Mark {
    Mark { at: Some(go(name)), kind: kind.to_owned() }
}

fn placed(name: &str, owner: Side) -> Change {
    Change { change: Some(Kind::Placed(Placed { at: Some(go(name)), owner: owner as i32 })) }
}

fn removed(name: &str, owner: Side) -> Change {
    let cause = RemovalCause::Captured as i32;
    Change { change: Some(Kind::Removed(Removed { at: Some(go(name)), owner: owner as i32, cause })) }
}

fn moved(names: &[&str]) -> Change {
    Change { change: Some(Kind::Moved(Moved { path: names.iter().map(|name| go(name)).collect() })) }
}

fn board(stones: Vec<Stone>, marks: Vec<Mark>) -> Board {
    Board { columns: 5, rows: 5, stones, marks, ..Board::default() }
}

fn plain(board: &BoardView) -> Vec<String> {
    board.lines().iter().map(|line| strip_str(line).to_string()).collect()
}

fn black_and_white() -> Sides {
    Sides::new("Black", "White", Some(Axes::AcrossWithoutI))
}

fn picture(stones: Vec<Stone>, marks: Vec<Mark>) -> BoardView {
    BoardView::new(&board(stones, marks), black_and_white()).expect("a board that can be drawn")
}

#[test]
fn a_board_with_stones_and_marks() {
    let stones = vec![stone("B4", Side::First), stone("C4", Side::Second), stone("D2", Side::Second)];
    let marks = vec![
        marked("C4", "last"),
        marked("D2", "dead"),
        marked("E5", "ko"),
        marked("A1", "territory-first"),
        marked("B1", "territory-second"),
        marked("C1", "something-new"),
    ];
    let expected = [
        "   A B C D E",
        "5  · · · · □  5",
        "4  · ●(○)· ·  4",
        "3  · · · · ·  3",
        "2  · · ·[○]·  2",
        "1  ▪ ▫ ∘ · ·  1",
        "   A B C D E",
    ];
    assert_eq!(plain(&picture(stones, marks)), expected);
}

#[test]
fn a_board_of_jiu_has_letters_down_and_room_for_two_digits() {
    let at = Point { column: 10, row: 1, name: "B11".to_owned() };
    let gap = Point { column: 9, row: 1, name: "B10".to_owned() };
    let mark = |at: &Point, kind: &str| Mark { at: Some(at.clone()), kind: kind.to_owned() };
    let board = Board {
        columns: 11,
        rows: 2,
        stones: vec![Stone { at: Some(at.clone()), owner: Side::First as i32 }],
        marks: vec![mark(&at, "dalian"), mark(&gap, "dalian-gap")],
        ..Board::default()
    };
    let picture =
        BoardView::new(&board, Sides::new("White", "Black", Some(Axes::Down))).expect("it can be drawn");
    let expected = [
        "    1  2  3  4  5  6  7  8  9 10 11",
        "A   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  A",
        "B   ·  ·  ·  ·  ·  ·  ·  ·  ·  ◇ <○> B",
        "    1  2  3  4  5  6  7  8  9 10 11",
    ];
    assert_eq!(plain(&picture), expected);
}

#[test]
fn nothing_stands_at_the_edge_where_nobody_knows_how_points_are_named() {
    let sides = Sides::new("Black", "White", None);
    let stones = vec![stone("A5", Side::First)];
    let unnamed = BoardView::new(&board(stones, Vec::new()), sides).expect("a board");
    assert_eq!(plain(&unnamed)[1], "  ● · · · ·  ");
}

#[test]
fn every_mark_of_every_variant_is_known() {
    for variant in rules::VARIANTS {
        for mark in variant.marks {
            assert!(is_known(mark.kind), "{} of {}", mark.kind, variant.id);
        }
    }
}

#[test]
fn changes_are_drawn_in_order() {
    let mut picture = picture(vec![stone("A1", Side::First)], vec![marked("A1", "last")]);
    let changes = [
        placed("B1", Side::Second),
        moved(&["A1", "A2", "C3", "A1", "E5"]),
        removed("B1", Side::Second),
        placed("A1", Side::Second),
    ];
    picture.apply(&changes, &[marked("A1", "last")]).expect("it can have happened");
    let after = board(vec![stone("E5", Side::First), stone("A1", Side::Second)], vec![marked("A1", "last")]);
    assert_eq!(picture.difference(&after), None);
    assert_eq!(plain(&picture)[1], "5  · · · · ●  5");
    assert_eq!(plain(&picture)[5], "1 (○)· · · ·  1");
}

#[test]
fn a_stone_may_come_back_to_where_it_started() {
    let mut picture = picture(vec![stone("A1", Side::First)], Vec::new());
    picture.apply(&[moved(&["A1", "A3", "C3", "A1"])], &[]).expect("a round trip");
    assert_eq!(picture.difference(&board(vec![stone("A1", Side::First)], Vec::new())), None);
}

#[test]
fn what_cannot_have_happened_is_an_error() {
    let with = |change: Change| picture(vec![stone("A1", Side::First)], Vec::new()).apply(&[change], &[]);
    assert!(with(placed("A1", Side::Second)).is_err(), "occupied");
    assert!(with(placed("B1", Side::Unspecified)).is_err(), "nobody's");
    assert!(with(moved(&["B1", "C1"])).is_err(), "no such stone");
    assert!(with(moved(&[])).is_err(), "no path");
    assert!(with(removed("A1", Side::Second)).is_err(), "another owner");
    assert!(with(Change { change: None }).is_err(), "nothing");
    let beside = Point { column: 5, row: 0, name: String::new() };
    let beside = Change { change: Some(Kind::Placed(Placed { at: Some(beside), owner: 1 })) };
    assert!(with(beside).is_err(), "beside the board");
}

#[test]
fn sizes_that_no_terminal_shows_are_refused() {
    for (columns, rows) in [(0, 5), (5, 0), (65, 5), (u32::MAX, u32::MAX)] {
        let board = Board { columns, rows, ..Board::default() };
        assert!(BoardView::new(&board, black_and_white()).is_err(), "{columns} x {rows}");
    }
}

#[test]
fn differences_are_named() {
    let one = picture(vec![stone("A1", Side::First)], Vec::new());
    let differs = |stones, marks| one.difference(&board(stones, marks));
    let at = Some("the stone at column 1, row 5".to_owned());
    assert_eq!(differs(vec![], vec![]), at);
    assert_eq!(differs(vec![stone("A1", Side::Second)], vec![]), at);
    let marks = vec![marked("A1", "last")];
    assert_eq!(differs(vec![stone("A1", Side::First)], marks), Some("the marks".to_owned()));
}

#[test]
fn stones_are_drawn_on_wood() {
    let picture = picture(vec![stone("A1", Side::First)], Vec::new());
    assert!(picture.lines()[1].contains(&on_board(AnsiColor::Black).to_string()));
}
