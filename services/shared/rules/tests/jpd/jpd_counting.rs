//! All methods of chapter 8 come to the same, whatever was played.

use std::collections::BTreeSet;

use rules::{
    goban::{Colour, Score as _, Stone},
    jpd::{Cell, Counting, HalfPoints, Layout, Method, Settlement, Step},
};

use crate::{
    dice::Dice,
    jpd_positions::choose,
    naive::{Naive, Turn, signed},
    reference::{Slow, point},
};

/// How many of the games had what makes counting hard.
#[derive(Debug, Default)]
struct Seen {
    resolved: u32,
    compensated: u32,
    virtuals: u32,
    suicides: u32,
    dead: u32,
    shared: u32,
    overflows: u32,
    laid_out: u32,
}

/// A game on a board of this size with passes and virtual moves, a resolution phase in two of three.
fn game(columns: u8, rows: u8, dice: &mut Dice) -> Naive {
    let mut naive = Naive::new(Slow::new(columns, rows), Colour::Black);
    let resolved = dice.below(3) > 0;
    for part in 0..=usize::from(resolved) {
        naive.resume(part);
        let most = dice.below(4 * usize::from(columns) * usize::from(rows));
        for _ in 0..most {
            if naive.stopped() {
                break;
            }
            let turn = choose(&naive, dice);
            naive.take(turn);
        }
        while !naive.stopped() {
            naive.take(Turn::Pass);
        }
    }
    naive
}

/// Dead chains at random, and points given to somebody at random.
fn settle(naive: &Naive, komi: HalfPoints, dice: &mut Dice) -> (Settlement, Slow) {
    let mut board = naive.board.clone();
    let mut dead = Vec::new();
    for at in board.points() {
        if let Some(colour) = board.get(at).filter(|_| dice.below(6) == 0) {
            for at in board.component(at) {
                dead.push(Stone { at: point(at), colour });
                board.set(at, None);
            }
        }
    }
    let cell = |at| match board.get(at) {
        Some(colour) => Cell::Stone(colour),
        None => board.owner(at).map_or(Cell::Shared, Cell::Space),
    };
    let mut cells: Vec<_> = board.points().into_iter().map(cell).collect();
    for cell in cells.iter_mut().filter(|cell| matches!(cell, Cell::Shared)) {
        if dice.below(8) == 0 {
            *cell = Cell::Space(dice.pick(&Colour::BOTH));
        }
    }
    let settlement = Settlement {
        layout: Layout::new(board.columns, cells).expect("a board"),
        dead,
        beside: [0, 1].map(|nth| naive.prisoners[nth] + naive.virtuals[nth]),
        extra: naive.more(|part| part == 0, |turn, _| turn != Turn::Pass),
        komi,
    };
    (settlement, board)
}

/// The difference by the definition of section 3.4, point by point.
fn difference(settlement: &Settlement) -> HalfPoints {
    let worth = |cell: &Cell| match cell {
        Cell::Stone(Colour::Black) | Cell::Space(Colour::Black) => 2,
        Cell::Stone(Colour::White) | Cell::Space(Colour::White) => -2,
        _ => 0,
    };
    let land: i32 = settlement.layout.cells().iter().map(worth).sum();
    HalfPoints(land - 2 * settlement.extra) - settlement.komi
}

fn check_method(settlement: &Settlement, method: Method, naive: &Naive) -> Counting {
    let counting = settlement.count(method);
    let points = signed(settlement.layout.cells().len());
    for Step { ledger, layout, text, .. } in &counting.steps {
        let [black, white] = Colour::BOTH.map(|colour| ledger.own(colour));
        assert_eq!(black + white + ledger.shared, points, "{text}");
        if let Some(layout) = layout {
            assert_eq!(layout.ledger(), *ledger, "{text}");
        }
    }
    let ledger = counting.ledger();
    match method {
        Method::Sum => {}
        Method::EqualSpaces => assert_eq!(ledger.spaces[0], ledger.spaces[1]),
        Method::EqualStones => {
            assert_eq!(ledger.stones[0], ledger.stones[1]);
            assert!(ledger.stones[0] <= settlement.stock());
        }
        Method::Returned => {
            assert_eq!(ledger.stones[0], ledger.stones[1]);
            // What was put back is all that was played, so that only the free moves make a difference.
            let more = naive.more(|part| part == 1, |turn, _| turn != Turn::Pass);
            let evened = counting.steps.iter().any(|step| step.text.contains("not paid for"));
            assert_eq!(evened, more != 0, "{more}");
        }
        Method::Fill => assert_eq!((ledger.spaces, ledger.shared / 2), ([0, 0], 0)),
    }
    counting
}

