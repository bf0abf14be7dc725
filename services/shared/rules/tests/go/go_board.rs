//! The engine against the reference: random games on small boards, suicide included.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rules::goban::{Area, Board, Colour, Consequence, Point, Setup, Size};

use crate::{
    dice::Dice,
    reference::{Slow, point},
};

/// Everything the engine keeps, compared with what the reference finds anew.
fn compare(board: &Board, slow: &Slow) {
    let area = Area::of(board);
    let mut held = [0, 0, 0];
    for at in slow.points() {
        let here = point(at);
        assert_eq!(board.stone(here), slow.get(at));
        assert_eq!(area.owner(here), slow.owner(at));
        held[slow.owner(at).map_or(2, Colour::index)] += 1;
        if slow.get(at).is_some() {
            let chain: BTreeSet<Point> = slow.component(at).into_iter().map(point).collect();
            assert_eq!(board.chain(here).collect::<BTreeSet<_>>(), chain);
            assert_eq!(board.chain(here).count(), chain.len());
            assert!(board.chain_head(here).is_some_and(|head| chain.contains(&head)));
            assert_eq!(board.has_liberty(here), !slow.liberties(at).is_empty());
        } else {
            assert_eq!((board.chain(here).count(), board.chain_head(here)), (0, None));
        }
    }
    assert_eq!([area.held(Colour::Black), area.held(Colour::White), area.shared()], held);
    for colour in Colour::BOTH {
        let stones = slow.cells.iter().filter(|cell| **cell == Some(colour)).count();
        assert_eq!(usize::from(board.count(colour)), stones);
    }
    assert_eq!(board.hash(), rebuilt(slow).hash());
    assert_eq!(*board, rebuilt(slow));
}

/// The same stones on a new board, put down in reading order.
fn rebuilt(slow: &Slow) -> Board {
    let size = |points| Size::new(points).expect("a size of the tests");
    let stones = slow.points().into_iter().map(|at| (point(at), slow.get(at)));
    let setup = Setup::new(size(slow.columns), size(slow.rows), stones, Colour::Black);
    setup.expect("every chain has a liberty").board().clone()
}

/// What the engine foretells of a play, and what the reference does.
fn compare_consequence(board: &Board, slow: &Slow, at: (u8, u8), colour: Colour) {
    let told = board.consequence(point(at), colour);
    if slow.get(at).is_some() {
        assert_eq!(told, None);
        return;
    }
    let after = slow.after(at, colour);
    let count = |slow: &Slow, colour| slow.cells.iter().filter(|cell| **cell == Some(colour)).count();
    let captures = count(slow, colour.other()) - count(&after, colour.other());
    let wanted = Consequence {
        captures: u16::try_from(captures).expect("few stones"),
        suicide: after.get(at).is_none(),
        hash: rebuilt(&after).hash(),
    };
    assert_eq!(told, Some(wanted));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn go_engine_agrees_with_the_reference(columns in 5u8..=9, rows in 5u8..=9, seed: u64, turns in 1usize..160) {
        let size = |points| Size::new(points).expect("a size of the tests");
        let mut board = Board::new(size(columns), size(rows));
        let mut slow = Slow::new(columns, rows);
        let mut dice = Dice(seed);
        for turn in 0..turns {
            let colour = dice.pick(&Colour::BOTH);
            let empty: Vec<_> = slow.points().into_iter().filter(|at| slow.get(*at).is_none()).collect();
            if empty.is_empty() {
                break;
            }
            let at = dice.pick(&empty);
            if turn % 8 == 0 {
                slow.points().into_iter().for_each(|at| compare_consequence(&board, &slow, at, colour));
            }
            compare_consequence(&board, &slow, at, colour);
            let mut removed = BTreeSet::new();
            board.put(point(at), colour, |at, colour| assert!(removed.insert((at, colour))));
            let mut before = slow.clone();
            before.set(at, Some(colour));
            slow = slow.after(at, colour);
            let gone = before.points().into_iter().filter(|at| before.get(*at) != slow.get(*at));
            let gone: BTreeSet<_> = gone.map(|at| (point(at), before.get(at).expect("a stone"))).collect();
            prop_assert_eq!(removed, gone);
            compare(&board, &slow);
        }
    }

    #[test]
    fn go_lifting_a_chain_leaves_a_sound_board(seed: u64, turns in 20usize..80) {
        let mut board = Board::new(Size::NINE, Size::NINE);
        let mut slow = Slow::new(9, 9);
        let mut dice = Dice(seed);
        for turn in 0..turns {
            let at = dice.pick(&slow.points());
            if turn % 5 == 4 && slow.get(at).is_some() {
                board.lift_chain(point(at), |_, _| ());
                slow.component(at).into_iter().for_each(|stone| slow.set(stone, None));
            } else if slow.get(at).is_none() {
                let colour = dice.pick(&Colour::BOTH);
                board.put(point(at), colour, |_, _| ());
                slow = slow.after(at, colour);
            }
            compare(&board, &slow);
        }
    }
}

#[test]
fn go_points_have_one_name_each() {
    for side in 5..=25 {
        let size = Size::new(side).unwrap();
        let board = Board::new(size, size);
        let names: BTreeSet<String> = board.points().map(|at| at.name(size)).collect();
        assert_eq!(names.len(), usize::from(board.point_count()));
        for at in board.points() {
            assert_eq!(Point::parse(&at.name(size), size), Some(at));
            assert_eq!(Point::new(at.column(), at.row()), Some(at));
            assert!(board.contains(at));
        }
        assert_eq!(Point::new(0, side - 1).unwrap().name(size), "A1");
        assert_eq!(Point::parse("a1", size), Point::new(0, side - 1));
    }
    for wrong in ["", "A", "A0", "I5", "A05", "5A", "AA1", "A100", "é1", "A-1"] {
        assert_eq!(Point::parse(wrong, Size::NINETEEN), None, "{wrong}");
    }
}

#[test]
fn go_setups_read_back_and_refuse_what_cannot_stand() {
    let text = ".xo../...../..x../...../..... w";
    let setup: Setup = text.parse().unwrap();
    assert_eq!(setup.to_string(), text);
    assert_eq!(setup.to_move(), Colour::White);
    for wrong in [
        "",
        "x",
        ".....x/...../...../...../.....",
        "é..../...../...../...../.....",
        text.trim_end_matches('w'),
    ] {
        assert!(wrong.parse::<Setup>().is_err(), "{wrong}");
    }
    assert!("xo.../o..../...../...../.....".parse::<Setup>().is_err());
}
