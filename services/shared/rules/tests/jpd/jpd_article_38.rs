//! The five cases of article 38, played; under both readings of "n more moves".

use crate::play::{acts, start};

/// Black can take the last ko at C4.
const BLACK_TAKES: &str = ".xo../xo.o./.xo../...../.....";

/// White can take it; Black is to make the move before.
const WHITE_TAKES: &str = ".ox../ox.x./.ox../...../.....";

const EMPTY: &str = "...../...../...../...../.....";

fn check(setup: &str, turns: &str, by_plays: i32, by_passes: i32) {
    for (compensation, wanted) in [("plays", by_plays), ("passes", by_passes)] {
        let mut position = start(setup, &[("compensation", compensation)]);
        acts(&mut position, turns);
        assert!(position.agreement().is_some(), "{turns} does not stop the play");
        assert_eq!(position.extra(), wanted, "{turns} by {compensation}");
    }
}

/// (1) Who insists on filling neutral points while the other passes gains nothing: as many points as moves.
#[test]
fn case_1_filling_alone() {
    // Five neutral points in the middle column.
    let mut position = start("xx.oo/xx.oo/.x.o./xx.oo/.x.o.", &[]);
    acts(&mut position, "C5 pass C4 pass C3 pass C2 pass pass");
    let settle = |position: &mut rules::jpd::Position| {
        crate::play::agree(position, "dead -");
        position.ending().unwrap().score
    };
    let filled = settle(&mut position);
    assert_eq!((filled.extra, filled.margin.0), (4, 0));
    let mut position = start("xx.oo/xx.oo/.x.o./xx.oo/.x.o.", &[]);
    acts(&mut position, "pass pass");
    let left = settle(&mut position);
    assert_eq!((left.extra, left.margin.0), (0, 0));
}

/// (2) No passes before the end, Black has the last move: a point.
#[test]
fn case_2_black_moves_last() {
    check(EMPTY, "C3 D3 C2 pass pass", 1, 0);
    check(EMPTY, "C3 D3 C2 D2 pass pass", 0, 0);
}

/// (3) Black takes the last ko and need not fill it: a point; if he fills it, two.
#[test]
fn case_3_black_takes_the_last_ko() {
    check(BLACK_TAKES, "C4 pass pass", 1, 0);
    check(BLACK_TAKES, "C4 pass B4 pass pass", 2, 1);
}

/// (4) White takes the last ko and need not fill it: none; if she fills it, a point.
#[test]
fn case_4_white_takes_the_last_ko() {
    check(WHITE_TAKES, "E1 C4 pass pass", 0, 0);
    check(WHITE_TAKES, "E1 C4 pass B4 pass pass", -1, -1);
}

/// Which turns count: virtual moves do, single suicides do, and each can be switched off.
#[test]
fn what_counts_as_a_move() {
    // E5 is a point where Black has no liberty.
    let corner = "...o./....o/...../...../.....";
    for (options, turns, wanted) in [
        (&[][..], "virtual pass pass", 1),
        (&[("virtual_counts", "no")], "virtual pass pass", 0),
        (&[], "A1 virtual pass pass", 0),
        (&[("virtual_counts", "no")], "A1 virtual pass pass", 1),
        (&[], "E5 pass pass", 1),
        (&[("suicide_counts", "no")], "E5 pass pass", 0),
        (&[("virtual_counts", "no")], "E5 pass pass", 1),
    ] {
        let mut position = start(corner, options);
        acts(&mut position, turns);
        assert_eq!(position.extra(), wanted, "{turns} with {options:?}");
    }
}