fn check_game(columns: u8, rows: u8, dice: &mut Dice, seen: &mut Seen) {
    let naive = game(columns, rows, dice);
    let komi = HalfPoints(signed(dice.below(30)) - 8);
    let (settlement, _) = settle(&naive, komi, dice);
    let wanted = difference(&settlement);
    assert_eq!(settlement.score().margin, wanted);
    for method in Method::ALL {
        let counting = check_method(&settlement, method, &naive);
        assert_eq!(counting.margin, wanted, "{method:?} of {settlement:?}");
        assert_eq!(counting.frame().result, settlement.score().frame());
        seen.overflows += u32::from(counting.ledger().spaces.iter().any(|spaces| *spaces < 0));
        let texts: BTreeSet<_> = counting.steps.iter().map(|step| &step.text).collect();
        assert_eq!(texts.len(), counting.steps.len(), "a step is told twice");
        seen.laid_out += u32::from(counting.steps.iter().rev().any(|step| step.layout.is_some()));
    }
    seen.resolved += u32::from(naive.part == 1);
    seen.compensated += u32::from(settlement.extra != 0);
    seen.virtuals += u32::from(naive.virtuals != [0; 2]);
    seen.suicides += u32::from(naive.turns.iter().any(|turn| turn.3));
    seen.dead += u32::from(!settlement.dead.is_empty());
    seen.shared += u32::from(settlement.layout.ledger().shared > 0);
}

/// On boards smaller than any that is played on too: counting needs no engine.
#[test]
fn jpd_all_methods_agree_over_random_games() {
    let mut seen = Seen::default();
    for seed in 0..1500 {
        let mut dice = Dice(seed);
        let (columns, rows) = (3 + dice.below(5), 3 + dice.below(5));
        check_game(u8::try_from(columns).unwrap(), u8::try_from(rows).unwrap(), &mut dice, &mut seen);
    }
    let Seen { resolved, compensated, virtuals, suicides, dead, shared, overflows, laid_out } = seen;
    assert!(resolved > 900 && compensated > 900 && virtuals > 900, "{resolved} {compensated} {virtuals}");
    assert!(suicides > 100 && dead > 900 && shared > 300, "{suicides} {dead} {shared}");
    assert!(overflows > 50 && laid_out > 6000, "{overflows} {laid_out}");
}

/// Whatever the switches make of n, the methods agree: the arithmetic does not ask where n comes from.
#[test]
fn jpd_methods_agree_for_any_compensation() {
    let mut dice = Dice(7);
    for _ in 0..200 {
        let naive = game(5, 5, &mut dice);
        let (settlement, _) = settle(&naive, HalfPoints(13), &mut dice);
        for extra in [-40, -3, 0, 2, 50] {
            let settlement = Settlement { extra, ..settlement.clone() };
            let margins = Method::ALL.map(|method| settlement.count(method).margin);
            assert_eq!(margins, [difference(&settlement); 5]);
        }
    }
}

/// Spaces are gathered without changing what anybody has, in one piece where the land allows it.
#[test]
fn jpd_spaces_are_gathered_into_a_rectangle() {
    let (black, space) = (Cell::Stone(Colour::Black), Cell::Space(Colour::Black));
    let cells = [
        [space, black, black, black, black],
        [black, black, black, space, black],
        [black, space, black, black, black],
        [black, black, black, black, space],
        [black, black, space, black, black],
        [black, black, black, black, space],
    ];
    let layout = Layout::new(5, cells.concat()).expect("a board");
    let settlement = Settlement { layout, dead: Vec::new(), beside: [0; 2], extra: 0, komi: HalfPoints(0) };
    let counting = settlement.count(Method::EqualStones);
    // White has no land, so nothing may lie on Black's: it is all spaces.
    assert_eq!(counting.ledger().spaces, [30, 0]);
    let counting = settlement.count(Method::Returned);
    let spaces: Vec<_> = counting.steps.iter().map(|step| step.ledger.spaces[0]).collect();
    assert_eq!(spaces, [6, 30, 30]);
}
