//! The count by stones (数子法, articles 9 and 11), step by step.

use super::{Ending, Phase, Position, Score};
use crate::{
    Count, CountBoard, CountStep, Mark,
    goban::{
        Area, Board, Colour, QuarterZi, Rules, Score as _, Seats, Stone,
        agreement::lift,
        effects::{mark, stones, territory},
    },
    prelude::*,
};

/// The count of a game that ended by one, or that would end by the standing proposal.
pub(super) fn counts(position: &Position) -> Vec<Count> {
    match position.phase() {
        Phase::Ended(Ending::Scored(_)) => {
            Vec::from([count(position.board(), position.removed(), position.rules())])
        }
        Phase::Agreement(agreement) if agreement.proposal.is_some() => {
            let mut board = position.board().clone();
            let dead = lift(&mut board, &agreement.dead_stones(position.board()).collect::<Vec<_>>());
            Vec::from([count(&board, &dead, position.rules())])
        }
        _ => Vec::new(),
    }
}

/// Counts a board from which these dead stones have been taken.
fn count(board: &Board, dead: &[Stone], rules: &Rules) -> Count {
    let score = Score::of(board, rules);
    let area = Area::of(board);
    let mut steps = Vec::with_capacity(4);
    if !dead.is_empty() {
        let of = |colour| dead.iter().filter(|stone| stone.colour == colour).count();
        let (black, white) = (of(Colour::Black), of(Colour::White));
        steps.push(CountStep {
            text: "both agree on the dead stones".to_owned(),
            board: Some(with_dead(board, dead)),
        });
        steps.push(CountStep {
            text: format!("the dead stones are taken off: {black} black, {white} white"),
            board: Some(CountBoard { stones: stones(board, Seats::USUAL), marks: Vec::new() }),
        });
    }
    let own = board.count(Colour::Black);
    let enclosed = area.held(Colour::Black) - own;
    let shared = QuarterZi(2 * i32::from(area.shared()));
    steps.push(CountStep {
        text: format!(
            "Black has {own} stones, {enclosed} enclosed points and {shared} as half of the shared ones: {} zi",
            score.black
        ),
        board: Some(CountBoard { stones: stones(board, Seats::USUAL), marks: holdings(board, &area) }),
    });
    let base = QuarterZi(2 * i32::from(board.point_count()));
    let komi = rules.compensation();
    let result = score.frame();
    steps.push(CountStep {
        text: format!("half of the board is {base} zi and Black gives {komi}: {}", result.printed),
        board: None,
    });
    Count { method: "area", name: "count by stones", native_name: "数子法", steps, result }
}

fn with_dead(board: &Board, dead: &[Stone]) -> CountBoard {
    let stone = |stone: &Stone| crate::Stone { at: stone.at.into(), owner: stone.colour.side() };
    let mut all: Vec<_> = stones(board, Seats::USUAL).into_iter().chain(dead.iter().map(stone)).collect();
    all.sort_unstable_by_key(|stone| (stone.at.row, stone.at.column));
    CountBoard { stones: all, marks: dead.iter().map(|stone| mark(stone.at, "dead")).collect() }
}

fn holdings(board: &Board, area: &Area) -> Vec<Mark> {
    let kind = |at| area.owner(at).map_or("shared", |colour| territory(colour.side()));
    let empty = board.points().filter(|at| board.stone(*at).is_none());
    empty.map(|at| mark(at, kind(at))).collect()
}
