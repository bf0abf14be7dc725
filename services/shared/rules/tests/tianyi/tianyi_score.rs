//! The count: the author's example, worked positions, and blocks that only look like seki.

use rules::{
    goban::{Area, Board, Colour, Point, QuarterZi, Score as _, Setup, Size},
    tianyi::{Bid, Blocks, Score, Settlement, Tally},
};
use serde_json::Value;

use crate::shared;

/// The example of the text: Black 184, both with 148 stones; White can add 27, Black none, and Black pays 6 1/2
/// points. So White has 175 stones in one block, Black 148 in 18, and wins by 27 + 6 1/2.
#[test]
fn tianyi_the_example_of_the_author() {
    let (black, white, komi) = (184, 361 - 184, QuarterZi(-13));
    let margin = |black_blocks, white_blocks| {
        Score::margin_of([black - 2 * black_blocks, white - 2 * white_blocks], komi)
    };
    assert_eq!(margin(18, 1), QuarterZi(-2 * 27 - 13));
    assert_eq!((black - 2 * 18, white - 2), (148, 148 + 27));
    assert_eq!(margin(18, 1).points(), "-33.5");
    // One zi for each block more than the opponent has, so that the same on both sides changes nothing.
    for blocks in 1..20 {
        assert_eq!(margin(blocks + 1, blocks + 1), margin(blocks, blocks));
        assert_eq!(margin(blocks + 1, 1).0, margin(blocks, 1).0 - 4);
    }
    // Without the tax the same count is the half point that the usual rules give Black.
    assert_eq!(Score::margin_of([black, white], komi).points(), "0.5");
}

#[test]
fn tianyi_results_are_printed_in_zi_and_points() {
    let setup: Setup = ".xo.o/xxooo/xxxxx/.x.x./xxxxx".parse().expect("a position");
    let tally = Tally::of(setup.board(), &Settlement::default());
    // 17 to 4 stones.
    for (halves, printed, printed_zh, points) in [
        (0, "B+6 1/2 zi", "黑胜 6 1/2 子", "B+13"),
        (3, "B+8 zi", "黑胜 8 子", "B+16"),
        (-13, "draw", "和棋", "0"),
        (-16, "W+1 1/2 zi", "白胜 1 1/2 子", "W+3"),
    ] {
        let frame = Score::of(tally, Bid::of_halves(halves)).frame();
        assert_eq!((&*frame.printed, &*frame.printed_zh, &*frame.points), (printed, printed_zh, points));
    }
}

/// The 7 x 7 example of the rules page: without the dead stone Black has 24 in one block, White 25 in two.
#[test]
fn tianyi_the_example_on_seven_lines() {
    let setup: Setup = ".X.XXO./.XXXO.O/..XOOOO/XXXXOXO/OOOXXXX/O.XOOXX/.OOOOOX".parse().expect("a position");
    let dead = Point::parse("C2", Size::new(7).expect("a size")).expect("a point");
    let mut board = setup.board().clone();
    board.lift_chain(dead, |_, _| ());
    let tally = Tally::of(&board, &Settlement::default());
    assert_eq!((tally.count(Colour::Black), tally.count(Colour::White)), (22, 21));
    assert_eq!((tally.groups(Colour::Black), tally.groups(Colour::White)), (1, 2));
    assert_eq!(Score::of(tally, Bid::default()).frame().points, "B+1");
}

/// An unfilled neutral point does not switch the tax off; a mark that both agree on does (T5), and then only
/// stones and what is marked as fillable count (T4).
#[test]
fn tianyi_only_a_mark_makes_a_seki() {
    let setup: Setup = ".x.o./xx.oo/...../xx.oo/.x.o.".parse().expect("a position");
    let at = |name: &str| Point::parse(name, Size::new(5).expect("a size")).expect("a point");
    let counts = |seki: &[&str], fill: &[&str]| {
        let points = |names: &[&str]| names.iter().map(|name| at(name)).collect();
        let settlement = Settlement { dead: vec![], seki: points(seki), fill: points(fill) };
        let tally = Tally::of(setup.board(), &settlement);
        [Colour::Black, Colour::White].map(|colour| (tally.count(colour), tally.groups(colour)))
    };
    assert!(Blocks::of(setup.board()).all().iter().all(|block| block.contested));
    assert_eq!(counts(&[], &[]), [(4, 2), (4, 2)]);
    assert_eq!(counts(&["A5"], &[]), [(5, 1), (4, 2)]);
    assert_eq!(counts(&["A5", "B1"], &["A5"]), [(7, 0), (4, 2)]);
}

/// What the judges of another program count, with the tests of that program for seki: white minus black.
fn counted(board: &Board, key: &str) -> f64 {
    let plain = || {
        let area = Area::of(board);
        i32::from(area.held(Colour::White)) - i32::from(area.held(Colour::Black))
    };
    let settlement = Settlement::proposed(board, &[]);
    let taxed = |tax| {
        let tally = Tally::taxed(&Blocks::of(board), &settlement, tax);
        tally.count(Colour::White) - tally.count(Colour::Black)
    };
    f64::from(match key {
        "AREA/NONE" => plain(),
        "AREA/SEKI" => taxed(0),
        "AREA/ALL" => taxed(Tally::TAX),
        other => panic!("no such count: {other}"),
    })
}

#[test]
fn tianyi_worked_positions_with_and_without_tax() {
    let Some(folder) = shared::folder() else { return };
    let text =
        std::fs::read_to_string(folder.join("conformance/go/scored-positions.json")).expect("readable");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (mut direct, mut without_dead) = (0, 0);
    for entry in list(&file["areas"]).iter().chain(&list(&file["rules"])) {
        let rows: Vec<_> =
            list(&entry["board"]).iter().map(|row| row.as_str().expect("a row").to_owned()).collect();
        let setup: Setup = rows.join("/").parse().expect("a position");
        let mut cleared = setup.board().clone();
        for pair in list(&entry["dead"]) {
            let number = |nth: usize| u8::try_from(pair[nth].as_u64().expect("a number")).expect("small");
            let at = Point::new(number(0), number(1)).expect("a point");
            cleared.lift_chain(at, |_, _| ());
        }
        for key in ["AREA/NONE", "AREA/SEKI", "AREA/ALL"] {
            let Some(wanted) = entry["white_minus_black"][key].as_f64() else { continue };
            let check = |board: &Board| {
                let found = counted(board, key);
                assert!((found - wanted).abs() < 0.01, "{} {key}: {found}, not {wanted}", entry["id"]);
            };
            if entry["plain_floodfill_agrees"][key] == true {
                check(setup.board());
                direct += 1;
            } else {
                assert_eq!(entry["floodfill_after_removing_dead_agrees"][key], true);
                check(&cleared);
                without_dead += 1;
            }
        }
    }
    assert_eq!((direct, without_dead), (96, 26));
}
